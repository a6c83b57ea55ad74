"""Work that a signal ends in good order."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Interrupted(BaseException):
    """A signal ended the work; what had been stored is kept. ``waits`` is what a call was waited for then."""

    waits = ""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def run_until_done(work: Coroutine[Any, Any, T]) -> T:
    """What ``work`` returns, in an event loop of its own. SIGINT and SIGTERM cancel it: raises Interrupted then."""
    return asyncio.run(_interruptible(work))


async def _interruptible(work: Coroutine[Any, Any, T]) -> T:
    task = asyncio.current_task()
    assert task is not None
    caught: list[int] = []
    loop = asyncio.get_running_loop()

    def stop(number: int) -> None:
        if caught:
            os._exit(128 + number)  # asked twice: the store is safe at any moment
        caught.append(number)
        task.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop, number)
    try:
        return await work
    except asyncio.CancelledError:
        if caught:
            raise Interrupted(caught[0]) from None
        raise
