"""V-REX's measures, from trajectories: abilities, final accuracies, change ratios, recovery.

Every share over samples stands beside the plain mean of the categories, which is what the paper's "Average" and
"Overall" are, under a name of its own. An answer that cannot be read is wrong. Chains that stopped before the final
question (``on_unparsed=stop``) have none to be right or wrong: final accuracies leave them out, and a note says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import fsum
from typing import TYPE_CHECKING, Final

from core.benchmarks.vrex import chains as c
from core.benchmarks.vrex.models import MEAN, over_models
from core.benchmarks.vrex.question import FOLLOW, PLAN
from core.cells import ALL, Clusters
from core.measures import Measure, RunOutcomes
from core.statistics import Interval, paired_ratio

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from core.gathered import Whole

KINDS: Final = {"planning": PLAN, "following": FOLLOW}
GROUPS: Final = ("category", "scenario")

_NO_DIRECT: Final = "undefined: no run of the same respondent and options under direct is in this report"


def measures(runs: Sequence[RunOutcomes]) -> list[Measure]:
    """All measures of these runs: each by itself, then what two runs of a respondent give, then all respondents."""
    out: list[Measure] = []
    found = [(run, c.chains(run)) for run in runs]
    for run, own in found:
        if not len(own):
            continue
        if run.protocol in KINDS:
            out += ability(run, own)
        out += accuracy(run, own)
        if run.protocol in KINDS:
            out += recovery(run, own)
            out += by_wrong_steps(run, own)
    direct = _by_respondent(found, "direct")
    for run, own in found:
        if run.protocol in KINDS:
            out += change(run, own, direct.get(_same(run), ()))
    out += ratios(found)
    return [*out, *correlations(out, runs), *over_models(out, runs)]


# -- one run


def ability(run: RunOutcomes, found: c.Chains) -> Iterator[Measure]:
    """``planning`` and ``following``: right choices over the steps before the final question, averaged over a
    sample's steps, then over samples (section 4.3, table 1)."""
    yield from _shares(run, run.protocol, found, c.step_shares, "mean of samples' shares; section 4.3, table 1")


def accuracy(run: RunOutcomes, found: c.Chains) -> Iterator[Measure]:
    """``acc``, ``acc_plan``, ``acc_follow``: the final question under each protocol (section 11, table 3)."""
    name = f"acc_{KINDS[run.protocol]}" if run.protocol in KINDS else "acc"
    yield from _shares(run, name, found, c.finals, "final question; table 3" + _stopped(found))


def recovery(run: RunOutcomes, found: c.Chains) -> Iterator[Measure]:
    """``recovery_plan``, ``recovery_follow``: of the chains with at least one wrong step the share whose final answer
    is right (finding 5, table 2); undefined where no chain has one."""
    failed = found.where((found.wrong > 0) & found.finished)
    name, note = f"recovery_{KINDS[run.protocol]}", "chains with a wrong step; table 2" + _stopped(found)
    if not len(failed):
        note = "undefined: no chain has a wrong step; table 2" + _stopped(found)
    yield _share(run, name, c.finals(failed)[0], note)
    for category, samples in c.grouped(failed, "category", c.finals):
        yield _share(run, name, samples, note, "category", category)


def by_wrong_steps(run: RunOutcomes, found: c.Chains) -> Iterator[Measure]:
    """``acc_plan_by_wrong_steps``, ``acc_follow_by_wrong_steps``: final accuracy by the number of wrong steps
    (section 12, figures 10 and 11)."""
    name, figure = f"acc_{KINDS[run.protocol]}_by_wrong_steps", "10" if run.protocol == "planning" else "11"
    asked = found.where(found.finished)
    if not len(asked):
        return
    parts = int(asked.wrong.max()) + 1
    for count, samples in enumerate(c.finals(asked, asked.wrong, parts)):
        if samples:
            yield _share(run, name, samples, f"final question; figure {figure}", "wrong steps", str(count))


def _shares(
    run: RunOutcomes,
    name: str,
    found: c.Chains,
    counting: c.Counting,
    note: str,
) -> Iterator[Measure]:
    """A share over samples, over each group's samples, and the plain mean of the categories."""
    yield _share(run, name, counting(found, None, 1)[0], note)
    groups = {group_by: list(c.grouped(found, group_by, counting)) for group_by in GROUPS}
    samples = [each for _, each in groups["category"] if each]
    if samples:
        shares = [share for share, _ in map(c.pooled, samples) if share is not None]
        n = sum(size for _, size in map(c.pooled, samples))
        bounds = c.mean_interval(samples)
        words = f"plain mean of {len(shares)} categor{'y' if len(shares) == 1 else 'ies'}; {note}"
        yield _measure(run, name + MEAN, sum(shares) / len(shares), n, bounds, words)
    for group_by, of_groups in groups.items():
        for group, each in of_groups:
            yield _share(run, name, each, note, group_by, group)


# -- two runs of one respondent


Found = Sequence[tuple[RunOutcomes, c.Chains]]


def change(run: RunOutcomes, own: c.Chains, partners: Found) -> Iterator[Measure]:
    """``change_plan``, ``change_follow``: (Acc_Plan - Acc) / Acc and (Acc_Follow - Acc) / Acc (finding 1, figure 5),
    on the items that both runs have a final answer of; overall and by category. ``partners`` are the latter."""
    name = f"change_{KINDS[run.protocol]}"
    if not partners and len(own.of):
        yield Measure(name, run.run, run.respondent, None, 0, run.scorer, note=_NO_DIRECT)
    for direct, others in partners:
        pairs = _Pairs(others, own)
        note = "figure 5" + (f"; {pairs.left} items of one run alone left out" if pairs.left else "")
        names = f"{run.run} vs {direct.run}"
        yield _ratio(run, name, names, pairs.counted(), note)
        for category in pairs.categories:
            yield _ratio(run, name, names, pairs.counted(category), note, "category", category)


def ratios(runs: Found) -> Iterator[Measure]:
    """``following_to_planning``: the ratio of the two abilities of a respondent (finding 4, figure 8)."""
    following = _by_respondent(runs, "following")
    for plan, planned in (found for found in runs if found[0].protocol == "planning"):
        for follow, followed in following.get(_same(plan), ()):
            below, planned_n = c.pooled(c.step_shares(planned)[0])
            above, followed_n = c.pooled(c.step_shares(followed)[0])
            if below is None or above is None:
                continue
            note = "figure 8; means over samples" if below else "undefined: planning is 0; figure 8"
            yield Measure(
                "following_to_planning", f"{follow.run} vs {plan.run}", plan.respondent,
                above / below if below else None, min(planned_n, followed_n), plan.scorer, note=note,
            )  # fmt: skip


def _by_respondent(runs: Found, protocol: str) -> dict[tuple[str | None, ...], list[tuple[RunOutcomes, c.Chains]]]:
    """Those under a protocol by what they have in common with others of the respondent."""
    out: dict[tuple[str | None, ...], list[tuple[RunOutcomes, c.Chains]]] = {}
    for found in runs:
        if found[0].protocol == protocol:
            out.setdefault(_same(found[0]), []).append(found)
    return out


def _same(run: RunOutcomes) -> tuple[str | None, ...]:
    """What runs of the same respondent, judged by the same scorer, their options lettered in the same way, share."""
    return run.respondent, run.scorer, run.subset, run.options.get("options"), run.options.get("seed")


class _Pairs:
    """The items that two runs have a final answer of: the shares of right ones over its repeats, before and after."""

    def __init__(self, before: c.Chains, after: c.Chains) -> None:
        import numpy

        items, size = after.of.items, len(after.of.items)
        first, of_first = _final_shares(before, before.of.places(items), size)
        second, of_second = _final_shares(after, after.of.item, size)
        both = of_first & of_second
        self.left = int(of_first.sum() + of_second.sum() - 2 * both.sum())
        if items is not before.of.items:
            known = {before.of.items[item] for item in numpy.unique(before.item[before.finished]).tolist()}
            self.left += len(known - set(items))
        labels, codes = after.of.labels("category")
        category = numpy.zeros(size, dtype=numpy.int64)
        category[after.item[::-1]] = codes[after.place[::-1]]  # the first of an item's chains says it
        self._labels, self._category = labels, category[both]
        self._before, before_of = numpy.unique(first[both], return_inverse=True)
        self._after, after_of = numpy.unique(second[both], return_inverse=True)
        self._pair = before_of * len(self._after) + after_of

    @property
    def categories(self) -> list[str]:
        """Those of the items, in the order of their names."""
        return [self._labels[code] for code in sorted(set(self._category.tolist())) if self._labels[code]]

    def counted(self, category: str = "") -> Counter[tuple[float, float]]:
        """How many items have these shares, of all or of one category."""
        import numpy

        chosen = self._pair[self._category == self._labels.index(category)] if category else self._pair
        pairs, counts = numpy.unique(chosen, return_counts=True)
        before, after = numpy.divmod(pairs, max(len(self._after), 1))
        shares = zip(self._before[before].tolist(), self._after[after].tolist(), strict=True)
        return Counter(dict(zip(shares, counts.tolist(), strict=True)))


def _final_shares(found: c.Chains, places: Whole, size: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.bool_]]:
    """By item's place the share of right final answers over its repeats, and whether there are any."""
    import numpy

    place = places[found.place]
    chosen = found.finished & (place >= 0)
    asked = numpy.bincount(place[chosen], minlength=size)
    right = numpy.bincount(place[chosen], weights=found.final[chosen], minlength=size)
    return right / numpy.maximum(asked, 1), asked > 0


def _ratio(
    run: RunOutcomes,
    name: str,
    names: str,
    pairs: Counter[tuple[float, float]],
    note: str,
    group_by: str = ALL,
    group: str = ALL,
) -> Measure:
    before, after = (fsum(pair[side] * count for pair, count in pairs.items()) for side in (0, 1))
    bounds = paired_ratio(pairs) if before else None
    if not pairs:
        note = "undefined: no item is in both runs"
    elif not before:
        note = f"undefined: nothing is right under direct; {note}"
    return Measure(
        name, names, run.respondent, (after - before) / before if before else None, pairs.total(), run.scorer,
        group_by, group, *_bounds(bounds), note,
    )  # fmt: skip


# -- all respondents


def correlations(found: Sequence[Measure], runs: Sequence[RunOutcomes]) -> Iterator[Measure]:
    """``pearson_planning_overall``, ``pearson_following_overall``: over models, each ability with ``acc`` (finding 3,
    figure 7), both as plain means of categories, as tables 1 and 3 have them. From three models on."""
    models = {run.respondent for run in runs if run.kind == "model"}
    for scorer in dict.fromkeys(measure.scorer for measure in found):
        values: dict[str, dict[str, float]] = {}
        for measure in found:
            if measure.scorer == scorer and measure.value is not None and measure.name.endswith(MEAN):
                values.setdefault(measure.name.removesuffix(MEAN), {})[measure.respondent] = measure.value
        for ability_name in KINDS:
            have = values.get(ability_name, {}).keys() & values.get("acc", {}).keys() & models
            if len(have) < 3:
                continue
            names = sorted(have)
            value = _pearson([values[ability_name][n] for n in names], [values["acc"][n] for n in names])
            yield Measure(
                f"pearson_{ability_name}_overall", "", "", value, len(names), scorer,
                note="over models; figure 7" if value is not None else "undefined: no spread; figure 7",
            )  # fmt: skip


def _pearson(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    products = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
    spread = sum((x - mean_x) ** 2 for x in xs) * sum((y - mean_y) ** 2 for y in ys)
    return float(products / spread**0.5) if spread > 0 else None


# -- parts


def _share(
    run: RunOutcomes, name: str, samples: Clusters, note: str, group_by: str = ALL, group: str = ALL
) -> Measure:
    value, n = c.pooled(samples)
    return _measure(run, name, value, n, c.interval(samples) if n else None, note, group_by, group)


def _measure(
    run: RunOutcomes,
    name: str,
    value: float | None,
    n: int,
    bounds: Interval | None,
    note: str,
    group_by: str = ALL,
    group: str = ALL,
) -> Measure:
    return Measure(name, run.run, run.respondent, value, n, run.scorer, group_by, group, *_bounds(bounds), note)


def _bounds(bounds: Interval | None) -> tuple[float | None, float | None, str]:
    return (bounds.low, bounds.high, bounds.name) if bounds is not None else (None, None, "")


def _stopped(found: c.Chains) -> str:
    count = int((~found.finished).sum())
    return f"; {count} stopped before the final question" if count else ""
