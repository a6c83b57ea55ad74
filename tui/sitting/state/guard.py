"""Keys that answer nothing: those pressed before a screen could be seen, and one that is still held down."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

GRACE_S: Final = 0.3
"""What is pressed so soon after the first paint was meant for what stood there before."""

REPEAT_DELAY_S: Final = 1.0
"""The longest that a held key waits before it comes again, on any system."""

REPEAT_GAP_S: Final = 0.35
"""Repeats of a held key are closer together than that; a terminal never says that a key was let go."""


@dataclass(frozen=True, slots=True)
class Anticipation:
    """A key that was dropped. ``at`` is in seconds of the monotonic clock; ``held``: it was down already."""

    at: float
    key: str
    held: bool


@dataclass(slots=True)
class Guard:
    """Shut from the moment a screen has been answered until the next one has been seen for ``GRACE_S``.

    A key that was pressed before that stays without effect as long as it is held down, however long that is. All
    times are those of the events themselves, in seconds of the monotonic clock.
    """

    dropped: list[Anticipation] = field(default_factory=list)
    _open_from: float = math.inf
    _key: str = ""
    _at: float = -math.inf
    _repeats: bool = False
    _stale: bool = False

    def shut(self) -> None:
        """Nothing counts until the next screen has been painted."""
        self._open_from = math.inf
        self._stale = True

    def painted(self, at: float) -> None:
        """The screen was first painted then."""
        self._open_from = at + GRACE_S

    def reopen(self, at: float) -> None:
        """What tells of no paint was seen again then, under a page that has shut it."""
        if self._open_from == math.inf:
            self.painted(at)

    def admits(self, key: str, at: float) -> bool:
        """Whether that key (``mouse``, ``paste`` for what is no key) counts; one that does not is noted."""
        held = key == self._key and at - self._at < (REPEAT_GAP_S if self._repeats else REPEAT_DELAY_S)
        early = at < self._open_from
        self._stale = early or (held and self._stale)
        self._key, self._at, self._repeats = key, at, held
        if self._stale:
            self.dropped.append(Anticipation(at, key, held))
        return not self._stale

    def taken(self) -> tuple[Anticipation, ...]:
        """Those dropped since it was last asked."""
        out = tuple(self.dropped)
        self.dropped.clear()
        return out
