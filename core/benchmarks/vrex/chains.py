"""How trajectories came out as chains: steps asked and right, and the final question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, TypeAlias

from core.benchmarks.vrex.question import FINAL
from core.cells import Clusters
from core.measures import RunOutcomes
from core.outcomes import Outcomes
from core.statistics import RESAMPLES, Interval, cluster_bootstrap, wilson
from core.tally import REASKED

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from core.gathered import Whole

NEVER = -1
"""``final`` of a chain that stopped before the final question."""


@dataclass(frozen=True, slots=True, eq=False)
class Chains:
    """An entry for each trajectory: steps before the final question that were asked, those that came out right, and
    whether the final one is (1, 0 or ``NEVER``). ``place`` is its number among the run's outcomes, ``item`` its
    item's.

    A step that was asked again counts once, by what came last.
    """

    of: Outcomes
    place: Whole
    item: Whole
    asked: Whole
    right: Whole
    final: Whole

    def __len__(self) -> int:
        return len(self.place)

    @property
    def wrong(self) -> Whole:
        return self.asked - self.right

    @property
    def finished(self) -> NDArray[numpy.bool_]:
        """Which came to the final question."""
        came: NDArray[numpy.bool_] = self.final != NEVER
        return came

    def where(self, mask: NDArray[numpy.bool_]) -> Chains:
        """Some of them."""
        return Chains(
            self.of, self.place[mask], self.item[mask], self.asked[mask], self.right[mask], self.final[mask]
        )


def chains(run: RunOutcomes) -> Chains:
    """Those of a run; a trajectory of which nothing was scored is none."""
    import numpy

    of = Outcomes.of(run.outcomes)
    plain = [name.removesuffix(REASKED) for name in of.steps]
    trajectory, right, finals = of.trajectory, of.right, numpy.array([name == FINAL for name in plain], dtype=bool)
    is_final = finals[of.step] if len(of.step) else numpy.zeros(0, dtype=bool)
    if plain != list(of.steps):
        names = numpy.array([plain.index(name) for name in plain])[of.step]
        # the last answer to a step counts: the first one counted from behind
        _, last = numpy.unique((trajectory * len(plain) + names)[::-1], return_index=True)
        kept = numpy.sort(len(trajectory) - 1 - last)
        trajectory, right, is_final = trajectory[kept], right[kept], is_final[kept]
    size = len(of)
    final = numpy.full(size, NEVER, dtype=numpy.int64)
    final[trajectory[is_final]] = right[is_final]
    before = trajectory[~is_final]
    asked = numpy.bincount(before, minlength=size)
    correct = numpy.bincount(before, weights=right[~is_final], minlength=size).astype(numpy.int64)
    there = (asked > 0) | (final != NEVER)
    place = numpy.flatnonzero(there)
    return Chains(of, place, of.item[place], asked[place], correct[place], final[place])


Counting: TypeAlias = Callable[[Chains, "Whole | None", int], list[Clusters]]
"""Counts chains by ``parts`` of them: of each chain its part, and how many parts there are; None for the whole."""


def step_shares(found: Chains, part: Whole | None = None, parts: int = 1) -> list[Clusters]:
    """The shares of right steps of samples (repeats pooled), as (share, 1); samples without steps are left out."""
    out: list[Clusters] = []
    for samples in _by_item(found.item, found.right, found.asked, part, parts):
        shares = Counter[tuple[float, int]]()
        for (right, asked), count in samples.items():
            shares[right / asked, 1] += count
        out.append(shares)
    return out


def finals(found: Chains, part: Whole | None = None, parts: int = 1) -> list[Clusters]:
    """Of samples how many final questions are right, of how many that were asked."""
    finished = found.finished
    own = None if part is None else part[finished]
    return _by_item(found.item[finished], found.final[finished], finished[finished], own, parts)


def grouped(found: Chains, group_by: str, counting: Counting) -> Iterator[tuple[str, Clusters]]:
    """Counted by category or scenario, in the order of their names; chains without one are left out."""
    import numpy

    labels, codes = found.of.labels(group_by)
    own = codes[found.place]
    there = numpy.bincount(own, minlength=len(labels)).tolist()
    for label, chains_there, samples in zip(labels, there, counting(found, own, len(labels)), strict=True):
        if label and chains_there:
            yield label, samples


def _by_item(
    item: Whole, right: Whole, asked: NDArray[numpy.bool_] | Whole, part: Whole | None, parts: int
) -> list[Clusters]:
    """By part how many samples have so many right of so many, those with something asked."""
    import numpy

    where, place = numpy.unique(item if part is None else item * parts + part, return_inverse=True)
    rights = numpy.bincount(place, weights=right).astype(numpy.int64)
    sizes = numpy.bincount(place, weights=asked).astype(numpy.int64)
    most = int(sizes.max(initial=0)) + 1
    kinds = rights * most + sizes
    asked_at_all = sizes > 0
    there = numpy.flatnonzero(numpy.bincount(kinds[asked_at_all]))
    pairs = [(float(kind // most), kind % most) for kind in there.tolist()]
    of_kind = numpy.searchsorted(there, kinds[asked_at_all])
    of_part = where[asked_at_all] % parts if part is not None else 0
    counts = numpy.bincount(of_part * len(pairs) + of_kind, minlength=parts * len(pairs)).reshape(parts, len(pairs))
    return [
        Counter({pair: count for pair, count in zip(pairs, row, strict=True) if count}) for row in counts.tolist()
    ]


def pooled(samples: Clusters) -> tuple[float | None, int]:
    """The share over all of them, and how many there are; None where there is nothing."""
    n = sum(asked * count for (_, asked), count in samples.items())
    return (fsum(right * count for (right, _), count in samples.items()) / n if n else None), n


def interval(samples: Clusters) -> Interval:
    """Wilson's where each sample is one answer that is right or wrong, else a bootstrap over samples."""
    if all(asked == 1 and right in (0, 1) for right, asked in samples):
        return wilson(sum(right * count for (right, _), count in samples.items()), sum(samples.values()))
    return cluster_bootstrap(samples)


def mean_interval(categories: Sequence[Clusters], seed: int = 0) -> Interval:
    """Of the plain mean of several shares: a bootstrap of the samples within each category.

    Where nothing varies in any of them resampling shows no spread: Wilson's interval over all samples is given.
    """
    import numpy

    if all(len({right / asked for right, asked in samples}) == 1 for samples in categories):
        mean = sum(share or 0.0 for share, _ in map(pooled, categories)) / len(categories)
        n = sum(sum(samples.values()) for samples in categories)
        return wilson(mean * n, n, "wilson over clusters")
    random = numpy.random.default_rng(seed)
    means = numpy.zeros(RESAMPLES)
    for samples in categories:
        kinds = sorted(samples.items())
        counts = numpy.array([count for _, count in kinds], dtype=float)
        total = sum(samples.values())
        draws = random.multinomial(total, counts / total, size=RESAMPLES)
        drawn = draws @ numpy.array([kind for kind, _ in kinds], dtype=float)
        means += drawn[:, 0] / drawn[:, 1]
    low, high = numpy.percentile(means / len(categories), [2.5, 97.5])
    return Interval(float(low), float(high), "bootstrap within categories")
