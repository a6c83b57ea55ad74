"""The reviewer's screen: what its keys leave in the store."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import TextArea

from core.config import Config
from core.curation.review import verdict_of
from sessions.curating.desk import Desk
from sessions.curating.state import standings
from sessions.opening import OpenRun
from sessions.reopening import reopen
from sessions.store import Store
from tests.sessions.curating.test_desk import made
from tests.tui.pilots import words
from tui.imaging import Imaging
from tui.reviewing.app import ReviewingApp, ReviewScreen
from tui.reviewing.writing import WritingScreen
from tui.sitting.pictures import PlainBox, PlainZoom


@pytest.fixture
def opened(path: Path, tmp_path: Path) -> Iterator[OpenRun]:
    """Three items that wait for a first review."""
    with Store.open(path) as store:
        yield made(store, tmp_path)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys as fast as a test presses them."""
    monkeypatch.setattr("tui.grading.state.HELD_S", 0.0)


def app_of(opened: OpenRun, who: str = "R1") -> ReviewingApp:
    reopened = reopen(opened.store, opened.run, Config())
    desk = Desk(opened.store, opened.run, reopened.plan, who)
    return ReviewingApp(desk, reopened.pictures, Imaging("halfcell"), theme="textual-dark")


@asynccontextmanager
async def reviewing(opened: OpenRun, who: str = "R1") -> AsyncIterator[tuple[Pilot[None], ReviewingApp]]:
    app = app_of(opened, who)
    async with app.run_test(size=(120, 40)) as pilot:
        await ready(pilot, app)
        yield pilot, app


async def ready(pilot: Pilot[None], app: ReviewingApp) -> None:
    """Until the next item may be judged."""
    await until(pilot, lambda: app.presses.open and isinstance(app.screen, ReviewScreen))


async def until(pilot: Pilot[None], true: Callable[[], object]) -> None:
    ends = time.monotonic() + 10
    while not true():
        assert time.monotonic() < ends, words(pilot)
        await asyncio.sleep(0.005)
        await pilot.pause()


async def writing(pilot: Pilot[None], app: ReviewingApp, key: str) -> TextArea:
    await ready(pilot, app)
    await pilot.press(key)
    await until(pilot, lambda: isinstance(app.screen, WritingScreen))
    return app.screen.query_one(TextArea)


def verdicts(opened: OpenRun) -> list[str]:
    found = standings(opened.store, opened.run, opened.prepared.plan.protocol)
    last = [verdict_of(one.trajectory.steps[-1]) for one in found]
    return sorted(f"{one.reviewer} {one.verdict} {one.reason}".strip() for one in last if one is not None)


async def test_accept_edit_and_reject_are_one_key_each_and_on_disk(opened: OpenRun, quick: None) -> None:
    async with reviewing(opened) as (pilot, app):
        told = words(pilot)
        assert "R1 reviews make-vrex-chains: " in told
        assert "gold: Where is house 1 of map" in told
        assert "Is this item as it should be?" in told
        await until(pilot, lambda: any(box.drawn for box in app.screen.query(PlainBox)))
        await pilot.press("a")
        await ready(pilot, app)
        assert verdicts(opened) == ["R1 accept"]
        area = await writing(pilot, app, "e")
        area.load_text(area.text.replace("What lies in corner 0 at 1?", "Who left the gate open?"))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: app.desk.done == 2)
        area = await writing(pilot, app, "r")
        area.load_text("dull\nand wrong")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "Nothing waits for you any more" in words(pilot))
    assert verdicts(opened) == ["R1 accept", "R1 edit", "R1 reject dull and wrong"]
    async with reviewing(opened, "R2") as (pilot, app):
        seen = [words(pilot)]
        await pilot.press("s")
        await until(pilot, lambda: words(pilot) != seen[0])
        seen.append(words(pilot))
        assert any("Who left the gate open?" in one for one in seen)
    assert verdicts(opened) == ["R1 accept", "R1 edit", "R1 reject dull and wrong"], "later is no verdict"


async def test_an_edit_that_breaks_the_item_is_told_and_can_be_left(opened: OpenRun, quick: None) -> None:
    async with reviewing(opened) as (pilot, app):
        area = await writing(pilot, app, "e")
        area.load_text("step 1")
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "the chain has 2 steps" in words(pilot))
        await pilot.press("escape")
        await ready(pilot, app)
        assert app.desk.done == 0
    assert verdicts(opened) == []


async def test_a_held_key_accepts_once_and_pictures_can_be_looked_at(opened: OpenRun) -> None:
    async with reviewing(opened) as (pilot, app):
        await pilot.press("z")
        await until(pilot, lambda: isinstance(app.screen, PlainZoom))
        await pilot.press("escape")
        await ready(pilot, app)
        for repeat in range(10):
            key = Key("a", "a")
            key.time = 1.0 + 0.03 * repeat
            app.post_message(key)
            await pilot.pause()
        await until(pilot, lambda: app.desk.done)
        await ready(pilot, app)
        assert app.desk.done == 1
