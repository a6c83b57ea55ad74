"""One accuracy with everything it stands on: from sums over the units of answers, with its interval."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final

from core.records import Json, Layout, Parse, RespondentKind
from core.statistics import Interval, cluster_bootstrap, wilson

ALL: Final = "all"
STEPS: Final = "steps"
"""Property of numbered steps: all of them as one, not sample by sample."""

UNPARSED: Final = (Parse.NO_ANSWER, Parse.AMBIGUOUS)


@dataclass(frozen=True, slots=True)
class CountRow:
    """So many scores that are alike: same lane, step, scorer and group, same bits and parse status.

    ``cluster`` names what their answers hang together by (an item that was run several times); None where each
    score is a cluster of its own.
    """

    lane: str
    step: str
    scorer: str
    group: str
    status: Parse
    right: int
    scored: int
    count: int = 1
    cluster: Hashable = None


@dataclass(frozen=True, slots=True)
class Cell:
    """One accuracy with everything it stands on: a row of ``report --json``.

    ``n`` holds unparsed and refused answers as wrong and leaves failed ones out; ``accuracy_strict`` counts failed
    as wrong too, ``accuracy_answered`` leaves all three out (None where nothing else is left). ``unscored`` were
    left out of n by the scorer, ``judge_errors`` since asking a judge gave no score. ``source`` names the table of a
    paper that a figure was taken from; such a cell has no interval, and n is 0 where the paper does not say it.
    ``gold`` says which gold counted: the published one, corrected where that is disputed, or that of undisputed
    items alone.
    """

    step: str
    property: str
    right: float
    n: int
    accuracy: float | None
    low: float | None
    high: float | None
    interval: str
    unparsed: int
    refused: int
    unscored: int
    failed: int
    accuracy_strict: float | None
    scorer: str
    interventions: str = ""
    group_by: str = ALL
    group: str = ALL
    run: str = ""
    benchmark: str = ""
    subset: str = ""
    protocol: str = ""
    options: str = ""
    respondent: str = ""
    kind: RespondentKind = "model"
    source: str = ""
    judge_errors: int = 0
    gold: str = "published"
    accuracy_answered: float | None = None

    def to_json(self) -> dict[str, Json]:
        """Flat, under the names of the contract."""
        return dict(zip(self.__slots__, _VALUES(self), strict=True))


_VALUES: Final = attrgetter(*Cell.__slots__)


@dataclass(slots=True)
class Sums:
    """Sums of one property (or ``all``) in one cell; ``right_open`` are those right of the unparsed and refused (a
    judge may see something where the answer as a whole says nothing)."""

    right: float = 0
    n: int = 0
    unparsed: int = 0
    refused: int = 0
    unscored: int = 0
    right_open: float = 0

    @property
    def answered(self) -> float | None:
        """The share of right answers of those that say something."""
        n = self.n - self.unparsed - self.refused
        return (self.right - self.right_open) / n if n else None


Clusters = Mapping[tuple[float, int], int]
"""(right, answers) of one cluster to how many clusters are like that."""


def cells_from(
    layout: Layout,
    summed: Sequence[tuple[Sums, Clusters]],
    failed: int,
    unjudged: int,
    about: Mapping[str, Any],
) -> Iterator[Cell]:
    """A cell for each property with something in it, ``all`` last; ``about`` are the fields that they share."""
    for name, (total, clusters) in zip((*layout.properties, ALL), summed, strict=True):
        if total.n == 0 and not failed and not unjudged and (total.unscored == 0 or layout.units == 1):
            continue
        asked = {pair: count for pair, count in clusters.items() if pair != (0, 0)}
        told = {**about, "judge_errors": unjudged * layout.units}
        yield filled(name, total, asked, failed * layout.units, about=told)


def filled(
    name: str,
    total: Sums,
    clusters: Clusters,
    failed: int,
    interval: Interval | None = None,
    about: Mapping[str, Any] = MappingProxyType({}),
) -> Cell:
    """A cell of these sums; its interval is Wilson's where each cluster is one answer that is right or wrong."""
    if interval is None:
        alone = all(n == 1 and right in (0, 1) for right, n in clusters)
        interval = wilson(total.right, total.n) if alone else cluster_bootstrap(clusters)
    strict_n = total.n + failed
    fields: dict[str, Any] = {
        "step": "",
        "property": name,
        "right": total.right,
        "n": total.n,
        "accuracy": total.right / total.n if total.n else None,
        "low": interval.low,
        "high": interval.high,
        "interval": interval.name,
        "unparsed": total.unparsed,
        "refused": total.refused,
        "unscored": total.unscored,
        "failed": failed,
        "accuracy_strict": total.right / strict_n if strict_n else None,
        "scorer": "",
        "accuracy_answered": total.answered,
        **about,
    }
    return Cell(**fields)


@lru_cache(maxsize=10_000)
def taken_apart(layout: Layout, right: int, scored: int) -> tuple[tuple[int, int], ...]:
    """Of each property, and last of all of them together, how many units of a score are right and how many are
    scored."""
    return tuple(_units(layout, name, right, scored) for name in (*layout.properties, ALL))


def units_of(layout: Layout, name: str) -> list[int]:
    """Unit by unit the bits of a property, or of all of them together."""
    return [layout.unit_mask(unit) if name == ALL else layout.bit(name, unit) for unit in range(layout.units)]


def units(layout: Layout, name: str, right: int, scored: int) -> Iterator[bool | None]:
    """Unit by unit whether a property, or all of them together, is right; None where it is not scored."""
    for mask in units_of(layout, name):
        yield right & mask == mask if scored & mask == mask else None


def _units(layout: Layout, name: str, right: int, scored: int) -> tuple[int, int]:
    """How many units of a score are right and how many are scored."""
    known = [unit for unit in units(layout, name, right, scored) if unit is not None]
    return sum(known), len(known)


NO_VALUE: Final = "no value"
"""The heading of what :func:`without_value` says; trajectories that are not asked to their end are ``left open``."""

_WITHOUT: Final = (("unparsed", "unparsed"), ("refused", "refused"), ("unscored", "unscored"), ("failed", "failed"),
                   ("judge_errors", "judge_error"))  # fmt: skip


def without_value(cell: Cell) -> str:
    """Answers without a value by reason, ``3 unparsed, 1 failed``; ``""`` where there is none."""
    return ", ".join(f"{count} {word}" for name, word in _WITHOUT if (count := getattr(cell, name)))
