"""A batch that runs beside other work in one event loop: watched, paused, gone on with, cancelled, retried.

The same engine and store as ``phoropter run``. Nothing here knows of a screen.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from core.engine import Engine
from core.errors import PhoropterError, UsageError
from core.events import Asked, Event, Failed, Listener, Loading, StepDone, TrajectoryDone, Waits
from core.executors import InProcess, Job, Work
from core.judging.judge import Judge
from core.plan import Plan
from core.records import Item, Trajectory
from core.respondents.base import Respondent
from core.respondents.budget import Budget, Charged, may_charge, refuse_unpriced
from core.totals import Totals
from sessions.batches import anything_out
from sessions.extents import WHOLE, ask_for
from sessions.journal import StoreJournal
from sessions.judging import Judging
from sessions.pace import Pace
from sessions.running import the_only_batch, the_only_judging
from sessions.runs import Run
from sessions.spending import budget_of
from sessions.store import Store

if TYPE_CHECKING:
    from sessions.carrying import Carrier

Heard = Callable[["Batch", Event], None]
Turn = Callable[[], Awaitable[None]]


class State(StrEnum):
    """Where a batch stands. Only a running or a paused one holds its run for this process; what is out at the server
    comes back whoever waits for it."""

    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    OUT = "out at the server"
    STOPPED = "stopped"
    CANCELLED = "cancelled"


LIVE: Final = frozenset({State.RUNNING, State.PAUSED})


@dataclass(frozen=True, slots=True)
class Failure:
    """A trajectory that failed, and stands failed."""

    item: str
    repeat: int
    step: str
    reason: str


@dataclass(frozen=True, slots=True)
class Askable:
    """A run with what it takes to go on with it."""

    store: Store
    run: Run
    plan: Plan
    journal: StoreJournal

    @property
    def respondents(self) -> tuple[Respondent, ...]:
        return (self.plan.respondent, *self.plan.respondents_at.values())

    def engine(self, listener: Listener, between: Turn, plan: Plan | None = None) -> Engine:
        """An engine on the run's journal and its plan, or on ``plan``: the same one, carried another way."""
        base = self.journal.base_steps if self.journal.base is not None else None
        return Engine(plan or self.plan, self.journal, listener, base=base, between=between)

    async def close(self) -> None:
        """Give the respondents' connections back."""
        for respondent in self.respondents:
            await respondent.close()


def refuse_while_out(store: Store, run: Run) -> None:
    """Raises UsageError where some of the run is out in a batch of the server's: it would be paid for twice."""
    if anything_out(store, run):
        raise UsageError(
            "requests of this run are out in a batch of the server's, and would be paid for twice",
            where=run.name,
            remedy="Collect them first: through batches again, with --via batch",
        )


class _Followed(InProcess):
    """Says of every trajectory that it is no longer under way: one that a budget stops tells no event."""

    def __init__(self, ended: Callable[[tuple[str, int]], None]) -> None:
        self._ended = ended

    async def run(self, jobs: Iterable[Job], work: Work, in_flight: int) -> None:
        async def followed(item: Item, repeat: int) -> None:
            try:
                await work(item, repeat)
            finally:
                self._ended((item.id, repeat))

        await super().run(jobs, followed, in_flight)


class Batch:
    """Some of a run's items, asked one pass after the other.

    ``turn`` is awaited before each step and lets other work have its turn. ``budget`` is what the run may cost in
    USD, a judge's calls included, None where it may cost anything. ``judge``, which is this batch's alone, is asked
    about what the run has stored and stores meanwhile. ``own``: so are the respondents, and are closed with it.
    ``carried``: through the server's Batch API, one round each time it is started: what has come is put in, what is
    next is submitted, ``said`` is told of it, and the batch is OUT as long as answers are to come.
    ``loading`` tells whose models are being loaded, and how far each is, the one told of last at the end.
    Methods belong to the event loop's thread.
    """

    def __init__(
        self,
        asked: Askable,
        items: Sequence[Item],
        heard: Heard,
        turn: Turn,
        *,
        budget: float | None = None,
        judge: Judge | None = None,
        own: bool = False,
        carried: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if carried:
            from sessions.carrying import refuse_without_batches

            refuse_without_batches(asked.plan.respondent)
        self.asked = asked
        self.carried = carried
        self.said: list[str] = []
        self.items = items
        self.state = State.CANCELLED
        self.stopped = ""
        self.ledger: Budget | None = None
        self.totals = Totals()
        self.failures: dict[tuple[str, int], Failure] = {}
        self.pace = Pace(clock)
        self.waits = Waits()
        self.loading: dict[str, str] = {}
        self._heard = heard
        self._turn = turn
        self._budget = budget
        self._own = own
        self._judge = judge
        self.judging: Judging | None = None
        self._may_go = asyncio.Event()
        self._asking: set[tuple[str, int]] = set()
        self._settled: asyncio.Future[None] | None = None
        self._engine: Engine | None = None
        self._before = 0
        self._whole = True
        self._task: asyncio.Task[None] | None = None

    # -- how it stands

    @property
    def name(self) -> str:
        return self.asked.run.name

    @property
    def may_charge(self) -> bool:
        """Whether a call of it, or of its judge, may cost money."""
        return may_charge(self._payers)

    @property
    def total(self) -> int:
        """Trajectories."""
        return len(self.items) * self.asked.plan.repeats

    @property
    def finished(self) -> int:
        """Trajectories that are done, those that were done before with them."""
        if self._engine is None:
            return self._before
        return self._before + self._engine.totals.finished + (self._engine.totals.before if self._whole else 0)

    @property
    def failed(self) -> int:
        return len(self.failures)

    @property
    def left(self) -> int:
        return max(self.total - self.finished - self.failed, 0)

    @property
    def under_way(self) -> int:
        """Calls that were asked and have not come back."""
        return len(self._asking)

    @property
    def live(self) -> bool:
        return self.state in LIVE

    def seconds_left(self) -> float | None:
        """None where it cannot be told."""
        return self.pace.seconds_for(self.left) if self.state is State.RUNNING else None

    # -- commands

    def start(self) -> None:
        """Ask all that is not done, the failed ones again; also what was cancelled or stopped goes on so.

        Raises UsageError where another process runs this run, or some of it is out in a server's batch, and
        RespondentError where a budget cannot be kept.
        """
        self._pass(self.items, whole=True)

    def retry_failed(self) -> None:
        """Ask again where calls failed, and nothing else. Raises as ``start``."""
        wanted = {key for key, _ in self.failures}
        self._pass([item for item in self.items if item.id in wanted], whole=False)

    def pause(self) -> None:
        """Begin no further step; calls under way come to their end and are stored."""
        if self.state is State.RUNNING:
            self.state = State.PAUSED
            self._may_go.clear()
            self.pace.hold()

    def go_on(self) -> None:
        """After a pause."""
        if self.state is State.PAUSED:
            self.state = State.RUNNING
            self.pace.go()
            self._may_go.set()

    def cancel(self) -> None:
        """Drop the calls under way; all that is stored stays, and ``start`` goes on from there."""
        if self._task is not None and self.live:
            self._task.cancel()

    async def settle(self) -> None:
        """Wait for the calls under way, begin nothing else, and end."""
        self.pause()
        if self.live and self._asking:
            self._settled = asyncio.get_running_loop().create_future()
            await self._settled
        await self.end()

    async def end(self) -> None:
        """Cancel, and wait until nothing of it is left."""
        self.cancel()
        await self.wait()

    async def wait(self) -> None:
        """Until the pass under way has ended."""
        if self._task is not None:
            await asyncio.wait([self._task])

    async def close(self) -> None:
        """End it, and give its respondents' connections back where they are its own."""
        await self.end()
        if self._judge is not None:
            await self._judge.close()
        if self._own:
            await self.asked.close()

    # -- parts

    def _pass(self, items: Sequence[Item], *, whole: bool) -> None:
        if self.live:
            return
        asked = self.asked
        with ExitStack() as held:
            held.enter_context(the_only_batch(asked.store, asked.run))
            if not self.carried:
                refuse_while_out(asked.store, asked.run)
            judging = self._judged(held)
            if self._budget is not None:
                refuse_unpriced(self._payers)
                judged = judging is not None
                self.ledger = budget_of(asked.store, asked.run, self._budget, self._payers, judged=judged)
                held.callback(self._uncharge)
            kept = held.pop_all()
        self.judging = judging
        self._before = 0 if whole else self.finished
        self._whole = whole
        if whole:
            self.failures.clear()
        self.state, self.stopped, self.waits = State.RUNNING, "", Waits()
        self.loading.clear()
        self._may_go.set()
        self.pace.go()
        self.said.clear()
        carrier = self._carrier() if self.carried else None
        self._engine = asked.engine(self._hear, self._between, None if carrier is None else carrier.plan)
        self._task = asyncio.create_task(self._run(self._engine, items, kept, carrier), name=f"batch {self.name}")

    async def _run(self, engine: Engine, items: Sequence[Item], held: ExitStack, carrier: Carrier | None) -> None:
        state = State.CANCELLED
        try:
            run, asked_for = self.asked.run.id, len(items) * self.asked.plan.repeats
            some = [item.hash for item in items]
            await self.asked.store.writer.submit(lambda db: ask_for(db, run, WHOLE, asked_for, some))
            asking: Coroutine[Any, Any, object]
            asking = carrier.run(engine, items) if carrier else engine.run(items, _Followed(self._came_back))
            await (asking if self.judging is None else self.judging.alongside(asking))
            state = State.OUT if engine.awaited else State.DONE
        except PhoropterError as error:
            state, self.stopped = State.STOPPED, str(error)
        except asyncio.CancelledError:
            pass  # by cancel alone, or at the end of the loop
        except Exception as error:  # noqa: BLE001  a bug must not leave the run held, and must be told
            state, self.stopped = State.STOPPED, f"{type(error).__name__}: {error}"
        finally:
            try:
                if self.ledger is not None:
                    await self.ledger.close()
            finally:
                if carrier is not None:
                    carrier.clear()
                held.close()
                self.state = state
                self.pace.hold()
                self._asking.clear()
                self._is_settled()

    def _carrier(self) -> Carrier:
        from core.respondents.batched import Mode
        from sessions.carrying import Carrier

        asked = self.asked
        carrier = Carrier(asked.store, asked.run, asked.plan, Mode.BATCH, self.said.append)
        carrier.listen(self._hear)
        return carrier

    @property
    def _payers(self) -> tuple[Respondent, ...]:
        """Everybody whose calls the run may have to pay for."""
        return (*self.asked.respondents, *((self._judge.respondent,) if self._judge is not None else ()))

    def _judged(self, held: ExitStack) -> Judging | None:
        """The judge's pass beside this one, None without a judge. Raises UsageError as ``the_only_judging`` does."""
        if self._judge is None:
            return None
        store, run = self.asked.store, self.asked.run
        held.enter_context(the_only_judging(store, run, self._judge.name))
        return Judging(store, run, self._judge, self._hear, between=self._may_go.wait)

    def _uncharge(self) -> None:
        for respondent in self._payers:
            if isinstance(respondent, Charged):
                respondent.charge(None)

    async def _between(self) -> None:
        while True:
            await self._may_go.wait()
            await self._turn()
            if self._may_go.is_set():
                return

    def _hear(self, event: Event) -> None:
        self.totals.count(event)
        self.waits.hear(event)
        if self.judging is not None:
            self.judging.heard(event)
        match event:
            case Asked(trajectory=trajectory):
                self._asking.add(_key(trajectory))
            case Loading():
                self._loads(event)
            case StepDone(trajectory=trajectory):
                self._came_back(_key(trajectory))
                self.pace.count(steps=1)
            case TrajectoryDone(trajectory=trajectory):
                self.failures.pop(_key(trajectory), None)
                self.pace.count(settled=1)
            case Failed(trajectory=trajectory, step=step, reason=reason):
                self._came_back(_key(trajectory))
                self.failures[_key(trajectory)] = Failure(trajectory.item.id, trajectory.repeat, step, reason)
                self.pace.count(settled=1)
            case _:
                pass
        self._heard(self, event)

    def _loads(self, event: Loading) -> None:
        who = event.whose or self.asked.plan.respondent_for(event.step).name
        self.loading.pop(who, None)
        if event.what:
            self.loading[who] = event.what

    def _came_back(self, key: tuple[str, int]) -> None:
        self._asking.discard(key)
        if not self._asking:
            self._is_settled()

    def _is_settled(self) -> None:
        if self._settled is not None and not self._settled.done():
            self._settled.set_result(None)


def _key(trajectory: Trajectory) -> tuple[str, int]:
    return (trajectory.item.id, trajectory.repeat)
