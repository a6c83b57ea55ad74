"""Figures as data: which cells and measures stand in which figure, and the numbers beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from core.cells import Cell
from core.figures.accuracy import MOST_GROUPS, by_group, by_step
from core.figures.chains import Survival, of_measures, still_right
from core.figures.records import FIELDS, Mark
from core.measures import Measure
from core.published.beside import beside
from core.tally import forked_lane

CELL = Cell(
    "describe", "number", 3, 4, 0.75, 0.3, 0.95, "wilson", 0, 0, 0, 0, 0.75, "rule",
    run="mine", benchmark="voila", subset="WD", protocol="l2m", options="images=sequence", respondent="gpt",
)  # fmt: skip


def cell(**changed: Any) -> Cell:
    return replace(CELL, **changed)


def test_a_panel_for_each_property_and_a_series_for_each_run() -> None:
    steps = ("describe", "relate", "apply")
    cells = [cell(step=step, property=name) for step in steps for name in ("number", "subject", "all")]
    (figure,) = by_step(cells)
    assert (figure.name, figure.order) == ("accuracy-voila-WD-l2m", list(steps))
    assert [panel.title for panel in figure.panels] == ["number", "subject", "all"]
    assert [series.name for panel in figure.panels for series in panel.series] == ["mine"] * 3
    assert figure.panels[0].series[0].marks[0] == Mark("describe", 0.75, 0.3, 0.95, 4, "wilson")


def test_one_property_is_told_once_and_steps_pooled_are_no_panel() -> None:
    cells = [cell(property=name, benchmark="vrex", step="plan") for name in ("answer", "all", "steps")]
    (figure,) = by_step(cells)
    assert [panel.title for panel in figure.panels] == ["answer"]


def test_forks_stand_in_no_figure_and_what_if_apart() -> None:
    what_if, fork = cell(interventions="describe=gold"), cell(interventions=forked_lane("describe=gold"))
    before = cell(interventions="before describe=gold")
    (figure,) = by_step([CELL, what_if, fork, cell(interventions=forked_lane("")), before])
    assert figure.names == [("mine", "run"), ("mine (describe=gold)", "what-if")]


def test_baselines_and_people_are_marked() -> None:
    (figure,) = by_step([cell(kind="baseline"), cell(kind="human", run="pets")])
    assert figure.names == [("mine (baseline)", "run"), ("pets", "people")]


def test_scorers_have_figures_of_their_own() -> None:
    found = list(by_step([CELL, cell(scorer="judge")]))
    assert [figure.name for figure in found] == ["accuracy-voila-WD-l2m", "accuracy-voila-WD-l2m-judge"]
    assert [figure.scorer for figure in found] == ["rule", "judge"]


def test_a_scorer_without_a_scored_answer_has_no_figure() -> None:
    nothing = {"right": 0, "n": 0, "accuracy": None, "low": 0.0, "high": 1.0, "judge_errors": 4, "scorer": "judge"}
    lost = [cell(property=name, **nothing) for name in ("number", "all")]
    assert [figure.scorer for figure in by_step([CELL, *lost])] == ["rule"]
    groups = [cell(group_by="rule", group=str(number), property="all") for number in range(3)]
    lost = [replace(one, **nothing) for one in groups]
    assert [figure.scorer for figure in by_group([*groups, *lost])] == ["rule"]
    half = [*lost[:2], cell(group_by="rule", group="2", property="all", scorer="judge")]
    assert [figure.scorer for figure in by_group([*groups, *half])] == ["rule", "judge"], (
        "one scored answer is enough"
    )


def test_published_figures_are_marks_beside_with_their_table() -> None:
    own = [cell(step="apply", property=name) for name in ("number", "subject", "all")]
    (block,) = beside(own)
    (figure,) = by_step(own, block.published)
    all_together = {series.name: series for series in figure.panels[2].series}
    people = all_together["people (published)"]
    assert (people.whose, people.marks[0].value) == ("people", 0.7136)
    assert people.marks[0].source.startswith("table ")
    assert all_together["GPT-4o (published)"].whose == "published"
    assert people.marks[0].low is None


def test_groups_one_below_the_other_but_not_too_many() -> None:
    few = [cell(group_by="rule", group=str(number), property="all") for number in range(1, 4)]
    (figure,) = by_group(few)
    assert (figure.name, figure.order, figure.form) == ("accuracy-by-rule-voila-WD-l2m", ["1", "2", "3"], "groups")
    many = [cell(group_by="rule", group=str(number), property="all") for number in range(MOST_GROUPS + 1)]
    assert not list(by_group(many))
    assert not list(by_group(few[:1]))
    assert not list(by_step(few))


def test_the_numbers_beside_are_those_of_the_marks() -> None:
    (figure,) = by_step([CELL])
    (record,) = figure.records()
    assert tuple(record) == FIELDS
    assert (record["series"], record["x"], record["value"], record["low"], record["high"], record["n"]) == (
        "mine", "describe", 0.75, 0.3, 0.95, 4,
    )  # fmt: skip


def measure(name: str, value: float | None, **more: Any) -> Measure:
    return Measure(name, more.pop("run", "r"), "gpt", value, more.pop("n", 8), low=0.1, high=0.9, **more)


def test_the_papers_figures_of_chains() -> None:
    wrong = [
        measure("acc_plan_by_wrong_steps", share, group_by="wrong steps", group=group)
        for group, share in (("10", 0.2), ("2", 0.5), ("0", 0.9))
    ]
    ratio = measure("following_to_planning", 1.25, run="f vs p")
    undefined = measure("following_to_planning", None, run="g vs q")
    ten, eight = of_measures([*wrong, ratio, undefined], baselines=["gpt"])
    assert ten.order == ["0", "2", "10"]  # as numbers
    assert [mark.value for mark in ten.panels[0].series[0].marks] == [0.9, 0.5, 0.2]
    assert "figure 10" in ten.title
    assert [series.name for series in eight.panels[0].series] == ["f vs p (baseline)"]
    assert (eight.even, eight.share) == (1.0, False)
    *_, printed = next(iter(of_measures([ratio], published=True))).panels[0].series
    assert printed.whose == "published"
    assert len(printed.marks) > 20


def test_survival_has_a_line_for_each_run_and_none_where_nothing_was_answered() -> None:
    marks = [Mark("describe", 0.5, 0.2, 0.8, 10, "wilson")]
    found = list(still_right([Survival("a", "voila", "ND", "l2m", marks), Survival("b", "voila", "ND", "l2m", [])]))
    assert [(figure.name, [name for name, _ in figure.names]) for figure in found] == [
        ("survival-voila-ND-l2m", ["a"])
    ]
