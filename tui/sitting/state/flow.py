"""What comes after what in a session: how far it is, and where there is a break."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from core.study.definition import Study

Pause: TypeAlias = Literal["break", "part"]


class PlannedLike(Protocol):
    """What is needed of ``core.study.orders.Planned``."""

    @property
    def position(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def condition(self) -> str: ...
    @property
    def block(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Progress:
    """This trial is number ``here`` of ``total``, of the practice where ``practice``."""

    here: int
    total: int
    practice: bool

    @property
    def share(self) -> float:
        """How much lies behind, from 0 to 1."""
        return (self.here - 1) / self.total if self.total else 0.0


def progress(planned: Sequence[PlannedLike], at: int, first: int) -> Progress:
    """Of the trial at that place of what is still to come. ``first`` is how many practice trials the session has."""
    trial = planned[at]
    practice = trial.kind == "practice"
    if practice:
        return Progress(trial.position + 1, first, practice=True)
    return Progress(trial.position - first + 1, planned[-1].position - first + 1, practice=False)


def pause_between(study: Study, before: PlannedLike | None, after: PlannedLike, first: int) -> Pause | None:
    """Whether there is a break between two trials: after every so many items, and where another way of asking
    begins. None after practice, which has a page of its own."""
    if before is None or before.kind == "practice":
        return None
    every = study.timing.break_every
    if every and (after.position - first) % every == 0:
        return "break"
    return "part" if before.condition != after.condition else None
