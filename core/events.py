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


Event: TypeAlias = Asked | Delta | StepDone | TrajectoryDone | Failed | Spent | Spared | Judged
Listener: TypeAlias = Callable[[Event], None]
