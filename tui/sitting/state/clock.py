"""The clock of one turn: when it was seen, when it was first and last answered, how long it was paused or zoomed."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class TurnClock:
    """All times are seconds of the monotonic clock. ``limit`` is the longest active time (0: none). ``paused`` is all
    that was paused, ``paused_first`` and ``paused_final`` what of it lay before the first and the final change."""

    limit: float = 0.0
    onset: float | None = None
    first: float | None = None
    final: float | None = None
    paused: float = 0.0
    paused_first: float = 0.0
    paused_final: float = 0.0
    zoomed: float = 0.0
    _paused_at: float | None = field(default=None, repr=False)
    _zoomed_at: float | None = field(default=None, repr=False)

    def painted(self, at: float) -> None:
        """It is on the screen. The first time counts; after a pause, time goes on from here."""
        if self.onset is None:
            self.onset = at
        if self._paused_at is not None:
            self.paused += at - self._paused_at
            self._paused_at = None

    def pause(self, at: float) -> None:
        """Hidden from now on."""
        if self._paused_at is None and self.onset is not None:
            self._paused_at = at

    def zoom(self, at: float, *, on: bool) -> None:
        """A picture fills the screen, or does no longer. Time goes on."""
        if on and self._zoomed_at is None:
            self._zoomed_at = at
        elif not on and self._zoomed_at is not None:
            self.zoomed += at - self._zoomed_at
            self._zoomed_at = None

    def changed(self, at: float) -> None:
        """A value was chosen, changed or taken back."""
        if self.first is None:
            self.first, self.paused_first = at, self.paused
        if self.final != at:
            self.final, self.paused_final = at, self.paused

    @property
    def is_paused(self) -> bool:
        return self._paused_at is not None

    def active(self, now: float) -> float:
        """Seconds that the turn could be seen so far."""
        if self.onset is None:
            return 0.0
        until = now if self._paused_at is None else self._paused_at
        return max(until - self.onset - self.paused, 0.0)

    def left(self, now: float) -> float | None:
        """Seconds left of the limit, None where there is none."""
        return max(self.limit - self.active(now), 0.0) if self.limit else None
