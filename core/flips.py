"""What an intervention changed: the same answers before and after it, right or wrong, pair by pair."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from core.cells import ALL, units
from core.records import Json, Layout, RespondentKind
from core.statistics import paired_difference, sign_test

Compared: TypeAlias = Literal["intervention - plain", "sham - plain", "intervention - sham"]
"""Whose answers, less whose: the sham's own flips are the noise that any others stand out from, or do not."""

Bits: TypeAlias = tuple[int, int]
"""``right`` and ``scored`` of one score, in its step's layout."""


@dataclass(frozen=True, slots=True)
class Change:
    """``n`` pairs (of pictures, where a step scores several) of four kinds, the first word saying how it was before:
    ``wrong_right`` is what came right.

    ``change`` is the difference of the two accuracies with its 95% interval, a bootstrap over items; ``p`` is the
    exact sign test over items, McNemar's where each gave one pair.
    """

    right_right: int
    right_wrong: int
    wrong_right: int
    wrong_wrong: int
    n: int
    items: int
    change: float
    low: float
    high: float
    interval: str
    p: float


@dataclass(frozen=True, slots=True)
class Flips:
    """One step and property of a run beside the same of the run it is set against, over the same trajectories.

    ``left_out`` counts the run's trajectories that failed, are open, or have no finished counterpart.
    ``asked_anew``: steps before the intervention are not the other run's own, so that they may differ too.
    """

    run: str
    against: str
    compared: Compared
    interventions: str
    scorer: str
    step: str
    property: str
    figures: Change
    left_out: int = 0
    asked_anew: bool = False
    benchmark: str = ""
    subset: str = ""
    protocol: str = ""
    respondent: str = ""
    kind: RespondentKind = "model"

    def to_json(self) -> dict[str, Json]:
        """Flat, for ``report --json``."""
        own = {name: getattr(self, name) for name in self.__slots__ if name != "figures"}
        return own | {name: getattr(self.figures, name) for name in Change.__slots__}


class Pairs:
    """Pairs of scores of the same steps, counted step by step and property by property.

    ``pooled`` steps are numbered (``plan.1``, ``plan.2``) and count together under their common name.
    """

    def __init__(self, layout: Callable[[str], Layout], pooled: tuple[str, ...] = ()) -> None:
        self._layout = layout
        self._pooled = pooled
        self._found: dict[str, dict[Hashable, list[tuple[Bits, Bits]]]] = defaultdict(lambda: defaultdict(list))

    def add(self, step: str, item: Hashable, before: Bits, after: Bits) -> None:
        common = step.partition(".")[0]
        self._found[common if common in self._pooled else step][item].append((before, after))

    def rows(self) -> Iterator[tuple[str, str, Change]]:
        """Step, property (``all`` last) and figures; what was never scored on both sides has no row."""
        for step, items in self._found.items():
            layout = self._layout(step)
            alike = Counter(tuple(sorted(pairs)) for pairs in items.values())
            for name in (*layout.properties, ALL):
                change = _change(layout, name, alike)
                if change is not None:
                    yield step, name, change


def _change(layout: Layout, name: str, alike: Mapping[tuple[tuple[Bits, Bits], ...], int]) -> Change | None:
    """``alike`` maps the pairs of an item to how many items have just these."""

    @cache
    def kinds(before: Bits, after: Bits) -> tuple[int, int, int, int]:
        counts = [0, 0, 0, 0]
        for was, now in zip(units(layout, name, *before), units(layout, name, *after), strict=True):
            if was is not None and now is not None:
                counts[2 * (not was) + (not now)] += 1
        return counts[0], counts[1], counts[2], counts[3]

    totals = [0, 0, 0, 0]
    clusters: Counter[tuple[float, int]] = Counter()
    for pairs, count in alike.items():
        of_item = [sum(found) for found in zip(*(kinds(before, after) for before, after in pairs), strict=True)]
        if size := sum(of_item):
            totals = [total + count * found for total, found in zip(totals, of_item, strict=True)]
            clusters[of_item[2] - of_item[1], size] += count
    n = sum(totals)
    if n == 0:
        return None
    gained = sum(count for (gain, _), count in clusters.items() if gain > 0)
    lost = sum(count for (gain, _), count in clusters.items() if gain < 0)
    low, high, interval = paired_difference(clusters)
    figures = (n, clusters.total(), (totals[2] - totals[1]) / n, low, high, interval, sign_test(gained, lost))
    return Change(totals[0], totals[1], totals[2], totals[3], *figures)
