"""Measures that read trajectories, not cells: what papers report beyond the accuracy of single steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.records import Json, RespondentKind
from core.tally import ALL


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """How one step came out under one scorer; ``parsed`` tells whether anything could be read."""

    step: str
    right: bool
    parsed: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """One plain, finished trajectory: its item, that item's groups, and how its steps came out, in order."""

    item: str
    groups: Mapping[str, str]
    repeat: int
    steps: tuple[StepOutcome, ...]


@dataclass(frozen=True, slots=True)
class RunOutcomes:
    """All outcomes of a run under one scorer, with what tells it from other runs of the same respondent."""

    run: str
    subset: str
    protocol: str
    options: Mapping[str, str]
    respondent: str
    kind: RespondentKind
    scorer: str
    outcomes: Sequence[Outcome]


@dataclass(frozen=True, slots=True)
class Measure:
    """One value: its name, the run (or runs, joined by `` vs ``) and respondent it belongs to, and what it stands on.

    ``value`` is None where nothing defines it (no failed chain to recover from); ``note`` says why, and which
    section or table of the paper it is.
    """

    name: str
    run: str
    respondent: str
    value: float | None
    n: int
    scorer: str = "rule"
    group_by: str = ALL
    group: str = ALL
    low: float | None = None
    high: float | None = None
    interval: str = ""
    note: str = ""

    def to_json(self) -> dict[str, Json]:
        """Flat, for ``report --json``."""
        return {name: getattr(self, name) for name in self.__slots__}
