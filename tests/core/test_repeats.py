"""Repeats as one answer: majority, best and all, and what none of them counts."""

from __future__ import annotations

from core.records import Layout
from core.repeats import Said, Together, majority

LAYOUT = Layout(("number", "subject"))


def said(number: str | None, subject: str | None, question: object = 0) -> Said:
    """An answer where two cats are right."""
    read = {1: number, 2: subject}
    right = (number == "two") | (subject == "cats") << 1
    return Said(right, 3, {bit: value for bit, value in read.items() if value is not None}, question)


def cells(
    *items: list[Said], step: str = "apply", pooled: tuple[str, ...] = ()
) -> dict[tuple[str, str], tuple[float, int]]:
    together = Together(lambda name: LAYOUT if name == "apply" else Layout(("number",)), 3, pooled)
    for item, answers in enumerate(items):
        together.add("rule", "", step, item, answers)
    return {(cell.group, cell.property): (cell.right, cell.n) for cell in together.cells()}


def test_each_value_is_voted_on_by_itself() -> None:
    found = cells([said("two", "dogs"), said("six", "cats"), said("two", "cats")])
    assert found["majority of 3", "all"] == (1, 1)
    assert found["best of 3", "all"] == (1, 1)
    assert found["all of 3", "all"] == (0, 1)


def test_a_majority_can_be_right_where_no_single_answer_is() -> None:
    found = cells([said("two", None), said("six", "cats"), said("two", None)], [said("two", "cats")] * 3)
    assert found["majority of 3", "all"] == (2, 2)
    assert found["best of 3", "all"] == (1, 2)
    assert found["best of 3", "number"] == (2, 2)


def test_what_could_not_be_read_votes_for_nothing() -> None:
    assert majority([said(None, None), said(None, None), said("two", "dogs")]).right == 1
    nobody = majority([said(None, None)] * 3)
    assert (nobody.right, nobody.scored) == (0, 3)


def test_of_values_with_as_many_votes_the_first_said_counts() -> None:
    assert majority([said("two", "cats"), said("six", "dogs")]).right == 3
    assert majority([said("six", "dogs"), said("two", "cats")]).right == 0
    assert majority([said("six", "dogs"), said("two", "cats"), said("two", "cats"), said("six", "dogs")]).right == 0


def test_an_item_that_some_repeat_did_not_answer_is_left_out() -> None:
    assert cells([said("two", "cats")] * 2) == {}
    assert cells([said("two", "cats")] * 2, [said("two", "cats")] * 3)["all of 3", "all"] == (1, 1)


def test_different_questions_have_no_majority_but_a_best() -> None:
    apart = [said("two", "cats", question) for question in range(3)]
    found = cells(apart)
    assert ("majority of 3", "all") not in found
    assert found["best of 3", "all"] == (1, 1)


def test_a_scorer_that_reads_no_values_has_no_majority() -> None:
    found = cells([Said(3, 3), Said(0, 3), Said(0, 3)])
    assert {group for group, _ in found} == {"best of 3", "all of 3"}


def test_answers_that_nobody_could_read_have_a_majority_that_is_wrong() -> None:
    unread = Said(0, 3, unread=True)
    found = cells([unread] * 3, [unread] * 3)
    for group in ("majority of 3", "best of 3", "all of 3"):
        for name in ("number", "subject", "all"):
            assert found[group, name] == (0, 2), (group, name)


def test_a_step_nobody_could_read_beside_one_that_was_read() -> None:
    together = Together(lambda name: Layout(("number",)), 2)
    together.add("rule", "", "describe", "x", [Said(0, 1, unread=True)] * 2)
    together.add("rule", "", "apply", "x", [Said(1, 1, {1: "two"})] * 2)
    together.add("judge", "", "describe", "x", [Said(0, 1, unread=True)] * 2)  # refused, so that it was not asked
    together.add("judge", "", "apply", "x", [Said(1, 1)] * 2)
    majorities = {
        (cell.scorer, cell.step): (cell.right, cell.n) for cell in together.cells() if cell.group == "majority of 2"
    }
    assert majorities == {("rule", "describe"): (0, 1), ("rule", "apply"): (1, 1)}


def test_parts_that_were_read_in_part_are_read() -> None:
    assert not Said(0, 1, unread=True).joined(Said(2, 2, {2: "cats"})).unread
    assert Said(0, 1, unread=True).joined(Said(0, 2, unread=True)).unread


def test_numbered_steps_are_each_items_share() -> None:
    together = Together(lambda name: Layout(("answer",)), 2, ("plan",))
    right, wrong = Said(1, 1, {1: "A"}), Said(0, 1, {1: "B"})
    together.add("rule", "", "plan.1", "x", [right, wrong])
    together.add("rule", "", "plan.2", "x", [right, right])
    together.add("rule", "", "plan.1", "y", [wrong, wrong])
    found = {(cell.group, cell.property): (cell.right, cell.n) for cell in together.cells()}
    assert found["best of 2", "answer"] == (1.0, 2)
    assert found["all of 2", "answer"] == (0.5, 2)
