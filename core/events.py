"""What happens while trajectories run; the progress bar, the JSON log and the screens listen to the same events."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

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


_DETAILS: Final = re.compile(r"(:(\s|$)|\s\().*", re.DOTALL)
"""From where a reason goes on in somebody else's words, behind a colon or in brackets, which may hold colons too."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """An attempt has failed, ``count`` of them by now, and after ``seconds`` it is asked again. ``what`` says why,
    and holds no secret.

    A call that is no trajectory's own says ``whose`` it is (``judge gpt-4o``, ``batches of gpt-4o``), with a
    ``place`` that tells it from others of the same; it is over with WaitOver. ``trajectory`` is None then.
    """

    trajectory: Trajectory | None
    step: str
    what: str
    seconds: float
    count: int
    whose: str = ""
    place: str = ""

    @property
    def kind(self) -> str:
        """The reason without what changes from one reply to the next: ``HTTP 429``, ``the reply is no JSON``."""
        return _DETAILS.sub("", self.what)

    @property
    def short(self) -> str:
        """``HTTP 429, waits 5 s``."""
        return f"{self.kind}, waits {self.seconds:.0f} s"

    @property
    def brief(self) -> str:
        """``HTTP 429, waits 5 s, asked 3 times``, and before it whose call it is where that is not plain."""
        said = f"{self.short}, asked {'once' if self.count == 1 else f'{self.count} times'}"
        return f"{self.whose}: {said}" if self.whose else said

    @property
    def words(self) -> str:
        """The same, and the rest of the reason in the server's words."""
        rest = self.what.removeprefix(self.kind).rstrip(" :")
        return f"{self.brief}{rest}"


@dataclass(frozen=True, slots=True)
class Loading:
    """The model that a turn is for is being loaded; ``what`` says how far it is, "" once that is over.

    A call that is no trajectory's own says whose it is, as one that is waited for does.
    """

    trajectory: Trajectory | None
    step: str
    what: str
    whose: str = ""


@dataclass(frozen=True, slots=True)
class WaitOver:
    """A call that is no trajectory's own, and that was waited for, has come to an end."""

    whose: str
    place: str


class Waits:
    """The calls that are waited for, by their trajectory or whose they are: as many as are in flight at most."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[object, ...], Waiting] = {}

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
            case Waiting(trajectory=None, whose=whose, place=place):
                self._wait((whose, place), event)
            case Waiting(trajectory=Trajectory() as trajectory):
                self._wait(_key(trajectory), event)
            case WaitOver(whose=whose, place=place):
                self._waiting.pop((whose, place), None)
            case _:
                pass

    def _wait(self, key: tuple[object, ...], event: Waiting) -> None:
        self._waiting.pop(key, None)
        self._waiting[key] = event


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


Event: TypeAlias = (
    Asked | Delta | StepDone | TrajectoryDone | Failed | Waiting | Loading | WaitOver | Spent | Spared | Judged
)
Listener: TypeAlias = Callable[[Event], None]
