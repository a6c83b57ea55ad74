"""Respondents compared on the same items: differences of accuracy, paired item by item, with their uncertainty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from math import asin, atanh, exp, sqrt, tanh
from typing import Final, Literal, TypeAlias

from core.answered import Asked, Got
from core.records import Json
from core.statistics import Z95, Interval, denominator, paired_difference, sign_test
from core.study.crossed import crossed_bootstrap, of_difference, table

FEWEST_RANKED: Final = 4
"""Items from which a rank correlation has an interval."""

Rule: TypeAlias = Literal["single answers", "majority"]
"""What is set against what: a majority is never set against single answers."""

RESAMPLES: Final = 9999
ENUMERATED: Final = 13
"""So many items that differ can all change sides in every way (2**13), whatever they differ by."""
MOST_SUMS: Final = 400_000_000
"""Additions up to which all sums that items come to which change sides are worked out: a few tenths of a second."""
LEAST: Final = 5e-324
"""What no p is below, however unlikely: it is never certain."""

DETECTED: Final = 1.959963984540054 + 0.8416212335729143
"""Standard errors that a difference must have to be found with 80% power at 5%, two-sided."""


@dataclass(frozen=True, slots=True)
class Given:
    """One answer to an item: whose, and what of it was right. ``by`` is a participant, or the number of a repeat."""

    by: Hashable
    got: Got


Answered: TypeAlias = Mapping[Asked, Mapping[Hashable, Sequence[Given]]]
"""By step and property, then by item."""


@dataclass(frozen=True, slots=True)
class Side:
    """A respondent, or people, with all that counts: ``answers`` by step and property, then by item.

    ``majority`` is one answer an item made of ``times`` of them, empty where an item has but one answer. ``people``:
    answers hang together by who gave them.
    """

    name: str
    answers: Answered
    majority: Answered = field(default_factory=dict)
    times: int = 1
    people: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """``a`` less ``b`` on the ``n`` items that both answered; accuracies are means over those items.

    ``low`` and ``high``: 95%, a bootstrap over items (BCa). ``crossed_low`` and ``crossed_high`` the same over
    participants and items, where one side is people. ``p`` is a permutation test's, in which each item changes sides;
    ``p_holm`` the same corrected over all tests reported together. ``mcnemar`` is the exact test, where each side
    gave one answer that is right or wrong; ``a_only`` and ``b_only`` count the items that only one of them has right
    (more of). ``effect`` is Cohen's h. ``detectable`` is the difference that so many items would show in four studies
    of five (80% power, 5%, as far apart as these were).
    """

    a: str
    b: str
    rule: Rule
    step: str
    property: str
    n: int
    accuracy_a: float
    accuracy_b: float
    difference: float
    low: float
    high: float
    interval: str
    crossed_low: float | None
    crossed_high: float | None
    p: float
    mcnemar: float | None
    a_only: int
    b_only: int
    effect: float
    detectable: float | None
    p_holm: float = 1.0
    scorer: str = "rule"

    def to_json(self) -> dict[str, Json]:
        """Flat, for ``compare --json``."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Correlation:
    """How far items are hard for both: Spearman's rank correlation of the shares right, with its 95% interval (Bonett
    and Wright 2000), None where the order is the same on both sides or there are fewer than four items. ``rho`` is
    None where all items are as hard as each other on one side."""

    a: str
    b: str
    step: str
    property: str
    n: int
    rho: float | None
    low: float | None
    high: float | None

    def to_json(self) -> dict[str, Json]:
        return {name: getattr(self, name) for name in self.__slots__}


def differences(sides: Sequence[Side], scorer: str = "rule") -> list[Difference]:
    """Every side less every later one, step by step and property by property; Holm's correction over all of them."""
    found = [
        row
        for a, b in combinations(sides, 2)
        for rule in ("single answers", "majority")
        for row in _of_pair(a, b, rule, scorer)
    ]
    corrected = holm([row.p for row in found])
    return [replace(row, p_holm=p) for row, p in zip(found, corrected, strict=True)]


def correlations(sides: Sequence[Side]) -> list[Correlation]:
    """Item difficulty of every side with that of every later one, over all properties of a step that both have."""
    out = []
    for a, b in combinations(sides, 2):
        for asked in (asked for asked in a.answers if asked in b.answers):
            shared = [item for item in a.answers[asked] if item in b.answers[asked]]
            if len(shared) > 2:
                pairs = [(_share(a.answers[asked][item]), _share(b.answers[asked][item])) for item in shared]
                out.append(Correlation(a.name, b.name, *asked, len(shared), *_spearman(pairs)))
    return out


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction (1979): in their order, each p times how many are not smaller, never falling."""
    out = [1.0] * len(p_values)
    highest = 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, p_values[index] * (len(p_values) - place)))
        out[index] = highest
    return out


def permutation(changes: Sequence[float], seed: int = 0) -> float:
    """Two-sided p of the mean of paired differences: each item changes sides or does not.

    All ways are counted where the differences are parts of a common whole (of repeats, of a chain's steps), or where
    few items differ: Holm's correction over hundreds of tests needs p as small as it is. Elsewhere ``RESAMPLES`` ways
    are drawn (one is added to both counts); items with the same difference are drawn together, which is what makes
    thousands of them quick. What none of them comes to has at most the p that Hoeffding's inequality (1963) gives.
    """
    import numpy

    moved = Counter(round(abs(change), 12) for change in changes if abs(change) > 1e-12)
    if not moved:
        return 1.0
    counted = _all_ways(moved, abs(sum(changes)))
    if counted is not None:
        return counted
    seen = abs(sum(changes)) - 1e-9
    if moved.total() <= ENUMERATED:
        sizes = numpy.array(list(moved.elements()))
        ways = numpy.array(list(product((-1.0, 1.0), repeat=len(sizes)))) @ sizes
        return float((numpy.abs(ways) >= seen).mean())
    random = numpy.random.default_rng(seed)
    total = numpy.zeros(RESAMPLES)
    for size, count in moved.items():
        total += size * (2.0 * random.binomial(count, 0.5, RESAMPLES) - count)
    reached = int((numpy.abs(total) >= seen).sum())
    bound = 2 * exp(-(seen**2) / (2 * sum(size * size * count for size, count in moved.items())))
    return (1 + reached) / (RESAMPLES + 1) if reached else min(1 / (RESAMPLES + 1), max(bound, LEAST))


def bca(changes: Sequence[float], seed: int = 0) -> Interval:
    """95% interval of the mean of paired differences: bootstrap over items, bias-corrected and accelerated.

    Where all differences are the same it is ``paired_difference``'s, which is named so.
    """
    import numpy
    from scipy.stats import bootstrap

    if len({round(change, 12) for change in changes}) < 2:
        return paired_difference(Counter((change, 1) for change in changes))
    data = numpy.asarray(changes, dtype=float)
    found = bootstrap(
        (data,), numpy.mean, n_resamples=RESAMPLES, batch=500, method="BCa", rng=numpy.random.default_rng(seed)
    ).confidence_interval
    if not (numpy.isfinite(found.low) and numpy.isfinite(found.high)):
        return paired_difference(Counter((change, 1) for change in changes))
    return Interval(float(found.low), float(found.high), "BCa bootstrap over items")


# -- inside


def _all_ways(moved: Mapping[float, int], seen: float) -> float | None:
    """The share of all ways to change sides that come to a sum at least as far from 0 as the one ``seen``: the
    distribution of the sum, item by item. None where there is no common denominator, or too much to add up."""
    import numpy

    parts = denominator(moved)
    if parts is None:
        return None
    sizes: Counter[int] = Counter()
    for size, count in moved.items():
        sizes[round(size * parts)] += count
    whole = sum(size * count for size, count in sizes.items())
    if whole * sizes.total() > MOST_SUMS:
        return None
    ways = numpy.ones(1)
    for size, count in sizes.items():
        before, ways = ways, numpy.zeros(len(ways) + size * count)
        chosen = 1  # in how many ways so many of them keep their side
        for kept in range(count + 1):
            ways[size * kept : size * kept + len(before)] += chosen / (1 << count) * before
            chosen = chosen * (count - kept) // (kept + 1)
    sums = numpy.abs(2 * numpy.arange(whole + 1) - whole)
    return min(1.0, max(float(ways[sums >= round(seen * parts)].sum()), LEAST))


def _of_pair(a: Side, b: Side, rule: Rule, scorer: str) -> Iterator[Difference]:
    if rule == "majority" and not (a.majority and b.majority):
        return
    ours = a.majority if rule == "majority" else a.answers
    theirs = b.majority if rule == "majority" else b.answers
    for asked in (asked for asked in ours if asked in theirs):
        mine, other = _means(ours[asked]), _means(theirs[asked])
        shared = [item for item in mine if item in other]
        if shared:
            yield _difference(a, b, rule, asked, [(mine[item], other[item]) for item in shared], shared, scorer)


def _difference(
    a: Side, b: Side, rule: Rule, asked: Asked, pairs: Sequence[tuple[float, float]], shared: Sequence[Hashable],
    scorer: str,
) -> Difference:  # fmt: skip
    n = len(pairs)
    ours, theirs = sum(mine for mine, _ in pairs) / n, sum(other for _, other in pairs) / n
    changes = [mine - other for mine, other in pairs]
    gained, lost = sum(change > 1e-12 for change in changes), sum(change < -1e-12 for change in changes)
    low, high, interval = bca(changes)
    crossed = _crossed(a, b, asked, shared) if rule == "single answers" else None
    spread = sqrt(sum((change - (ours - theirs)) ** 2 for change in changes) / (n - 1)) if n > 1 else 0.0
    single = rule == "majority" or (_single(a, asked, shared) and _single(b, asked, shared))
    binary = single and all(value in (0.0, 1.0) for pair in pairs for value in pair)
    return Difference(
        a.name,
        b.name,
        rule,
        *asked,
        n,
        ours,
        theirs,
        ours - theirs,
        low,
        high,
        interval,
        None if crossed is None else crossed.low,
        None if crossed is None else crossed.high,
        permutation(changes),
        sign_test(gained, lost) if binary else None,
        gained,
        lost,
        cohen_h(ours, theirs),
        DETECTED * spread / sqrt(n) if spread else None,
        scorer=scorer,
    )


def cohen_h(first: float, second: float) -> float:
    """Cohen's h: the difference of two shares where it is as easy to see everywhere; 0.2 small, 0.8 large."""
    return 2 * asin(sqrt(min(max(first, 0.0), 1.0))) - 2 * asin(sqrt(min(max(second, 0.0), 1.0)))


def _means(answers: Mapping[Hashable, Sequence[Given]]) -> dict[Hashable, float]:
    return {item: _share(given) for item, given in answers.items()}


def _share(given: Sequence[Given]) -> float:
    """An item's share of right units, every answer of it weighing the same."""
    return sum(each.got[0] / each.got[1] for each in given) / len(given)


def _single(side: Side, asked: Asked, shared: Sequence[Hashable]) -> bool:
    return all(len(side.answers[asked][item]) == 1 for item in shared)


def _crossed(a: Side, b: Side, asked: Asked, shared: Sequence[Hashable]) -> Interval | None:
    """Where people are on a side: they and the items are drawn, a model's answers stay as they are. None where all
    are alike, so that resampling shows no spread."""
    if not (a.people or b.people):
        return None
    if a.people and b.people:
        first, second = (_by_person(side.answers[asked], shared) for side in (a, b))
        return of_difference(table(first, second), table(second, first))
    people, other, sign = (a, b, 1.0) if a.people else (b, a, -1.0)
    cells = {
        (person, item): (sign * (right - weight * _share(other.answers[asked][item])), weight)
        for (person, item), (right, weight) in _by_person(people.answers[asked], shared).items()
    }
    gains = [gain / weight for gain, weight in cells.values()]
    return crossed_bootstrap(cells) if max(gains) - min(gains) > 1e-12 else None


def _by_person(
    answers: Mapping[Hashable, Sequence[Given]], shared: Sequence[Hashable]
) -> dict[tuple[Hashable, Hashable], tuple[float, float]]:
    """Every item weighs the same, however many people answered it."""
    out: dict[tuple[Hashable, Hashable], tuple[float, float]] = {}
    for item in shared:
        for each in answers[item]:
            right, weight = out.get((each.by, item), (0.0, 0.0))
            share = each.got[0] / each.got[1] / len(answers[item])
            out[each.by, item] = right + share, weight + 1 / len(answers[item])
    return out


def _spearman(pairs: Sequence[tuple[float, float]]) -> tuple[float | None, float | None, float | None]:
    """With the interval of Bonett and Wright (2000). A bootstrap over items is far too narrow where most items are
    right on one side: the few others are all that it has to draw from."""
    import numpy
    from scipy.stats import spearmanr

    data = numpy.array(pairs)
    if any(len(set(data[:, side])) < 2 for side in (0, 1)):
        return None, None, None
    rho = float(spearmanr(data).statistic)
    if abs(rho) > 1 - 1e-12 or len(data) < FEWEST_RANKED:
        return rho, None, None
    half = Z95 * sqrt((1 + rho * rho / 2) / (len(data) - 3))
    return rho, tanh(atanh(rho) - half), tanh(atanh(rho) + half)
