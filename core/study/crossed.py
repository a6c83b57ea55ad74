"""Intervals for people's answers: participants and items are both drawn from populations, and both are resampled."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from core.statistics import RESAMPLES, Interval, wilson

if TYPE_CHECKING:
    import numpy

    Array: TypeAlias = numpy.ndarray[Any, numpy.dtype[numpy.float64]]

Answers: TypeAlias = Mapping[tuple[Any, Any], tuple[float, float]]
"""(participant, item) to what was right and how much was asked; both may be shares."""

CROSSED: Final = "bootstrap over participants and items"


def table(answers: Answers) -> tuple[Array, Array]:
    """``right`` and ``n`` as two tables, participants down and items across; 0 where somebody was not asked."""
    import numpy

    people = {person: row for row, person in enumerate(dict.fromkeys(person for person, _ in answers))}
    items = {item: column for column, item in enumerate(dict.fromkeys(item for _, item in answers))}
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
    by_item = _draws(count_items, seed, 1, resamples)
    if count_people == 1:
        tops, sizes = by_item @ right[0], by_item @ n[0]
        name = "bootstrap over items (one participant)"
    elif count_items == 1:
        by_person = _draws(count_people, seed, 0, resamples)
        tops, sizes = by_person @ right[:, 0], by_person @ n[:, 0]
        name = "bootstrap over participants (one item)"
    else:
        by_person = _draws(count_people, seed, 0, resamples)
        tops = ((by_person @ right) * by_item).sum(axis=1)
        sizes = ((by_person @ n) * by_item).sum(axis=1)
        name = CROSSED
    drawn = tops[sizes > 0] / sizes[sizes > 0]  # of few answers a resample may hold none
    low, high = numpy.percentile(drawn, [2.5, 97.5])
    shrink = 1.0
    if name == CROSSED and (spread := float(drawn.std())) > 0:
        shrink = min(1.0, _half_width(right, n, estimate) / (1.959963984540054 * spread))
    return Interval(estimate + (float(low) - estimate) * shrink, estimate + (float(high) - estimate) * shrink, name)


def _half_width(right: Array, n: Array, estimate: float) -> float:
    """Half of an interval by the standard error clustered both ways, and Student's t of the fewer clusters."""
    from scipy.special import stdtrit

    off = right - estimate * n
    people, items = n.shape
    by_person = float((off.sum(axis=1) ** 2).sum()) * people / (people - 1)
    by_item = float((off.sum(axis=0) ** 2).sum()) * items / (items - 1)
    variance = max(by_person + by_item - float((off**2).sum()), by_person, by_item)
    return float(stdtrit(min(people, items) - 1, 0.975)) * float(variance**0.5) / float(n.sum())


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
