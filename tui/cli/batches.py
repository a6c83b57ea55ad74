"""``--via batch``: which runs it is for, and what is said of their batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from core.errors import UsageError
from sessions.batches import BatchSummary, anything_out, batches_out
from tui.cli.output import say
from tui.counting import counted

if TYPE_CHECKING:
    from core.batching import Waits
    from core.engine import Engine
    from core.planning import Prepared
    from sessions.carrying import Carrier
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
        for one in prepared if self.batch else ():
            from sessions.carrying import refuse_without_batches

            refuse_without_batches(one.plan.respondent)

    @property
    def waits(self) -> Waits | None:
        """Whether to stay."""
        from core.batching import Waits

        return Waits(self.poll_s) if self.poll_s else None

    def carrier(self, opened: OpenRun) -> Carrier | None:
        """What carries this run's requests; None where all are simply asked.

        Without ``--via batch`` too, what is out in batches is not asked again, and what has come is put in.
        """
        if not self.batch and not anything_out(opened.store, opened.run):
            return None
        from core.respondents.batched import Mode
        from sessions.carrying import Carrier

        def heard(what: str) -> None:
            say(what if what.startswith("  ") else f"{opened.run.name}: {what}")

        mode = Mode.BATCH if self.batch else Mode.LIVE
        return Carrier(opened.store, opened.run, opened.prepared.plan, mode, heard)


LIVE: Final = Via()


def tell_batches(opened: OpenRun, engine: Engine, *, fresh: bool) -> list[dict[str, Any]]:
    """Says what is out, and how to go on; the same as data."""
    out = batches_out(opened.store.reader(), opened.run.id)
    if out:
        requests = sum(batch.requests for batch in out)
        many = f"{counted(len(out), 'batch')} {'is' if len(out) == 1 else 'are'}"
        again = "the same command, without --fresh," if fresh else "the same command with --via batch"
        with_ = f"{many} out with {counted(requests, 'request')}"
        say(f"{opened.run.name}: {with_}; {again} collects (--wait stays for it)")
        for batch in out:
            say(f"  {shown(batch)}")
    elif engine.awaited:
        say(f"{opened.run.name}: {counted(len(engine.awaited), 'trajectory')} to go on, and nothing of theirs is out")
    return [as_json(batch) for batch in out]


def finished_or_out(document: Mapping[str, Any]) -> bool:
    """Nothing failed: every trajectory is finished, or its answer is to come in a batch."""
    return not document["stopped"] and document["finished"] + document["awaited"] >= document["trajectories"]


def shown(batch: BatchSummary) -> str:
    """A batch in a line."""
    return f"{batch.remote or 'not yet known'}: {counted(batch.requests, 'request')}, {batch.state}"


def as_json(batch: BatchSummary) -> dict[str, Any]:
    """A batch as data."""
    return {
        "id": batch.remote or None,
        "respondent": batch.respondent,
        "requests": batch.requests,
        "state": batch.state,
        "submitted": batch.created,
    }
