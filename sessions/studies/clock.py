"""The two clocks of a sitting: UTC, and one that never goes back. Simulated people have their own."""

from __future__ import annotations

import time

from sessions import encoding


class Clock:
    """``now`` is milliseconds since 1970, UTC; ``ms`` milliseconds since this clock was made, never going back."""

    def __init__(self) -> None:
        self.started = encoding.now_ms()
        self._zero = time.monotonic()

    def now(self) -> int:
        return encoding.now_ms()

    def ms(self) -> float:
        return (time.monotonic() - self._zero) * 1000

    def of(self, seconds: float) -> float:
        """A time of ``time.monotonic`` by this clock."""
        return (seconds - self._zero) * 1000

    def utc(self, ms: float) -> int:
        """A time of this clock as UTC."""
        return self.started + round(ms)


class SetClock(Clock):
    """A clock that only goes on when told so."""

    def __init__(self, started: int | None = None) -> None:
        super().__init__()
        self.started = self.started if started is None else started
        self._ms = 0.0

    def now(self) -> int:
        return self.utc(self._ms)

    def ms(self) -> float:
        return self._ms

    def go_on(self, ms: float) -> None:
        self._ms += ms
