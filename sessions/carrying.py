"""A run behind Batch APIs: its plan with each server in the place of its batches, and the loop that carries it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from core.batching import Heard, Waits, run_batches
from core.engine import Engine
from core.errors import UsageError
from core.events import Listener
from core.plan import Plan
from core.records import Item
from core.respondents.base import Respondent
from core.respondents.batched import Batched, Mode, has_batches
from sessions.batches import StoreBook
from sessions.runs import Run
from sessions.store import Store


def refuse_without_batches(respondent: Respondent) -> None:
    """Raises UsageError where whoever is asked has no batches; a step's other respondents may be asked live."""
    if not has_batches(respondent):
        raise UsageError(
            f"{respondent.name} is behind no server, so it has no Batch API",
            where="--via batch",
            remedy='Name a respondent of kind = "openai", or leave it out',
        )


class Carrier:
    """Carries one run's requests; hold :func:`sessions.running.the_only_batch` meanwhile.

    ``plan`` is the run's, with each server behind its batches; whoever is no server is asked at once. ``heard`` is
    told what happens. Close it in the event loop that used it.
    """

    def __init__(self, store: Store, run: Run, plan: Plan, mode: Mode, heard: Heard) -> None:
        self._store, self._run = store, run
        self._heard = heard
        self._book = StoreBook(store, run)
        self._batched: list[Batched] = []
        self._mode = mode
        at = {step: self._behind(other) for step, other in plan.respondents_at.items()}
        self.plan = replace(plan, respondent=self._behind(plan.respondent), respondents_at=at)

    async def run(
        self, engine: Engine, items: Iterable[Item], *, in_flight: int = 0, waits: Waits | None = None
    ) -> None:
        """One round of the engine made on :attr:`plan`, or with ``waits`` as many as it takes. Raises BatchError."""
        await run_batches(engine, items, self._batched, heard=self._heard, in_flight=in_flight, waits=waits)

    def listen(self, listener: Listener) -> None:
        """Have somebody hear what requests about batches wait for."""
        for batched in self._batched:
            batched.listener = listener

    def clear(self) -> None:
        """Remove what was written and not submitted; connections stay, which others may be using."""
        for batched in self._batched:
            batched.clear()

    async def close(self) -> None:
        """Give connections back, and remove what was written and not submitted."""
        for batched in self._batched:
            await batched.close()

    def _behind(self, respondent: Respondent) -> Respondent:
        if not has_batches(respondent):
            return respondent
        store = self._store.path
        spool = store.with_name(f"{store.name}.{self._run.uid[:16]}.{len(self._batched)}.jsonl")
        self._batched.append(Batched(respondent, self._book, spool, self._mode))
        return self._batched[-1]
