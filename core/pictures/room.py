"""How much is decoded at once in this process: small files hold large pictures, and many are looked at together."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Final

MOST: Final = 1 << 30
"""Bytes of decoded pictures. One picture alone may be more."""

DECODED: Final = 4
"""Bytes of a pixel as it is decoded (Pillow keeps three channels in four bytes)."""

FLATTENED: Final = 16
"""The same while it is laid on white: up to four copies."""


LARGE: Final = 1 << 26
_MMAP_THRESHOLD: Final = -3
_MAPPED: Final = 1 << 22


@lru_cache(maxsize=1)
def _give_memory_back() -> None:
    """From now on what is freed of pictures goes back to the system: glibc would keep, for each thread, as much as
    its largest one took."""
    import ctypes

    with suppress(OSError, AttributeError, TypeError):  # another library, which does not
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _MAPPED)


class Room:
    """Bytes that jobs share, in the order in which they ask. Safe to call from any thread.

    A job that asks again for more gives back what it has before it waits, so that none waits for another for ever.
    """

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self._taken = 0
        self._waiting: deque[object] = deque()
        self._changed = threading.Condition()
        self._of_thread = threading.local()

    @contextmanager
    def job(self) -> Iterator[None]:
        """What this thread takes in it, it has until it ends; a job within a job is that one."""
        if getattr(self._of_thread, "held", None) is not None:
            yield
            return
        self._of_thread.held = 0
        try:
            yield
        finally:
            self._give_back()
            self._of_thread.held = None

    def take(self, size: int) -> None:
        """Have this job hold so many bytes, waiting until there is room."""
        if size <= self._of_thread.held:
            return
        self._give_back()
        if size >= LARGE:
            _give_memory_back()
        with self._changed:
            turn = object()
            self._waiting.append(turn)
            try:
                self._changed.wait_for(
                    lambda: self._waiting[0] is turn and (not self._taken or self._taken + size <= self.most)
                )
                self._taken += size
                self._of_thread.held = size
            finally:
                self._waiting.remove(turn)
                self._changed.notify_all()

    def _give_back(self) -> None:
        if not self._of_thread.held:
            return
        with self._changed:
            self._taken -= self._of_thread.held
            self._of_thread.held = 0
            self._changed.notify_all()


ROOM: Final = Room()
"""Of this process."""
