"""Figures of whole trajectories: how many are still all right after each step, and V-REX's figures 8, 10 and 11."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from core.figures.records import Figure, Mark, Panel, Series
from core.measures import Measure
from core.published.catalogue import findings
from core.records import named
from core.scoring import RULE

WRONG_STEPS: Final = {
    "acc_plan_by_wrong_steps": ("planning", "V-REX figure 10"),
    "acc_follow_by_wrong_steps": ("following", "V-REX figure 11"),
}
RATIO: Final = "following_to_planning"
PRINTED_RATIO: Final = "following_by_planning/"
"""What follows from the paper's table 1, model by model."""


class Survival(NamedTuple):
    """A run's share of trajectories that are still all right after each step."""

    run: str
    benchmark: str
    subset: str
    protocol: str
    marks: Sequence[Mark]


def still_right(found: Sequence[Survival], scorer: str = RULE) -> Iterator[Figure]:
    """A figure for each benchmark, subset and protocol, a line for each run."""
    alike: dict[tuple[str, str, str], list[Survival]] = {}
    for one in found:
        if one.marks:
            alike.setdefault((one.benchmark, one.subset, one.protocol), []).append(one)
    for (benchmark, subset, protocol), runs in alike.items():
        panel = Panel("", [Series(one.run, one.marks) for one in runs])
        stem = "-".join(filter(None, ("survival", benchmark, subset, protocol, scorer if scorer != RULE else "")))
        yield Figure(
            stem, f"{named(benchmark, subset)}, {protocol}: all right up to this step", "after step",
            "share still all right", [panel], scorer=scorer, joined=True,
        )  # fmt: skip


def of_measures(
    measures: Sequence[Measure], *, published: bool = False, baselines: Collection[str] = ()
) -> Iterator[Figure]:
    """V-REX's figures 10 and 11 (final accuracy by the number of wrong steps) and 8 (following to planning).

    ``published`` sets the ratios that follow from the paper's table 1 beside figure 8. ``baselines`` are respondents
    that are marked as such.
    """
    for scorer in dict.fromkeys(measure.scorer for measure in measures):
        own = [measure for measure in measures if measure.scorer == scorer and measure.value is not None]
        end = "" if scorer == RULE else f"-{scorer}"
        for name, (protocol, place) in WRONG_STEPS.items():
            by_run: dict[str, list[Mark]] = {}
            for measure in sorted((one for one in own if one.name == name), key=lambda one: int(one.group)):
                by_run.setdefault(_name(measure, baselines), []).append(_mark(measure, measure.group))
            if by_run:
                yield Figure(
                    f"vrex-wrong-steps-{protocol}{end}",
                    f"vrex, {protocol}: final accuracy by the number of wrong steps ({place})",
                    "wrong steps", "accuracy of the final answer",
                    [Panel("", [Series(run, marks) for run, marks in by_run.items()])], form="bars", scorer=scorer,
                )  # fmt: skip
        ratios = [measure for measure in own if measure.name == RATIO]
        if ratios:
            series = [Series(_name(one, baselines), [_mark(one, one.respondent)]) for one in ratios]
            yield _ratios(series, scorer, end, published=published)


def _ratios(series: list[Series], scorer: str, end: str, *, published: bool) -> Figure:
    printed = [
        Mark(finding.name.removeprefix(PRINTED_RATIO), finding.value, source="table 1")
        for finding in (findings("vrex") if published else ())
        if finding.name.startswith(PRINTED_RATIO)
    ]
    if printed:
        series.append(Series("published models", printed, "published"))
    return Figure(
        f"vrex-following-to-planning{end}", "vrex: following to planning (V-REX figure 8)", "respondent",
        "following / planning", [Panel("", series)], form="groups", scorer=scorer, share=False, even=1.0,
    )  # fmt: skip


def _name(measure: Measure, baselines: Collection[str]) -> str:
    return f"{measure.run} (baseline)" if measure.respondent in baselines else measure.run


def _mark(measure: Measure, x: str) -> Mark:
    assert measure.value is not None
    return Mark(x, measure.value, measure.low, measure.high, measure.n, measure.interval)
