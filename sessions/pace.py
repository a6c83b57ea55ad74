"""How fast a batch goes: over the last seconds of its going, or its last trajectories, pauses left out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple

WINDOW_S: Final = 20.0
FEWEST: Final = 20
"""So many trajectories are looked back on at least, as far as there are any: of a few, one more or less is a lot."""
BETWEEN_MARKS_S: Final = 0.5


class _Mark(NamedTuple):
    seconds: float
    steps: int
    settled: int


class Pace:
    """Counts steps and settled trajectories (finished or failed) by the seconds that it was going."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._before = 0.0
        self._since: float | None = None
        self._steps = self._settled = 0
        self._marks: deque[_Mark] = deque()

    @property
    def seconds(self) -> float:
        """Of going, without the pauses."""
        return self._before + (0.0 if self._since is None else self._clock() - self._since)

    def go(self) -> None:
        """From now on it goes; what went before a pause says nothing of how fast it goes now."""
        if self._since is None:
            self._since = self._clock()
            self._marks = deque([_Mark(self.seconds, self._steps, self._settled)])

    def hold(self) -> None:
        """From now on it stands."""
        if self._since is not None:
            self._before, self._since = self.seconds, None

    def count(self, *, steps: int = 0, settled: int = 0) -> None:
        """So much more is done."""
        self._steps += steps
        self._settled += settled
        now = self.seconds
        if not self._marks or now - self._marks[-1].seconds >= BETWEEN_MARKS_S:
            self._marks.append(_Mark(now, self._steps, self._settled))
        while len(self._marks) > 2 and self._far_back(self._marks[1]):
            self._marks.popleft()

    def _far_back(self, mark: _Mark) -> bool:
        return self.seconds - mark.seconds >= WINDOW_S and self._settled - mark.settled >= FEWEST

    def steps_per_second(self) -> float:
        """0 where nothing is known yet."""
        return self._per_second(self._steps, lambda mark: mark.steps)

    def seconds_for(self, trajectories: int) -> float | None:
        """How long so many trajectories will take; None where none was settled lately."""
        rate = self._per_second(self._settled, lambda mark: mark.settled)
        return trajectories / rate if rate else None

    def _per_second(self, now: int, then: Callable[[_Mark], int]) -> float:
        if not self._marks:
            return 0.0
        first = self._marks[0]
        seconds = self.seconds - first.seconds
        return (now - then(first)) / seconds if seconds > 0 else 0.0
