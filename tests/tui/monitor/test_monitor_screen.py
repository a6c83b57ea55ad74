"""The monitor as it looks, and what its keys do, over a real store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from sessions.store import Store
from sessions.studies import wishes
from sessions.studies.watching import Watcher
from tests.tui.lab import START, Lab, busy, lab
from tests.tui.pilots import until, words
from tests.tui.snapping import SnapSizes
from tui.monitor.app import MonitorApp, MonitorScreen, NoteForScreen, SureScreen
from tui.screens.confirm import ConfirmScreen


@pytest.fixture
def made(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    monkeypatch.setattr("sessions.studies.watching._free", lambda folder: 12_300_000_000)
    with Store.open(path) as store:
        one = lab(store, tmp_path)
        yield one
        one.close()


def app_on(made: Lab) -> MonitorApp:
    watcher = Watcher(made.store.path, made.record.name, clock=made.clock)
    seen = watcher.look()
    watcher.close()
    return MonitorApp(watcher, seen, author="AB", theme="textual-dark")


@asynccontextmanager
async def watching(made: Lab) -> AsyncIterator[tuple[Pilot[None], MonitorApp]]:
    app = app_on(made)
    try:
        async with app.run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda: app.draws > 0 and isinstance(app.screen, MonitorScreen))
            yield pilot, app
    finally:
        app.close()


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 48)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_busy_lab(size: tuple[int, int], made: Lab, snap_compare: Callable[..., bool]) -> None:
    asyncio.run(busy(made))
    wishes.ask(made.store, made.sittings[4].session, "pause")
    app = app_on(made)
    try:
        assert snap_compare(app, terminal_size=size)
    finally:
        app.close()


def test_nobody_there(made: Lab, snap_compare: Callable[..., bool]) -> None:
    app = app_on(made)
    try:
        assert snap_compare(app, terminal_size=(80, 24))
    finally:
        app.close()


async def test_keys_wish_what_they_say_of_the_session_pointed_at(made: Lab) -> None:
    first, second = made.arrive(2)
    async with watching(made) as (pilot, _):
        await pilot.press("down", "p")
        await until(pilot, lambda: wishes.waiting(made.store.reader(), second.session))
        await pilot.press("n")
        await until(pilot, lambda: pilot.app.screen.query(Input))
        await pilot.press(*"left early", "enter")
        await until(pilot, lambda: len(wishes.waiting(made.store.reader(), second.session)) == 2)
        await pilot.press("e")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
        await pilot.press("n")  # no
        await pilot.press("g")
        await until(pilot, lambda: len(wishes.waiting(made.store.reader(), second.session)) == 3)
    asked = wishes.waiting(made.store.reader(), second.session)
    assert [(wish.wish, wish.text, wish.author) for wish in asked] == [
        ("pause", "", "AB"), ("note", "left early", "AB"), ("go_on", "", "AB"),
    ]  # fmt: skip
    assert wishes.waiting(made.store.reader(), first.session) == []


async def test_what_is_asked_before_a_wish(made: Lab, snap_sizes: SnapSizes) -> None:
    made.arrive(2)
    async with watching(made) as (pilot, _):
        await pilot.press("n")
        await until(pilot, lambda: isinstance(pilot.app.screen, NoteForScreen))
        await pilot.press(*"left early")
        await snap_sizes(pilot, "note", Pilot.pause)
        await pilot.press("escape", "b")
        await until(pilot, lambda: isinstance(pilot.app.screen, SureScreen))
        await snap_sizes(pilot, "sure", Pilot.pause)


async def test_handing_back_is_confirmed_first(made: Lab) -> None:
    (sitting,) = made.arrive(1)

    def state() -> str:
        row = made.store.reader().execute("SELECT state FROM sessions WHERE id = ?", (sitting.session,)).fetchone()
        return str(row[0])

    async with watching(made) as (pilot, _):
        for key, wanted in (("n", "open"), ("y", "left")):
            await pilot.press("b")
            await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmScreen))
            assert "5 of 5 items" in words(pilot)
            await pilot.press(key)
            await until(pilot, lambda: isinstance(pilot.app.screen, MonitorScreen))
            await until(pilot, lambda wanted=wanted: state() == wanted)
        made.clock.go_on(2000)
        await until(pilot, lambda: "0 sessions going on; 1 left" in words(pilot))


async def test_a_store_that_vanishes_leaves_the_screen_standing(made: Lab) -> None:
    await busy(made)
    path = made.store.path
    async with watching(made) as (pilot, _):
        path.rename(path.with_suffix(".away"))
        made.clock.go_on(10_000)
        await until(pilot, lambda: "cannot be read" in words(pilot))
        assert "P05" in str(pilot.app.board.chosen) or pilot.app.board.seen.sessions  # type: ignore[attr-defined]
        await pilot.press("p")
        await until(pilot, lambda: pilot.app._notifications)
        path.with_suffix(".away").rename(path)
        await until(pilot, lambda: "cannot be read" not in words(pilot))


async def test_it_draws_at_most_twice_a_second(made: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever happens: as many looks as half seconds were waited for."""
    waited: list[float] = []
    real = asyncio.sleep

    async def sleep(seconds: float, *args: Any) -> None:
        if seconds == 0.5:
            waited.append(seconds)
            seconds = 0.0
        await real(seconds, *args)

    async with watching(made) as (pilot, app):
        monkeypatch.setattr(asyncio, "sleep", sleep)
        before = app.draws
        for _ in range(5):
            app._now.set()
            await pilot.pause()
        await until(pilot, lambda: len(waited) >= 3)
        monkeypatch.undo()
        assert app.draws - before <= len(waited) + 1


async def test_thirty_sessions_are_a_list_to_go_through(path: Path, tmp_path: Path) -> None:
    with Store.open(path) as store:
        made = lab(store, tmp_path, 80)
        made.arrive(30)
        async with watching(made) as (pilot, app):
            await pilot.press("end")
            await until(pilot, lambda: app.board.chosen is not None and app.board.chosen.person == "P30")
            assert app.board.seen.now >= START
        made.close()
