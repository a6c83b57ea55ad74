"""Intervals for people's answers: participants and items are both drawn from populations, and both are resampled."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from core.statistics import RESAMPLES, Z95, Interval, wilson

if TYPE_CHECKING:
    import numpy

    Array: TypeAlias = numpy.ndarray[Any, numpy.dtype[numpy.float64]]

Answers: TypeAlias = Mapping[tuple[Any, Any], tuple[float, float]]
"""(participant, item) to what was right and how much was asked; both may be shares."""

CROSSED: Final = "bootstrap over participants and items"


def table(answers: Answers, beside: Answers | None = None) -> tuple[Array, Array]:
    """``right`` and ``n`` as two tables, participants down and items across; 0 where somebody was not asked.

    Who and what stands in ``beside`` has its place too: the tables of both, each with the other beside, are alike.
    """
    import numpy

    places = sorted({*answers, *(beside or {})}, key=str)
    people = {person: row for row, person in enumerate(dict.fromkeys(person for person, _ in places))}
    items = {item: column for column, item in enumerate(dict.fromkeys(item for _, item in places))}
    right, n = numpy.zeros((len(people), len(items))), numpy.zeros((len(people), len(items)))
    for (person, item), (got, of) in answers.items():
        right[people[person], items[item]], n[people[person], items[item]] = got, of
    return right, n


def crossed_bootstrap(answers: Answers, seed: int = 0) -> Interval:
    """95% interval of the pooled share; see ``of_table``. With differences, which must not all be the same, for what
    was right it is that of their mean."""
    if not any(n for _, n in answers.values()):
        return Interval(0.0, 1.0, CROSSED)
    return of_table(*table(answers), seed)


def of_table(right: Array, n: Array, seed: int = 0, resamples: int = RESAMPLES) -> Interval:
    """95% interval of ``right.sum() / n.sum()``, a percentile bootstrap that draws participants and items at once.

    Such resamples count the chance of a single answer three times (Owen 2007, The pigeonhole bootstrap), which makes
    them far too wide where each item has few answers. So the percentiles are drawn in, never out, until their spread
    is that of the standard error clustered by participants and by items (Cameron, Gelbach and Miller 2011) with
    Student's t for the fewer of the two. Where there is one participant, or one item, the other alone is resampled.
    Where all shares are the same resampling shows no spread: Wilson's interval over the fewer of participants and
    items stands in and is named so.
    """
    import numpy

    asked = n > 0
    people, items = asked.any(axis=1), asked.any(axis=0)
    right, n = right[people][:, items], n[people][:, items]
    count_people, count_items = n.shape
    total = float(n.sum())
    estimate = float(right.sum()) / total
    shares = right[n > 0] / n[n > 0]
    if numpy.ptp(shares) < 1e-12:
        fewer, name = min((count_people, "wilson over participants"), (count_items, "wilson over items"))
        if count_people == 1:  # one person's answers to many items are as good as independent
            fewer, name = count_items, "wilson over items (one participant)"
        return wilson(estimate * fewer, fewer, name)
    return _interval(estimate, _resampled(right, n, seed, resamples), (right - estimate * n) / total)


def of_difference(
    first: tuple[Array, Array], second: tuple[Array, Array], seed: int = 0, resamples: int = RESAMPLES
) -> Interval | None:
    """The same for the share of one pair of tables less that of another; both have the same participants down and
    items across, so that who answered in both is drawn for both. None where neither has any spread."""
    total, other = (float(n.sum()) for _, n in (first, second))
    estimate, less = float(first[0].sum()) / total, float(second[0].sum()) / other
    off = (first[0] - estimate * first[1]) / total - (second[0] - less * second[1]) / other
    if not off.any():
        return None
    drawn = _resampled(*first, seed, resamples) - _resampled(*second, seed, resamples)
    return _interval(estimate - less, drawn, off)


def _resampled(right: Array, n: Array, seed: int, resamples: int) -> Array:
    """The share in each resample; not a number where that holds no answer."""
    import numpy

    people, items = n.shape
    by_item = _draws(items, seed, 1, resamples) if items > 1 else numpy.ones((resamples, 1))
    by_person = _draws(people, seed, 0, resamples) if people > 1 else numpy.ones((resamples, 1))
    tops, sizes = (((by_person @ each) * by_item).sum(axis=1) for each in (right, n))
    with numpy.errstate(divide="ignore", invalid="ignore"):
        shares: Array = tops / sizes
    return shares


def _interval(estimate: float, drawn: Array, off: Array) -> Interval:
    """Percentiles of the resamples, drawn in. ``off`` is what each answer adds to the estimate's error."""
    import numpy

    people, items = off.shape
    drawn = drawn[numpy.isfinite(drawn)]
    low, high = (float(value) for value in numpy.percentile(drawn, [2.5, 97.5]))
    if people == 1:
        return Interval(low, high, "bootstrap over items (one participant)")
    if items == 1:
        return Interval(low, high, "bootstrap over participants (one item)")
    spread = float(drawn.std())
    shrink = min(1.0, _half_width(off) / (Z95 * spread)) if spread > 0 else 1.0
    return Interval(estimate + (low - estimate) * shrink, estimate + (high - estimate) * shrink, CROSSED)


def _half_width(off: Array) -> float:
    """Half of an interval by the standard error clustered both ways, and Student's t of the fewer clusters."""
    from scipy.special import stdtrit

    people, items = off.shape
    by_person = float((off.sum(axis=1) ** 2).sum()) * people / (people - 1)
    by_item = float((off.sum(axis=0) ** 2).sum()) * items / (items - 1)
    variance = max(by_person + by_item - float((off**2).sum()), by_person, by_item)
    return float(stdtrit(min(people, items) - 1, 0.975)) * float(variance**0.5)


@lru_cache(maxsize=16)
def _draws(count: int, seed: int, which: int, resamples: int) -> Array:
    """How often each of ``count`` is in each resample: drawn once for all tables of that size."""
    import numpy

    found: Array = (
        numpy.random.default_rng((seed, which, count))
        .multinomial(count, numpy.full(count, 1 / count), size=resamples)
        .astype(float)
    )
    return found
