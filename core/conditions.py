"""How respondents were asked, set beside each other: what differed, and what of it forbids a plain comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.errors import UsageError
from core.records import EMPTY, Json


@dataclass(frozen=True, slots=True)
class Asked:
    """How one side was asked. ``matters`` are conditions, by name, that have to be the same; ``notes`` may differ.
    Where a side has no entry for a condition it is not known there, or means nothing."""

    name: str
    matters: Mapping[str, str]
    notes: Mapping[str, str] = field(default_factory=lambda: EMPTY)


@dataclass(frozen=True, slots=True)
class Differing:
    """One condition and its value on each side, in their order. ``matters``: it differs, and should not."""

    what: str
    values: tuple[str, ...]
    matters: bool

    def to_json(self) -> dict[str, Json]:
        return {"what": self.what, "values": list(self.values), "matters": self.matters}


def differing(sides: Sequence[Asked]) -> list[Differing]:
    """All conditions that are not the same on every side, those that matter first."""
    return [*_rows([side.matters for side in sides], matters=True), *_rows([s.notes for s in sides], matters=False)]


def _rows(sides: Sequence[Mapping[str, str]], *, matters: bool) -> list[Differing]:
    names = dict.fromkeys(name for side in sides for name in side)
    rows = [(name, tuple(side.get(name, "-") for side in sides)) for name in names]
    return [Differing(name, values, matters) for name, values in rows if len({v for v in values if v != "-"}) > 1]


def refuse_unmatched(sides: Sequence[Asked], rows: Sequence[Differing]) -> None:
    """Raises UsageError naming every condition that matters and differs."""
    if told := [f"{row.what} ({' / '.join(row.values)})" for row in rows if row.matters]:
        raise UsageError(
            f"they were not asked alike: {'; '.join(told)}",
            where=" and ".join(side.name for side in sides),
            remedy="Ask the same (a model as people with `phoropter run --study FILE`), or say --unmatched",
        )
