"""Own scores, tags, notes and disputes of what lies under the cursor, without a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.records import Layout, Parse, Score
from sessions.browsing import Remarks
from sessions.grading import Grading
from sessions.notebook import TagCount, Target
from sessions.store import Store
from tests.tui.books import written
from tests.tui.stage import stepping
from tui.state.grading import GradeForm
from tui.state.marks import expected_of, marks
from tui.state.stepping import Stepping
from tui.state.tagging import tag_table
from tui.widgets.notebook_text import gradings


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "phoropter.db") as opened:
        yield opened


async def asked(store: Store, steps: int = 2) -> Stepping:
    state = written(store)
    await state.open_item(0)
    for _ in range(steps):
        await state.next()
    return state


async def test_what_was_put_in_has_no_score_of_your_own_and_it_is_said_why(store: Store) -> None:
    state = await asked(store, steps=1)
    await state.gold()
    assert state.grade_form() is None
    assert "the gold was put in here" in state.note
    await state.edit("own words")
    assert state.grade_form() is None
    assert "what stands here was put in" in state.note


LAYOUT = Layout(("number", "subject"), 2)
SCORE = Score("rule", "1", Parse.OK, 0b0001, 0b0111)


def test_a_form_begins_with_what_the_rule_says_or_with_what_you_said() -> None:
    form = GradeForm(LAYOUT, SCORE)
    assert [(line.unit, line.property_name, line.other, line.yours) for line in form.lines] == [
        (1, "number", True, True), (1, "subject", False, False),
        (2, "number", False, False), (2, "subject", None, None),
    ]  # fmt: skip
    again = GradeForm(LAYOUT, SCORE, Grading("you", "1", 0b1000, 0b1001, "parser wrong", "why"))
    assert [line.yours for line in again.lines] == [False, None, None, True]
    assert (again.bits, again.reason, again.note) == ((0b1000, 0b1001), "parser wrong", "why")


def test_a_verdict_turns_round_and_all_can_be_right() -> None:
    form = GradeForm(LAYOUT, SCORE)
    seen = []
    for _ in range(3):
        form.turn(0)
        seen.append(form.lines[0].yours)
    assert seen == [False, None, True]
    form.set_all(True)
    assert form.bits == (0b1111, 0b1111)


async def test_your_score_appears_beside_the_rules(store: Store) -> None:
    state = await asked(store, 1)
    form, here = state.grade_form(), state.here()
    assert form is not None
    assert here is not None
    form.set_all(True)
    form.next_reason()
    form.note = " clear enough "
    await state.grade(here.step, form)
    mine, rule = state.current.steps[0].score("you"), state.current.steps[0].score()
    assert mine is not None
    assert rule is not None
    assert (mine.correct, rule.correct) == (True, False)
    (grading,) = state.page.latest(here.step.id)
    assert (grading.reason, grading.note) == ("parser wrong", "clear enough")
    assert state.wrong() is not None  # the rule still says where it breaks


async def test_a_score_in_part_has_no_tick_and_shows_what_it_leaves_out(store: Store) -> None:
    state = await asked(store, 1)
    step, layout = state.current.steps[0], state.plan.benchmark.layout("describe")
    expected = expected_of(step)

    async def said(verdict: bool | None) -> str:
        form, here = state.grade_form(), state.here()
        assert form is not None
        assert here is not None
        form.set_all(True)
        form.set(1, verdict)
        form.set(3, None)
        await state.grade(here.step, form)
        shown = gradings(state.page, here.step, layout, None)
        assert shown is not None
        return shown.plain

    whole = await said(None)
    assert expected == layout.mask
    assert whole.startswith("you: ·  1 N✓ S· A✓   2 N· S✓ A✓   3 N✓ S✓ A✓  scored in part")
    assert (await said(False)).startswith("you: ✗  1 N✓ S✗ A✓   2 N· S✓ A✓ ")
    (grading,) = state.page.latest(step.id)
    assert [mark.sign for mark in marks(layout, grading, expected=expected)] == ["·", "✗", "✓"]
    assert state.roster.remarks(state.item.id).graded == 1


async def test_a_form_left_alone_is_kept_until_it_is_saved(store: Store) -> None:
    state = await asked(store, 1)
    form = state.grade_form()
    assert form is not None
    form.note = "half a thou"
    assert state.grade_form() is form
    here = state.here()
    assert here is not None
    await state.grade(here.step, form)
    assert state.grade_form() is not form


async def test_there_is_nothing_to_score_before_an_answer(store: Store) -> None:
    state = written(store)
    await state.open_item(0)
    assert state.grade_form() is None
    assert state.note == "there is no answer here to score"


async def test_a_name_of_a_scorer_is_told_and_stores_nothing(store: Store) -> None:
    state = written(store, author="rule")
    await state.open_item(0)
    await state.next()
    form, here = state.grade_form(), state.here()
    assert form is not None
    assert here is not None
    await state.grade(here.step, form)
    assert "no person" in state.note
    assert state.page.gradings == {}


async def test_tags_go_to_the_first_wrong_step_or_the_one_looked_at(store: Store) -> None:
    state = await asked(store)
    wrong, here = state.wrong(), state.here()
    assert wrong is not None
    assert here is not None
    assert (wrong.index, here.index) == (0, 1)
    await state.tag(wrong.step, "perception")
    assert state.page.tags_of(wrong.step.id) == ("perception",)
    assert state.roster.remarks(state.item.id) == Remarks(0, ("perception",))
    await state.tag(wrong.step, "perception")
    assert state.page.tags_of(wrong.step.id) == ()
    await state.tag(wrong.step, "a,b")
    assert "a tag is" in state.note


async def test_notes_go_on_step_path_and_item_and_drafts_are_kept(store: Store) -> None:
    state = await asked(store)
    here = state.here()
    assert here is not None
    assert state.targets() == (Target(step=here.step.id), Target(state.current.id), Target())
    state.keep_note(Target(), "half")
    assert state.note_on(Target()) == "half"
    assert await state.write_note(Target(), "whole")
    assert (state.note_on(Target()), dict(state.drafts)) == ("whole", {})
    await state.open_item(1)
    assert state.page.notes == ()
    await state.open_item(0)
    assert [note.text for note in state.page.notes] == ["whole"]


async def test_a_dispute_is_checked_stored_and_withdrawn(store: Store) -> None:
    state = await asked(store, 1)
    turn = state.look().turn
    assert turn is not None
    assert "cannot be" in await state.dispute(turn, "no", {"1.subject": "sofa"})
    assert "reason" in await state.dispute(turn, "", {})
    other = next(option for option in turn.form[0].options if option != turn.gold["1.number"])
    assert await state.dispute(turn, "look again", {"1.number": other}) == ""
    held = state.own_dispute("describe")
    assert held is not None
    assert (held.reason, held.corrected["1.number"].value) == ("look again", other)
    await state.withdraw(turn)
    assert state.own_dispute("describe") is None


async def test_without_a_store_it_is_said_that_nothing_is_kept() -> None:
    state = stepping()
    await state.open_item(0)
    await state.next()
    assert state.grade_form() is None
    assert state.note == "nothing can be stored here"
    assert state.page.notes == ()


def test_tags_stand_by_run_and_step() -> None:
    counts = [
        TagCount("a", "gpt", "describe", "perception", 3),
        TagCount("a", "gpt", "apply", "perception", 1),
        TagCount("b", "qwen", "apply", "rule", 2),
    ]
    assert tag_table(counts) == (
        ["run", "respondent", "tag", "describe", "apply", "all"],
        [["a", "gpt", "perception", "3", "1", "4"], ["b", "qwen", "rule", "", "2", "2"]],
    )
