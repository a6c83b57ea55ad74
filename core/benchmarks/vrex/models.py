"""V-REX over all models of a report: figures 5, 6, 8, 10 and 11, from the measures of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import mean, stdev
from typing import Final

from core.benchmarks.vrex.question import FOLLOW, PLAN
from core.cells import ALL
from core.measures import Measure, RunOutcomes

MEAN: Final = "_mean_of_categories"
OVER: Final = "_over_models"
SIZES: Final = ("< 7B", "7B - 10B", "> 10B", "not told")
"""The groups of tables 1 and 3; a model whose size nobody tells is proprietary there."""

Values = Mapping[str, float]
"""By respondent, of several runs the last one's."""


def over_models(found: Sequence[Measure], runs: Sequence[RunOutcomes]) -> Iterator[Measure]:
    """All of them, scorer by scorer; each mean from two models on, baselines and people left out."""
    sizes = {run.respondent: run.size_b for run in runs if run.kind == "model"}
    for scorer in dict.fromkeys(measure.scorer for measure in found):
        mine: dict[tuple[str, str, str], dict[str, float]] = {}
        for one in found:
            if one.scorer == scorer and one.respondent in sizes and one.value is not None:
                mine.setdefault((one.name, one.group_by, one.group), {})[one.respondent] = one.value
        yield from _changes(mine, scorer)
        yield from _by_size(mine, sizes, scorer)
        yield from _by_wrong_steps(mine, scorer)


def _measure(name: str, value: float, n: int, scorer: str, note: str, group: tuple[str, str] = (ALL, ALL)) -> Measure:
    return Measure(name, "", "", value, n, scorer, *group, note=note)


def _changes(mine: Mapping[tuple[str, str, str], Values], scorer: str) -> Iterator[Measure]:
    """``change_plan_over_models``, ``change_follow_over_models``: the mean change ratio by category, and
    ``..._positive``: in what share of the models and categories the chain helps (finding 1, figure 5)."""
    for kind in (PLAN, FOLLOW):
        apart: list[float] = []
        for (name, group_by, group), values in mine.items():
            if name != f"change_{kind}" or len(values) < 2:
                continue
            apart += values.values() if group_by == "category" else ()
            better = sum(value > 0 for value in values.values())
            note = f"better with the chain in {better} of {len(values)} models; figure 5"
            found = mean(values.values())
            yield _measure(name + OVER, found, len(values), scorer, note, (group_by, group))
        if apart:
            share = sum(value > 0 for value in apart) / len(apart)
            yield _measure(f"change_{kind}_positive", share, len(apart), scorer, "models and categories; figure 5")


def _by_size(
    mine: Mapping[tuple[str, str, str], Values], sizes: Mapping[str, float | None], scorer: str
) -> Iterator[Measure]:
    """``planning_by_size``, ``following_by_size`` and their ``spread`` (standard deviation over the models of a size;
    finding 2, figure 6), ``following_to_planning_by_size`` (finding 4, figure 8)."""
    told = {
        "planning": (f"planning{MEAN}", "figure 6"),
        "following": (f"following{MEAN}", "figure 6"),
        "following_to_planning": ("following_to_planning", "figure 8"),
    }
    for short, (name, figure) in told.items():
        by_size: dict[str, list[float]] = {}
        for respondent, value in mine.get((name, ALL, ALL), {}).items():
            by_size.setdefault(size_group(sizes[respondent]), []).append(value)
        for size in SIZES:
            values = by_size.get(size, [])
            n = len(values)
            if values:
                yield _measure(
                    f"{short}_by_size", mean(values), n, scorer, f"mean over models; {figure}", ("size", size)
                )
            if n > 1 and figure == "figure 6":
                note = f"standard deviation over models; {figure}, finding 2"
                yield _measure(f"{short}_spread_by_size", stdev(values), n, scorer, note, ("size", size))


def size_group(size_b: float | None) -> str:
    """The group of the paper's tables that a size in billions of parameters belongs to."""
    if size_b is None:
        return SIZES[3]
    return SIZES[0] if size_b < 7 else SIZES[1] if size_b <= 10 else SIZES[2]


def _by_wrong_steps(mine: Mapping[tuple[str, str, str], Values], scorer: str) -> Iterator[Measure]:
    """``acc_plan_by_wrong_steps_over_models`` and the same of following: the mean over the models that have chains
    with so many wrong steps (section 12, figures 10 and 11, "averaged over all models")."""
    for kind, figure in ((PLAN, "10"), (FOLLOW, "11")):
        name = f"acc_{kind}_by_wrong_steps"
        found = sorted((int(key[2]), key) for key in mine if key[0] == name and len(mine[key]) > 1)
        for _, key in found:
            values = mine[key].values()
            yield _measure(name + OVER, mean(values), len(values), scorer, f"figure {figure}", (key[1], key[2]))
