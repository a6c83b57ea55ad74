"""What can wait, waits while somebody types: pictures made ahead, and what others stored."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual.events import MouseMove

from core.planning import Request
from core.records import Item, Show
from sessions import browsing
from sessions.store import Store
from tests.tui.pilots import app_on, idle, press
from tests.tui.stage import stepping
from tests.tui.stored import a_file, opened, run_on
from tests.virtual_time import virtual_time
from tui import stillness
from tui.stillness import STILL_S, Stillness
from tui.widgets.pictures import PictureRow
from tui.widgets.scaling import Scaled


@pytest.fixture
def _as_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """The waiting that other tests go without."""
    monkeypatch.setattr(stillness, "STILL_S", STILL_S)


@pytest.mark.usefixtures("_as_built")
def test_it_waits_for_the_last_key_and_no_longer() -> None:
    with virtual_time() as loop:
        still = Stillness(clock=loop.time)

        async def typed() -> tuple[float, ...]:
            began = loop.time()
            await still.waiting()()
            at_once = loop.time() - began
            still.stir()
            await still.settled()
            painted = loop.time() - began
            still.stir()
            loop.call_later(0.12, still.stir)
            await still.waiting()()
            return at_once, painted, loop.time() - began

        assert loop.run_until_complete(typed()) == pytest.approx((0, 0.15, 0.42))


@pytest.mark.usefixtures("_as_built")
def test_who_types_on_and_on_is_waited_for_once_not_before_every_part() -> None:
    with virtual_time() as loop:
        still = Stillness(clock=loop.time)

        async def typing() -> None:
            while True:
                still.stir()
                await asyncio.sleep(0.03)

        async def parts() -> list[float]:
            typist, began, wait = asyncio.create_task(typing()), loop.time(), still.waiting()
            await asyncio.sleep(0)
            ended = []
            for _ in range(3):
                await wait()
                ended.append(loop.time() - began)
            typist.cancel()
            return ended

        assert loop.run_until_complete(parts()) == pytest.approx([stillness.PATIENCE_S] * 3)


class Gate(Stillness):
    """Still when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.open = asyncio.Event()

    def waiting(self):  # type: ignore[no-untyped-def]
        async def wait() -> None:
            await self.open.wait()

        return wait


async def test_pictures_of_neighbours_are_made_when_the_keyboard_is_still() -> None:
    state = stepping()
    app = app_on(state)
    async with app.run_test(size=(120, 40)) as pilot:
        await idle(pilot)
        app.stillness = gate = Gate()
        scaler, made = app.screen.query_one(PictureRow)._scaler, list[str]()
        before = scaler.make

        def make(item: Item, shown: Show, *given: int) -> Scaled:
            made.append(item.id)
            return before(item, shown, *given)

        scaler.make = make  # type: ignore[method-assign, assignment]
        await pilot.press("greater_than_sign")
        while state.position != 1:
            await pilot.pause()
        for _ in range(5):
            await pilot.pause()
        assert set(made) <= {state.items[1].id}
        gate.open.set()
        await idle(pilot)
        assert {state.items[0].id, state.items[2].id} <= set(made)


async def test_keys_stir_and_a_mouse_that_only_moves_does_not() -> None:
    app = app_on(stepping())
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot)
        app.stillness = seen = Stillness(clock=lambda: 7.0)
        await pilot.hover("#steps")
        await app.on_event(MouseMove(None, 1, 1, 0, 0, 0, False, False, False))
        assert seen._stirred < 0
        await press(pilot, "b")
        assert seen._stirred == 7.0


async def test_news_wait_for_the_keyboard_and_none_gets_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    request = Request("voila:ND", data=a_file(tmp_path), pictures="drawn", respondent="noisy:0.3")
    with Store.open(tmp_path / "store.db") as store:
        made = await opened(store, await run_on(store, request, limit=1))
        assert made.live is not None
        await made.live.refresh()
        read, before = list[float](), browsing.touched

        def touched(*given: object) -> list[tuple[int, str, int]]:
            read.append(1)
            return before(*given)  # type: ignore[arg-type]

        monkeypatch.setattr(browsing, "touched", touched)
        with Store.open(tmp_path / "store.db") as other:
            await run_on(other, request, limit=2)
            assert made.live.stirred()
            gate = Gate()
            refreshing = asyncio.create_task(made.live.refresh(gate.waiting()))
            await asyncio.sleep(0)
            assert not read
            await run_on(other, request)
            assert not made.live.stirred(), "it is being read already"
            gate.open.set()
            await refreshing
        assert read
        assert made.live.stirred(), "what came while it was busy is still news"
