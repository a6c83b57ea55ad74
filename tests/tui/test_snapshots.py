"""The screens as they look, at three sizes. After a wanted change, run this file with --snapshot-update."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.tui.pilots import app_on, idle, press
from tests.tui.stage import Held, Nothing, Told, choosing, stepping
from tui.app import PhoropterApp
from tui.screens.first_run import FirstRunScreen

SIZES = [(80, 24), (120, 40), (160, 48)]
SCREENS = {
    "fresh": (),
    "wrong_step": ("space", "space", "space", "f"),
    "fork_with_gold": ("space", "space", "b", "g", "r"),
    "help": ("question_mark",),
    "items": ("r", "i"),
    "items_by_value": ("r", "greater_than_sign", "f", "i", "tab", "down", "enter", "s"),
    "walk_in_a_filter": ("r", "greater_than_sign", "f", "slash", *"status=wrong", "enter", "escape"),
    "remove_fork": ("space", "g", "D"),
}
WRONG_PLAN = "(A)\n\nWhat is inside decides which way the chart goes."
CHOICES = {
    "planning_wrong": ("vrex:planning", (WRONG_PLAN,), "flowchart-001", ("space",)),
    "planning_final": ("vrex:planning", (WRONG_PLAN,), "flowchart-001", ("r",)),
    "mmra_choice": ("mmra:iq", ("[A]",), "rp-001", ("space",)),
    "mmra_yes_no": ("mmra:iq", ("No",), "rp-003", ("space",)),
}

each_size = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


@each_size
@pytest.mark.parametrize("screen", SCREENS)
def test_screen(screen: str, size: tuple[int, int], snap_compare: Callable[..., bool]) -> None:
    async def keys(pilot: Any) -> None:
        await press(pilot, *SCREENS[screen])

    assert snap_compare(app_on(stepping("noisy:0.6")), run_before=keys, terminal_size=size)


@each_size
@pytest.mark.parametrize("screen", CHOICES)
def test_choice(screen: str, size: tuple[int, int], snap_compare: Callable[..., bool]) -> None:
    name, answers, first, pressed = CHOICES[screen]

    async def keys(pilot: Any) -> None:
        await press(pilot, *pressed)

    app = app_on(choosing(name, Told(*answers), first=first))
    assert snap_compare(app, run_before=keys, terminal_size=size)


@each_size
def test_first_run(size: tuple[int, int], snap_compare: Callable[..., bool]) -> None:
    async def keys(pilot: Any) -> None:
        while not isinstance(pilot.app.screen, FirstRunScreen):
            await pilot.pause(0.02)
        await press(pilot, "down")

    assert snap_compare(PhoropterApp(opener=Nothing()), run_before=keys, terminal_size=size)


@each_size
def test_opening(size: tuple[int, int], snap_compare: Callable[..., bool]) -> None:
    assert snap_compare(PhoropterApp(what="the latest run"), terminal_size=size)


@each_size
def test_missing_data_and_a_call_elsewhere(size: tuple[int, int], snap_compare: Callable[..., bool]) -> None:
    state = stepping(Held())
    state.gate.missing = "stored items only: data file /data/VOILA_ND.csv is not there"

    async def keys(pilot: Any) -> None:
        await idle(pilot)
        asking = asyncio.create_task(state.next())
        await pilot.pause()
        await state.next_item()
        await idle(pilot)
        asking.add_done_callback(lambda _: None)

    assert snap_compare(app_on(state), run_before=keys, terminal_size=size)


def test_light(snap_compare: Callable[..., bool]) -> None:
    async def keys(pilot: Any) -> None:
        await press(pilot, "space")

    app = app_on(stepping("noisy:0.6"), theme="textual-light")
    assert snap_compare(app, run_before=keys, terminal_size=(80, 24))


def test_without_colour(snap_compare: Callable[..., bool], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def keys(pilot: Any) -> None:
        await press(pilot, "space", "space", "f")

    assert snap_compare(app_on(stepping("noisy:0.6")), run_before=keys, terminal_size=(80, 24))
