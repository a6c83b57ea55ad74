"""A judge at work on a run's stored answers: later, or while the run goes, without holding it up.

The store is the queue: what is stored and not yet judged is read page by page, so that memory is flat, and a killed
process leaves nothing half done. A judgement is kept whole in one change: ledger, score, and that it was asked.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from core.errors import BudgetError, CallError, RespondentError, UsageError
from core.events import Event, Judged, Listener, Loading, StepDone, Waiting, WaitOver
from core.judging.judge import Judge, Judgement
from core.records import Call
from sessions import encoding, ledger
from sessions.grading import is_grader
from sessions.runs import Run
from sessions.scoring import StoredAnswer, count_unscored, first_step, keeping, unscored
from sessions.store import Store

T = TypeVar("T")

ERRORS_KEPT: Final = 1000
"""Of the judgements that gave no score so many are told one by one; all are counted."""


@dataclass(slots=True)
class JudgeTotals:
    """Counts of one pass. ``judged`` answers have a score now, ``unasked`` of them without a call; tokens and cost
    are the judge's alone. ``stopped_by`` is the failure that every later call would have met too, or the end of the
    budget; ``left`` how many answers were not looked at because of it."""

    judged: int = 0
    unasked: int = 0
    errors: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    failed: list[tuple[str, str, str]] = field(default_factory=list)  # item, step, reason
    stopped_by: CallError | RespondentError | BudgetError | None = None
    left: int = 0
    started: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def count(self, answer: StoredAnswer, judgement: Judgement) -> None:
        """Add one judgement."""
        self.spent(judgement.call)
        if judgement.score is None:
            self.errors += 1
            if len(self.failed) < ERRORS_KEPT:
                self.failed.append((answer.item.id, answer.step.turn.step, judgement.error))
            return
        self.judged += 1
        self.unasked += not judgement.asked

    def spent(self, call: Call | None) -> None:
        """Add one call's usage."""
        if call is None:
            return
        self.prompt_tokens += call.usage.prompt_tokens
        self.completion_tokens += call.usage.completion_tokens
        if call.usage.cost is not None:
            self.cost = (self.cost or 0.0) + call.usage.cost


class Judging:
    """One judge's pass over one run.

    ``again`` asks about everything once more: the new scores stand beside the old as a later version. An asking
    again that was broken off goes on where it was. ``between`` is awaited before each judgement. Pass :meth:`heard`
    the engine's events where the run goes on.
    Raises UsageError for a judge that has a grader's pseudonym: the scores of both would be one.
    """

    def __init__(
        self,
        store: Store,
        run: Run,
        judge: Judge,
        listener: Listener | None = None,
        *,
        again: bool = False,
        between: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        check_name(store, judge)
        self.judge = judge
        self.totals = JudgeTotals()
        self.listener = listener
        self._store = store
        self._run = run
        self._round = _next_round(store, run, judge) if again else 1
        self._between = between
        self._going = False
        self._stopped = False
        self._more = asyncio.Event()

    @property
    def version(self) -> str:
        """Of the scores that this pass makes."""
        return _version(self.judge, self._round)

    async def _judgement(self, answer: StoredAnswer) -> Judgement:
        """Asked of the judge; that it is waited for or loaded is told, and when that is over."""
        whose, place, waited = f"judge {self.judge.name}", str(answer.step.id), False

        def on_wait(what: str, seconds: float, count: int) -> None:
            nonlocal waited
            waited = True
            self._tell(Waiting(None, answer.step.turn.step, what, seconds, count, whose, place))

        def on_loading(what: str) -> None:
            self._tell(Loading(None, answer.step.turn.step, what, whose))

        try:
            return await self.judge.judge(
                answer.item,
                answer.step.turn,
                answer.step.answer,
                version=self.version,
                repeat=self._round - 1,
                on_wait=on_wait,
                on_loading=on_loading,
            )
        finally:
            if waited:
                self._tell(WaitOver(whose, place))

    def _tell(self, event: Event) -> None:
        if self.listener is not None:
            self.listener(event)

    def heard(self, event: Event) -> None:
        """There may be more to judge."""
        if isinstance(event, StepDone):
            self._more.set()

    def waiting(self) -> int:
        """How many answers this version has not scored."""
        counts = count_unscored(self._store, self._run, scorer=self.judge.name, version=self.version)
        return sum(count for step, count in counts.items() if self.judge.rubric(step) is not None)

    async def alongside(self, work: Awaitable[T]) -> T:
        """Judge what is stored and what ``work`` stores meanwhile; ends once both have nothing left to do.

        What ``work`` raises is raised after what it has stored is judged; a cancellation ends both at once.
        """
        self._going = True
        judging = asyncio.create_task(self.run())
        try:
            result = await work
        except asyncio.CancelledError:
            judging.cancel()
            await asyncio.wait([judging])
            raise
        except Exception:
            await self._ended(judging)
            raise
        await self._ended(judging)
        return result

    async def run(self) -> JudgeTotals:
        """Judge until nothing waits. Failures of single judgements are counted; a fatal one and a spent budget end
        the pass."""
        answers: asyncio.Queue[StoredAnswer | None] = asyncio.Queue(self.judge.respondent.in_flight)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(max(1, self.judge.respondent.in_flight)):
                    group.create_task(self._drain(answers))
                await self._feed(answers)
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None
        self._count_left()
        return self.totals

    # -- parts

    async def _ended(self, judging: asyncio.Task[JudgeTotals]) -> None:
        self._going = False
        self._more.set()
        await judging
        self._count_left()  # a judge that stopped early did not see what the run went on to store

    def _count_left(self) -> None:
        if self._stopped:
            self.totals.left = max(0, self.waiting() - self.totals.errors)

    async def _feed(self, answers: asyncio.Queue[StoredAnswer | None]) -> None:
        """Put what waits into the queue, page by page, until the run has ended and nothing more does."""
        after = first_step(self._store, self._run) - 1
        while not self._stopped:
            going = self._going  # before looking: what is stored later rings again
            self._more.clear()
            page = self._page(after)
            for answer in page:
                after = answer.step.id
                if self.judge.rubric(answer.step.turn.step) is not None:
                    await answers.put(answer)
            if not page and not going:
                break
            if not page:
                await self._more.wait()
        for _ in range(max(1, self.judge.respondent.in_flight)):
            await answers.put(None)

    async def _drain(self, answers: asyncio.Queue[StoredAnswer | None]) -> None:
        while (answer := await answers.get()) is not None:
            if self._between is not None:
                await self._between()
            if not self._stopped:
                await self._one(answer)

    async def _one(self, answer: StoredAnswer) -> None:
        step = answer.step
        try:
            judgement = await self._judgement(answer)
        except (CallError, RespondentError, BudgetError) as error:
            call = error.call if isinstance(error, CallError) else None
            self.totals.spent(call)
            self.totals.stopped_by = self.totals.stopped_by or error
            self._stopped = True
            self._more.set()
            if call is not None:
                await self._store.writer.submit(lambda db: self._enter(db, answer, call))
            return
        if await self._store.writer.submit(lambda db: self._keep(db, answer, judgement)):
            self.totals.count(answer, judgement)
            self._tell(Judged(answer.item, step, answer.trajectory, judgement.score, judgement.error))

    def _keep(self, db: sqlite3.Connection, answer: StoredAnswer, judgement: Judgement) -> bool:
        """False where the answer was deleted meanwhile."""
        step = answer.step.id
        if db.execute("SELECT 1 FROM steps WHERE id = ?", (step,)).fetchone() is None:
            return False
        call = None if judgement.call is None else self._enter(db, answer, judgement.call)
        if judgement.score is not None:
            keeping(self._store, self._run, [(step, judgement.score)])(db)
        scorer = self._store.vocabulary.scorer(db, self.judge.name, self.version)
        db.execute(
            "INSERT INTO judgements (step, scorer, call, error, created) VALUES (?, ?, ?, ?, ?)",
            (step, scorer, call, encoding.to_text(judgement.error), encoding.now_ms()),
        )
        return True

    def _enter(self, db: sqlite3.Connection, answer: StoredAnswer, call: Call) -> int:
        repeat = self._round - 1
        return ledger.enter(db, self._store.vocabulary, call, self._run.id, answer.trajectory, repeat)

    def _page(self, after: int) -> list[StoredAnswer]:
        return unscored(self._store, self._run, scorer=self.judge.name, version=self.version, after=after)


def check_name(store: Store, judge: Judge) -> None:
    """Raises UsageError for a judge that has a grader's pseudonym."""
    if is_grader(store.reader(), judge.name):
        raise UsageError(
            f"{judge.name} is the pseudonym of somebody who graded steps in this store",
            where="--judge",
            remedy="Give the judge another name",
        )


def _version(judge: Judge, number: int) -> str:
    return judge.version if number == 1 else f"{judge.version}.{number}"


_ROUNDS: Final = (
    "SELECT scorers.version, count(DISTINCT j.step) FROM judgements AS j JOIN scorers ON scorers.id = j.scorer"
    " JOIN steps ON steps.id = j.step JOIN trajectories AS t ON t.id = steps.trajectory"
    " WHERE t.run = ? AND scorers.name = ? GROUP BY scorers.id"
)


def _next_round(store: Store, run: Run, judge: Judge) -> int:
    """The number of the next asking: a further one, or the last one where that has not looked at all it could.

    The first asking is what judging without ``again`` does; one that was made by it alone counts as whole.
    """
    rows = store.reader().execute(_ROUNDS, (run.id, encoding.to_text(judge.name))).fetchall()
    looked = {version: count for version, count in rows if version.partition(".")[0] == judge.version}
    if not looked:
        return 1
    last = max(int(version.partition(".")[2] or 1) for version in looked)
    seen_by_earlier = max(looked.values())
    unfinished = last > 1 and looked[_version(judge, last)] < seen_by_earlier
    return last if unfinished else last + 1
