"""Nearer, about, and on to the next picture: by keys and by mouse. And pictures joined on the screen of steps."""

from __future__ import annotations

import asyncio
from typing import Any

from textual.events import MouseScrollDown, MouseScrollUp
from textual.pilot import Pilot
from textual.widgets import Static

from core.records import Show
from tests.tui.pilots import app_on, idle, press, words
from tests.tui.stage import stepping
from tui.screens.zoom import ZoomScreen
from tui.state.roster import View
from tui.state.view import FIT
from tui.widgets.pictures import PictureBox, PictureRow, Scaled


def zoomed(pilot: Pilot[None]) -> ZoomScreen:
    screen = pilot.app.screen
    assert isinstance(screen, ZoomScreen)
    return screen


def captions(pilot: Pilot[None]) -> list[str]:
    return [str(box.query_one(".picture-caption", Static).content) for box in pilot.app.screen.query(PictureBox)]


async def test_keys_zoom_and_move_about_and_a_whole_picture_turns() -> None:
    async with app_on(stepping()).run_test(size=(120, 40)) as pilot:
        await press(pilot, "z", "plus", "plus")
        screen = zoomed(pilot)
        assert screen.view.zoom == 2.25
        assert "2.2x" in words(pilot)
        middle = screen.view
        await press(pilot, "right", "j")
        assert screen.view.x > middle.x
        assert screen.view.y > middle.y
        assert captions(pilot)[0].startswith("1 of 3")
        await press(pilot, "minus", "minus")
        assert screen.view == FIT
        await press(pilot, "right")
        assert captions(pilot)[0].startswith("2 of 3")
        await press(pilot, "plus", "3", "plus", "0")
        assert screen.view == FIT
        assert captions(pilot)[0].startswith("3 of 3")
        await press(pilot, "2", "9")
        assert screen.view.zoom == 1.5, "each picture keeps its place"
        await press(pilot, "escape")
        assert not isinstance(pilot.app.screen, ZoomScreen)


async def test_the_wheel_zooms_where_it_points_and_a_drag_moves() -> None:
    async with app_on(stepping()).run_test(size=(120, 40)) as pilot:
        await press(pilot, "z")
        screen = zoomed(pilot)
        drawn = screen.query_one(PictureBox).drawn
        for kind, count in ((MouseScrollUp, 3), (MouseScrollDown, 1)):
            for _ in range(count):
                await pilot._post_mouse_events([kind], screen, offset=(drawn.x + 2, drawn.y + 2), button=0)  # type: ignore[list-item]
                await idle(pilot)
        before = screen.view
        assert before.zoom == 2.25
        assert before.x < 0.5
        await pilot.mouse_down(screen, offset=(60, 20))
        await pilot.hover(screen, offset=(40, 15))
        await pilot.mouse_up(screen, offset=(40, 15))
        await idle(pilot)
        assert screen.view.x > before.x
        after = screen.view
        await pilot.hover(screen, offset=(80, 30))
        assert screen.view == after, "the button is up"


async def test_pictures_are_joined_and_taken_apart_again() -> None:
    async with app_on(stepping()).run_test(size=(120, 40)) as pilot:
        await press(pilot)
        assert len(captions(pilot)) == 3
        await press(pilot, "ampersand")
        assert len(captions(pilot)) == 1
        assert captions(pilot)[0].startswith("1+2+3")
        assert "joined here" in captions(pilot)[0]
        await press(pilot, "ampersand")
        assert len(captions(pilot)) == 3


async def test_a_collage_is_taken_apart() -> None:
    async with app_on(stepping(options={"images": "collage"})).run_test(size=(120, 40)) as pilot:
        await press(pilot)
        assert len(captions(pilot)) == 1
        await press(pilot, "ampersand")
        assert len(captions(pilot)) == 3
        assert all("separated" in caption for caption in captions(pilot))


async def test_what_is_made_ahead_meanwhile_is_drawn_all_the_same() -> None:
    state = stepping()
    async with app_on(state).run_test(size=(120, 40)) as pilot:
        await press(pilot)
        row = pilot.app.screen.query_one(PictureRow)
        scaler, late = row._scaler, iter([None] * 3)
        seen = scaler.kept

        def kept(*asked: Any) -> Scaled | None:
            """Not there when the boxes are drawn, there an instant later."""
            return next(late, seen(*asked))

        item = state.items[1]
        for index in range(3):
            scaler.make(item, Show((index,)), 38, 15)
        scaler.kept = kept  # type: ignore[method-assign]
        await press(pilot, "greater_than_sign")
        assert state.position == 1
        assert all("half blocks" in caption for caption in captions(pilot))


async def test_pictures_of_the_items_on_both_sides_are_made_ahead() -> None:
    state = stepping()
    state.take_view(View("", chosen=(0, 2, 3)))
    async with app_on(state).run_test(size=(120, 40)) as pilot:
        await press(pilot, "greater_than_sign")
        assert state.position == 2
        scaler = pilot.app.screen.query_one(PictureRow)._scaler
        async with asyncio.timeout(20):
            while not all(scaler.kept(state.items[at], Show((2,)), 38, 15) for at in (0, 2, 3)):
                await asyncio.sleep(0.01)
        assert scaler.kept(state.items[1], Show((0,)), 38, 15) is None


async def test_each_box_says_what_was_sent_and_how_it_is_drawn() -> None:
    async with app_on(stepping()).run_test(size=(160, 48)) as pilot:
        await press(pilot)
        assert all("half blocks" in caption and "KB" in caption for caption in captions(pilot))
        assert all("drawn stand-in" in caption for caption in captions(pilot))
