"""Intervals for shares: Wilson where each item gave one answer, a bootstrap where answers hang together."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Final, NamedTuple

Z95: Final = 1.959963984540054
RESAMPLES: Final = 2000
TAILS: Final = (0.025, 0.975)
LONGEST_EXACT: Final = 1 << 20
"""Possible sums up to which a bootstrap is worked out instead of drawn."""


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
    grow with their number. Clusters of one size are worked out exactly, others drawn 2,000 times from ``seed``.
    Where all clusters have the same share (every answer right, or none) resampling shows no spread: Wilson's
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
    exact = _exact(clusters)
    return exact if exact is not None else _drawn(clusters, seed)


def _exact(clusters: Mapping[tuple[float, int], int]) -> Interval | None:
    """The limits that endless resampling comes to, without drawing: where all clusters have one size and whole sums
    (pictures of an item, repeats). None elsewhere.

    A resample's sum is that of so many independent draws, so its distribution is a power of one cluster's own, taken
    by a Fourier transform. The limits are the least sums that 2.5% and 97.5% of the resamples do not pass.
    """
    sizes = {size for (_, size), count in clusters.items() if count}
    if len(sizes) != 1 or not all(float(right).is_integer() for right, _ in clusters):
        return None
    (size,) = sizes
    total = sum(clusters.values())
    least = min(int(right) for (right, _), count in clusters.items() if count)
    most = max(int(right) for (right, _), count in clusters.items() if count)
    longest = (most - least) * total + 1
    if longest > LONGEST_EXACT:
        return None
    import numpy

    one = numpy.zeros(most - least + 1)
    for (right, _), count in clusters.items():
        one[int(right) - least] += count / total
    length = 1 << (longest - 1).bit_length()
    sums = numpy.fft.irfft(numpy.fft.rfft(one, length) ** total, length)[:longest]
    passed = numpy.cumsum(sums)
    low, high = (int(numpy.searchsorted(passed, tail)) for tail in TAILS)
    scale = size * total
    return Interval((low + least * total) / scale, (high + least * total) / scale, "bootstrap over clusters")


def _drawn(clusters: Mapping[tuple[float, int], int], seed: int) -> Interval:
    import numpy

    kinds = sorted(clusters)
    counts = numpy.array([clusters[kind] for kind in kinds], dtype=float)
    total = sum(clusters.values())
    draws = numpy.random.default_rng(seed).multinomial(total, counts / total, size=RESAMPLES)
    rights = draws @ numpy.array([kind[0] for kind in kinds], dtype=float)
    sizes = draws @ numpy.array([kind[1] for kind in kinds], dtype=float)
    low, high = numpy.percentile(rights / sizes, [2.5, 97.5])
    return Interval(float(low), float(high), "bootstrap over clusters")
