"""The grader's screen as it looks, and what its keys leave in the store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.events import Key
from textual.pilot import Pilot

from core.errors import StoreError
from sessions.runs import runs
from sessions.store import Store
from sessions.studies.grading import Offer, keeping, offer, verdicts_of
from sessions.studies.grading_pool import gradable
from tests.tui.pilots import until, words
from tests.tui.stored import a_file, batch
from tui.grading.app import GradingApp, GradingScreen
from tui.grading.cases import Cases
from tui.grading.pictures import CasePictures
from tui.grading.state import Way
from tui.imaging import Imaging
from tui.sitting.pictures import PlainBox, PlainZoom


@pytest.fixture
def store(path: Path, tmp_path: Path) -> Iterator[Store]:
    """Two respondents on the same three questions, one step each."""
    with Store.open(path) as opened:
        for respondent in ("noisy:0.5", "noisy:0.9"):
            asyncio.run(batch(opened, a_file(tmp_path, 3), respondent, protocol="direct"))
        yield opened


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys as fast as a test presses them."""
    monkeypatch.setattr("tui.grading.state.HELD_S", 0.0)


def offered(store: Store, author: str = "ann", **given: Any) -> Offer:
    return offer(store, gradable(store, [found.run for found in runs(store)]), author, **given)


def app_on(store: Store, given: Offer) -> GradingApp:
    cases = Cases(store, [found.run for found in runs(store)])
    return GradingApp(store, cases, Way(given), Imaging("halfcell"), theme="textual-dark")


@asynccontextmanager
async def grading(store: Store, given: Offer) -> AsyncIterator[tuple[Pilot[None], GradingApp]]:
    app = app_on(store, given)
    async with app.run_test(size=(120, 40)) as pilot:
        await ready(pilot, app)
        yield pilot, app


async def ready(pilot: Pilot[None], app: GradingApp) -> None:
    """Until the next property may be judged."""
    await until(pilot, lambda: app.presses.open and isinstance(app.screen, GradingScreen) and not app.screen._drawing)


async def press(pilot: Pilot[None], app: GradingApp, *keys: str) -> None:
    for key in keys:
        await ready(pilot, app)
        await pilot.press(key)
    await ready(pilot, app)


def all_drawn(app: GradingApp) -> bool:
    boxes = list(app.screen.query(PlainBox))
    return bool(boxes) and all(box.drawn for box in boxes)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 48)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_an_answer_to_be_judged(size: tuple[int, int], store: Store, snap_compare: Callable[..., bool]) -> None:
    given = offered(store)
    first = given.answers[0]
    store.write(keeping(store.vocabulary, first, "ann", first.bits[0], True))
    app = app_on(store, offered(store))

    async def drawn(pilot: Pilot[None]) -> None:
        await ready(pilot, app)
        await until(pilot, lambda: all_drawn(app))

    assert snap_compare(app, run_before=drawn, terminal_size=size)


async def test_nothing_says_who_answered(store: Store, quick: None) -> None:
    async with grading(store, offered(store)) as (pilot, app):
        for _ in range(18):
            told = words(pilot)
            assert "noisy" not in told
            assert "right     " in told
            await press(pilot, app, "r")
        assert "That was all: 18 judged" in words(pilot)


async def test_a_key_is_one_verdict_on_disk(store: Store, quick: None) -> None:
    given = offered(store)
    first = given.answers[0]
    async with grading(store, given) as (pilot, app):
        await press(pilot, app, "r", "w", "c")
        assert verdicts_of(store.reader(), [first.step])[first.step].graders == {"ann": {1: True, 2: False, 4: None}}
        assert "answer 2 of 6; 3 of 18 judged" in words(pilot)
        await press(pilot, app, "u", "r")
        assert verdicts_of(store.reader(), [first.step])[first.step].graders["ann"][4] is True
        await press(pilot, app, "r")
    assert app.way.done == 4
    async with grading(store, offered(store)) as (pilot, _):
        assert "answer 2 of 6; 4 of 18 judged" in words(pilot)
        assert "Is the subject right?" in words(pilot)


async def test_a_held_key_judges_once(store: Store) -> None:
    async with grading(store, offered(store)) as (pilot, app):
        for repeat in range(10):
            key = Key("r", "r")
            key.time = 1.0 + 0.03 * repeat
            app.post_message(key)
            await pilot.pause()
        await ready(pilot, app)
        assert app.way.done == 1


async def test_what_cannot_be_kept_is_said_and_nothing_moves_on(store: Store, quick: None) -> None:
    async with grading(store, offered(store)) as (pilot, app):

        async def broken(*_: Any, **__: Any) -> None:
            raise StoreError("the disk is full")

        submit, store.writer.submit = store.writer.submit, broken  # type: ignore[method-assign,assignment]
        await press(pilot, app, "r")
        assert [note.message for note in app._notifications] == ["not kept: the disk is full"]
        assert app.way.done == 0
        store.writer.submit = submit  # type: ignore[method-assign]
        await press(pilot, app, "r")
        assert app.way.done == 1


async def test_a_third_is_asked_only_what_two_differ_on(store: Store, quick: None) -> None:
    for name in ("gil", "hal"):
        given = offered(store, name)
        for answer in given.answers:
            for bit in answer.bits:
                differs = name == "hal" and answer.step == given.answers[0].step and bit == 2
                store.write(keeping(store.vocabulary, answer, name, bit, not differs))
    async with grading(store, offered(store, "cleo", settles=True)) as (pilot, app):
        told = words(pilot)
        assert "cleo judges what two graders differ on: answer 1 of 1; 0 of 1 judged" in told
        assert "gil" not in told
        assert "hal" not in told
        assert "Is the subject right?" in told
        await press(pilot, app, "w")
        assert "That was all" in words(pilot)


async def test_pictures_are_looked_at_closely(store: Store) -> None:
    async with grading(store, offered(store)) as (pilot, app):
        await until(pilot, lambda: all_drawn(app))
        assert len(app.screen.query(PlainBox)) == 3
        await pilot.press("z")
        await until(pilot, lambda: isinstance(app.screen, PlainZoom))
        await pilot.press("escape")
        await ready(pilot, app)
        assert app.screen.query_one(CasePictures).display
