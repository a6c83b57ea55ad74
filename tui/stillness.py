"""Whether the user is at work: what can wait, waits until nothing was typed for a moment.

Threads share one interpreter with the one that paints: what they do between a key and its frame, the key waits for.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

STILL_S = 0.15
"""After so long without a key the keyboard is still: longer than between the keys of a quick walk, of which pictures
made between them would keep the next one waiting."""
PATIENCE_S = 5.0
"""Who types on and on sees what is new after so long."""


class Stillness:
    """Told of every key. All methods belong to the event loop's thread."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._stirred = float("-inf")

    def stir(self) -> None:
        """Something was typed."""
        self._stirred = self._clock()

    async def settled(self) -> None:
        """Until the keyboard is still: a key held down keeps it waiting."""
        while (left := self._left()) > 0:
            await asyncio.sleep(left)

    def waiting(self) -> Callable[[], Awaitable[None]]:
        """A function that waits until the keyboard is still, for work in several parts: all its calls together wait
        no longer than ``PATIENCE_S`` from now."""
        until = self._clock() + PATIENCE_S

        async def wait() -> None:
            while (left := min(self._left(), until - self._clock())) > 0:
                await asyncio.sleep(left)

        return wait

    def _left(self) -> float:
        return self._stirred + STILL_S - self._clock()
