"""How far two scorers agree on the same answers: VOILA's tables 12 to 15 (appendix B.5), for any two scorers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields

from core.cells import ALL, units_of
from core.records import Json, Layout


@dataclass(frozen=True, slots=True)
class PairRow:
    """So many answers that two scorers saw alike: bits of the one that is looked at, and of the reference."""

    lane: str
    step: str
    right: int
    scored: int
    reference_right: int
    reference_scored: int
    count: int = 1


@dataclass(frozen=True, slots=True)
class Agreement:
    """One property of one step: ``tp``, ``tn``, ``fp`` and ``fn`` count answers (describing: pictures) that both
    scorers scored; ``fp`` are those that only ``scorer`` holds right, ``fn`` those that only ``reference`` does.

    ``accuracy`` is (TP + TN) / n. Property ``all`` is the paper's "Question": all properties right together.
    """

    step: str
    property: str
    n: int
    tp: int
    tn: int
    fp: int
    fn: int
    accuracy: float
    interventions: str = ""
    run: str = ""
    benchmark: str = ""
    subset: str = ""
    protocol: str = ""
    options: str = ""
    respondent: str = ""
    scorer: str = ""
    reference: str = ""

    def to_json(self) -> dict[str, Json]:
        """Flat, ``agree`` (TP + TN) with it."""
        out = {one.name: getattr(self, one.name) for one in fields(self)}
        return out | {"agree": self.tp + self.tn}


def agreements(layout: Callable[[str], Layout], rows: Iterable[PairRow]) -> Iterator[Agreement]:
    """Lane by lane and step by step, each property and then ``all``; what only one of them scored is left out."""
    counts: dict[tuple[str, str], dict[str, list[int]]] = defaultdict(dict)
    for row in rows:
        of_step = layout(row.step)
        for name in (*of_step.properties, ALL):
            sums = counts[row.lane, row.step].setdefault(name, [0, 0, 0, 0])
            for unit in units_of(of_step, name):
                if row.scored & row.reference_scored & unit == unit:
                    held, reference = row.right & unit == unit, row.reference_right & unit == unit
                    sums[2 * held + reference] += row.count
    for (lane, step), by_property in counts.items():
        for name, (tn, fn, fp, tp) in by_property.items():
            if n := tn + fn + fp + tp:
                yield Agreement(step, name, n, tp, tn, fp, fn, (tp + tn) / n, lane)
