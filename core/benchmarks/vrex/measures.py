"""V-REX's measures, from trajectories: abilities, final accuracies, change ratios, recovery.

Every share over samples stands beside the plain mean of the categories, which is what the paper's "Average" and
"Overall" are, under a name of its own. An answer that cannot be read is wrong. Chains that stopped before the final
question (``on_unparsed=stop``) have none to be right or wrong: final accuracies leave them out, and a note says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from core.benchmarks.vrex import chains as c
from core.benchmarks.vrex.models import MEAN, over_models
from core.benchmarks.vrex.question import FOLLOW, PLAN
from core.measures import Measure, RunOutcomes
from core.statistics import Interval, paired_ratio
from core.tally import ALL

KINDS: Final = {"planning": PLAN, "following": FOLLOW}
GROUPS: Final[dict[str, Callable[[c.Chain], str]]] = {
    "category": lambda chain: chain.category,
    "scenario": lambda chain: chain.scenario,
}

_NO_DIRECT: Final = "undefined: no run of the same respondent and options under direct is in this report"


def measures(runs: Sequence[RunOutcomes]) -> list[Measure]:
    """All measures of these runs: each by itself, then what two runs of a respondent give, then all respondents."""
    out: list[Measure] = []
    for run in runs:
        found = c.chains(run)
        if not found:
            continue
        if run.protocol in KINDS:
            out += ability(run, found)
        out += accuracy(run, found)
        if run.protocol in KINDS:
            out += recovery(run, found)
            out += by_wrong_steps(run, found)
    for run in runs:
        if run.protocol in KINDS:
            out += change(run, runs)
    out += ratios(runs)
    return [*out, *correlations(out, runs), *over_models(out, runs)]


# -- one run


def ability(run: RunOutcomes, found: Sequence[c.Chain]) -> Iterator[Measure]:
    """``planning`` and ``following``: right choices over the steps before the final question, averaged over a
    sample's steps, then over samples (section 4.3, table 1)."""
    yield from _shares(run, run.protocol, found, c.step_shares, "mean of samples' shares; section 4.3, table 1")


def accuracy(run: RunOutcomes, found: Sequence[c.Chain]) -> Iterator[Measure]:
    """``acc``, ``acc_plan``, ``acc_follow``: the final question under each protocol (section 11, table 3)."""
    name = f"acc_{KINDS[run.protocol]}" if run.protocol in KINDS else "acc"
    yield from _shares(run, name, found, c.finals, "final question; table 3" + _stopped(found))


def recovery(run: RunOutcomes, found: Sequence[c.Chain]) -> Iterator[Measure]:
    """``recovery_plan``, ``recovery_follow``: of the chains with at least one wrong step the share whose final answer
    is right (finding 5, table 2); undefined where no chain has one."""
    failed = [chain for chain in found if chain.wrong and chain.final is not None]
    name, note = f"recovery_{KINDS[run.protocol]}", "chains with a wrong step; table 2" + _stopped(found)
    if not failed:
        note = "undefined: no chain has a wrong step; table 2" + _stopped(found)
    yield _share(run, name, c.finals(failed), note)
    for category, of_category in c.grouped(failed, GROUPS["category"]).items():
        yield _share(run, name, c.finals(of_category), note, "category", category)


def by_wrong_steps(run: RunOutcomes, found: Sequence[c.Chain]) -> Iterator[Measure]:
    """``acc_plan_by_wrong_steps``, ``acc_follow_by_wrong_steps``: final accuracy by the number of wrong steps
    (section 12, figures 10 and 11)."""
    name, figure = f"acc_{KINDS[run.protocol]}_by_wrong_steps", "10" if run.protocol == "planning" else "11"
    asked = [chain for chain in found if chain.final is not None]
    for count in sorted({chain.wrong for chain in asked}):
        alike = [chain for chain in asked if chain.wrong == count]
        yield _share(run, name, c.finals(alike), f"final question; figure {figure}", "wrong steps", str(count))


def _shares(
    run: RunOutcomes,
    name: str,
    found: Sequence[c.Chain],
    counted: Callable[[Sequence[c.Chain]], list[c.Counts]],
    note: str,
) -> Iterator[Measure]:
    """A share over samples, over each group's samples, and the plain mean of the categories."""
    yield _share(run, name, counted(found), note)
    by_category = c.grouped(found, GROUPS["category"])
    samples = [each for each in map(counted, by_category.values()) if each]
    if samples:
        shares = [share for share, _ in map(c.pooled, samples) if share is not None]
        n = sum(size for _, size in map(c.pooled, samples))
        bounds = c.mean_interval(samples)
        words = f"plain mean of {len(shares)} categor{'y' if len(shares) == 1 else 'ies'}; {note}"
        yield _measure(run, name + MEAN, sum(shares) / len(shares), n, bounds, words)
    for group_by, key in GROUPS.items():
        for group, of_group in c.grouped(found, key).items():
            yield _share(run, name, counted(of_group), note, group_by, group)


# -- two runs of one respondent


def change(run: RunOutcomes, runs: Sequence[RunOutcomes]) -> Iterator[Measure]:
    """``change_plan``, ``change_follow``: (Acc_Plan - Acc) / Acc and (Acc_Follow - Acc) / Acc (finding 1, figure 5),
    on the items that both runs have a final answer of; overall and by category."""
    name = f"change_{KINDS[run.protocol]}"
    partners = [other for other in runs if other.protocol == "direct" and _alike(run, other)]
    if not partners and run.outcomes:
        yield Measure(name, run.run, run.respondent, None, 0, run.scorer, note=_NO_DIRECT)
    for direct in partners:
        before, after = _final_shares(c.chains(direct)), _final_shares(c.chains(run))
        pairs = {item: (before[item][0], after[item][0]) for item in after if item in before}
        left = len(before) + len(after) - 2 * len(pairs)
        note = "figure 5" + (f"; {left} items of one run alone left out" if left else "")
        names = f"{run.run} vs {direct.run}"
        yield _ratio(run, name, names, list(pairs.values()), note)
        for category in sorted({after[item][1] for item in pairs} - {""}):
            of_category = [pairs[item] for item in pairs if after[item][1] == category]
            yield _ratio(run, name, names, of_category, note, "category", category)


def ratios(runs: Sequence[RunOutcomes]) -> Iterator[Measure]:
    """``following_to_planning``: the ratio of the two abilities of a respondent (finding 4, figure 8)."""
    for plan in (run for run in runs if run.protocol == "planning"):
        for follow in (run for run in runs if run.protocol == "following" and _alike(plan, run)):
            planned, followed = c.step_shares(c.chains(plan)), c.step_shares(c.chains(follow))
            below, above = c.pooled(planned)[0], c.pooled(followed)[0]
            if below is None or above is None:
                continue
            note = "figure 8; means over samples" if below else "undefined: planning is 0; figure 8"
            yield Measure(
                "following_to_planning", f"{follow.run} vs {plan.run}", plan.respondent,
                above / below if below else None, min(len(planned), len(followed)), plan.scorer, note=note,
            )  # fmt: skip


def _alike(one: RunOutcomes, other: RunOutcomes) -> bool:
    """Runs of the same respondent, judged by the same scorer, their options lettered in the same way."""
    lettered = [(run.options.get("options"), run.options.get("seed")) for run in (one, other)]
    same = (one.respondent, one.scorer, one.subset) == (other.respondent, other.scorer, other.subset)
    return same and lettered[0] == lettered[1]


def _final_shares(found: Sequence[c.Chain]) -> dict[str, tuple[float, str]]:
    """By item: the share of right final answers over its repeats, and its category."""
    by_item: dict[str, list[c.Chain]] = {}
    for chain in found:
        if chain.final is not None:
            by_item.setdefault(chain.item, []).append(chain)
    return {item: (sum(bool(x.final) for x in of) / len(of), of[0].category) for item, of in by_item.items()}


def _ratio(
    run: RunOutcomes,
    name: str,
    names: str,
    pairs: Sequence[tuple[float, float]],
    note: str,
    group_by: str = ALL,
    group: str = ALL,
) -> Measure:
    before, after = sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)
    bounds = paired_ratio(Counter(pairs)) if before else None
    if not pairs:
        note = "undefined: no item is in both runs"
    elif not before:
        note = f"undefined: nothing is right under direct; {note}"
    return Measure(
        name, names, run.respondent, (after - before) / before if before else None, len(pairs), run.scorer,
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
    run: RunOutcomes, name: str, samples: Sequence[c.Counts], note: str, group_by: str = ALL, group: str = ALL
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


def _stopped(found: Sequence[c.Chain]) -> str:
    count = sum(chain.final is None for chain in found)
    return f"; {count} stopped before the final question" if count else ""
