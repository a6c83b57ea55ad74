"""The notebook's dialogs: keys, what becomes of what is typed, and how they look at three sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input, TextArea

from sessions.drafts import Drafts
from sessions.notebook import Target
from sessions.store import Store
from tests.tui.books import choices, written
from tests.tui.pilots import app_on, burst, press, words
from tui.screens.grade import GradeScreen, VerdictLines
from tui.screens.note import NoteScreen
from tui.screens.stepping import SteppingScreen
from tui.screens.tag import TagScreen
from tui.state.stepping import Stepping

MEAN = "[red]x[/] \x1b[31m \u202e שלום 🦓"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "phoropter.db") as opened:
        yield opened


async def typed(pilot: Any, *keys: str) -> None:
    """As fast as a person's burst: all of them at once, then wait."""
    await pilot.press(*keys)
    await press(pilot)


async def test_a_step_is_scored_by_keys(store: Store) -> None:
    state = written(store)
    async with app_on(state).run_test(size=(120, 40)) as pilot:
        await press(pilot, "space", "v", "a", "w", "y")
        await typed(pilot, "tab", *"not [so]", "ctrl+s")
        assert not isinstance(pilot.app.screen, GradeScreen)
        (grading,) = state.page.latest(state.current.steps[0].id)
        assert (grading.right, grading.scored, grading.reason) == (0b111111110, 0b111111111, "parser wrong")
        assert grading.note == "not [so]"
        shown = words(pilot)
        assert "you: ✗" in shown
        assert "not [so]" in shown


async def test_who_scores_a_step_sees_the_answer_what_was_read_and_what_is_right(store: Store) -> None:
    state = written(store)
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "v")
        step = state.current.steps[0]
        assert step.answer.text.splitlines()[0] in words(pilot)
        score, lines = step.score("rule"), pilot.app.screen.query_one(VerdictLines)
        assert score is not None
        for at, name in ((0, "1.number"), (8, "3.action")):
            assert f"read {score.parsed[name]}, gold {step.turn.gold[name]}" in lines.line(at, 80).plain


async def test_a_burst_that_scores_and_keeps_is_acted_on_in_its_order(store: Store) -> None:
    state = written(store)
    async with app_on(state).run_test() as pilot:
        await press(pilot, "space", "v")
        await burst(pilot, "a", "w", "ctrl+s")
        assert isinstance(pilot.app.screen, SteppingScreen)
        (grading,) = state.page.latest(state.current.steps[0].id)
        assert grading.right == 0b111111110


async def test_a_burst_of_keys_ends_where_it_was_meant_to(store: Store) -> None:
    state = written(store)
    async with app_on(state).run_test() as pilot:
        await press(pilot, "space", "n")
        await typed(pilot, *"of the step", "tab", *"of the path", "escape")
        await press(pilot, "n")
        assert isinstance(pilot.app.screen, NoteScreen)
        assert pilot.app.screen.query_one(TextArea).text == "of the step"
        await typed(pilot, *"!", "ctrl+s")
    here, path = Target(step=state.current.steps[0].id), Target(state.current.id)
    assert [(note.target, note.text) for note in state.page.notes] == [(here, "of the step!")]
    assert state.note_on(path) == "of the path"


async def test_a_tag_is_completed_or_new(store: Store) -> None:
    state = written(store)
    async with app_on(state).run_test() as pilot:
        await press(pilot, "space", "space", "t")
        await typed(pilot, *"perc", "enter")
        await press(pilot, "t")
        await typed(pilot, "tab", *"own word", "enter")
        first, second = state.current.steps[:2]
        assert (state.page.tags_of(first.id), state.page.tags_of(second.id)) == (("perception",), ("own-word",))
        await press(pilot, "t", "down", "down", "enter")
        assert state.page.tags_of(first.id) == ("perception", "rule")
        await press(pilot, "t", "enter")
        assert state.page.tags_of(first.id) == ("rule",)
        await press(pilot, "t")
        await typed(pilot, *"own", "escape")
        assert not isinstance(pilot.app.screen, TagScreen)


async def test_a_gold_is_disputed_and_a_bad_value_is_told(store: Store) -> None:
    state = written(store)
    async with app_on(state).run_test(size=(120, 40)) as pilot:
        await press(pilot, "space", "exclamation_mark")
        await typed(pilot, *"blurred", "down", *"sofa", "ctrl+s")
        assert "cannot be" in words(pilot)
        turn = state.look().turn
        assert turn is not None
        value = next(option for option in turn.form[0].options if option != turn.gold["1.number"])
        pilot.app.screen.query_one("#value-0", Input).value = ""
        await typed(pilot, *value, "ctrl+s")
        held = state.own_dispute("describe")
        assert held is not None
        assert (held.reason, held.corrected["1.number"].value) == ("blurred", value)
        await press(pilot, "exclamation_mark", "ctrl+d")
        assert state.own_dispute("describe") is None


async def test_what_was_typed_against_a_gold_and_set_of_a_score_outlives_the_app(
    store: Store, tmp_path: Path
) -> None:
    state, file = written(store), tmp_path / "drafts"
    state.drafts = Drafts(file)
    async with app_on(state).run_test(size=(120, 40)) as pilot:
        await press(pilot, "space", "exclamation_mark", "escape", "v", "escape")
        assert state.drafts == {}, "what was not touched is no draft"
        await press(pilot, "exclamation_mark")
        pilot.app.screen.query_one("#why", Input).value = "blurred"
        pilot.app.screen.query_one("#value-0", Input).value = "two"
        await press(pilot, "escape", "v", "w", "y")
        pilot.app.screen.query_one(Input).value = "a note"
        await press(pilot, "escape")
    state.drafts = Drafts(file)  # as read by the next app
    state.forms.clear()
    async with app_on(state).run_test(size=(120, 40)) as pilot:
        await press(pilot, "exclamation_mark")
        assert [field.value for field in pilot.app.screen.query(Input)][:3] == ["blurred", "two", ""]
        pilot.app.screen.query_one("#value-0", Input).value = ""
        await press(pilot, "ctrl+s", "v")
        assert state.own_dispute("describe") is not None
        form = state.grade_form()
        assert form is not None
        assert (form.lines[0].yours, form.reason, form.note) == (False, "parser wrong", "a note")
        await press(pilot, "ctrl+s")
    assert Drafts(file) == {}


async def test_a_value_that_is_suggested_is_taken_by_enter_and_named_by_a_refusal(store: Store) -> None:
    state = written(store)
    async with app_on(state).run_test(size=(120, 40)) as pilot:
        await press(pilot, "space", "exclamation_mark")
        subject = pilot.app.screen.query_one("#value-1", Input)
        await typed(pilot, *"blurred", "down", "down", "m")
        assert subject._suggestion == "monkey"
        await press(pilot, "ctrl+s")
        assert "cannot be 'm'. Did you mean monkey or " in words(pilot)
        await press(pilot, "enter")
        assert subject.value == "monkey"
        await press(pilot, "ctrl+s")
        held = state.own_dispute("describe")
        assert held is not None
        assert held.corrected["1.subject"].value == "monkey"


async def test_a_score_of_one_choice_stands_beside_the_rules(store: Store) -> None:
    state = choices(store, ["(A)\n\nWhat is inside decides which way the chart goes."])
    async with app_on(state).run_test(size=(120, 40)) as pilot:
        await press(pilot, "space", "v", "r", "ctrl+s")
        assert "you: ✓" in words(pilot)


async def test_what_people_wrote_is_text_and_nothing_else(store: Store) -> None:
    state = written(store)
    await state.open_item(0)
    await state.next()
    step = state.current.steps[0]
    await state.write_note(Target(step=step.id), MEAN)
    await state.write_note(Target(), "x" * 200_000)
    await state.dispute(state.look().turn, MEAN, {})
    await state.tag(step, "שלום🦓[/]")
    async with app_on(state).run_test(size=(160, 48)) as pilot:
        await press(pilot)
        shown = words(pilot)
        assert "[red]x[/] ␛[31m � שלום 🦓" in shown
        assert "\x1b" not in shown
        assert "of 200,000 characters" in shown


SIZES = [(80, 24), (120, 40), (160, 48)]
DIALOGS = {
    "grade": ("v", "w", "y"),
    "tag": ("t",),
    "note": ("n", *"seen"),
    "dispute": ("exclamation_mark", *"why"),
    "tags": ("N",),
    "remarks": (),
}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("dialog", DIALOGS)
def test_dialog(store: Store, dialog: str, size: tuple[int, int], snap_compare: Callable[..., bool]) -> None:
    async def keys(pilot: Any) -> None:
        await press(pilot, *DIALOGS[dialog])

    assert snap_compare(app_on(noted(store)), run_before=keys, terminal_size=size)


def noted(store: Store) -> Stepping:
    """An item that somebody has written about."""
    import asyncio

    state = written(store)

    async def write() -> None:
        await state.open_item(0)
        for _ in range(2):
            await state.next()
        state.back()
        form, here = state.grade_form(), state.here()
        assert form is not None
        assert here is not None
        form.set_all(True)
        form.note = "the wording is odd"
        await state.grade(here.step, form)
        await state.tag(here.step, "perception")
        await state.tag(state.current.steps[1], "rule")
        await state.write_note(Target(step=here.step.id), "sees wolves everywhere")
        await state.dispute(state.look().turn, "the third picture is blurred", {})

    asyncio.run(write())
    return state
