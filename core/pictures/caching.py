"""A cache bounded by bytes, for values that are dear to make and large to keep."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class ByteCache(Generic[V]):
    """Forgets the least recently used once its values weigh more than ``limit`` bytes, or are more than ``most``.
    Thread-safe.

    A value heavier than the limit is not kept at all.
    """

    def __init__(self, limit: int, most: int = sys.maxsize) -> None:
        self._limit = limit
        self.most = most
        self._held: OrderedDict[Hashable, tuple[V, int]] = OrderedDict()
        self._lock = Lock()
        self.weight = 0

    def get(self, key: Hashable) -> V | None:
        """The value, or None where it is not (or no longer) held."""
        with self._lock:
            found = self._held.get(key)
            if found is None:
                return None
            self._held.move_to_end(key)
            return found[0]

    def put(self, key: Hashable, value: V, weight: int) -> V:
        """Keep the value, at the cost of older ones. Returns it."""
        with self._lock:
            old = self._held.pop(key, None)
            if old is not None:
                self.weight -= old[1]
            if weight <= self._limit:
                self._held[key] = (value, weight)
                self.weight += weight
            while self.weight > self._limit or len(self._held) > self.most:
                _, (_, lost) = self._held.popitem(last=False)
                self.weight -= lost
        return value

    def __len__(self) -> int:
        return len(self._held)
