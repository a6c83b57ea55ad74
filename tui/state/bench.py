"""What lies behind a stepping screen that shows a stored run: its store, and the batches that were begun from it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from core.config import Config
from core.events import Event
from core.planning import Request
from core.records import Item
from sessions.background import Askable, Batch, State
from sessions.cells import run_tally
from sessions.manager import Manager, Opening, intervened, open_request, request_of
from tui.state.stepping import Stepping
from tui.state.watching import Watching


class Bench:
    """Begins batches on the items in the filter, and tells ``stepping`` what they bring. Methods belong to the event
    loop's thread. ``news``: something has come since the screen was drawn."""

    def __init__(
        self,
        asked: Askable,
        stepping: Stepping,
        config: Config,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.asked = asked
        self.stepping = stepping
        self.config = config
        self.manager = Manager(clock=clock)
        self.manager.listeners.append(self._hear)
        self.news = False
        self._told_ended: set[Batch] = set()
        self._watching: Watching | None = None

    @property
    def batches(self) -> Sequence[Batch]:
        return self.manager.batches

    @property
    def watching(self) -> Watching:
        """The accuracy drawer's state, kept while the drawer is closed."""
        if self._watching is None:
            store, run = self.asked.store, self.asked.run
            self._watching = Watching(store, run, self.stepping.scorer, self.chosen)
        return self._watching

    def chosen(self) -> frozenset[str] | None:
        """The ids of the items in the filter, None without one."""
        items = self.stepping.filtered
        return None if items is None else frozenset(item.id for item in items)

    def items(self) -> Sequence[Item]:
        """The items in the filter."""
        items = self.stepping.filtered
        return self.stepping.items if items is None else items

    # -- beginning

    def begin_here(self, budget: float | None = None) -> Batch:
        """This run's own plan on the items in the filter. Raises as ``Manager.start``."""
        self.news = True
        return self.manager.start(self.asked, self.items(), budget=budget)

    async def begin_with(self, respondent: str, budget: float | None = None) -> list[Batch]:
        """The same asked of somebody else. Raises as ``Manager.start`` and what opens the run."""
        request = replace(request_of(self.asked.run), respondent=respondent)
        return await self._begin([request], budget)

    async def begin_intervened(self, spec: str, budget: float | None = None) -> list[Batch]:
        """An intervention, begun from this run's steps, and its sham beside it. Raises the same."""
        return await self._begin(intervened(self.asked.run, spec), budget)

    async def _begin(self, requests: Sequence[Request], budget: float | None) -> list[Batch]:
        store, keys = self.asked.store, self.chosen()
        opened: list[Opening] = []
        for request in requests:
            opened.append(await asyncio.to_thread(open_request, store, request, self.config, keys))  # noqa: PERF401
        self.news = True
        return [self.manager.start(each.asked, each.items, budget=budget, own=True) for each in opened]

    # -- news

    async def recount(self) -> None:
        """All answers of the run counted anew, where a call that was cut off may have been stored and never told."""
        state, store = self.stepping, self.asked.store
        if not state.to_recount or state.running is not None or self.manager.of_run(self.asked.run) is not None:
            return
        state.to_recount = False
        if not store.read_only:
            await store.writer.submit(lambda db: None)  # after all that is queued
        tally = await asyncio.to_thread(run_tally, store, self.asked.run)
        if state.running is None and self.manager.of_run(self.asked.run) is None:
            state.tally = tally
            state.on_change()
        else:
            state.to_recount = True

    def newly_ended(self) -> list[Batch]:
        """Batches that have ended since this was asked last."""
        ended = {batch for batch in self.batches if not batch.live}
        found = [batch for batch in self.batches if batch in ended - self._told_ended]
        self._told_ended = ended
        if any(batch.state is not State.DONE and batch.asked.run.uid == self.asked.run.uid for batch in found):
            self.stepping.to_recount = True
        return found

    def _hear(self, batch: Batch, event: Event) -> None:
        self.news = True
        if batch.asked.run.uid == self.asked.run.uid and self.stepping.heard_beside(event):
            self.stepping.on_change()
