"""What one server bears: how many calls at once, and whether any at all."""

from __future__ import annotations

from typing import Final

CUT: Final = 0.5
"""What is left of a window when a server says that it is overloaded."""
FIRST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 60.0


class Window:
    """How many calls at once a server bears: cut when it says so, grown by one for each round that goes well."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = float(most)
        self.round = 0

    def succeeded(self) -> None:
        self.size = min(float(self.most), self.size + 1 / self.size)

    def overloaded(self, round_: int) -> None:
        """Calls that went out before the last cut tell nothing new."""
        if round_ == self.round:
            self.size = max(1.0, self.size * CUT)
            self.round += 1


class Breaker:
    """Leaves a server alone after so many failures in a row: a pause, one call that tries, a pause twice as long."""

    def __init__(self, after: int) -> None:
        self._after = after
        self._pause = FIRST_PAUSE_S
        self.failures = 0
        self.opened: float | None = None
        self.until = 0.0
        self.trying = False

    def ready(self, now: float) -> bool:
        return self.opened is None or (now >= self.until and not self.trying)

    def succeeded(self) -> None:
        self.failures = 0
        self.opened = None
        self.trying = False
        self._pause = FIRST_PAUSE_S

    def failed(self, now: float, *, tried: bool, patience_s: float) -> None:
        """``tried``: it was the call that went out to try; calls that went before the pause tell nothing new."""
        self.failures += 1
        if self.opened is None:
            if self.failures >= self._after:
                self.opened = now
                self._wait(now, patience_s)
        elif tried:
            self._pause = min(LONGEST_PAUSE_S, self._pause * 2)
            self._wait(now, patience_s)

    def _wait(self, now: float, patience_s: float) -> None:
        assert self.opened is not None
        left = self.opened + patience_s - now
        self.until = now + (min(self._pause, left) if left > 0 else self._pause)
