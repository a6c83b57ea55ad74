"""Driving the app in tests: press keys, and wait until it is idle, never for a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from textual.events import Key
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.widgets import Static, TextArea
from textual.worker import WorkerCancelled

from core.pictures import Pictures
from tests.tui.stage import drawn
from tui.app import PhoropterApp
from tui.imaging import Imaging
from tui.manners import Manners
from tui.screens.dialogs import Dialogs
from tui.state.ready import Ready
from tui.state.stepping import Stepping

PATIENCE = 100
"""Pauses that a dialog may take to come."""


def app_on(
    state: Stepping, *, theme: str = "textual-dark", manners: Manners | None = None, **given: Any
) -> PhoropterApp:
    """The app over that state, with drawn pictures in half blocks."""
    pictures = drawn() if state.plan.benchmark.drawer is not None else Pictures()
    shown = Ready(state, **{"pictures": pictures, "title": "test", **given})
    return PhoropterApp(shown, Imaging("halfcell"), theme=theme, manners=manners)


async def idle(pilot: Pilot[Any]) -> None:
    """Until no work is left but dialogs that wait for the user."""
    for _ in range(3):
        await pilot.pause()
        for worker in [worker for worker in pilot.app.workers if worker.group != "dialogs"]:
            try:
                await worker.wait()
            except WorkerCancelled:
                continue
    for _ in range(PATIENCE):  # a process that gets no time looks idle: a dialog may still be coming
        if not (isinstance(pilot.app.screen, Dialogs) and pilot.app.screen._dialog):
            break
        await pilot.pause()
    await steady(pilot)


async def steady(pilot: Pilot[Any]) -> None:
    """The cursor stands there without blinking, or a picture of the screen depends on the moment."""
    for field in pilot.app.screen.query("Input, TextArea"):
        field.cursor_blink = False  # type: ignore[attr-defined]
        if isinstance(field, TextArea):
            field._cursor_visible = field.has_focus
            field._line_cache.clear()  # a line drawn while the cursor was off would stay so
            field.refresh()
    await pilot.pause()


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """The keys one by one, each when the app has done what the one before asked."""
    await idle(pilot)
    for key in keys:
        await pilot.press(key)
        await idle(pilot)


async def burst(pilot: Pilot[Any], *keys: str) -> None:
    """The keys all at once, as a paste into the terminal or a held key brings them."""
    await idle(pilot)
    for key in keys:
        one = len(key) == 1
        pilot.app.post_message(Key(_character_to_key(key) if one else key, key if one else None))
    await idle(pilot)
    await idle(pilot)


def words(pilot: Pilot[Any]) -> str:
    """All that the shown widgets say."""
    return "\n".join(str(widget.content) for widget in pilot.app.screen.query(Static) if widget.display)


def notices(pilot: Pilot[Any]) -> str:
    """All that was told in passing."""
    return "\n".join(notice.message for notice in pilot.app._notifications)


async def until(pilot: Pilot[None], true: Callable[[], object]) -> None:
    """Until that holds; fails with what the screen shows where it does not come to it."""
    ends = time.monotonic() + 10
    while not true():
        assert time.monotonic() < ends, words(pilot)
        await asyncio.sleep(0.005)
        await pilot.pause()
