"""The keys, through Textual's pilot."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from textual.widgets import Input, TextArea

from core.pictures import Pictures
from core.records import Origin, Progress
from tests.tui.pilots import app_on, burst, idle, press, words
from tests.tui.stage import Held, Told, refused, stepping
from tui.actions import ACTIONS, footer
from tui.screens.confirm import ConfirmScreen
from tui.screens.edit import EditScreen
from tui.screens.help import HelpScreen
from tui.screens.items import ItemsScreen
from tui.screens.raw import RawScreen
from tui.screens.stepping import SteppingScreen
from tui.screens.zoom import ZoomScreen
from tui.widgets.detail import Detail
from tui.widgets.items import FacetLines, ItemLines
from tui.widgets.pictures import PictureBox

WRONG = "Image 1: four wolves typing.\nImage 2: four wolves typing.\nImage 3: four wolves typing."
NASTY = {
    "markup": "[bold]x[/ [link=file:///etc/passwd]y [@click=app.quit]z",
    "ansi": "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b2J",
    "rtl": "\u202eשלום עולם\u202c مرحبا بالعالم",
    "emoji": "👩‍🔬👨‍👩‍👧‍👦🏳️‍🌈" * 40,
    "cjk": "日本語のテキスト、中文文本、한국어 " * 40,
    "large": "word " * 40_000,
    "lines": "line\n" * 5_000,
    "surrogate": "\ud800 \x00 \u2028 \ufeff",
    "zalgo": "Z" + "\u0300\u0301\u0302" * 200,
}


async def test_space_back_gold_and_fork() -> None:
    state = stepping(Told(WRONG))
    async with app_on(state).run_test(size=(120, 40)) as pilot:
        await press(pilot, "space", "space", "b", "g")
        assert state.current.steps[0].origin is Origin.GOLD
        await press(pilot, "r")
        assert state.current.progress is Progress.DONE
        await press(pilot, "h", "f")
        assert (state.current.parent, state.cursor) == (None, 0)
        assert "read four" in words(pilot)


async def test_arrows_walk_the_tree_and_failing_items_are_found() -> None:
    state = stepping(Told(WRONG))
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "g", "up", "k", "j", "down")
        assert state.current.parent is not None
        await press(pilot, "greater_than_sign", "r", "left_square_bracket")
        assert state.position == 0
        await press(pilot, "right_square_bracket")
        assert state.position == 0


async def test_a_running_call_is_stopped_by_ctrl_c_and_what_arrived_stays() -> None:
    held = Held()
    state = stepping(held)
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await idle(pilot)
        await pilot.press("space")
        await held.begun.wait()
        await asyncio.wait_for(_until(lambda: "the first words" in words(pilot), pilot), 10)
        assert "ctrl+c stops it" in words(pilot)
        await pilot.press("ctrl+c")
        await idle(pilot)
        assert state.running is None
        assert "what had arrived: the first words" in words(pilot)


async def _until(done: Any, pilot: Any) -> None:
    while not done():
        await pilot.pause()


async def test_a_failure_is_shown_whole_and_space_asks_again() -> None:
    state = stepping(Told(refused()))
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space")
        assert "told: the server is gone. Start it" in words(pilot)
        await press(pilot, "space")
        assert len(state.current.steps) == 1


async def test_own_words_go_in_with_ctrl_s_and_a_draft_survives_esc() -> None:
    state = stepping(Told(WRONG))
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "e")
        assert isinstance(pilot.app.screen, EditScreen)
        await press(pilot, "right", "x", "escape", "e")
        assert pilot.app.screen.query_one(TextArea).text == WRONG + "x"
        await press(pilot, "ctrl+s")
        assert state.current.steps[0].answer.text == WRONG + "x"
        assert state.current.steps[0].origin is Origin.EDITED
        assert state.drafts == {}


async def test_what_is_typed_replaces_the_answer_and_one_key_empties_the_field() -> None:
    state = stepping(Told(WRONG))
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "e")
        assert "typing replaces it all" in words(pilot)
        await press(pilot, *"own")
        assert pilot.app.screen.query_one(TextArea).text == "own"
        await press(pilot, "escape", "e")
        assert "typing replaces it all" not in words(pilot)  # what was typed is not put at risk by the next key
        await press(pilot, *"er")
        assert pilot.app.screen.query_one(TextArea).text == "owner"
        await press(pilot, "ctrl+l")
        assert pilot.app.screen.query_one(TextArea).text == ""
        await press(pilot, "ctrl+z")
        assert pilot.app.screen.query_one(TextArea).text == "owner"


async def test_what_is_typed_in_a_burst_with_its_ctrl_s_goes_in_whole() -> None:
    state = stepping(Told(WRONG))
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "e")
        await burst(pilot, *"two dogs", "ctrl+s")
        assert state.current.steps[0].answer.text == "two dogs"
        await press(pilot, "e")
        await burst(pilot, *"a draft", "escape")
        assert list(state.drafts.values()) == ["a draft"]


async def test_items_are_filtered_as_one_types_and_opened_with_enter() -> None:
    state = stepping()
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "slash")
        assert isinstance(pilot.app.screen, ItemsScreen)
        assert isinstance(pilot.app.focused, Input)
        await press(pilot, *"voila-3")
        assert list(pilot.app.screen.query_one(ItemLines).chosen) == [2]
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, SteppingScreen)
        assert state.item.id == "voila-3"
        await press(pilot, "i", "escape")
        assert isinstance(pilot.app.screen, SteppingScreen)


async def test_keys_in_a_burst_open_one_list_and_what_is_typed_goes_into_its_filter() -> None:
    state = stepping()
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await burst(pilot, *"/voila-3 s")
        assert len(pilot.app.screen_stack) == 3
        assert pilot.app.screen.query_one(Input).value == "voila-3 s"
        assert state.current.steps == (), "s asked nobody"
        await press(pilot, "backspace", "backspace", "enter")
        assert state.item.id == "voila-3"
        await burst(pilot, *"xiii")
        assert len(pilot.app.screen_stack) == 3
        await burst(pilot, *"x/voila qs")
        assert pilot.app.screen.query_one(Input).value == "voila qs"
        assert state.roster.view.text == "voila qs"


async def test_a_filter_stays_for_the_walk_and_is_shown_until_x_takes_it_away() -> None:
    state = stepping(Told(WRONG))
    async with app_on(state).run_test(size=(120, 40)) as pilot:
        await press(pilot, "space", "greater_than_sign", "greater_than_sign", "space", "slash", *"voila-1", "escape")
        assert [state.items.keys[at] for at in pilot.app.screen.query_one(ItemLines).chosen] == ["voila-1"]
        await press(pilot, "escape")
        assert "–/1 of 4 voila-1" in words(pilot)
        await press(pilot, "left_square_bracket")
        assert state.item.id == "voila-1"
        await press(pilot, "greater_than_sign")
        assert state.item.id == "voila-1"
        await press(pilot, "x", "greater_than_sign")
        assert (state.item.id, "2/4" in words(pilot)) == ("voila-2", True)


async def test_the_name_of_values_stands_above_the_first_of_them_however_short_the_list() -> None:
    async with app_on(stepping(Told(WRONG), count=14)).run_test(size=(80, 10)) as pilot:
        await press(pilot, "space", "i", "tab")
        values = pilot.app.screen.query_one(FacetLines)
        assert (values.cursor, values.scroll_offset.y) == (1, 0)
        await press(pilot, "end")
        assert values.scroll_offset.y > 0
        await press(pilot, "home")
        assert (values.cursor, values.scroll_offset.y) == (1, 0)


async def test_values_are_chosen_from_a_list_with_counts_and_items_are_sorted() -> None:
    state = stepping(Told(WRONG))
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "greater_than_sign", "i", "tab")
        values = pilot.app.screen.query_one(FacetLines)
        assert values.display
        assert [values.row(at)[:3] for at in range(3)] == [
            ("status", None, 0), ("status", "not-run", 1), ("status", "wrong", 1)
        ]  # fmt: skip
        at = next(index for index in range(values.count) if values.row(index)[:2] == ("wrong", "describe"))
        values.cursor = at
        await press(pilot, "enter")
        assert pilot.app.screen.query_one(Input).value == "wrong=describe"
        assert [state.items.keys[index] for index in state.roster.chosen] == ["voila-1"]
        assert values.row(values.cursor).wanted
        await press(pilot, "home")
        assert (values.cursor, values.row(1).value) == (1, "wrong"), "names are passed over"
        await press(pilot, "escape", "s")
        assert state.roster.view.order == "hardest first"
        await press(pilot, "question_mark")
        assert isinstance(pilot.app.screen, HelpScreen)
        assert "finished trajectories" in words(pilot)
        await press(pilot, "escape", "x")
        assert (state.roster.view.text, state.roster.view.order) == ("", "as in the data")
        await press(pilot, "end", "left_square_bracket", "enter")
        assert state.item.id == "voila-1"


async def test_a_fork_is_removed_after_asking_and_the_main_path_never() -> None:
    state = stepping(Told(WRONG))
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "D")
        assert isinstance(pilot.app.screen, SteppingScreen)
        await press(pilot, "g", "delete")
        assert isinstance(pilot.app.screen, ConfirmScreen)
        assert "fork at 1 describe: gold put in" in words(pilot)
        await press(pilot, "n")
        assert len(state.family.all()) == 2
        await press(pilot, "D", "y")
        assert len(state.family.all()) == 1
        assert state.current.steps[0].answer.text == WRONG


async def test_a_call_on_another_item_is_told_until_it_ends() -> None:
    held = Held()
    state = stepping(held)
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await idle(pilot)
        await pilot.press("space")
        await held.begun.wait()
        await pilot.press("greater_than_sign")
        await asyncio.wait_for(_until(lambda: "1 call running on voila-1: describe" in words(pilot), pilot), 10)
        assert state.item.id == "voila-2"
        held.let_go.set()
        await idle(pilot)
        await press(pilot, "b")
        assert "call running" not in words(pilot)
        assert state.roster.standing("voila-1").status == "open"


async def test_a_draft_is_kept_when_the_app_ends_while_it_is_typed() -> None:
    state = stepping(Told(WRONG))
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "e", "right", "x")
        pilot.app.exit()
    assert list(state.drafts.values()) == [WRONG + "x"]


async def test_help_and_zoom_open_and_close_with_escape() -> None:
    async with app_on(stepping()).run_test(size=(80, 24)) as pilot:
        for key, screen in (("question_mark", HelpScreen), ("f1", HelpScreen), ("z", ZoomScreen)):
            await press(pilot, key)
            assert isinstance(pilot.app.screen, screen)
            await press(pilot, "escape")
            assert isinstance(pilot.app.screen, SteppingScreen)


async def test_p_unfolds_the_prompt_then_the_request() -> None:
    state = stepping()
    async with app_on(state).run_test(size=(120, 40)) as pilot:
        await press(pilot, "space", "p")
        assert "Answer with one line for each image" in words(pilot)
        await press(pilot, "p")
        assert isinstance(pilot.app.screen, RawScreen)
        assert "a baseline answers without a request" in words(pilot)
        await press(pilot, "p")
        assert isinstance(pilot.app.screen, SteppingScreen)
        assert "Answer with one line for each image" not in words(pilot)


async def test_q_and_twice_ctrl_c_quit() -> None:
    for keys in (("q",), ("ctrl+c", "ctrl+c"), ("ctrl+q",)):
        app = app_on(stepping())
        async with app.run_test(size=(80, 24)) as pilot:
            await idle(pilot)
            await pilot.press(*keys)
        assert app.return_code == 0


async def test_a_broken_picture_says_why_in_its_place_and_the_rest_is_shown() -> None:
    app = app_on(stepping(), pictures=Pictures())
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "space")
        assert len(app.screen.query(PictureBox)) == 3
        assert words(pilot).count("the picture is missing") == 3


@pytest.mark.parametrize("name", NASTY)
async def test_model_text_is_shown_as_text(name: str) -> None:
    state = stepping(Told(NASTY[name], refused()))
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "p", "p", "escape", "e", "escape", "pagedown")
        shown = "".join(segment.text for line in pilot.app.screen._compositor.render_strips() for segment in line)
        assert not [c for c in shown if ord(c) < 32 or 0x7F <= ord(c) < 0xA0]
        assert isinstance(pilot.app.screen, SteppingScreen)


@pytest.mark.parametrize("size", [(160, 48), (100, 30), (80, 24), (56, 20), (40, 12), (20, 5), (1, 1)])
async def test_any_size_is_survived(size: tuple[int, int]) -> None:
    async with app_on(stepping(Told(WRONG))).run_test(size=size) as pilot:
        await press(pilot, "space", "g", "question_mark", "escape", "i", "escape", "z", "escape")
        await pilot.resize_terminal(90, 25)
        await pilot.resize_terminal(*size)
        await idle(pilot)


async def test_a_broken_command_is_told_and_the_app_goes_on() -> None:
    state = stepping(Told(RuntimeError("a bug")))
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "space")
        assert len(state.current.steps) == 1


def test_the_footer_keeps_help_and_quit_at_forty_columns() -> None:
    assert {"app.help", "app.quit", "step.next"} <= {action.id for action in footer(40)}
    assert len(footer(200)) <= 7


def test_no_key_stands_for_two_actions_and_none_is_one_that_tmux_owns() -> None:
    keys = [key for action in ACTIONS for key in action.keys.split(",")]
    assert len(keys) == len(set(keys))
    assert "ctrl+b" not in keys
    assert len({action.id for action in ACTIONS}) == len(ACTIONS)


async def test_arrows_and_letters_agree_in_the_detail_and_help_says_how_to_get_there() -> None:
    state = stepping(Told("line\n" * 300))
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "question_mark")
        assert "Into the detail" in words(pilot)
        await press(pilot, "escape", "tab")
        detail = pilot.app.screen.query_one(Detail)
        assert detail.has_focus
        for key, at in (("down", 1), ("j", 2), ("k", 1), ("up", 0), ("end", detail.max_scroll_y), ("home", 0)):
            await press(pilot, key)
            assert (key, detail.scroll_y) == (key, at)
        assert (state.cursor, detail.max_scroll_y > 250) == (0, True)
        await press(pilot, "f1")
        assert "Scroll Left" not in words(pilot)
        assert "To the bottom." in words(pilot)
        await press(pilot, "escape", "escape", "j")
        assert (state.cursor, detail.has_focus) == (1, False)
