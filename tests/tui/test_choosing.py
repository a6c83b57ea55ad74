"""Choice questions on the screen: where things stand, what they say, and the keys."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.records import Origin
from tests.memory_journal import MemoryJournal
from tests.tui.pilots import app_on, press, words
from tests.tui.stage import Told, choosing, stepping
from tui.screens.pick import PickScreen
from tui.screens.stepping import SteppingScreen
from tui.screens.zoom import ZoomScreen
from tui.state.stepping import Stepping
from tui.widgets.detail import Detail
from tui.widgets.pictures import PictureRow
from tui.widgets.steps import Steps

SIZES = [(80, 24), (120, 40), (160, 48)]


def regions(pilot: Any) -> tuple[Any, Any, Any]:
    screen = pilot.app.screen
    return tuple(screen.query_one(kind).region for kind in (PictureRow, Steps, Detail))  # type: ignore[return-value]


@pytest.mark.parametrize("size", SIZES)
async def test_one_picture_stands_left_with_the_steps_below_and_the_options_right(size: tuple[int, int]) -> None:
    async with app_on(choosing("vrex:planning")).run_test(size=size) as pilot:
        await press(pilot, "space")
        pictures, steps, detail = regions(pilot)
        assert pictures.height >= 9
        assert pictures.right <= detail.x
        assert pictures.bottom <= steps.y
        assert steps.height >= 7
        assert detail.height > pictures.height
        if size[0] >= 100:
            assert detail.x == round(size[0] * 0.45)


@pytest.mark.parametrize("size", SIZES)
async def test_two_pictures_stand_side_by_side_at_the_top(size: tuple[int, int]) -> None:
    async with app_on(choosing("mmra:iq")).run_test(size=size) as pilot:
        await press(pilot, "space")
        pictures, steps, detail = regions(pilot)
        assert pictures.width == size[0]
        assert pictures.bottom <= steps.y
        assert steps.right <= detail.x


async def test_resizing_and_walking_between_both_layouts_keeps_everything_in_its_place() -> None:
    state = choosing("mmra:idq", Told("A shelf.", "A shelf."), first="rp-002")
    async with app_on(state).run_test(size=(120, 40)) as pilot:
        await press(pilot, "space", "space", "space")
        for keys, size, beside in (
            (("b",), (80, 24), True),
            (("space",), (50, 20), False),
            (("b",), (120, 40), True),
        ):
            await pilot.resize_terminal(*size)
            await press(pilot, *keys)
            pictures, _, detail = regions(pilot)
            assert (pictures.right <= detail.x) is beside
            assert detail.width > 20


async def test_the_detail_says_question_options_pick_and_what_is_told_next() -> None:
    state = choosing("vrex:planning", Told("(A)"), first="flowchart-001")
    async with app_on(state).run_test(size=(160, 48)) as pilot:
        await press(pilot, "space")
        shown = words(pilot)
        assert "✗ A, gold B" in shown
        assert "Most helpful question on the way to On which shelf" in shown
        assert "▸✗ A  What is inside the parcel of the card?  Glass · chain" in shown
        assert " ✓ B  How heavy is the parcel of the card?  7 kg · gold" in shown
        assert "told next: Glass" in shown
        await press(pilot, "p")
        assert "Choose the single most helpful intermediate question" in words(pilot)
        await press(pilot, "z")
        assert isinstance(pilot.app.screen, ZoomScreen)


async def test_both_scorers_of_mmra_say_what_they_read() -> None:
    state = choosing("mmra:iq", Told("A cat is a fine animal."), first="rp-001")
    async with app_on(state).run_test(size=(120, 40)) as pilot:
        await press(pilot, "space")
        shown = words(pilot)
        assert "✗ nothing read, gold B" in shown
        assert "no answer could be read  rule" in shown
        assert "read A  published" in shown


async def test_a_description_says_nothing_about_gold_or_score() -> None:
    state = choosing("mmra:dq", Told("A shelf with a cup."), first="rp-002")
    async with app_on(state).run_test(size=(120, 40)) as pilot:
        await press(pilot, "space")
        shown = [section.id for section in pilot.app.screen.query(".section") if section.display]
        assert shown == ["section-ask", "section-answer"]
        await press(pilot, "o")
        assert isinstance(pilot.app.screen, SteppingScreen)


@pytest.mark.parametrize("keys", [("c",), ("down", "enter")])
async def test_o_and_a_letter_or_enter_put_another_option_in(keys: tuple[str, ...]) -> None:
    state = choosing("vrex:planning", Told("(A)"), first="flowchart-001")
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "o")
        assert isinstance(pilot.app.screen, PickScreen)
        await press(pilot, *keys)
        assert isinstance(pilot.app.screen, SteppingScreen)
        step = state.current.steps[0]
        assert (step.origin, step.answer.text) == (Origin.EDITED, "(C)")


async def test_yes_and_no_are_chosen_by_their_first_letters_and_esc_chooses_nothing() -> None:
    state = choosing("mmra:iq", first="rp-003")
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "o", "escape")
        assert len(state.family.all()) == 1
        await press(pilot, "o", "y")
        assert state.current.steps[0].answer.text == "Yes"


async def test_o_says_so_where_there_is_nothing_to_pick() -> None:
    async with app_on(stepping()).run_test(size=(80, 24)) as pilot:
        await press(pilot, "o")
        assert isinstance(pilot.app.screen, SteppingScreen)


async def test_options_with_markup_wide_signs_and_escapes_are_shown_as_text() -> None:
    state = choosing("mmra:iq", first="rp-001")
    item = state.items[0]
    nasty = {"A": "[bold]x[/ [@click=app.quit]y", "B": "\x1b[31mred\x1b[0m", "C": "日本語" * 40, "D": "👩‍🔬" * 50}
    changed = replace(item, facts={**item.facts, "options": nasty})
    state = Stepping(state.plan, MemoryJournal(), (changed,), clock=lambda: 0.0)
    for size in SIZES:
        async with app_on(state).run_test(size=size) as pilot:
            await press(pilot, "space", "o", "escape")
            shown = words(pilot)
            assert "[bold]x[/ [@click=app.quit]y" in shown
            assert "\x1b" not in shown
            detail = pilot.app.screen.query_one(Detail)
            assert detail.virtual_size.width <= detail.size.width + 1


async def test_the_tree_says_the_pick_of_a_choice_and_nothing_of_scores_where_there_are_none() -> None:
    state = choosing("mmra:dq", Told("A shelf.", "A shelf.", "[B]"), first="rp-002")
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "r")
        steps = pilot.app.screen.query_one(Steps)
        lines = [steps.line(index, 24).plain for index in range(steps.count)]
        assert lines == ["▌1 describe.1 answered", "▌2 describe.2 answered", "▌3 answer   B✗"]
