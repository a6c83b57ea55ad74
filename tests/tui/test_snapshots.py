"""The screens as they look, at three sizes. After a wanted change, run this file with --snapshot-update."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.planning import Request
from tests.tui.batching import bench_on, until
from tests.tui.pilots import app_on, idle, press
from tests.tui.stage import Held, Nothing, Told, choosing, stepping
from tui.app import PhoropterApp
from tui.outside.showing import Address
from tui.screens.first_run import FirstRunScreen
from tui.screens.outside import OutsideScreen
from tui.screens.sweep import SweepScreen
from tui.state.beginning import Beginning, commands
from tui.state.bench import Bench
from tui.state.sweeping import Outcome, sweep

SIZES = [(80, 24), (120, 40), (160, 48)]
SCREENS = {
    "fresh": (),
    "wrong_step": ("space", "space", "space", "f"),
    "fork_with_gold": ("space", "space", "b", "g", "r"),
    "help": ("question_mark",),
    "items": ("r", "i"),
    "zoom_near": ("z", "plus", "plus", "right"),
    "joined": ("space", "ampersand"),
    "items_by_value": ("r", "greater_than_sign", "f", "i", "tab", "down", "enter", "s"),
    "walk_in_a_filter": ("r", "greater_than_sign", "f", "slash", *"status=wrong", "enter", "escape"),
    "remove_fork": ("space", "g", "D"),
}
FORKS = {
    "what_if": ("space", "w"),
    "pictures": ("space", "b", "w", "slash", *"pictures", "enter"),
    "you_answer": ("w", "slash", *"yourself", "enter", "right", "down", "f"),
    "run_to": ("space", "R"),
    "compare": ("r", "b", "b", "g", "r", "c", "enter"),
    "repeats": ("space", "S", "2"),
    "many_forks": ("r", "b", "b", *"gsgsgs", "space", "g", "r"),
}
WRONG_PLAN = "(A)\n\nWhat is inside decides which way the chart goes."
CHOICES = {
    "planning_wrong": ("vrex:planning", (WRONG_PLAN,), "flowchart-001", ("space",)),
    "planning_final": ("vrex:planning", (WRONG_PLAN,), "flowchart-001", ("r",)),
    "mmra_choice": ("mmra:iq", ("[A]",), "rp-001", ("space",)),
    "mmra_yes_no": ("mmra:iq", ("No",), "rp-003", ("space",)),
}

DRAWERS = {
    "accuracy": ("a",),
    "accuracy_groups": ("a", "2"),
    "accuracy_still_right": ("a", "3"),
    "batches": ("B",),
    "begin": ("B", "n"),
}

each_size = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


@each_size
@pytest.mark.parametrize("screen", SCREENS)
def test_screen(screen: str, size: tuple[int, int], snap_compare: Callable[..., bool]) -> None:
    async def keys(pilot: Any) -> None:
        await press(pilot, *SCREENS[screen])

    assert snap_compare(app_on(stepping("noisy:0.6")), run_before=keys, terminal_size=size)


@each_size
@pytest.mark.parametrize("screen", FORKS)
def test_fork(screen: str, size: tuple[int, int], snap_compare: Callable[..., bool]) -> None:
    async def keys(pilot: Any) -> None:
        await press(pilot, *FORKS[screen])

    assert snap_compare(app_on(stepping("seeing:0.5")), run_before=keys, terminal_size=size)


@each_size
def test_sweep(size: tuple[int, int], snap_compare: Callable[..., bool]) -> None:
    made = sweep(Request("voila:WD", respondent="seeing:0.8"), "voila-WD-l2m-seeing-0.8", "describe=gold")
    rows = (
        ("what-if", "all", 48.0, 100.0, 35.0, 69.0, 0.0001),
        ("sham", "all", 48.0, 47.0, -16.0, 14.0, 1.0),
        ("vs sham", "all", 47.0, 100.0, 36.0, 70.0, 0.0001),
    )
    run = "voila-WD-l2m-seeing-0.8-describe-gold"
    results = [Outcome(run, what, "apply", name, 48, *figures) for what, name, *figures in rows]

    async def keys(pilot: Any) -> None:
        await press(pilot)
        await pilot.app.push_screen(SweepScreen(made, "/store.db", results, can_start=False))
        await press(pilot)

    assert snap_compare(app_on(stepping()), run_before=keys, terminal_size=size)


@each_size
@pytest.mark.parametrize("screen", CHOICES)
def test_choice(screen: str, size: tuple[int, int], snap_compare: Callable[..., bool]) -> None:
    name, answers, first, pressed = CHOICES[screen]

    async def keys(pilot: Any) -> None:
        await press(pilot, *pressed)

    app = app_on(choosing(name, Told(*answers), first=first))
    assert snap_compare(app, run_before=keys, terminal_size=size)


@each_size
@pytest.mark.parametrize("ssh", ["", "ssh -N -L 40123:127.0.0.1:40123 ada@203.0.113.5"], ids=["here", "ssh"])
def test_outside(ssh: str, size: tuple[int, int], snap_compare: Callable[..., bool]) -> None:
    address = Address("http://127.0.0.1:40123/WkR0a1pGd2tHb0h3Y3hQb1F0d2xmUnV6TmFtZUtleQ/", ssh)

    async def keys(pilot: Any) -> None:
        await press(pilot)
        pilot.app.push_screen(OutsideScreen(address, 3))
        await idle(pilot)

    assert snap_compare(app_on(stepping()), run_before=keys, terminal_size=size)


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


@each_size
@pytest.mark.parametrize("drawer", DRAWERS)
def test_drawer(
    drawer: str, size: tuple[int, int], path: Path, snap_compare: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def keys(pilot: Any) -> None:
        batch = bench.manager.start(bench.asked, bench.items())
        await batch.wait()
        bench.newly_ended()  # else the notice of its end comes sooner or later; it may have come already
        pilot.app.clear_notifications()
        for key in DRAWERS[drawer]:
            await press(pilot, key)
            if drawer.startswith("accuracy"):
                await until(lambda: not (bench.watching.busy or bench.watching.stirred()))
        await idle(pilot)

    def told(bench: Bench, wanted: Beginning) -> tuple[str, ...]:
        return tuple(line.replace(str(path), "/store.db") for line in commands(bench, wanted))

    monkeypatch.setattr("tui.screens.begin.commands", told)  # the store lies elsewhere each time
    with bench_on(path, "seeing:0.8", still=True) as bench:
        assert snap_compare(app_on(bench.stepping, bench=bench), run_before=keys, terminal_size=size)


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
