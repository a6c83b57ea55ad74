"""From one run of the store to another without leaving the app, and runs whose batch was broken off."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from textual.widgets import Input

from core.config import Config
from core.planning import Request, prepare
from core.selection import Filter
from sessions.extents import ask_for
from sessions.opening import OpenRun, open_prepared
from sessions.overview import broken_off, glances
from sessions.prompt_files import keep_prompt
from sessions.reading import items as stored_items
from sessions.running import the_only_batch
from sessions.runs import runs
from sessions.store import Store
from tests.tui.batching import Gate, bench_on
from tests.tui.pilots import app_on, idle, notices, press, until, words
from tui.app import PhoropterApp
from tui.cli.opened import Opened
from tui.imaging import Imaging
from tui.screens.batches import BatchesScreen, BatchLines
from tui.screens.runs import RunRows, RunsScreen
from tui.screens.stepping import SteppingScreen


async def ran(store: Store, respondent: str, name: str, count: int, asked: int = 0, **given: object) -> OpenRun:
    """That many items of the pack, asked to the end; batches were to ask ``asked``."""
    request = Request("voila:WD", respondent=respondent, filter=Filter({}, limit=count), **given)  # type: ignore[arg-type]
    opened = open_prepared(store, prepare(request, Config()), name)
    await opened.engine().run(opened.prepared.selection)
    if asked:
        store.write(lambda db: ask_for(db, opened.run.id, "", asked))
    return opened


@pytest.fixture
def opener(tmp_path: Path) -> Iterator[Opened]:
    """On a store of three runs: mine (the one that is opened), the same with gold, and one that was broken off."""
    path = tmp_path / "phoropter.db"

    async def made() -> None:
        with Store.open(path) as store:
            await ran(store, "seeing:0", "mine", 4)
            await ran(store, "seeing:0", "with gold", 3, interventions=("describe=gold",), base_run="mine")
            await ran(store, "oracle", "broken", 2, 38)

    asyncio.run(made())
    opened = Opened(None, store=path, run="mine", respondent="oracle")
    yield opened
    opened.close()


async def stands(pilot: object, name: str) -> PhoropterApp:
    app: PhoropterApp = pilot.app  # type: ignore[attr-defined]
    await until(pilot, lambda: app.shown is not None and app.shown.title == name)  # type: ignore[arg-type]
    await until(pilot, lambda: isinstance(app.screen, SteppingScreen))  # type: ignore[arg-type]
    await until(pilot, lambda: app.shown.stepping.roster.complete)  # type: ignore[arg-type, union-attr]
    await idle(pilot)  # type: ignore[arg-type]
    return app


def test_a_glance_says_how_far_a_run_is_and_how_much_of_its_last_step_is_right(opener: Opened) -> None:
    ready = opener.stored()
    assert ready is not None
    assert ready.bench is not None
    found = {one.summary.run.name: one for one in glances(ready.bench.asked.store)}
    assert found["with gold"][1:] == ("apply", 3, 3)
    assert found["mine"][1:] == ("apply", 0, 4)
    assert [one.run.name for one in broken_off(ready.bench.asked.store)] == ["broken"]


async def test_l_lists_the_runs_and_enter_opens_one_at_the_item_that_is_looked_at(opener: Opened) -> None:
    app = PhoropterApp(None, Imaging("halfcell"), opener=opener)
    async with app.run_test(size=(80, 24)) as pilot:
        await stands(pilot, "mine")
        await press(pilot, "less_than_sign")
        assert app.shown is not None
        item = app.shown.stepping.item.id
        app._models = checked = app._made_models()
        await press(pilot, "L")
        assert isinstance(app.screen, RunsScreen)
        rows = app.screen.query_one(RunRows)
        await until(pilot, lambda: rows.count == 3)
        lines = [rows.line(index, 78).plain for index in range(3)]
        (mine,) = (line for line in lines if line.startswith("▌mine "))
        assert mine.split()[1:] == ["voila:WD", "seeing:0", "(baseline)", "4", "apply", "0%"]
        await press(pilot, "slash", *"gold", "enter")
        await stands(pilot, "with gold")
        assert app.shown.stepping.item.id == item
        assert app._models is checked, "the same is asked there: what was checked stays"
        assert app.shown.stepping.current.steps[0].origin.value == "gold"
        await press(pilot, "L")
        await until(pilot, lambda: app.screen.query_one(RunRows).count == 3)
        await press(pilot, "enter")
        assert "this run is on the screen" in notices(pilot)


async def test_batches_go_on_when_another_run_is_opened_and_their_run_opens_from_their_page(opener: Opened) -> None:
    app, gate = PhoropterApp(None, Imaging("halfcell"), opener=opener), Gate(held=True)
    async with app.run_test(size=(120, 40)) as pilot:
        await stands(pilot, "mine")
        assert app.shown is not None
        assert app.shown.bench is not None
        before = app.shown.bench
        before.asked = replace(before.asked, plan=replace(before.asked.plan, respondent=gate))
        batch = before.begin_here()
        await until(pilot, lambda: batch.under_way == 2)
        uid = {one.run.name: one.run.uid for one in runs(before.asked.store)}
        app.open_run(uid["with gold"])
        await stands(pilot, "with gold")
        assert batch.live
        assert app.shown.bench.batches == [batch]
        assert "▶ running" in words(pilot)
        gate.let_through()
        await until(pilot, lambda: not batch.live)
        await until(pilot, lambda: "✓ done 38/38" in words(pilot))
        assert "mine: done" in notices(pilot)
        await press(pilot, "B", "enter")
        await stands(pilot, "mine")
        assert app.shown.bench.batches == [batch]
        assert {one.progress.value for one in stored_items(before.asked.store, before.asked.run)} == {"done"}


async def test_a_run_that_was_broken_off_stands_among_the_batches_and_s_goes_on_with_it(opener: Opened) -> None:
    app = PhoropterApp(None, Imaging("halfcell"), opener=opener)
    async with app.run_test(size=(120, 40)) as pilot:
        await stands(pilot, "mine")
        assert app.shown is not None
        assert app.shown.bench is not None
        await press(pilot, "B")
        lines = app.screen.query_one(BatchLines)
        await until(pilot, lambda: lines.count == 1)
        assert lines.line(0, 100).plain.split() == ["◌", "broken", "off", "2/38", "broken"]
        assert "36 left of those that it was asked for" in words(pilot)
        await press(pilot, "space")
        assert "nobody asks this run now: s goes on with it" in notices(pilot)
        await press(pilot, "s")
        bench = app.shown.bench
        await until(pilot, lambda: bench.batches and not bench.batches[0].live)
        assert (bench.batches[0].name, bench.batches[0].finished) == ("broken", 38)
        await until(pilot, lambda: "✓ done 38/38" in words(pilot))
        await press(pilot, "enter")
        await stands(pilot, "broken")


def test_a_run_that_a_batch_holds_at_this_moment_is_not_broken_off(opener: Opened) -> None:
    found = opener.stored()
    assert found is not None
    assert found.stepping.archive is not None
    store = found.stepping.archive.store
    (broken,) = broken_off(store)
    with the_only_batch(store, broken.run):
        assert broken_off(store) == []
    assert [one.run.name for one in broken_off(store)] == ["broken"]


def test_a_prompt_is_kept_once_and_its_file_is_never_empty(opener: Opened) -> None:
    found = opener.stored()
    assert found is not None
    assert found.stepping.archive is not None
    store = found.stepping.archive.store
    kept = keep_prompt(store, "describe", "Say what you see. é")
    before = kept.stat()
    assert keep_prompt(store, "describe", "Say what you see. é") == kept
    assert (kept.stat().st_ino, kept.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert (kept.read_text("utf-8"), stat.S_IMODE(before.st_mode)) == ("Say what you see. é\n", 0o600)
    kept.write_text("torn", "utf-8")
    assert keep_prompt(store, "describe", "Say what you see. é").read_text("utf-8") == "Say what you see. é\n"
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]


async def test_of_a_run_that_fewer_items_were_asked_of_those_that_were_begun_go_on(tmp_path: Path) -> None:
    with bench_on(tmp_path / "store.db", "oracle", limit=2, name="mine") as bench:
        store = bench.asked.store
        opened = await ran(store, "oracle", "some", 2, 5)
        (row,) = (one for one in broken_off(store) if one.run.name == "some")
        async with app_on(bench.stepping, bench=bench).run_test(size=(80, 24)) as pilot:
            await press(pilot, "B", "s")
            assert "3 of the items it was asked for were never begun" in notices(pilot)
            assert isinstance(pilot.app.screen, BatchesScreen)
            await until(pilot, lambda: not bench.batches[0].live)
        assert (bench.batches[0].asked.run.uid, bench.batches[0].total) == (opened.run.uid, 2)
        assert row.open == 3


async def test_without_a_store_there_are_no_other_runs(tmp_path: Path) -> None:
    with bench_on(tmp_path / "store.db", limit=2) as bench:
        async with app_on(bench.stepping, bench=bench).run_test(size=(80, 24)) as pilot:
            await press(pilot, "L")
            assert "no store is open here" in notices(pilot)
            assert not pilot.app.screen.query(Input)
