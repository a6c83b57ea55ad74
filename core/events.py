"""What happens while trajectories run; the progress bar, the JSON log and the screens listen to the same events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from core.records import Item, Recalled, Score, Step, Trajectory, Usage


@dataclass(frozen=True, slots=True)
class Asked:
    """A turn went out."""

    trajectory: Trajectory
    step: str


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of an answer's text arrived."""

    trajectory: Trajectory
    step: str
    text: str


@dataclass(frozen=True, slots=True)
class StepDone:
    """A step is stored; ``trajectory`` already holds it as its last."""

    trajectory: Trajectory
    step: Step


@dataclass(frozen=True, slots=True)
class TrajectoryDone:
    """Nothing more is asked."""

    trajectory: Trajectory


@dataclass(frozen=True, slots=True)
class Failed:
    """A call failed for good; a rerun takes this trajectory up at the same step."""

    trajectory: Trajectory
    step: str
    reason: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """An attempt has failed, ``count`` of them by now, and after ``seconds`` it is asked again. ``what`` says why,
    and holds no secret."""

    trajectory: Trajectory
    step: str
    what: str
    seconds: float
    count: int

    @property
    def kind(self) -> str:
        """The reason without what changes from one reply to the next: ``HTTP 429``."""
        return self.what.partition(":")[0]

    @property
    def short(self) -> str:
        """``HTTP 429, waits 5 s``."""
        return f"{self.kind}, waits {self.seconds:.0f} s"

    @property
    def brief(self) -> str:
        """``HTTP 429, waits 5 s, asked 3 times``."""
        return f"{self.short}, asked {'once' if self.count == 1 else f'{self.count} times'}"

    @property
    def words(self) -> str:
        """The same, and the rest of the reason in the server's words."""
        rest = self.what.partition(":")[2].strip()
        return f"{self.brief}: {rest}" if rest else self.brief


class Waits:
    """The calls that are waited for, by their trajectory: as many as are in flight at most."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, int, int], Waiting] = {}

    @property
    def latest(self) -> Waiting | None:
        """What was told last and has not come to an answer yet."""
        return next(reversed(self._waiting.values()), None)

    def hear(self, event: Event) -> None:
        """Take in one event."""
        match event:
            case Asked(trajectory=trajectory) | StepDone(trajectory=trajectory) | Failed(trajectory=trajectory):
                self._waiting.pop(_key(trajectory), None)
            case TrajectoryDone(trajectory=trajectory):
                self._waiting.pop(_key(trajectory), None)
            case Waiting(trajectory=trajectory):
                self._waiting.pop(_key(trajectory), None)
                self._waiting[_key(trajectory)] = event
            case _:
                pass


def _key(trajectory: Trajectory) -> tuple[str, int, int]:
    return (trajectory.item.id, trajectory.repeat, trajectory.fork)


@dataclass(frozen=True, slots=True)
class Spent:
    """One call's usage."""

    usage: Usage
    seconds: float


@dataclass(frozen=True, slots=True)
class Spared:
    """A call that was not needed: exactly this had been asked before."""

    recalled: Recalled


@dataclass(frozen=True, slots=True)
class Judged:
    """A judge has looked at a stored answer; ``score`` is None where that gave none, and ``error`` says why."""

    item: Item
    step: Step
    trajectory: int | None
    score: Score | None
    error: str = ""


Event: TypeAlias = Asked | Delta | StepDone | TrajectoryDone | Failed | Waiting | Spent | Spared | Judged
Listener: TypeAlias = Callable[[Event], None]
