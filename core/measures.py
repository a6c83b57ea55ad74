"""Measures that read trajectories, not cells: what papers report beyond the accuracy of single steps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from core.cells import ALL
from core.outcomes import Outcome
from core.records import EMPTY, Json, RespondentKind


@dataclass(frozen=True, slots=True)
class RunOutcomes:
    """All outcomes of a run under one scorer, with what tells it from other runs of the same respondent. ``size_b``
    is the model's size in billions of parameters, None where nobody said it. The store's ``outcomes`` are arrays
    (``Outcomes``)."""

    run: str
    subset: str
    protocol: str
    options: Mapping[str, str]
    respondent: str
    kind: RespondentKind
    scorer: str
    outcomes: Sequence[Outcome]
    size_b: float | None = None


class Answered(NamedTuple):
    """``count`` plain answers to one step of one item (its row) that were scored alike: bits in the step's
    ``Layout``."""

    item: int
    right: int
    scored: int
    count: int = 1  # type: ignore[assignment]  # hides tuple.count, which nobody needs here


@dataclass(frozen=True, slots=True)
class RunAnswers:
    """A run under one scorer, for measures that set it against other runs item by item. ``answers`` reads those to
    one step (a step asked in parts under its own name too); ``group`` gives each item's value of one group. ``asked``
    is what else it was asked with, by name: prompts, pictures, the respondent's parameters."""

    run: str
    subset: str
    protocol: str
    options: Mapping[str, str]
    respondent: str
    kind: RespondentKind
    scorer: str
    answers: Callable[[str], Iterable[Answered]]
    group: Callable[[str], Mapping[int, str]]
    asked: Mapping[str, str] = field(default_factory=lambda: EMPTY)


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


_SIZE: Final = re.compile(r"(?<![A-Za-z0-9.])(\d+(?:\.\d+)?) ?[bB](?![A-Za-z0-9])")


def size_in(name: str) -> float | None:
    """The size in billions of parameters that a model's name tells (``Qwen2-VL-7B``), None where it tells none."""
    found = _SIZE.search(name)
    return float(found[1]) if found else None
