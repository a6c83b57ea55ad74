"""A small store with all kinds of rows, made once, and copies of it that a hand has damaged."""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.config import Config
from core.forking import ForkingEngine
from core.interventions import Intervention
from core.planning import Request, prepare
from core.records import Answer, Call, Json, SentPicture, Usage, digest
from core.respondents.base import OnDelta, Respondent
from core.respondents.base import Request as Asking
from sessions.opening import open_prepared
from sessions.reopening import reopen, stored_items
from sessions.runs import Run
from sessions.store import Store
from tests.tui.stored import run_on

ITEMS = 3
DATA = b"a picture" * 20
SENT = SentPicture(hashlib.sha256(DATA).hexdigest(), "image/png", (4, 4), (8, 8), "a.png", DATA)


class OverTheLine:
    """A model behind a server, as far as a store can tell: it says what a baseline says, and keeps the calls."""

    name, kind, looks, draws, in_flight = "gpt", "model", False, False, 1
    identity: Mapping[str, Json] = {"model": "gpt"}

    def __init__(self, baseline: Respondent) -> None:
        self._baseline = baseline

    async def answer(self, request: Asking, on_delta: OnDelta | None = None) -> Answer:
        said = await self._baseline.answer(request)
        picture = {"type": "image_url", "image_url": {"picture": SENT.hash}}
        content = [picture, {"type": "text", "text": request.turn.text}]
        asked: Json = {"model": "gpt", "messages": [{"role": "user", "content": content}], "user": request.item.id}
        choice: Json = {"message": {"content": said.text}, "finish_reason": "stop"}
        counts = {"prompt_tokens": 100, "completion_tokens": 20}
        reply: Json = {"model": "gpt-1", "choices": [choice], "usage": counts}
        call = Call("answer", digest(asked), asked, reply, "gpt-1", usage=Usage(100, 20, 0.01))
        return replace(said, sent=(SENT,), call=call)

    async def preview(self, request: Asking) -> None:
        pass

    async def close(self) -> None:
        pass


def fill(path: Path) -> None:
    """Runs of all benchmarks: a model's with calls, one with an intervention, a fork made on the screen."""
    with Store.open(path) as store:
        asyncio.run(_fill(store))
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


async def _fill(store: Store) -> None:
    prepared = prepare(Request("voila:WD", respondent="noisy:0.7"), Config())
    gpt: Any = OverTheLine(prepared.plan.respondent)
    opened = open_prepared(store, replace(prepared, plan=replace(prepared.plan, respondent=gpt)))
    await opened.engine().run(list(prepared.selection)[:ITEMS])
    await run_on(store, Request("voila:WD", respondent="oracle", interventions=("describe=wrong:number",)), ITEMS)
    await run_on(store, Request("vrex", respondent="noisy:0.7"), ITEMS)
    await fork(store, await run_on(store, Request("mmra", respondent="noisy:0.5"), ITEMS))


async def fork(store: Store, run: Run) -> None:
    """As a key on the screen makes it."""
    opened, item = reopen(store, run, Config()), next(stored_items(store, run))
    trajectory = await opened.journal.take_up(item, 0, with_steps=True)
    engine = ForkingEngine(opened.plan, opened.journal)
    step = trajectory.steps[0].turn.step
    await engine.to_end(await engine.intervene(trajectory, 0, Intervention(step, "gold")))


def by_hand(path: Path, *statements: str) -> int:
    """How many rows were changed; references are not looked at."""
    db = sqlite3.connect(path, isolation_level=None)
    try:
        db.execute("PRAGMA foreign_keys = OFF")
        for statement in statements:
            db.execute(statement)
        return db.total_changes
    finally:
        db.close()
