"""A bench on a store of its own: a run of the built-in pack, asked by a respondent that can be held."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from core.config import Config
from core.planning import Request, prepare
from core.records import Answer
from core.respondents.base import OnDelta
from core.respondents.base import Request as Asking
from sessions.background import Askable
from sessions.cells import run_tally
from sessions.opening import open_prepared
from sessions.store import Store
from tests.tui.stage import Told
from tui.state.bench import Bench
from tui.state.stepping import Stepping


class Gate(Told):
    """Answers the gold, each call only when it is let through; ``fails`` names items whose calls fail."""

    in_flight = 2

    def __init__(self, *, held: bool = False, fails: Mapping[str, Exception] | None = None) -> None:
        super().__init__()
        self.held = held
        self.fails = dict(fails or {})
        self.waiting: list[asyncio.Future[None]] = []
        self.items: list[str] = []

    async def answer(self, request: Asking, on_delta: OnDelta | None = None) -> Answer:
        self.items.append(request.item.id)
        if self.held:
            self.waiting.append(asyncio.get_running_loop().create_future())
            await self.waiting[-1]
        if request.item.id in self.fails:
            self.asked += 1
            raise self.fails[request.item.id]
        return await super().answer(request, None)

    def let_through(self) -> None:
        """All that wait now, and all that come."""
        self.held = False
        for future in self.waiting:
            if not future.done():
                future.set_result(None)


@contextmanager
def bench_on(
    path: Path, respondent: Told | str = "noisy:0.6", *, limit: int = 0, name: str | None = None, still: bool = False
) -> Iterator[Bench]:
    """A bench on ``path``: closed with it. ``still``: by a clock that stands."""
    given = respondent if isinstance(respondent, str) else "oracle"
    request = Request("voila:ND", respondent=given)
    if limit:
        request = replace(request, filter=replace(request.filter, sample=limit))
    prepared = prepare(request, Config())
    if not isinstance(respondent, str):
        prepared = replace(prepared, plan=replace(prepared.plan, respondent=respondent))
    with Store.open(path) as store:
        opened = open_prepared(store, prepared, name)
        items = list(prepared.selection)
        state = Stepping(prepared.plan, opened.journal, items, run_tally(store, opened.run), clock=lambda: 0.0)
        asked = Askable(store, opened.run, prepared.plan, opened.journal)
        yield Bench(asked, state, Config(), clock=(lambda: 0.0) if still else time.monotonic)


async def until(done: object, patience: float = 20) -> None:
    """Until that holds."""

    async def wait() -> None:
        while not done():  # type: ignore[operator]
            await asyncio.sleep(0.001)

    await asyncio.wait_for(wait(), patience)
