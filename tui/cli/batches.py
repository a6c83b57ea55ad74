"""``--via batch``: the run's respondents behind their servers' Batch API, and what is said of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from core.errors import UsageError
from core.respondents.base import Respondent
from sessions.batches import BatchSummary, anything_out, batches_out
from tui.cli.output import say

if TYPE_CHECKING:
    from core.engine import Engine, Plan
    from core.planning import Prepared
    from core.respondents.batched import Batched, Mode
    from sessions.opening import OpenRun

POLL_S: Final = 60.0
WAYS: Final = ("live", "batch")


@dataclass(frozen=True, slots=True)
class Via:
    """How requests are carried. ``poll_s``: seconds between two looks at batches, 0 to leave after one."""

    batch: bool = False
    poll_s: float = 0.0

    @classmethod
    def of(cls, way: str, *, wait: bool, poll_s: float) -> Via:
        """From the options. Raises UsageError for an unknown way, and for waiting where nothing is waited for."""
        if way not in WAYS:
            raise UsageError("this is no way to ask", where=f"--via {way}", remedy=f"Known: {', '.join(WAYS)}")
        if (wait or poll_s) and way != "batch":
            where = "--poll" if poll_s else "--wait"
            raise UsageError("only batches are waited for", where=where, remedy="Add --via batch")
        return cls(way == "batch", poll_s or (POLL_S if wait else 0.0))

    def refuse_others(self, prepared: Sequence[Prepared]) -> None:
        """Raises UsageError where whoever is asked has no batches; a step's other respondents may be asked live."""
        from core.respondents.openai_server import OpenAIServer

        for one in prepared if self.batch else ():
            respondent = one.plan.respondent
            if not isinstance(respondent, OpenAIServer):
                raise UsageError(
                    f"{respondent.name} is behind no server, so it has no Batch API",
                    where="--via batch",
                    remedy='Name a respondent of kind = "openai", or leave --via out',
                )

    def carrier(self, opened: OpenRun) -> Carrier | None:
        """What carries this run's requests; None where all are simply asked.

        Without ``--via batch`` too, what is out in batches is not asked again, and what has come is put in.
        """
        if not self.batch and not anything_out(opened.store, opened.run):
            return None
        from core.respondents.batched import Mode

        return Carrier(opened, Mode.BATCH if self.batch else Mode.LIVE, self.poll_s)


LIVE: Final = Via()


class Carrier:
    """One run's requests on their way. ``plan`` is the run's, with each server behind its batches."""

    def __init__(self, opened: OpenRun, mode: Mode, poll_s: float) -> None:
        from core.respondents.batched import Batched
        from core.respondents.openai_server import OpenAIServer
        from sessions.batches import StoreBook

        book = StoreBook(opened.store, opened.run)
        self._batched: list[Batched] = []
        self._opened = opened
        self._poll_s = poll_s

        def behind(respondent: Respondent) -> Respondent:
            if not isinstance(respondent, OpenAIServer):
                return respondent
            place = opened.store.path
            spool = place.with_name(f"{place.name}.{opened.run.uid[:16]}.{len(self._batched)}.jsonl")
            self._batched.append(Batched(respondent, book, spool, mode))
            return self._batched[-1]

        plan = opened.prepared.plan
        at = {step: behind(other) for step, other in plan.respondents_at.items()}
        self.plan: Plan = replace(plan, respondent=behind(plan.respondent), respondents_at=at)

    async def run(self, engine: Engine, concurrency: int) -> None:
        """One round, or as many as it takes."""
        from core.batching import run_batches

        await run_batches(
            engine,
            self._opened.prepared.selection,
            self._batched,
            heard=self._say,
            poll_s=self._poll_s,
            in_flight=concurrency,
        )

    async def close(self) -> None:
        """Give back what it holds."""
        for batched in self._batched:
            await batched.close()

    def tell(self, engine: Engine, *, fresh: bool) -> list[dict[str, Any]]:
        """Says what is out, and how to go on; the same as data."""
        out = batches_out(self._opened.store.reader(), self._opened.run.id)
        if out:
            requests = sum(batch.requests for batch in out)
            many = "a batch is" if len(out) == 1 else f"{len(out)} batches are"
            again = "the same command, without --fresh," if fresh else "the same command with --via batch"
            self._say(f"{many} out with {requests:,} requests; {again} collects (--wait stays until all is done)")
            for batch in out:
                self._say(f"  {shown(batch)}")
        elif engine.awaited:
            self._say(f"{len(engine.awaited):,} trajectories wait; nothing of theirs is out")
        return [as_json(batch) for batch in out]

    def _say(self, what: str) -> None:
        say(f"{self._opened.run.name}: {what}" if not what.startswith("  ") else what)


def finished_or_out(document: Mapping[str, Any]) -> bool:
    """Nothing failed: every trajectory is finished, or its answer is to come in a batch."""
    return not document["stopped"] and document["finished"] + document["awaited"] >= document["trajectories"]


def shown(batch: BatchSummary) -> str:
    """A batch in a line."""
    return f"{batch.remote or 'not yet known'}: {batch.requests:,} requests, {batch.state}"


def as_json(batch: BatchSummary) -> dict[str, Any]:
    """A batch as data."""
    return {
        "id": batch.remote or None,
        "respondent": batch.respondent,
        "requests": batch.requests,
        "state": batch.state,
        "submitted": batch.created,
    }
