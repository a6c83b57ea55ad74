"""Dialogs over a step, a run or the app's end as they look. After a wanted change: --snapshot-update."""

from __future__ import annotations

from pathlib import Path

from textual.screen import Screen

from core.config import Config
from core.planning import Request, prepare
from sessions.opening import open_prepared
from tests.tui.batching import Gate, bench_on, until
from tests.tui.pilots import app_on, idle, press
from tests.tui.snapping import SnapSizes
from tests.tui.stage import Told, choosing, stepping
from tests.tui.test_raw import NASTY, Served
from tui.screens.beside import BesideScreen
from tui.screens.closing import ClosingScreen
from tui.screens.edit import EditScreen, PromptScreen
from tui.screens.pick import PickScreen
from tui.screens.raw import RawScreen
from tui.screens.runs import RunRows, RunsScreen

OVER_A_STEP: dict[str, tuple[type[Screen[object]], tuple[str, ...]]] = {
    "edit": (EditScreen, ("e", "2")),
    "prompt": (PromptScreen, ("w", "slash", *"pro", "enter")),
    "raw": (RawScreen, ("p", "p")),
}


async def test_dialogs_over_a_step(snap_sizes: SnapSizes) -> None:
    async with app_on(stepping(Served(NASTY))).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space")
        for name, (screen, keys) in OVER_A_STEP.items():
            await press(pilot, *keys)
            assert isinstance(pilot.app.screen, screen)
            await snap_sizes(pilot, name)
            await press(pilot, "escape")


async def test_options_to_pick_from(snap_sizes: SnapSizes) -> None:
    state = choosing("vrex:planning", Told("(A)"), first="flowchart-001")
    async with app_on(state).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "o")
        assert isinstance(pilot.app.screen, PickScreen)
        await snap_sizes(pilot)


async def test_runs_beside_this_one(path: Path, snap_sizes: SnapSizes) -> None:
    with bench_on(path, still=True) as bench:
        for respondent in ("seeing:0.8", "random", "oracle"):
            open_prepared(bench.asked.store, prepare(Request("voila:ND", respondent=respondent), Config()))
        async with app_on(bench.stepping, bench=bench).run_test(size=(80, 24)) as pilot:
            await press(pilot, "a", "r", "space")
            await until(lambda: isinstance(pilot.app.screen, BesideScreen))
            await until(lambda: not (bench.watching.busy or bench.watching.stirred()))
            await snap_sizes(pilot)


async def test_runs_of_the_store(path: Path, snap_sizes: SnapSizes) -> None:
    with bench_on(path, "oracle", limit=4, still=True) as bench:
        await bench.begin_here().wait()
        store, run = bench.asked.store, bench.asked.run
        gold = Request("voila:ND", respondent="seeing:0.8", interventions=("describe=gold",))
        for request in (Request("voila:WD", respondent="random"), gold):
            open_prepared(store, prepare(request, Config()))
        async with app_on(bench.stepping, bench=bench).run_test(size=(80, 24)) as pilot:
            await idle(pilot)
            pilot.app.push_screen(RunsScreen(store, run.uid))
            await until(lambda: pilot.app.screen.query(RunRows) and pilot.app.screen.query_one(RunRows).count == 3)
            await idle(pilot)
            await snap_sizes(pilot)


async def test_closing_while_a_batch_runs(path: Path, snap_sizes: SnapSizes) -> None:
    gate = Gate(held=True)
    with bench_on(path, gate, limit=4, still=True) as bench:
        async with app_on(bench.stepping, bench=bench).run_test(size=(80, 24)) as pilot:
            batch = bench.begin_here()
            await until(lambda: batch.under_way == 2)
            await press(pilot, "q")
            assert isinstance(pilot.app.screen, ClosingScreen)
            await snap_sizes(pilot)
            gate.let_through()
            await press(pilot, "n")
            await batch.wait()
