"""Does a respondent that sees no picture beat chance? (Paper section 2.4, "Elimination of Answer Leakage".)

The paper compares with 25% (four options) and 50% (true/false) by eye. Here chance is each item's own, one in the
number of its answers, and the test is exact: how likely would guessing be right at least so often (a sum of unequal
coins, Poisson-binomial; with equal ones the binomial test).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

LEVEL: Final = 0.05
"""Of all subtasks of a run together: that of a run without any leak being flagged anywhere."""


def tail(right: int, chances: Sequence[float]) -> float:
    """Probability that guesses with these chances are right at least ``right`` times."""
    if right <= 0:
        return 1.0
    return min(1.0, sum(_exactly(tuple(sorted(chances)))[right:]))


@lru_cache(maxsize=1000)
def _exactly(chances: tuple[float, ...]) -> list[float]:
    """How likely each number of right guesses is; kept, since all runs are asked the same items."""
    import numpy

    found = numpy.ones(1)
    for chance in chances:
        found = numpy.append(found * (1 - chance), 0.0) + numpy.append(0.0, found * chance)
    return list(found.tolist())


def adjusted(values: Mapping[str, float]) -> dict[str, float]:
    """Holm's step-down correction of p-values, so that ``LEVEL`` holds for all of them together."""
    out: dict[str, float] = {}
    highest = 0.0
    for rank, (name, value) in enumerate(sorted(values.items(), key=lambda pair: pair[1])):
        highest = max(highest, min(1.0, value * (len(values) - rank)))
        out[name] = highest
    return out
