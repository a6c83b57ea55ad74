"""What lies behind a stepping screen that shows a stored run: its store, and the batches that were begun from it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from core.config import Config
from core.errors import UsageError
from core.events import Event, Judged
from core.judging.judge import Judge, make_judge
from core.plan import Plan
from core.planning import Request
from core.records import Item
from sessions.background import Askable, Batch, State
from sessions.batches import anything_out
from sessions.manager import Manager, Opening, open_request
from sessions.overview import open_broken_off
from sessions.reopening import request_of
from sessions.runs import RunSummary
from tui.state.archive import Archive
from tui.state.roster import View
from tui.state.stepping import Stepping
from tui.state.sweeping import Sweep, over, sweep, unfinished
from tui.state.watching import Watching


class Picked(Sequence[Item]):
    """Some of the items on a shelf, each read when it is needed."""

    def __init__(self, items: Sequence[Item], positions: Sequence[int]) -> None:
        self._items = items
        self._positions = positions

    def __len__(self) -> int:
        return len(self._positions)

    def __getitem__(self, index: int) -> Item:  # type: ignore[override]  # no slices
        return self._items[self._positions[index]]


class Bench:
    """Begins batches on the items in the filter, and tells ``stepping`` what they bring. Methods belong to the event
    loop's thread. ``news``: something has come since the screen was drawn. ``demo``: the numbers are a
    demonstration's."""

    def __init__(
        self,
        asked: Askable,
        stepping: Stepping,
        config: Config,
        *,
        demo: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.asked = asked
        self.stepping = stepping
        self.config = config
        self.manager = Manager(clock=clock)
        self.manager.listeners.append(self._hear)
        self.demo = demo
        self.news = False
        self._told_ended: set[Batch] = set()
        self._watching: Watching | None = None
        self._view: View | None = None
        self._chosen: frozenset[str] | None = None

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
        view = self.stepping.roster.view
        if view is not self._view:
            keys = self.stepping.items.keys
            found = None if view.chosen is None else frozenset(keys[position] for position in view.chosen)
            self._view, self._chosen = view, found
        return self._chosen

    @property
    def out(self) -> bool:
        """Whether requests of this run are in batches of the server's, or came back and are in no step yet."""
        return anything_out(self.asked.store, self.asked.run)

    def items(self) -> Sequence[Item]:
        """The items in the filter."""
        return Picked(self.stepping.items, tuple(self.stepping.roster.chosen))

    # -- beginning

    async def judge(self, name: str, plan: Plan) -> Judge:
        """The judge of that name for one batch of that plan. Raises as ``make_judge``."""
        return await asyncio.to_thread(make_judge, name, self.config, plan.benchmark, plan.protocol.steps)

    def begin_here(self, budget: float | None = None, judge: Judge | None = None, *, carried: bool = False) -> Batch:
        """This run's own plan on the items in the filter, judged by ``judge``. Raises as ``Manager.start``, and
        UsageError where nobody can be asked in this run, or its items are still being read."""
        state, name = self.stepping, self.asked.run.name
        if against := state.gate.against(state.item, asks=True):
            raise UsageError(against, where=name)
        if not state.roster.complete or state.gate.shut:
            raise UsageError("the items are still being read", where=name, remedy="Begin when all are there")
        self.news = True
        return self.manager.start(self.asked, self.items(), budget=budget, judge=judge, carried=carried)

    async def begin_with(
        self, respondent: str, budget: float | None = None, judge: str = "", *, carried: bool = False
    ) -> list[Batch]:
        """The same asked of somebody else. Raises as ``Manager.start``, ``make_judge`` and what opens the run."""
        return await self._begin(
            [request_of(self.asked.run, told=True).asked_of(respondent)],
            budget,
            self.chosen(),
            judge,
            carried=carried,
        )

    async def begin_intervened(
        self, spec: str, budget: float | None = None, judge: str = "", *, carried: bool = False
    ) -> list[Batch]:
        """An intervention, begun from this run's steps, and its sham beside it, on the items in the filter that this
        run has finished: the others have no steps to begin from. Raises the same, and UsageError where there are
        none."""
        run, stepping = self.asked.run, self.stepping
        finished = await asyncio.to_thread(Archive(self.asked.store, run).finished)
        ids = over(finished, stepping.chosen_ids(), len(stepping.items))
        if ids == ():
            raise UsageError(unfinished())
        keys = None if ids is None else frozenset(ids)
        made = sweep(request_of(run, told=True), run.uid, spec)
        return await self._begin(made.requests, budget, keys, judge, carried=carried)

    async def begin_sweep(self, made: Sweep) -> list[Batch]:
        """Both of its runs, on the items that its requests name, whatever is in the filter. Raises the same."""
        return await self._begin(made.requests, None, None)

    async def _begin(
        self,
        requests: Sequence[Request],
        budget: float | None,
        keys: frozenset[str] | None,
        judge: str = "",
        *,
        carried: bool = False,
    ) -> list[Batch]:
        opened: list[tuple[Opening, Judge | None]] = []
        for request in requests:
            # before its run is made: a judge that there is not leaves nothing behind
            judging = await self.judge(judge, self.asked.plan) if judge else None
            opening = await asyncio.to_thread(open_request, self.asked.store, request, self.config, keys)
            opened.append((opening, judging))
        self.news = True
        return [
            self.manager.start(each.asked, each.items, budget=budget, judge=judging, own=True, carried=carried)
            for each, judging in opened
        ]

    async def go_on_with(self, broken_off: RunSummary) -> tuple[Batch, str]:
        """A run of the store that was broken off, and what is to be said of its items. Raises as ``begin_with``."""
        opening = await asyncio.to_thread(open_broken_off, self.asked.store, broken_off, self.config)
        self.news = True
        return self.manager.start(opening.asked, opening.items, own=True), opening.told

    def take_over(self, before: Bench) -> None:
        """The batches of the run that was on the screen before: they go on, and what they bring is told here."""
        self.manager = before.manager
        self.manager.listeners = [one for one in self.manager.listeners if one != before._hear]
        self.manager.listeners.append(self._hear)
        self._told_ended = before._told_ended
        self.news = True

    # -- news

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
        if batch.asked.run.uid != self.asked.run.uid:
            return
        if isinstance(event, Judged):
            self.stepping.judged(event)
        elif self.stepping.heard_beside(event):
            self.stepping.on_change()
