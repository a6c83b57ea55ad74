"""Response times: medians and quantiles, in seconds of active time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from core.records import Json

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, slots=True)
class Taken:
    """One answer's times in milliseconds after its turn was on screen, pauses taken out: until the first answer, and
    until it was given for good. None where it was not."""

    person: str
    condition: str
    step: str
    first_ms: float | None
    final_ms: float | None


@dataclass(frozen=True, slots=True)
class Times:
    """Quantiles in seconds over ``n`` answers of ``people`` persons. ``measure``: ``first`` or ``final``.

    ``person_low`` and ``person_high`` are the smallest and the largest of the persons' own medians. Terminals and
    keyboards add tens of milliseconds to each, and unevenly.
    """

    condition: str
    step: str
    measure: str
    n: int
    people: int
    q05: float
    q25: float
    median: float
    q75: float
    q95: float
    person_low: float
    person_high: float

    def to_json(self) -> dict[str, Json]:
        return {name: getattr(self, name) for name in self.__slots__}


def times(taken: Iterable[Taken]) -> list[Times]:
    """By condition and step, in their order."""
    found: dict[tuple[str, str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for one in taken:
        for measure, value in (("first", one.first_ms), ("final", one.final_ms)):
            if value is not None:
                found[one.condition, one.step, measure][one.person].append(value / 1000)
    return [_times(*where, by_person) for where, by_person in found.items()]


def _times(condition: str, step: str, measure: str, by_person: dict[str, list[float]]) -> Times:
    import numpy

    values = [value for own in by_person.values() for value in own]
    medians = [float(numpy.median(own)) for own in by_person.values()]
    q05, q25, middle, q75, q95 = (float(value) for value in numpy.quantile(values, QUANTILES))
    spread = q05, q25, middle, q75, q95, min(medians), max(medians)
    return Times(condition, step, measure, len(values), len(by_person), *spread)
