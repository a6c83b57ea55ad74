"""Intervals for shares: Wilson where each item gave one answer, a bootstrap where answers hang together."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Final, NamedTuple

Z95: Final = 1.959963984540054
RESAMPLES: Final = 2000


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
    grow with their number. Where all clusters have the same share (every answer right, or none) resampling shows no
    spread: Wilson's interval over the clusters is given instead and named so.
    """
    total = sum(clusters.values())
    right = sum(r * count for (r, _), count in clusters.items())
    n = sum(size * count for (_, size), count in clusters.items())
    shares = {r / size for (r, size), count in clusters.items() if size and count}
    if total == 0 or len(shares) < 2:
        return wilson(total * right / n if n else 0, total, "wilson over clusters")
    import numpy

    kinds = sorted(clusters)
    counts = numpy.array([clusters[kind] for kind in kinds], dtype=float)
    draws = numpy.random.default_rng(seed).multinomial(total, counts / total, size=RESAMPLES)
    rights = draws @ numpy.array([kind[0] for kind in kinds], dtype=float)
    sizes = draws @ numpy.array([kind[1] for kind in kinds], dtype=float)
    low, high = numpy.percentile(rights / sizes, [2.5, 97.5])
    return Interval(float(low), float(high), "bootstrap over clusters")
