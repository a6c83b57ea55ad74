"""Counts to accuracies: units, lanes, what was left open, and intervals."""

from __future__ import annotations

import random
from math import isclose

from core.benchmarks.voila.question import layout
from core.cells import ALL, Cell, CountRow
from core.records import Answer, Layout, Origin, Parse, Score, Step, Turn
from core.statistics import cluster_bootstrap, wilson
from core.tally import Tally


def cell(tally: Tally, step: str, name: str, lane: str = "", group: str = ALL) -> Cell:
    (found,) = [
        c for c in tally.cells() if (c.step, c.property, c.interventions, c.group) == (step, name, lane, group)
    ]
    return found


def rows(step: str, *counts: tuple[int, int], scored: int = 7, status: Parse = Parse.OK) -> list[CountRow]:
    return [CountRow("", step, "rule", ALL, status, right, scored, n) for right, n in counts]


def test_properties_and_all_are_counted_from_the_bits() -> None:
    tally = Tally(layout)
    tally.add_all(rows("apply", (0b111, 5), (0b011, 3), (0b000, 2)))
    assert [cell(tally, "apply", p).right for p in ("number", "subject", "action", ALL)] == [8, 8, 5, 5]
    assert cell(tally, "apply", ALL).n == 10
    assert cell(tally, "apply", ALL).interval == "wilson"


def test_describing_counts_pictures_and_says_that_they_hang_together() -> None:
    tally = Tally(layout)
    tally.add_all(rows("describe", (0b111_111_111, 2), (0b000_111_111, 1), (0b001_001_001, 1), scored=0b111_111_111))
    whole = cell(tally, "describe", ALL)
    assert (whole.right, whole.n) == (8, 12)
    assert whole.interval == "bootstrap over clusters"
    assert whole.low < 8 / 12 < whole.high


def test_what_was_left_open_is_in_n_and_counted_apart() -> None:
    tally = Tally(layout)
    tally.add_all(rows("apply", (7, 6)))
    tally.add_all(rows("apply", (0, 2), status=Parse.NO_ANSWER))
    tally.add_all(rows("apply", (0, 1), status=Parse.AMBIGUOUS))
    tally.add_all(rows("apply", (0, 1), status=Parse.REFUSAL))
    tally.add_failed("apply", count=2)
    found = cell(tally, "apply", ALL)
    assert (found.n, found.unparsed, found.refused, found.failed) == (10, 3, 1, 2)
    assert found.accuracy == 0.6
    assert found.accuracy_strict == 0.5
    assert found.accuracy_answered == 1.0


def test_where_nothing_was_answered_there_is_no_accuracy_of_answers() -> None:
    tally = Tally(layout)
    tally.add_all(rows("apply", (0, 3), status=Parse.REFUSAL))
    found = cell(tally, "apply", ALL)
    assert (found.accuracy, found.accuracy_answered) == (0.0, None)


def test_a_judge_may_hold_right_what_the_answer_as_a_whole_does_not_say() -> None:
    tally = Tally(layout)
    tally.add_all(rows("apply", (0b111, 1), (0b000, 1)))
    tally.add_all(rows("apply", (0b001, 2), status=Parse.AMBIGUOUS))
    number = cell(tally, "apply", "number")
    assert (number.accuracy, number.accuracy_answered) == (3 / 4, 1 / 2)


def test_pooled_steps_leave_out_what_was_left_open_sample_by_sample() -> None:
    """a: right, unread; b: wrong, refused, right; c: unread alone. Of answers 1 and 1/2, of all 1/2, 1/3 and 0."""
    tally = Tally(pooled_layout, pooled=("plan",))
    ok, unread, refused = Parse.OK, Parse.NO_ANSWER, Parse.REFUSAL
    steps = {"a": ((ok, 1), (unread, 0)), "b": ((ok, 0), (refused, 0), (ok, 1)), "c": ((unread, 0),)}
    for sample, answers in steps.items():
        for number, (status, right) in enumerate(answers, 1):
            tally.add(CountRow("", f"plan.{number}", "rule", ALL, status, right, 1, 1, sample))
    ability, steps_cell = tally.cells()
    assert ability.accuracy == (1 / 2 + 1 / 3 + 0) / 3
    assert ability.accuracy_answered == (1 + 1 / 2) / 2
    assert (steps_cell.accuracy, steps_cell.accuracy_answered) == (2 / 6, 2 / 3)


def test_a_property_that_no_one_scored_is_left_out_of_n() -> None:
    tally = Tally(layout)
    tally.add_all(rows("apply", (0b001, 4), scored=0b001))
    assert cell(tally, "apply", "number").n == 4
    assert [c.property for c in tally.cells()] == ["number"]


def test_answers_that_nobody_gave_and_forks_never_count_as_plain() -> None:
    tally = Tally(layout)
    turn = Turn("apply", ())
    score = Score("rule", "1", Parse.OK, 7, 7)
    tally.add_last([Step(turn, Answer("x"), (score,), Origin.GOLD, lane="apply=gold")])
    tally.add_last([Step(turn, Answer("x"), (score,), Origin.RESPONDENT, lane="describe=gold")])
    assert [(c.interventions, c.n) for c in tally.cells() if c.property == ALL] == [("describe=gold", 1)]


def test_repeats_of_an_item_are_one_cluster() -> None:
    alike, apart = Tally(layout), Tally(layout)
    chances = random.Random(1)
    for item in range(60):
        right = 7 if chances.random() < 0.5 else 0
        for _ in range(5):
            alike.add(CountRow("", "apply", "rule", ALL, Parse.OK, right, 7, 1, item))
            apart.add(CountRow("", "apply", "rule", ALL, Parse.OK, right, 7, 1))
    clustered, independent = cell(alike, "apply", ALL), cell(apart, "apply", ALL)
    assert clustered.accuracy == independent.accuracy
    assert clustered.high - clustered.low > 1.8 * (independent.high - independent.low)


def test_wilson_equals_the_values_worked_out_by_hand() -> None:
    # 8 of 10: centre (0.8 + 1.9207/10) / (1 + 3.8415/10), from the formula of Wilson (1927)
    low, high, _ = wilson(8, 10)
    assert isclose(low, 0.4901625, abs_tol=1e-6)
    assert isclose(high, 0.9433178, abs_tol=1e-6)
    assert wilson(0, 10)[0] == 0.0
    assert wilson(10, 10)[1] == 1.0
    assert wilson(0, 0)[:2] == (0.0, 1.0)


def test_the_cluster_bootstrap_covers_what_it_says() -> None:
    """300 simulated runs of 120 items with three pictures that hang together: 95% intervals hold the truth 90-98%."""
    chances = random.Random(5)
    held = 0
    for trial in range(300):
        clusters: dict[tuple[float, int], int] = {}
        for _ in range(120):
            ability = chances.betavariate(2, 1)
            right = sum(chances.random() < ability for _ in range(3))
            clusters[(right, 3)] = clusters.get((right, 3), 0) + 1
        low, high, _ = cluster_bootstrap(clusters, seed=trial)
        held += low <= 2 / 3 <= high
    assert 0.90 <= held / 300 <= 0.98


def test_where_all_is_right_the_interval_is_wilsons_over_clusters() -> None:
    low, high, name = cluster_bootstrap({(3, 3): 20})
    assert (high, name) == (1.0, "wilson over clusters")
    assert low == wilson(20, 20)[0]


def pooled_layout(step: str) -> Layout:
    return Layout(("answer",))


def test_numbered_steps_pool_as_the_mean_of_the_samples_shares() -> None:
    """Worked out by hand: shares 1/2, 1, 0 and 2/3; mean 13/24; 4 of 9 steps."""
    tally = Tally(pooled_layout, pooled=("plan",))
    right = {"a": (1, 0), "b": (1,), "c": (0, 0, 0), "d": (1, 1, 0)}
    for sample, steps in right.items():
        for number, one in enumerate(steps, 1):
            tally.add(CountRow("", f"plan.{number}", "rule", ALL, Parse.OK, one, 1, 1, sample))
    ability, steps_cell = tally.cells()
    assert (ability.step, ability.property, ability.n) == ("plan", "answer", 4)
    assert isclose(ability.right, 13 / 6)
    assert ability.accuracy is not None
    assert isclose(ability.accuracy, 13 / 24)
    assert ability.interval == "bootstrap over clusters"
    assert (steps_cell.property, steps_cell.right, steps_cell.n) == ("steps", 4, 9)


def test_a_step_asked_again_counts_once_with_what_it_got_then() -> None:
    tally = Tally(pooled_layout, pooled=("plan",))
    tally.add(CountRow("", "plan.1", "rule", ALL, Parse.NO_ANSWER, 0, 1, 1, "a"))
    tally.add(CountRow("", "plan.1.again", "rule", ALL, Parse.OK, 1, 1, 1, "a"))
    tally.add(CountRow("", "plan.2", "rule", ALL, Parse.OK, 1, 1, 1, "a"))
    ability, steps_cell = tally.cells()
    assert (ability.right, ability.n, ability.unparsed) == (1.0, 1, 0)
    assert (steps_cell.right, steps_cell.n) == (2, 2)


def test_a_failed_call_is_out_of_n_and_strictly_one_wrong_step_of_its_sample() -> None:
    tally = Tally(pooled_layout, pooled=("plan",))
    for sample, steps in {"a": (1,), "b": (1, 1)}.items():
        for number, one in enumerate(steps, 1):
            tally.add(CountRow("", f"plan.{number}", "rule", ALL, Parse.OK, one, 1, 1, sample))
    tally.add_failed("plan", cluster="a")
    tally.add_failed("plan", cluster="c")
    ability, steps_cell = tally.cells()
    assert (ability.accuracy, ability.n, ability.failed) == (1, 2, 2)
    assert ability.accuracy_strict == (1 / 2 + 1 + 0) / 3
    assert (steps_cell.n, steps_cell.failed, steps_cell.accuracy_strict) == (3, 2, 3 / 5)


def test_answers_that_a_judge_gave_no_score_for_are_out_of_n_and_counted() -> None:
    tally = Tally(layout, pooled=("plan",))
    tally.add_all(rows("apply", (7, 6)))
    tally.add_unjudged("rule", "apply", count=2)
    tally.add_unjudged("rule", "describe")
    tally.add_unjudged("rule", "plan.2", count=3)
    assert (cell(tally, "apply", ALL).n, cell(tally, "apply", ALL).judge_errors) == (6, 2)
    assert cell(tally, "apply", ALL).accuracy == 1.0
    nothing = cell(tally, "describe", "subject")
    assert (nothing.n, nothing.accuracy, nothing.judge_errors) == (0, None, 3)  # of three pictures
    assert [(c.n, c.accuracy, c.judge_errors) for c in tally.cells() if c.step == "plan"] == [(0, None, 3)] * 2
