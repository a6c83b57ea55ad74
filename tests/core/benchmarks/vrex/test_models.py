"""V-REX over models by hand: means by size and by number of wrong steps, spread, change ratios."""

from __future__ import annotations

import math

import pytest

from core.benchmarks.vrex.models import over_models, size_group
from core.measures import Measure, RunOutcomes, size_in
from core.records import RespondentKind


def a_run(respondent: str, size_b: float | None, kind: RespondentKind = "model") -> RunOutcomes:
    return RunOutcomes(respondent, "", "planning", {}, respondent, kind, "rule", [], size_b)


RUNS = [a_run("a", 2), a_run("b", 4), a_run("c", 7), a_run("d", 38), a_run("e", None), a_run("random", 1, "baseline")]


def measured(name: str, group_by: str = "all", group: str = "all", **values: float) -> list[Measure]:
    return [Measure(name, f"run of {who}", who, value, 10, "rule", group_by, group) for who, value in values.items()]


def found(measures: list[Measure]) -> dict[tuple[str, str], tuple[float | None, int]]:
    return {(one.name, one.group): (one.value, one.n) for one in over_models(measures, RUNS)}


def test_abilities_by_the_sizes_of_the_papers_tables() -> None:
    out = found(measured("planning_mean_of_categories", a=0.3, b=0.5, c=0.6, d=0.8, e=0.9, random=0.1))
    assert out == {
        ("planning_by_size", "< 7B"): (0.4, 2),
        ("planning_spread_by_size", "< 7B"): (pytest.approx(math.sqrt(0.02)), 2),
        ("planning_by_size", "7B - 10B"): (0.6, 1),
        ("planning_by_size", "> 10B"): (0.8, 1),
        ("planning_by_size", "not told"): (0.9, 1),
    }
    ratio = found(measured("following_to_planning", a=1.4, b=1.2, d=1.0))
    assert ratio["following_to_planning_by_size", "< 7B"] == (pytest.approx(1.3), 2)
    assert [size_group(size) for size in (6.9, 7, 10, 10.1)] == ["< 7B", "7B - 10B", "7B - 10B", "> 10B"]


def test_change_ratios_over_models_and_how_often_the_chain_helps() -> None:
    made = measured("change_plan", a=0.1, b=-0.1, c=0.3)
    made += measured("change_plan", "category", "Retrieval", a=-0.2, b=-0.1, c=0.1)
    made += measured("change_plan", "category", "Guessing", a=0.2, b=0.3, c=0.1)
    out = found(made)
    assert out["change_plan_over_models", "all"] == (pytest.approx(0.1), 3)
    assert out["change_plan_over_models", "Retrieval"] == (pytest.approx(-0.2 / 3), 3)
    assert out["change_plan_positive", "all"] == (4 / 6, 6)


def test_accuracy_by_wrong_steps_averaged_over_the_models_that_have_such_chains() -> None:
    made = measured("acc_follow_by_wrong_steps", "wrong steps", "0", a=0.9, b=0.7)
    made += measured("acc_follow_by_wrong_steps", "wrong steps", "10", a=0.5, b=0.2, c=0.2)
    made += measured("acc_follow_by_wrong_steps", "wrong steps", "2", a=0.5, random=0.1)
    one, other = over_models(made, RUNS)
    assert (one.name, one.group, one.value, one.n) == ("acc_follow_by_wrong_steps_over_models", "0", 0.8, 2)
    assert (other.group, other.value, other.note) == ("10", pytest.approx(0.3), "figure 11")


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("Qwen2-VL-7B", 7), ("HuggingFaceTB/SmolVLM2-2.2B-Instruct", 2.2), ("Qwen3-VL-30B-A3B", 30), ("gpt-4o", None),
        ("llava-0.5b", 0.5), ("model-v2B1", None),
    ],
)  # fmt: skip
def test_a_size_in_a_models_name(name: str, size: float | None) -> None:
    assert size_in(name) == size
