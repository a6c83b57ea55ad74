"""Runs in a store for the app's tests: made by the engine as a batch makes them, opened as the app opens them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.config import Config
from core.planning import Request, prepare
from sessions.opening import open_prepared
from sessions.runs import Run, find_run
from sessions.store import Store
from tests.voila_data import small_voila_file
from tui.state.ready import Ready, ready


def a_file(folder: Path, count: int = 6) -> Path:
    """A VOILA file of so many questions."""
    return small_voila_file(folder, count, "ND")


async def batch(store: Store, data: Path | None, respondent: str = "noisy:0.6", **given: Any) -> Run:
    """A whole batch on that file (the built-in pack without one), with drawn pictures."""
    fields = {"pictures": "drawn", **given}
    return await run_on(store, Request("voila:ND", data=data, respondent=respondent, **fields))


async def run_on(store: Store, request: Request, limit: int = 0) -> Run:
    prepared = prepare(replace(request, filter=replace(request.filter, limit=limit)), Config())
    opened = open_prepared(store, prepared)
    await opened.engine().run(prepared.selection)
    return opened.run


async def opened(store: Store, run: Run | str, config: Config | None = None) -> Ready:
    """As the app opens it, with everything read that is read behind the screen."""
    found = find_run(store, run) if isinstance(run, str) else run
    made = ready(store, found, config or Config())
    await behind(made)
    await made.stepping.begin()
    return made


async def behind(made: Ready) -> None:
    """Until the thread behind the screen has read everything."""
    told: list[Callable[[], None]] = []
    assert made.backstage is not None
    made.backstage.start(told.append)
    await asyncio.to_thread(made.backstage.stopped)
    for news in told:
        news()
