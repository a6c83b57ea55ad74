"""Several batches at once in one event loop: started, watched, ended together. Nothing here knows of a screen."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from core.config import Config
from core.errors import UsageError
from core.events import Event
from core.judging.judge import Judge
from core.planning import Request, prepare
from core.records import Item
from sessions.background import Askable, Batch
from sessions.opening import open_prepared
from sessions.runs import Run
from sessions.store import Store

GIVE_WAY_S: Final = 0.02
"""About what a key takes; less than lies between two of them where one is held down, so that batches go on."""


class Manager:
    """The batches of one process. ``listeners`` hear every event with its batch, in the event loop's thread."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.batches: list[Batch] = []
        self.listeners: list[Callable[[Batch, Event], None]] = []
        self._clock = clock
        self._replaced: list[Batch] = []
        self._turnstile = asyncio.Lock()
        self._held_until = 0.0

    @property
    def live(self) -> tuple[Batch, ...]:
        """Those that run or are paused."""
        return tuple(batch for batch in self.batches if batch.live)

    def of_run(self, run: Run) -> Batch | None:
        """The live batch of that run."""
        return next((batch for batch in self.live if batch.asked.run.uid == run.uid), None)

    def start(
        self,
        asked: Askable,
        items: Sequence[Item],
        *,
        budget: float | None = None,
        judge: Judge | None = None,
        own: bool = False,
        carried: bool = False,
    ) -> Batch:
        """Ask these items of the run, or have them ``carried`` by its server's Batch API. Raises UsageError where
        there are none, where the run is being asked already, here or by another process, or judged by that judge,
        where nobody carries it, and RespondentError where a budget cannot be kept."""
        if not items:
            raise UsageError("there are no items to ask", where=asked.run.name)
        if self.of_run(asked.run) is not None:
            raise UsageError(
                "a batch of this run is going already", where=asked.run.name, remedy="Go on with it, or cancel it"
            )
        made = {"budget": budget, "judge": judge, "own": own, "carried": carried}
        batch = Batch(asked, items, self._hear, self._turn, clock=self._clock, **made)  # type: ignore[arg-type]
        batch.start()
        before = [other for other in self.batches if other.asked.run.uid == asked.run.uid]
        self._replaced += before  # what they opened is closed with the rest
        self.batches = [*(other for other in self.batches if other not in before), batch]
        return batch

    async def close(self, *, settle: bool = False) -> None:
        """End all: at once, or (``settle``) when the calls under way have come back."""
        if settle:
            await asyncio.gather(*(batch.settle() for batch in self.live))
        await asyncio.gather(*(batch.close() for batch in [*self.batches, *self._replaced]))

    def _hear(self, batch: Batch, event: Event) -> None:
        for listener in self.listeners:
            listener(batch, event)

    def give_way(self, seconds: float = GIVE_WAY_S) -> None:
        """Begin no step for so long: somebody has pressed a key and wants to see what it does."""
        self._held_until = asyncio.get_running_loop().time() + seconds

    async def _turn(self) -> None:
        """One step of one batch begins in each turn of the event loop, so that keys never wait for many."""
        async with self._turnstile:
            await asyncio.sleep(0)
            while (left := self._held_until - asyncio.get_running_loop().time()) > 0:
                await asyncio.sleep(left)


@dataclass(frozen=True, slots=True)
class Opening:
    """A run opened to be asked, and which of its items."""

    asked: Askable
    items: tuple[Item, ...]
    told: str = ""


def open_request(store: Store, request: Request, config: Config, keys: Collection[str] | None = None) -> Opening:
    """Prepare a request and open its run, with the items of these ids, or all. Slow: call it in a thread.

    Raises as ``prepare`` and ``open_prepared``, and UsageError where none of the items is left.
    """
    prepared = prepare(request, config)
    items = tuple(item for item in prepared.selection if keys is None or item.id in keys)
    if not items:
        raise UsageError("none of these items is asked in that run", where=prepared.dataset.source)
    opened = open_prepared(store, prepared)
    asked = Askable(store, opened.run, prepared.plan, opened.journal)
    return Opening(asked, items, opened.resumption.line(opened.run.name, len(items) * prepared.plan.repeats))
