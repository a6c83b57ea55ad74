"""Work that a signal ends in good order."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

from tui.cli.ending import Interrupted, end_in_time

T = TypeVar("T")


def run_until_done(work: Coroutine[Any, Any, T]) -> T:
    """What ``work`` returns, in an event loop of its own. SIGINT and SIGTERM cancel it: raises Interrupted then."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        return asyncio.run(_interruptible(work))
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)  # the loop leaves the system's own behind


async def _interruptible(work: Coroutine[Any, Any, T]) -> T:
    task = asyncio.current_task()
    assert task is not None
    caught: list[int] = []
    loop = asyncio.get_running_loop()

    def stop(number: int) -> None:
        if caught:
            os._exit(128 + number)  # asked twice: the store is safe at any moment
        caught.append(number)
        end_in_time(number)
        task.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop, number)
    try:
        return await work
    except asyncio.CancelledError:
        if caught:
            raise Interrupted(caught[0]) from None
        raise
