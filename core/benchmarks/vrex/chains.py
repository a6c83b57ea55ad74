"""How trajectories came out as chains: steps asked and right, and the final question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from core.benchmarks.vrex.question import FINAL
from core.measures import Outcome, RunOutcomes
from core.statistics import RESAMPLES, Interval, cluster_bootstrap, wilson
from core.tally import REASKED


@dataclass(frozen=True, slots=True)
class Chain:
    """One trajectory: steps before the final question that were asked, those that came out right, and the final one.

    A step that was asked again counts once, by what came last. ``final`` is None where the chain stopped before it.
    """

    item: str
    category: str
    scenario: str
    asked: int
    right: int
    final: bool | None

    @property
    def wrong(self) -> int:
        return self.asked - self.right


def chain(outcome: Outcome) -> Chain:
    """The chain of a trajectory."""
    steps = {step.step.removesuffix(REASKED): step.right for step in outcome.steps}
    final = steps.pop(FINAL, None)
    groups = outcome.groups
    return Chain(
        outcome.item,
        groups.get("category", ""),
        groups.get("scenario", ""),
        len(steps),
        sum(steps.values()),
        final,
    )


def chains(run: RunOutcomes) -> list[Chain]:
    """Those of a run; a trajectory of which nothing was scored is none."""
    return [chain(outcome) for outcome in run.outcomes if outcome.steps]


def grouped(found: Iterable[Chain], key: Callable[[Chain], str]) -> dict[str, list[Chain]]:
    """By category or scenario, in the order of their names; chains without one are left out."""
    out: dict[str, list[Chain]] = {}
    for each in found:
        if key(each):
            out.setdefault(key(each), []).append(each)
    return dict(sorted(out.items()))


Counts = tuple[float, int]
"""Right and how many, of one sample."""


def step_shares(found: Iterable[Chain]) -> list[Counts]:
    """Of each sample (repeats pooled) the share of right steps, as (share, 1); samples without steps are left out."""
    sums = _by_item((each.item, each.right, each.asked) for each in found)
    return [(right / asked, 1) for right, asked in sums if asked]


def finals(found: Iterable[Chain]) -> list[Counts]:
    """Of each sample how many final questions are right, of how many that were asked."""
    sums = _by_item((each.item, each.final or 0, each.final is not None) for each in found)
    return [(right, asked) for right, asked in sums if asked]


def _by_item(counts: Iterable[tuple[str, float, int]]) -> list[Counts]:
    sums: dict[str, list[float]] = {}
    for item, right, asked in counts:
        sample = sums.setdefault(item, [0, 0])
        sample[0] += right
        sample[1] += asked
    return [(right, int(asked)) for right, asked in sums.values()]


def pooled(samples: Sequence[Counts]) -> tuple[float | None, int]:
    """The share over all of them, and how many there are; None where there is nothing."""
    n = sum(asked for _, asked in samples)
    return (sum(right for right, _ in samples) / n if n else None), n


def interval(samples: Sequence[Counts]) -> Interval:
    """Wilson's where each sample is one answer that is right or wrong, else a bootstrap over samples."""
    if all(asked == 1 and right in (0, 1) for right, asked in samples):
        return wilson(sum(right for right, _ in samples), len(samples))
    clusters: dict[tuple[float, int], int] = {}
    for sample in samples:
        clusters[sample] = clusters.get(sample, 0) + 1
    return cluster_bootstrap(clusters)


def mean_interval(categories: Sequence[Sequence[Counts]], seed: int = 0) -> Interval:
    """Of the plain mean of several shares: a bootstrap of the samples within each category.

    Where nothing varies in any of them resampling shows no spread: Wilson's interval over all samples is given.
    """
    import numpy

    if all(len({right / asked for right, asked in samples}) == 1 for samples in categories):
        mean = sum(share or 0.0 for share, _ in map(pooled, categories)) / len(categories)
        n = sum(map(len, categories))
        return wilson(mean * n, n, "wilson over clusters")
    random = numpy.random.default_rng(seed)
    means = numpy.zeros(RESAMPLES)
    for samples in categories:
        kinds = sorted(Counter(samples).items())
        counts = numpy.array([count for _, count in kinds], dtype=float)
        draws = random.multinomial(len(samples), counts / len(samples), size=RESAMPLES)
        drawn = draws @ numpy.array([kind for kind, _ in kinds], dtype=float)
        means += drawn[:, 0] / drawn[:, 1]
    low, high = numpy.percentile(means / len(categories), [2.5, 97.5])
    return Interval(float(low), float(high), "bootstrap within categories")
