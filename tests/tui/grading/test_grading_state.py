"""A grader's way, and what a case shows, without a terminal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.records import Answer, Layout, Show, Text
from sessions.studies.grading import Offer
from sessions.studies.grading_pool import Gradable
from tests.stored import a_step, a_turn, an_item
from tui.grading.cases import case_of
from tui.grading.state import HELD_S, Presses, Way

PROPERTIES = ("number", "subject", "action")
ONE = Gradable(1, 1, "apply", Layout(PROPERTIES), (1, 2, 4))
THREE = Gradable(2, 1, "describe", Layout(PROPERTIES, 3), tuple(1 << bit for bit in range(9)))


def way(said: dict[tuple[int, int], bool | None] | None = None, **changes: object) -> Way:
    return Way(replace(Offer("ann", False, (ONE, THREE), said or {}), **changes))  # type: ignore[arg-type]


def test_one_property_after_the_other_and_one_back() -> None:
    on = way()
    assert on.asked() == "Is the number right?"
    assert on.place is not None
    on.said(on.place, True)
    assert on.asked() == "Is the subject right?"
    on.back()
    assert on.asked() == "Is the number right?"
    on.said(on.place, None)
    assert (on.asked(), on.done) == ("Is the subject right?", 1)
    assert on.verdict(ONE, 1) == (True, None)
    assert on.verdict(ONE, 2) == (False, None)
    assert not on.on()  # nothing was said of it
    on.back()
    assert on.on()


def test_it_goes_on_where_nothing_was_said_yet() -> None:
    on = way({(1, 1): True, (1, 2): False, (1, 4): None, (2, 1): True})
    assert on.asked() == "Is the subject of picture 1 right?"
    assert (on.done, on.of) == (4, 12)
    assert on.heading() == "ann judges answers: answer 2 of 2; 4 of 12 judged"
    for _ in range(5):
        on.back()
    assert on.asked() == "Is the number right?"


def test_all_done() -> None:
    on = way({(1, 1): True, (1, 2): True, (1, 4): True}, answers=(ONE,))
    assert (on.place, on.asked(), on.strip()) == (None, "", [])
    assert on.heading() == "ann judges answers: all done; 3 of 3 judged"
    on.back()
    assert on.asked() == "Is the action right?"


def test_the_strip_has_a_line_for_each_picture() -> None:
    on = way({(1, 1): True, (1, 2): True, (1, 4): True, (2, 1): True, (2, 2): False, (2, 4): None})
    text = "".join(words for words, _ in on.strip())
    assert [line.split() for line in text.splitlines()] == [
        ["picture", "1:", "number", "✓", "subject", "✗", "action", "?"],
        ["picture", "2:", "number", "·", "subject", "·", "action", "·"],
        ["picture", "3:", "number", "·", "subject", "·", "action", "·"],
    ]
    assert [words for words, here in on.strip() if here] == ["number ·"]


def test_a_held_key_and_an_early_one_judge_nothing() -> None:
    presses = Presses()
    assert not presses.counts("r", 1.0)
    presses.open = True
    assert not presses.counts("r", 1.1)  # still the same press
    assert presses.counts("w", 1.2)
    assert [presses.counts("r", 2.0 + 0.03 * repeat) for repeat in range(20)] == [True] + 19 * [False]
    assert presses.counts("r", 2.0 + 0.03 * 19 + HELD_S + 0.01)


def test_a_case_shows_what_was_asked_and_not_of_whom() -> None:
    turn = replace(
        a_turn("describe"),
        content=(Text("Image 1:"), Show((0, 1)), Text("Image 2:"), Show((2,), blank=True), Text("Please describe.")),
        answer_format="Answer in JSON.",
        gold={"number": "two", "1.subject": "cat"},
    )
    first = replace(a_step("describe"), turn=turn)
    later = replace(a_step("apply"), answer=Answer("two cats", reasoning="I am a model"))
    later = replace(later, turn=replace(later.turn, content=(Text("Apply it."),)))
    item = an_item()
    case = case_of(item, (first,))
    assert case.question == "Please describe."  # neither the form of the answer nor labels of pictures
    assert case.shows == (Show((0,)), Show((1,)), Show((2,)))
    assert case.captions == ("picture 1", "picture 2", "picture 3")
    assert (case.right_value(0, "number"), case.right_value(1, "subject"), case.right_value(2, "subject")) == (
        "two", "cat", "",
    )  # fmt: skip
    after = case_of(item, (first, later))
    assert (after.question, after.answer) == ("Apply it.", "two cats")
    assert after.shows == case.shows  # what was shown before


@pytest.mark.parametrize("name", ["answer"])
def test_a_choice_is_asked_about_as_a_whole(name: str) -> None:
    on = way(answers=(Gradable(3, 1, "plan", Layout((name,)), (1,)),))
    assert on.asked() == "Is the answer right?"
