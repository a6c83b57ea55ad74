"""Numbered steps of a protocol counted sample by sample: the mean of the samples' shares, and all steps as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import fsum
from typing import Any, NamedTuple

from core.cells import STEPS, UNPARSED, Cell, CountRow, Sums, filled
from core.records import Parse
from core.statistics import wilson


@dataclass(slots=True)
class Pool:
    """Numbered steps of a protocol under their common name, sample by sample as the first numbers of a Shape."""

    samples: dict[Hashable, list[int]] = field(default_factory=dict)
    unparsed: int = 0
    refused: int = 0

    def add(self, row: CountRow, *, again: bool) -> None:
        """A step asked again after an answer that could not be read adds no step to its sample, only what it got."""
        sums = self.samples.setdefault(row.cluster, [0, 0, 0, 0])
        one = one_step(row.status, row.right, row.scored, again=again)
        for place, part in enumerate((one.right, one.asked, one.vague, one.unparsed + one.refused)):
            sums[place] += part * row.count
        self.unparsed += one.unparsed * row.count
        self.refused += one.refused * row.count

    def shapes(self, lost: Mapping[Hashable, int]) -> dict[Shape, int]:
        """How many samples are alike; ``lost`` are failed calls by sample."""
        found = Counter(Shape._make((*sums, lost.get(sample, 0))) for sample, sums in self.samples.items())
        found.update(Shape(lost=count) for sample, count in lost.items() if sample not in self.samples)
        return found


class OneStep(NamedTuple):
    """What one answer adds to its sample."""

    right: int
    asked: int
    vague: int
    unparsed: int
    refused: int


def one_step(status: Parse, right: int, scored: int, *, again: bool) -> OneStep:
    """Of an answer to a numbered step; ``again`` where it was asked a second time."""
    is_right = int(scored != 0 and right == scored)
    unparsed = int(status in UNPARSED) - int(again)
    return OneStep(
        is_right, int(not again), is_right if status is not Parse.OK else 0, unparsed, int(status is Parse.REFUSAL)
    )


class Shape(NamedTuple):
    """How one sample's numbered steps came out: ``right`` of ``asked``; ``vague`` are right of those that stayed
    ``open``; ``lost`` are failed calls."""

    right: int = 0
    asked: int = 0
    vague: int = 0
    open: int = 0
    lost: int = 0


def pooled_cells(
    property_name: str,
    shapes: Mapping[Shape, int],
    unparsed: int,
    refused: int,
    unjudged: int,
    about: Mapping[str, Any],
) -> Iterator[Cell]:
    """The mean of the samples' shares under the property's name, and ``steps``: all steps as one.

    Failed calls are out of n, and strictly a wrong step each. ``unjudged`` answers have no score and are left out.
    """
    asked = [(shape, count) for shape, count in shapes.items() if shape.asked]
    failed = sum(shape.lost * count for shape, count in shapes.items())
    if not asked and not failed and not unjudged:
        return
    shares, strictly, said = Counter[float](), Counter[float](), Counter[float]()
    steps: Counter[tuple[float, int]] = Counter()
    for shape, count in shapes.items():
        if shape.asked:
            shares[shape.right / shape.asked] += count
            steps[float(shape.right), shape.asked] += count
        if shape.asked + shape.lost:
            strictly[shape.right / (shape.asked + shape.lost)] += count
        if shape.asked > shape.open:
            said[(shape.right - shape.vague) / (shape.asked - shape.open)] += count
    counted = Sums(unparsed=unparsed, refused=refused)
    mean = replace(counted, right=_total(shares), n=shares.total())
    interval = wilson(mean.right, mean.n) if shares.keys() <= {0, 1} else None
    told = {**about, "judge_errors": unjudged}
    yield replace(
        filled(property_name, mean, {(share, 1): count for share, count in shares.items()}, failed, interval, told),
        accuracy_strict=_total(strictly) / strictly.total() if strictly else None,
        accuracy_answered=_total(said) / said.total() if said else None,
    )
    totals = replace(
        counted,
        right=sum(shape.right * count for shape, count in asked),
        n=sum(shape.asked * count for shape, count in asked),
        right_open=sum(shape.vague * count for shape, count in shapes.items()),
    )
    yield filled(STEPS, totals, steps, failed, about=told)


def _total(shares: Mapping[float, int]) -> float:
    """Their sum, the same in whatever order they came."""
    return fsum(share * count for share, count in shares.items())
