"""Intervals for shares: Wilson where each item gave one answer, a bootstrap where answers hang together."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import lru_cache
from math import ceil, exp, lcm, pi, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

Z95: Final = 1.959963984540054
RESAMPLES: Final = 2000
TAILS: Final = (0.025, 0.975)
LONGEST_EXACT: Final = 1 << 20
"""Possible sums up to which a bootstrap is worked out one by one."""
OUT_OF_REACH: Final = 50
"""What is less than exp(-50) of a whole counts as nothing."""
LEAST_SPREAD: Final = 8.0
"""Standard deviation of a resample's right answers from which its share takes as good as any value."""
NODES: Final = 32
WIDTH: Final = 0.25
"""So many points, so far apart in standard deviations, is a characteristic function summed at: what is left out at
either end is less than one in 10^13."""
MOST_PARTS: Final = 2520
"""Parts of a whole that shares are counted in: steps of a chain, up to ten, have it as a common denominator."""


class Interval(NamedTuple):
    """A 95% interval of a share and the name of how it was made."""

    low: float
    high: float
    name: str


def wilson(right: float, n: float, name: str = "wilson") -> Interval:
    """Wilson's score interval of ``right`` of ``n`` independent answers; 0 to 1 where n is 0."""
    if n <= 0:
        return Interval(0.0, 1.0, name)
    share, z2 = right / n, Z95 * Z95
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = Z95 * sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    low = 0.0 if right <= 0 else max(0.0, centre - half)
    high = 1.0 if right >= n else min(1.0, centre + half)
    return Interval(low, high, name)


def cluster_bootstrap(clusters: Mapping[tuple[float, int], int], seed: int = 0) -> Interval:
    """Percentile bootstrap of a pooled share over whole clusters (an item with its pictures or repeats).

    ``clusters`` maps (right, answers) of one cluster to how many clusters are like that, so that the cost does not
    grow with their number. Clusters of one size, and many of several sizes, are worked out as endless resampling
    would have them; few of several sizes are drawn 2,000 times from ``seed``. Where all clusters have the same share
    (every answer right, or none) resampling shows no spread: Wilson's
    interval over the clusters is given instead and named so.
    """
    total = sum(clusters.values())
    right = sum(r * count for (r, _), count in clusters.items())
    n = sum(size * count for (_, size), count in clusters.items())
    shares = {r / size for (r, size), count in clusters.items() if size and count}
    if total == 0 or len(shares) < 2:
        return wilson(total * right / n if n else 0, total, "wilson over clusters")
    return _resampled(clusters, seed)


def paired_difference(clusters: Mapping[tuple[float, int], int], seed: int = 0) -> Interval:
    """95% interval of a difference of two shares over the same answers, a bootstrap over whole clusters (items).

    ``clusters`` maps (net gain, pairs) of one cluster to how many are like that. Where all have the same mean gain
    resampling shows no spread: Wilson's limits of the gains and of the losses over clusters are joined then (MOVER,
    Newcombe 1998, without correlation, of which there is none where one of the two is 0).
    """
    means = {gain / size for (gain, size), count in clusters.items() if size and count}
    total = sum(count for (_, size), count in clusters.items() if size)
    if total == 0:
        return Interval(-1.0, 1.0, "none")
    if len(means) > 1:
        return _resampled(clusters, seed)
    (mean,) = means
    up, down = max(mean, 0.0), max(-mean, 0.0)
    gains, losses = wilson(up * total, total), wilson(down * total, total)
    low = mean - sqrt((up - gains.low) ** 2 + (losses.high - down) ** 2)
    high = mean + sqrt((gains.high - up) ** 2 + (down - losses.low) ** 2)
    return Interval(max(low, -1.0), min(high, 1.0), "wilson of both over clusters")


def paired_ratio(pairs: Mapping[tuple[float, float], int], seed: int = 0) -> Interval | None:
    """95% interval of (after - before) / before over items that have both, a bootstrap over items.

    ``pairs`` maps (before, after) of an item to how many are like that. Draws in which nothing was right before are
    left out. None where no item changed, since resampling shows no spread then, and where nothing can be drawn.
    """
    if all(before == after for (before, after), count in pairs.items() if count):
        return None
    import numpy

    kinds = sorted(pairs)
    counts = numpy.array([pairs[kind] for kind in kinds], dtype=float)
    total = sum(pairs.values())
    draws = numpy.random.default_rng(seed).multinomial(total, counts / total, size=RESAMPLES)
    drawn = draws @ numpy.array(kinds, dtype=float)
    drawn = drawn[drawn[:, 0] > 0]
    if not len(drawn):
        return None
    low, high = numpy.percentile(drawn[:, 1] / drawn[:, 0] - 1, [2.5, 97.5])
    return Interval(float(low), float(high), "bootstrap over paired samples")


def unpaired_difference(one: tuple[float, Interval], other: tuple[float, Interval]) -> Interval:
    """95% interval of a difference of two independent shares from the interval of each (MOVER, Newcombe 1998)."""
    (first, of_first), (second, of_second) = one, other
    difference = first - second
    low = difference - sqrt((first - of_first.low) ** 2 + (of_second.high - second) ** 2)
    high = difference + sqrt((of_first.high - first) ** 2 + (second - of_second.low) ** 2)
    return Interval(max(low, -1.0), min(high, 1.0), f"{of_first.name} of both")


def sign_test(gained: int, lost: int) -> float:
    """Exact two-sided p of the sign test: so many clusters gained, so many lost, the rest says nothing.

    With one pair a cluster this is McNemar's exact test. 1 where nothing changed.
    """
    if gained == lost:
        return 1.0
    from scipy.special import bdtr

    return min(1.0, 2.0 * float(bdtr(min(gained, lost), gained + lost, 0.5)))


def _resampled(clusters: Mapping[tuple[float, int], int], seed: int) -> Interval:
    """Percentile bootstrap of sum over size."""
    return _bootstrap(frozenset(pair for pair in clusters.items() if pair[1]), seed)


@lru_cache(maxsize=20_000)
def _bootstrap(clusters: frozenset[tuple[tuple[float, int], int]], seed: int) -> Interval:
    """Kept, since a report has the same samples in its cells and in its measures."""
    exact = _exact(clusters)
    if exact is not None:
        return exact
    inverted = _inverted(clusters)
    return inverted if inverted is not None else _drawn(clusters, seed)


def _exact(clusters: frozenset[tuple[tuple[float, int], int]]) -> Interval | None:
    """The limits that endless resampling comes to, without drawing: where all clusters have one size and sums that
    are whole (pictures of an item, repeats) or fractions of a common denominator (shares of a chain's steps). None
    elsewhere.

    A resample's sum is that of so many independent draws, so its distribution is a power of one cluster's own, taken
    by a Fourier transform over the sums that can come up. The limits are the least sums that 2.5% and 97.5% of the
    resamples do not pass.
    """
    sizes = {size for (_, size), _ in clusters}
    parts = denominator([right for (right, _), _ in clusters])
    if len(sizes) != 1 or parts is None:
        return None
    (size,) = sizes
    total = sum(count for _, count in clusters)
    sums = sorted((round(right * parts), count) for (right, _), count in clusters)
    least, span = sums[0][0], sums[-1][0] - sums[0][0]
    mean = sum((right - least) * count for right, count in sums) / total
    spread = sum((right - least - mean) ** 2 * count for right, count in sums)
    longest = span * total + 1
    reach = _reach(spread, span)
    length = _round(min(longest, 2 * reach + 1))
    if length > LONGEST_EXACT:
        return None
    import numpy

    places, counts = numpy.array(sums).T
    turned = numpy.fft.rfft(numpy.bincount((places - least) % length, weights=counts / total, minlength=length))
    heard = turned.real**2 + turned.imag**2 > exp(-2 * OUT_OF_REACH / total)  # the rest to the power is nothing
    power = numpy.zeros(len(turned), dtype=complex)
    power[heard] = turned[heard] ** total
    found = numpy.fft.irfft(power, length)
    first = 0 if longest <= length else int(mean * total) - length // 2
    first_of = first % length
    passed = numpy.cumsum(numpy.concatenate((found[first_of:], found[:first_of])))[: min(longest, length)]
    low, high = (first + int(numpy.searchsorted(passed, tail)) for tail in TAILS)
    scale = size * total * parts
    return Interval((low + least * total) / scale, (high + least * total) / scale, "bootstrap over clusters")


def _inverted(clusters: frozenset[tuple[tuple[float, int], int]]) -> Interval | None:
    """The limits that endless resampling comes to, of many clusters of several sizes: None for few, whose share can
    take few values.

    A resample's share is at most q where its sum of (right - q * size) is at most 0: how likely that is tells the
    characteristic function (Gil-Pelaez, summed as in Davies 1973).
    """
    import numpy

    right, size, count = numpy.array([(*pair, count) for pair, count in sorted(clusters)], dtype=float).T
    total = count.sum()
    share = float((right * count).sum() / (size * count).sum())
    spread = sqrt(float(((right - share * size) ** 2 * count).sum()))
    if spread < LEAST_SPREAD:
        return None
    places = numpy.arange(NODES) + 0.5
    step = spread / float((size * count).sum())
    limits = []
    for tail in TAILS:
        aimed = NormalDist().inv_cdf(tail)
        limit = share + aimed * step
        for _ in range(4):
            gained = right - limit * size
            times = places * (WIDTH / spread)
            turned = (numpy.exp(1j * times[:, None] * gained) @ (count / total)) ** total
            passed = 0.5 - float((turned.imag / places).sum()) / pi
            limit -= (NormalDist().inv_cdf(min(max(passed, 1e-9), 1 - 1e-9)) - aimed) * step
        limits.append(limit)
    return Interval(limits[0], limits[1], "bootstrap over clusters")


def denominator(values: Collection[float]) -> int | None:
    """The least whole number that makes all of these whole; None where there is no small one."""
    found = 1
    for value in values:
        parts = _parts(value)
        if parts is None:
            return None
        found = lcm(found, parts)
    return found if found <= MOST_PARTS else None


@lru_cache(maxsize=100_000)
def _parts(value: float) -> int | None:
    fraction = Fraction(value).limit_denominator(MOST_PARTS)
    return fraction.denominator if abs(float(fraction) - value) < 1e-12 else None


def _reach(variance: float, span: int) -> int:
    """How far from its mean a sum of independent draws can be found at all: beyond lies less than
    exp(-``OUT_OF_REACH``) of it (Bernstein's inequality)."""
    linear = OUT_OF_REACH * 2 * span / 3
    return ceil((linear + sqrt(linear * linear + 8 * OUT_OF_REACH * variance)) / 2)


def _round(length: int) -> int:
    """The next length that a Fourier transform is quick with."""
    power = 1 << (length - 1).bit_length()
    return next((short for short in (power * 5 // 8, power * 3 // 4) if short >= length and not short % 2), power)


def _drawn(clusters: frozenset[tuple[tuple[float, int], int]], seed: int) -> Interval:
    import numpy

    kinds = sorted(clusters)
    counts = numpy.array([count for _, count in kinds], dtype=float)
    total = sum(count for _, count in kinds)
    draws = numpy.random.default_rng(seed).multinomial(total, counts / total, size=RESAMPLES)
    rights = draws @ numpy.array([kind[0] for kind, _ in kinds], dtype=float)
    sizes = draws @ numpy.array([kind[1] for kind, _ in kinds], dtype=float)
    low, high = numpy.percentile(rights / sizes, [2.5, 97.5])
    return Interval(float(low), float(high), "bootstrap over clusters")
