"""Screens that are closed while something still works for them."""

from __future__ import annotations

import asyncio

import pytest
from textual import work
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from tests.tui.pilots import app_on, press
from tests.tui.stage import stepping


class Last(Static):
    """Takes its time to go; says when it goes."""

    gone: asyncio.Event

    async def on_unmount(self) -> None:
        self.gone.set()
        await asyncio.sleep(0.05)


class Busy(Screen[None]):
    """Draws from a worker, and from a timer, as long as it is there."""

    def __init__(self, gone: asyncio.Event) -> None:
        super().__init__()
        self._gone = gone

    def compose(self) -> ComposeResult:
        yield Static("drawn", id="drawn")
        last = Last()
        last.gone = self._gone
        yield last

    def on_mount(self) -> None:
        self._late()
        self.set_interval(0.001, self._draw)

    @work
    async def _late(self) -> None:
        await self._gone.wait()
        await asyncio.sleep(0.01)
        self._draw()

    def _draw(self) -> None:
        self.query_one("#drawn", Static).update("again")


@pytest.mark.parametrize("how", ["left", "changed for another"])
async def test_what_works_for_a_screen_ends_before_its_parts_are_gone(how: str) -> None:
    async with app_on(stepping()).run_test(size=(80, 24)) as pilot:
        await press(pilot)
        gone = asyncio.Event()
        await pilot.app.push_screen(Busy(gone))
        await pilot.pause()
        if how == "left":
            await pilot.app.pop_screen()
        else:
            await pilot.app.switch_screen(Screen())
        await gone.wait()
        await pilot.pause(0.05)
        assert pilot.app._exception is None
