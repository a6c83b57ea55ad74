"""The keys that step in and compare, through Textual's pilot."""

from __future__ import annotations

from typing import Any

import pytest
from textual.command import CommandPalette
from textual.widgets import Input, Static, TextArea

from core.config import Config
from core.pictures import Pictures
from core.records import Origin, Progress, Text
from tests.tui.pilots import app_on, burst, idle, notices, press, words
from tests.tui.stage import Told, choosing, drawn, stepping
from tui.screens.choose import ChooseScreen, RowLines
from tui.screens.compare import CompareScreen
from tui.screens.edit import EditScreen, PromptScreen
from tui.screens.form import FormScreen
from tui.screens.repeats import RepeatsScreen
from tui.screens.stepping import SteppingScreen
from tui.state.crew import Crew
from tui.widgets.pictures import PictureBox

WRONG = "Image 1: four wolves typing.\nImage 2: four wolves typing.\nImage 3: four wolves typing."


def rows(pilot: Any) -> list[str]:
    lines = pilot.app.screen.query_one(RowLines)
    return [lines.line(index, 200).plain.strip() for index in range(lines.count)]


async def find(pilot: Any, text: str) -> None:
    """Have those words in the field of the list, and take what is left."""
    field = pilot.app.screen.query_one("#search", Input)
    field.focus()
    field.value = text
    await press(pilot, "enter")


async def pick(pilot: Any, text: str) -> None:
    """Open the menu and take the line with these words."""
    await press(pilot, "w")
    await find(pilot, text)


async def test_w_lists_everything_and_a_chosen_line_makes_the_fork() -> None:
    state = stepping(Told(WRONG))
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "w")
        assert isinstance(pilot.app.screen, ChooseScreen)
        found = rows(pilot)
        assert found[0] == "the gold answer, as a whole"
        assert "a wrong number, on purpose" in found
        assert any(row.startswith("this one turn to another respondent  not here") for row in found)
        await press(pilot, "escape")
        await pick(pilot, "wrong subj")
        assert isinstance(pilot.app.screen, SteppingScreen)
        assert state.current.steps[0].origin is Origin.WRONG
        assert "subject set wrong" in words(pilot)


async def test_a_value_that_is_right_already_is_not_put_in() -> None:
    state = stepping(Told("Image 1: four wolves typing.\nImage 2: two dogs running.\nImage 3: three cats walking."))
    async with app_on(state).run_test(size=(100, 24)) as pilot:
        await press(pilot, "space", "space", "space", "b", "w")
        assert "gold for number alone  not here: the number is right as it is" in rows(pilot)
        await press(pilot, "escape", "b", "b", "w")
        assert "gold for subject alone" in rows(pilot)


async def test_what_cannot_be_done_says_why_and_stays_open() -> None:
    async with app_on(stepping(Told(WRONG))).run_test(size=(80, 24)) as pilot:
        await pick(pilot, "once more")
        assert isinstance(pilot.app.screen, ChooseScreen)


async def test_another_prompt_is_asked_and_its_draft_survives_esc() -> None:
    told = Told(WRONG)
    state = stepping(told)
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space")
        await pick(pilot, "prompt")
        assert isinstance(pilot.app.screen, PromptScreen)
        assert "an image" not in pilot.app.screen.query_one(TextArea).text[:8]
        await press(pilot, "X", "escape")
        await pick(pilot, "prompt")
        assert pilot.app.screen.query_one(TextArea).text.endswith("X")
        await press(pilot, "ctrl+s")
        step = state.current.steps[0]
        assert (step.turn.made_by, step.origin, told.asked) == ("person", Origin.RESPONDENT, 2)
        assert step.turn.text.endswith("X")
        assert len(step.turn.shows) == 3


async def test_another_prompt_leaves_the_pictures_in_their_places_and_says_where_they_move() -> None:
    state = stepping(Told(WRONG))
    async with app_on(state).run_test(size=(100, 30)) as pilot:
        await press(pilot, "space")
        plain = state.current.steps[0].turn
        await pick(pilot, "prompt")
        area = pilot.app.screen.query_one(TextArea)
        assert area.text.startswith("Image 1:\n[picture 1]\nImage 2:\n[picture 2]\nImage 3:\n[picture 3]\n")
        await press(pilot, "ctrl+s")
        assert "the prompt is as it was" in notices(pilot)
        await pick(pilot, "prompt")
        area = pilot.app.screen.query_one(TextArea)
        area.text = area.text.replace("Image 2:", "And here:")
        await press(pilot, "ctrl+s")
        changed = state.current.steps[0].turn.content
        assert changed[:2] == plain.content[:2]
        assert changed[2] == Text("And here:")
        assert changed[3:6] == plain.content[3:6]
        for text, says in (
            ("What?\n[picture 9]", "shows no [picture 9]"),
            ("What?\n[picture 1]\n[picture 2]", "[picture 3] has no line in the prompt: shown before"),
        ):
            await pick(pilot, "prompt")
            pilot.app.screen.query_one(TextArea).text = text
            await press(pilot, "ctrl+s")
            assert says in notices(pilot)
        assert len(state.family.all()) == 3, "the refused one made no fork"
        assert [show.of for show in state.current.steps[0].turn.shows] == [(2,), (0,), (1,)]


async def test_pictures_are_exchanged_from_the_list_or_as_typed_and_what_is_no_order_is_refused() -> None:
    state = stepping(Told(WRONG))
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await pick(pilot, "pictures")
        assert rows(pilot)[0] == "2,1,3  pictures 1 and 2 exchanged"
        await press(pilot, "enter")
        assert [show.of for show in state.current.steps[0].turn.shows] == [(1,), (0,), (2,)]
        await pick(pilot, "pictures")
        await find(pilot, "3,2,4")
        assert len(state.family.all()) == 2, "refused: there is no fourth picture"
        await pick(pilot, "pictures")
        await find(pilot, "3,2,2")
        assert [show.of for show in state.current.steps[0].turn.shows] == [(2,), (1,), (1,)]


async def test_one_turn_goes_to_another_respondent_by_list_or_by_name() -> None:
    state = stepping(Told(WRONG))
    state.crew = Crew(Config(), Pictures())
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space")
        await pick(pilot, "another respondent")
        assert "oracle" in rows(pilot)
        await find(pilot, "oracle")
        assert (state.current.steps[0].origin, state.current.lane) == (Origin.OTHER, "describe=@oracle")
        assert "oracle" in str(pilot.app.screen.query_one("#detail-title", Static).content)
        await press(pilot, "h")
        await pick(pilot, "another respondent")
        await find(pilot, "noisy")
        await press(pilot, "0", "enter")
        assert state.current.lane == "describe=@noisy:0"
        await pick(pilot, "another respondent")
        await find(pilot, "nobody")
        assert len(state.family.all()) == 3


async def test_a_name_with_a_colon_is_typed_from_the_list_or_in_the_field_and_the_palette_stays_shut() -> None:
    state = stepping(Told(WRONG))
    state.crew = Crew(Config(), Pictures())
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space")
        for keys in (("n", "o", "i", "s", "y"), ("slash", "n", "o", "i", "s", "y")):
            await pick(pilot, "another respondent")
            await press(pilot, *keys, "colon", "0", "full_stop", "5")
            assert isinstance(pilot.app.screen, ChooseScreen)
            assert pilot.app.screen.query_one("#search", Input).value == "noisy:0.5"
            await press(pilot, "escape", "escape")
        await pick(pilot, "another respondent")
        await press(pilot, "colon")
        assert isinstance(pilot.app.screen, ChooseScreen)
        assert pilot.app.screen.query_one("#search", Input).value == ":"
        await press(pilot, "f2")
        assert isinstance(pilot.app.screen, CommandPalette)


async def test_a_turn_is_answered_by_its_form_and_what_was_chosen_survives_esc() -> None:
    state = stepping(Told(WRONG))
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await pick(pilot, "yourself")
        assert isinstance(pilot.app.screen, FormScreen)
        assert len(pilot.app.screen.query(PictureBox)) == 3, "who answers sees what is asked about"
        await press(pilot, "right", "down", "f", "escape")
        await pick(pilot, "yourself")
        await press(pilot, "down", "down", "w", "ctrl+s")
        empty = ", ".join(f"Image {unit} {name}" for unit in (2, 3) for name in ("number", "subject", "action"))
        assert f"still empty: {empty}; ctrl+s again leaves them unsaid" in notices(pilot)
        assert isinstance(pilot.app.screen, FormScreen)
        await press(pilot, "ctrl+s")
        step = state.current.steps[0]
        assert step.origin is Origin.PERSON
        score = step.score()
        assert score is not None
        assert {name: score.parsed[name] for name in ("1.number", "1.subject", "1.action")} == {
            "1.number": "one",
            "1.subject": "fox",
            "1.action": "walking",
        }


async def test_a_choice_is_answered_by_its_letter_and_own_words_are_possible() -> None:
    state = choosing("vrex:planning", Told("(A)"), first="flowchart-001")
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await pick(pilot, "yourself")
        await press(pilot, "c", "ctrl+s")
        assert (state.current.steps[0].answer.text, state.current.steps[0].origin) == ("(C)", Origin.PERSON)
        await press(pilot, "b", "h")
        await pick(pilot, "yourself")
        await press(pilot, "ctrl+e")
        assert isinstance(pilot.app.screen, EditScreen)
        await press(pilot, *"(B)", "ctrl+s")
        assert state.current.steps[0].answer.text == "(B)"


async def test_c_sets_a_fork_beside_its_parent_with_the_first_difference_marked() -> None:
    state = stepping("seeing:0")
    async with app_on(state).run_test(size=(120, 40)) as pilot:
        await press(pilot, "r", "b", "b", "g", "r", "c")
        assert isinstance(pilot.app.screen, ChooseScreen)
        assert rows(pilot)[0].startswith("plain path")
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, CompareScreen)
        shown = words(pilot)
        assert "1 describe  ≠ read otherwise  ◀ first difference" in shown
        assert shown.count("first difference") == 2, "once beside its step, once among the keys"
        assert "≠ Image 1 number" in shown
        await press(pilot, "n", "b", "p", "s", "slash")
        assert isinstance(pilot.app.screen, ChooseScreen)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, SteppingScreen)


async def test_c_says_so_where_there_is_nothing_to_compare_with() -> None:
    async with app_on(stepping(Told(WRONG))).run_test(size=(80, 24)) as pilot:
        await press(pilot, "c", "space", "c")
        assert isinstance(pilot.app.screen, SteppingScreen)


async def test_repeats_are_counted_value_by_value_and_asked_for_from_there() -> None:
    told = Told(WRONG, WRONG)
    state = stepping(told)
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "S")
        assert isinstance(pilot.app.screen, RepeatsScreen)
        await press(pilot, "s")
        assert "2 answers to the same turn, 0 of 2 right as a whole" in words(pilot)
        assert "four ✗ x 2" in words(pilot)
        await press(pilot, "2")
        assert told.asked == 4
        assert "4 answers to the same turn, 2 of 4 right as a whole" in words(pilot)
        for width, beside in ((160, 4), (120, 3), (80, 2), (60, 1)):
            await pilot.resize_terminal(width, 24)
            await press(pilot)
            regions = [pair.region for pair in pilot.app.screen.query(".pair")]
            assert (width, sum(region.y == regions[0].y for region in regions)) == (width, beside)
            assert all(region.right <= width for region in regions)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, SteppingScreen)
        assert {row.depth for row in state.rows()} == {0, 1}


@pytest.mark.parametrize("keys", [("R", "slash", "2", "enter"), ("enter", "down", "enter")])
async def test_a_later_step_is_run_to(keys: tuple[str, ...]) -> None:
    state = stepping(Told(WRONG))
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, *keys)
        assert (len(state.current.steps), state.current.progress) == (2, Progress.OPEN)


@pytest.mark.parametrize("keys", [("enter", "down", "enter"), ("R", "2", "enter")])
async def test_what_is_typed_before_a_dialog_stands_is_meant_for_it(keys: tuple[str, ...]) -> None:
    state = stepping(Told(WRONG))
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await burst(pilot, *keys)
        await idle(pilot)
        assert (len(state.current.steps), isinstance(pilot.app.screen, SteppingScreen)) == (2, True)


async def test_what_is_typed_behind_the_key_that_opens_a_form_is_meant_for_it() -> None:
    state = stepping(Told(WRONG))
    state.crew = Crew(Config(), drawn())
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space")
        await burst(pilot, "w", "slash", *"another respondent", "enter", *"noisy:0.5")
        assert isinstance(pilot.app.screen, ChooseScreen)
        assert pilot.app.screen.query_one(Input).value == "noisy:0.5"
        await burst(pilot, *"5", "enter")
        assert state.current.lane == "describe=@noisy:0.55"
        await burst(pilot, "w", "slash", *"another prompt", "enter", *" in one word", "ctrl+s")
        assert [step.turn.text[-12:] for step in state.current.steps] == [" in one word"]


async def test_which_of_several_like_forks_is_removed_is_said() -> None:
    state = stepping(Told(WRONG))
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "s", "h", "s", "D")
        assert "Remove the fork at 1 describe: asked again (2), on voila-1" in words(pilot)
        await press(pilot, "n", "h", "h", "g", "h", "h", "h", "g", "D")
        assert "(2 of 2), on voila-1" in words(pilot)


async def test_over_the_items_needs_to_know_how_the_run_was_asked() -> None:
    async with app_on(stepping(Told(WRONG))).run_test(size=(80, 24)) as pilot:
        await press(pilot, "W")
        assert isinstance(pilot.app.screen, SteppingScreen)


NASTY = "[bold]x[/ [@click=app.quit]y \x1b[31mred\x1b[0m \u202eab\u202c 日本語 👩‍🔬 \x9b2J"


@pytest.mark.parametrize("size", [(160, 48), (80, 24), (40, 12), (20, 5)])
async def test_model_text_is_text_in_every_dialog_at_any_size(size: tuple[int, int]) -> None:
    state = stepping(Told(NASTY, f"{NASTY} again"))
    async with app_on(state).run_test(size=size) as pilot:
        await press(pilot, "space", "S", "s", "escape", "c", "enter")
        shown = "".join(segment.text for line in pilot.app.screen._compositor.render_strips() for segment in line)
        assert not [c for c in shown if ord(c) < 32 or 0x7F <= ord(c) < 0xA0]
        await press(pilot, "escape", "w", "escape", "R", "escape")
        assert isinstance(pilot.app.screen, SteppingScreen)


async def test_search_finds_and_esc_leaves_the_field_before_the_list() -> None:
    async with app_on(stepping(Told(WRONG))).run_test(size=(80, 24)) as pilot:
        await press(pilot, "w", "slash", *"gold")
        assert isinstance(pilot.app.focused, Input)
        assert all("gold" in row for row in rows(pilot))
        await press(pilot, "escape")
        assert isinstance(pilot.app.focused, RowLines)
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, SteppingScreen)


@pytest.mark.parametrize("opens", ["w", "c"])
async def test_a_list_in_which_nothing_matches_says_so(opens: str) -> None:
    state = stepping()
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "g", opens)
        assert isinstance(pilot.app.screen, ChooseScreen)
        await press(pilot, "slash", *"xyzzy")
        rows = pilot.app.screen.query_one(RowLines)
        assert rows.render_line(0).text.strip() == "nothing here holds “xyzzy”"
        await press(pilot, *["backspace"] * 5)
        assert "nothing here" not in rows.render_line(0).text


async def test_s_beside_what_was_put_in_shows_the_answers_and_says_where_there_is_none() -> None:
    state = stepping(Told(WRONG))
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "g", "S")
        assert isinstance(pilot.app.screen, SteppingScreen)
        assert "nobody has been asked this turn yet" in notices(pilot)
        await press(pilot, "s", "e", *"mine", "ctrl+s", "S")
        assert isinstance(pilot.app.screen, RepeatsScreen)
        assert "describe, asked 1 time" in words(pilot)
        assert "four wolves typing" in words(pilot)
        assert "mine" not in words(pilot)


async def test_on_a_gold_fork_the_answer_is_seen_first_at_80x24() -> None:
    state = stepping(Told(WRONG))
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "g", "r")
        for _ in range(3):
            detail = pilot.app.screen.query_one("#detail")
            answer = pilot.app.screen.query_one("#section-answer")
            assert answer.display
            assert detail.region.contains_region(answer.region)
            await press(pilot, "b")
