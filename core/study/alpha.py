"""Krippendorff's alpha for named values: how far people agree beyond chance, whoever answered what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

RESAMPLES: Final = 1000


@dataclass(frozen=True, slots=True)
class Alpha:
    """``value`` is None where alpha is undefined: no unit has two values, or all values are the same.

    ``units`` counts those with two values or more, ``values`` all values in them; ``low`` and ``high`` are a 95%
    percentile bootstrap over units, None where there is none.
    """

    value: float | None
    units: int
    values: int
    low: float | None = None
    high: float | None = None
    why: str = ""


def alpha(units: Iterable[Sequence[Hashable]], seed: int = 0) -> Alpha:
    """Nominal alpha (Krippendorff 2011, Computing Krippendorff's alpha-reliability): 1 - observed / expected
    disagreement from the matrix of coincidences.

    A unit is what several people judged, with the values they gave; who did not answer is left out of it, and a unit
    with fewer than two values counts for nothing.
    """
    import numpy

    paired = [Counter(values) for values in units if len(values) > 1]
    kinds = list(dict.fromkeys(value for counts in paired for value in counts))
    total = sum(counts.total() for counts in paired)
    if not paired:
        return Alpha(None, 0, 0, why="no item has two answers")
    if len(kinds) < 2:
        return Alpha(None, len(paired), total, why="all answers are the same")
    counts = numpy.array([[each[kind] for kind in kinds] for each in paired], dtype=float)
    sizes = counts.sum(axis=1)
    # pairs of unlike values within a unit, each ordered pair weighed by 1 / (m - 1)
    unlike = (sizes**2 - (counts**2).sum(axis=1)) / (sizes - 1)

    def of(weights: numpy.ndarray) -> numpy.ndarray:
        by_kind = weights @ counts
        n = by_kind.sum(axis=-1)
        expected = n**2 - (by_kind**2).sum(axis=-1)
        with numpy.errstate(divide="ignore", invalid="ignore"):
            found: numpy.ndarray = 1 - (n - 1) * (weights @ unlike) / expected
        return found

    value = float(of(numpy.ones(len(paired))))
    draws = numpy.random.default_rng(seed).multinomial(
        len(paired), numpy.full(len(paired), 1 / len(paired)), size=RESAMPLES
    )
    drawn = of(draws.astype(float))
    drawn = drawn[numpy.isfinite(drawn)]
    if len(paired) < 2 or not len(drawn):
        return Alpha(value, len(paired), total)
    low, high = numpy.percentile(drawn, [2.5, 97.5])
    return Alpha(value, len(paired), total, float(low), float(high))
