"""Made-up studies: answers with effects of persons and of items, for planning and for checks of intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from core.errors import UsageError
from core.statistics import wilson
from core.study.crossed import of_table

if TYPE_CHECKING:
    import numpy

    Array: TypeAlias = numpy.ndarray[Any, numpy.dtype[numpy.float64]]
    Random: TypeAlias = numpy.random.Generator

PERSON_SD: Final = 0.7
ITEM_SD: Final = 1.0
"""How much persons and items differ, in logits, where nothing better is known."""

NODES: Final = 60


@dataclass(frozen=True, slots=True)
class Effects:
    """The right answers of one person on one item come with probability logistic(mean + person + item).

    ``accuracy`` is the mean over all persons and items that there could be; ``person_sd`` and ``item_sd`` are
    standard deviations of normal effects in logits. Raises UsageError for what cannot be.
    """

    accuracy: float
    person_sd: float = PERSON_SD
    item_sd: float = ITEM_SD

    def __post_init__(self) -> None:
        if not 0 < self.accuracy < 1:
            raise UsageError("an accuracy to plan with lies between 0 and 1", where=f"--accuracy {self.accuracy:g}")
        if not (0 <= self.person_sd <= 10 and 0 <= self.item_sd <= 10):
            raise UsageError(
                "the spread of persons and of items lies between 0 and 10 logits",
                where=f"--person-sd {self.person_sd:g} --item-sd {self.item_sd:g}",
            )

    @property
    def mean(self) -> float:
        """The logit that gives ``accuracy`` over all persons and items (Gauss-Hermite quadrature, bisection)."""
        import numpy

        nodes, weights = numpy.polynomial.hermite_e.hermegauss(NODES)
        spread = (self.person_sd**2 + self.item_sd**2) ** 0.5
        low, high = -60.0, 60.0
        while high - low > 1e-9:
            middle = (low + high) / 2
            share = float((weights / (1 + numpy.exp(-(middle + spread * nodes)))).sum() / weights.sum())
            low, high = (middle, high) if share < self.accuracy else (low, middle)
        return low

    def drawn(self, random: Random, people: int, items: int, raters: int) -> tuple[Array, Array]:
        """``right`` and ``n`` of one made-up study: each item is answered by ``raters`` of the people, who get about
        equally many each."""
        import numpy

        n = dealt(random, people, items, raters)
        persons = self.person_sd * random.standard_normal((people, 1))
        difficulty = self.item_sd * random.standard_normal((1, items))
        chance = 1 / (1 + numpy.exp(-(self.mean + persons + difficulty)))
        return (random.random((people, items)) < chance) * n, n


def dealt(random: Random, people: int, items: int, raters: int) -> Array:
    """1 where that person gets that item: each item ``raters`` people, those with the fewest items first."""
    import numpy

    n = numpy.zeros((people, items))
    if raters >= people:
        n[:] = 1
        return n
    load = numpy.zeros(people)
    for item in range(items):
        chosen = numpy.lexsort((random.random(people), load))[:raters]
        n[chosen, item] = 1
        load[chosen] += 1
    return n


@dataclass(frozen=True, slots=True)
class Expected:
    """What a study of that size can say. ``width`` is the median width of the 95% interval over made-up studies,
    ``covered`` the share of the intervals that held the true accuracy, ``pooled_width`` and ``pooled_covered`` the
    same for Wilson's interval, which takes all answers for independent."""

    raters: int
    items: int
    people: int
    answers: int
    per_person: float
    width: float
    covered: float
    pooled_width: float
    pooled_covered: float
    studies: int


def expected(
    effects: Effects, people: int, items: int, raters: int, *, studies: int, resamples: int = 600, seed: int = 0
) -> Expected:
    """Make ``studies`` studies up and look at their intervals. Raises UsageError for sizes that cannot be."""
    import numpy

    for what, count in (("--people", people), ("--items", items), ("--raters", raters)):
        if count < 1:
            raise UsageError("at least 1 is needed", where=f"{what} {count}")
    if raters > people:
        raise UsageError(
            f"{raters} raters an item need as many people, and there are {people}",
            where=f"--raters {raters}",
            remedy="Nobody answers an item twice",
        )
    random = numpy.random.default_rng(seed)
    widths, pooled = [], []
    held = pooled_held = 0
    answers = 0
    for _ in range(studies):
        right, n = effects.drawn(random, people, items, raters)
        answers = int(n.sum())
        crossed = of_table(right, n, seed, resamples)
        alone = wilson(float(right.sum()), answers)
        widths.append(crossed.high - crossed.low)
        pooled.append(alone.high - alone.low)
        held += crossed.low <= effects.accuracy <= crossed.high
        pooled_held += alone.low <= effects.accuracy <= alone.high
    figures = float(numpy.median(widths)), held / studies, float(numpy.median(pooled)), pooled_held / studies
    return Expected(raters, items, people, answers, answers / people, *figures, studies)
