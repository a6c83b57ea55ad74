"""An event loop whose clock jumps: when nothing is left to do but to wait, the wait is over.

with virtual_time() as loop:
    loop.run_until_complete(...)       # hours of asyncio.sleep take no time
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from core.respondents.patience import Clock

GRACE_S = 0.0005
"""Real time that sockets and other threads get before a jump."""


class _Jumping(selectors.DefaultSelector):
    """Waits no longer than the grace; what is left of the time-out is added to the clock."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds = 0.0
        self.busy: Callable[[], bool] = lambda: False

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        alone = len(self.get_map()) <= 1  # the loop's own pipe
        grace = 0.0 if alone and not self.busy() else GRACE_S
        while True:
            ready = super().select(timeout if timeout is None else min(grace, max(0.0, timeout)))
            if ready or timeout is None or timeout <= 0:
                return ready
            if not self.busy():
                self.seconds += timeout
                return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """Real sockets and threads work too: time stands still while a thread works."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        self._jumping.busy = lambda: self._threads > 0
        self._threads = 0
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.seconds

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        self._threads += 1
        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(self._ended)
        return future

    def _ended(self, _: object) -> None:
        self._threads -= 1

    @property
    def clock(self) -> Clock:
        return Clock(self.time, asyncio.sleep)


@contextmanager
def virtual_time() -> Iterator[VirtualLoop]:
    """Such a loop, closed at the end."""
    loop = VirtualLoop()
    try:
        yield loop
    finally:
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()
