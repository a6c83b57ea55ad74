"""The engine: asks the next turn, puts interventions in, scores, journals. One loop for run, resume and replay.

The batch and the screen call the same :meth:`Engine.advance`; what the screen alone does is in ``core.forking``.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias, TypeVar

from core.errors import BudgetError, CallError, PictureError, UsageError
from core.events import (
    Asked,
    Delta,
    Event,
    Failed,
    Listener,
    Loading,
    Spared,
    Spent,
    StepDone,
    TrajectoryDone,
    Waiting,
)
from core.executors import Base, Elsewhere, Executor, InProcess, Job
from core.interventions import ORIGINS, Intervention, as_asked, changed_answer, join_lanes, refuse_words
from core.journal import Journal
from core.plan import Plan
from core.recalling import Recalling
from core.records import Answer, Item, Json, Origin, Progress, Step, Trajectory, Turn
from core.respondents.base import Exchange, OnDelta, PostponedError, Recall, Request, Respondent
from core.respondents.images.drawing import draw
from core.totals import Totals

T = TypeVar("T")
_Store: TypeAlias = Callable[[Trajectory, Step], Awaitable[T]]


SHAM_REPEATS = 1_000_000
"""Shams take repeat indices from here on, so that no plain repeat ever shares one."""


class Engine:
    """Runs trajectories of one plan into one journal and tells a listener what happens.

    ``stream`` asks respondents for their text piece by piece (Delta events). ``base`` gives, for an item and
    repeat, the plain steps of another run (``--from``): those before the first intervention, and before the first
    turn that this plan would ask otherwise, are taken over; an item that is never asked the step of an intervention
    (its chain is too short) is taken over whole. The answer that an intervention changes, or a sham repeats, is that
    run's too: nobody is asked for it again. ``awaited`` are the trajectories of which a respondent has said that the
    answer comes later; :meth:`go_on` takes up just those. ``between`` is awaited before every step of a path that is
    followed to its end: it may hold it there, or let others have their turn. ``elsewhere`` is where whole runs send
    their trajectories, None to go them here. ``recalling`` stands between this engine and others that ask the same.
    """

    def __init__(
        self,
        plan: Plan,
        journal: Journal,
        listener: Listener | None = None,
        *,
        stream: bool = False,
        base: Base | None = None,
        between: Callable[[], Awaitable[None]] | None = None,
        elsewhere: Elsewhere | None = None,
        recalling: Recalling | None = None,
    ) -> None:
        self.plan = plan
        self.journal = journal
        self.totals = Totals()
        self.awaited: list[Job] = []
        self._listener = listener
        self._stream = stream
        self.base = base
        self._between = between
        self._elsewhere = elsewhere
        self._stopped_by: BudgetError | None = None
        self.recalling = recalling or Recalling(journal)
        self._interventions = {intervention.step: intervention for intervention in plan.interventions}

    # -- a whole run

    async def run(
        self, items: Iterable[Item], executor: Executor | None = None, in_flight: int = 0, *, ahead: int = 0
    ) -> Totals:
        """Every item, ``plan.repeats`` times each, from where the journal has it. Raises a fatal CallError.

        At most ``in_flight`` calls are under way or not stored yet; ``ahead`` so many further trajectories have their
        next request made ready meanwhile, by respondents that consult what is recalled before they send.

        BudgetError once the budget allows no more: whatever was in flight has been stored by then, no further item is
        begun, and trajectories in the middle stay open.
        """
        jobs: Iterable[Job] = ((item, repeat) for item in items for repeat in range(self.plan.repeats))
        going_on = itertools.takewhile(lambda _: self._stopped_by is None, jobs)
        at_once = in_flight or self._in_flight
        self.recalling.places = asyncio.Semaphore(at_once) if ahead else None
        await (executor or InProcess()).run(going_on, self._complete, at_once + ahead)
        if self._stopped_by is not None:
            raise self._stopped_by
        return self.totals

    async def go_on(self, executor: Executor | None = None, in_flight: int = 0) -> Totals:
        """The trajectories that waited for an answer, as far as answers have come. Raises as :meth:`run` does."""
        jobs, self.awaited = self.awaited, []
        await (executor or InProcess()).run(jobs, self._complete, in_flight or self._in_flight)
        if self._stopped_by is not None:
            raise self._stopped_by
        return self.totals

    @property
    def _in_flight(self) -> int:
        return (self._elsewhere or self.plan.respondent).in_flight

    async def _complete(self, item: Item, repeat: int) -> None:
        trajectory = await self.journal.take_up(item, repeat)
        if trajectory.progress is Progress.DONE:
            self.totals.before += 1
            return
        try:
            if self._elsewhere is not None:
                await self._elsewhere.to_end(trajectory, self)
            else:
                await self.to_end(trajectory)
        except BudgetError as error:
            self._stopped_by = error
        except PostponedError:
            self.awaited.append((item, repeat))

    async def to_end(self, trajectory: Trajectory, stop: Callable[[Trajectory], bool] | None = None) -> Trajectory:
        """Step on until the trajectory is done or failed, or until ``stop`` says so after a step."""
        while trajectory.progress is Progress.OPEN:
            if self._between is not None:
                await self._between()
            trajectory = await self.advance(trajectory)
            if stop is not None and trajectory.progress is Progress.OPEN and stop(trajectory):
                break
        return trajectory

    # -- one step

    def next_turn(self, trajectory: Trajectory) -> Turn | None:
        """What would be asked next, as the plan's interventions have it; one that cannot be put in leaves it."""
        turn = self.plan.protocol.next_turn(trajectory.item, trajectory.steps)
        intervention = self._interventions.get(turn.step) if turn is not None else None
        if turn is not None and intervention is not None and intervention.asks:
            with suppress(UsageError):
                return as_asked(turn, intervention)
        return turn

    async def advance(self, trajectory: Trajectory) -> Trajectory:
        """One step on: ask the next turn (or put the plan's intervention in), score, store.

        A call that fails for good marks the trajectory failed and is told as an event; a fatal one is raised
        after that. Cancelling leaves everything stored as it was; a step that is being stored just then is told.
        """
        answered: Step | None = None
        if self.base is not None and not trajectory.steps and trajectory.parent is None:
            try:
                trajectory, answered = await self._from_base(trajectory)
            except CallError as error:
                return await self._failed(trajectory, self.plan.protocol.steps[0], error)
        turn = self.plan.protocol.next_turn(trajectory.item, trajectory.steps)
        if turn is None:
            trajectory = await self.journal.finish(trajectory, Progress.DONE)
            self.tell(TrajectoryDone(trajectory))
            return trajectory
        intervention = self._interventions.get(turn.step)
        try:
            if intervention is None:
                lane = self._lane_of(trajectory, turn)
                trajectory = await self._ask(trajectory, turn, lane, trajectory.repeat, self._add)
            else:
                trajectory = await self._intervened(trajectory, turn, intervention, answered)
        except (CallError, PictureError) as error:
            lane = self._lane_of(trajectory, turn)
            if intervention is not None:
                lane = join_lanes(lane, intervention.label)
            return await self._failed(replace(trajectory, lane=lane), turn.step, error)
        if trajectory.progress is Progress.OPEN and self._ends(trajectory.item, trajectory.steps):
            trajectory = await self.journal.finish(trajectory, Progress.DONE)
            self.tell(TrajectoryDone(trajectory))
        return trajectory

    async def preview(self, trajectory: Trajectory) -> Json:
        """The request for the next turn as it would be sent, pictures named by hash; None where nothing would be.

        Raises PictureError. Asks nothing.
        """
        turn = self.next_turn(trajectory)
        if turn is None:
            return None
        asking = self._request(trajectory, turn, trajectory.repeat)
        return await self.plan.respondent_for(turn.step).preview(asking)

    # -- parts

    def _lane_of(self, trajectory: Trajectory, turn: Turn) -> str:
        """The lane of the next step: another respondent sent in for a scored step is an intervention like any."""
        other = self.plan.respondent_for(turn.step)
        if other is self.plan.respondent or turn.shared or self.plan.benchmark.pipeline:
            return trajectory.lane
        return join_lanes(trajectory.lane, f"{turn.step}=@{other.name}")

    async def _from_base(self, trajectory: Trajectory) -> tuple[Trajectory, Step | None]:
        """With the steps taken over, and that run's own answer to the turn of the first intervention."""
        assert self.base is not None
        item = trajectory.item
        stored = await self.base(item, trajectory.repeat)
        if not stored:
            raise CallError(
                "the run it starts from has no plain step of this item",
                where=item.id,
                remedy="Ask that run's respondent about it first, or leave the item out",
            )
        for step in stored:
            turn = self.plan.protocol.next_turn(item, trajectory.steps)
            other = turn is not None and self._lane_of(trajectory, turn) != trajectory.lane
            if turn is None or other or turn != step.turn:
                return trajectory, None
            if turn.step in self._interventions:
                return trajectory, step
            trajectory = trajectory.then(step)
        if self.plan.protocol.next_turn(item, trajectory.steps) is None and not self._interventions:
            raise CallError("nothing differs from the run it starts from: nothing would be asked", where=item.id)
        return trajectory, None

    async def _intervened(
        self, trajectory: Trajectory, turn: Turn, intervention: Intervention, asked: Step | None = None
    ) -> Trajectory:
        if turn.makes == "picture":
            refuse_words(intervention)
        plain = self._lane_of(trajectory, turn)
        lane = join_lanes(plain, intervention.label)
        if intervention.asks:
            try:
                changed = as_asked(turn, intervention)
            except UsageError as error:
                raise CallError(str(error), where=trajectory.item.id) from error
            return await self._ask(trajectory, changed, lane, trajectory.repeat, self._add)
        if intervention.needs_answer and asked is None:
            asked = await self.journal.sibling(trajectory, turn.step, trajectory.repeat)
            if asked is None:
                asked = await self._ask(trajectory, turn, plain, trajectory.repeat, self.journal.add_sibling)
        if intervention.kind == "sham":
            return await self._ask(trajectory, turn, lane, trajectory.repeat + SHAM_REPEATS, self._add)
        if turn.makes == "picture":
            put_in = await asyncio.to_thread(draw, trajectory.item, turn, turn.gold_text, trajectory.repeat)
        else:
            benchmark, seed = self.plan.benchmark, self.plan.seed
            put_in = Answer(changed_answer(benchmark, trajectory.item, turn, intervention, asked, seed))
        origin = ORIGINS[intervention.kind]
        return await self._add(trajectory, self._scored(trajectory, turn, put_in, origin, lane, trajectory.repeat))

    async def _ask(
        self,
        trajectory: Trajectory,
        turn: Turn,
        lane: str,
        repeat: int,
        store: _Store[T],
        *,
        anew: bool = False,
        respondent: Respondent | None = None,
    ) -> T:
        """What ``store`` makes of the step: it is stored before anybody else who asks the same goes on."""
        self.tell(Asked(trajectory, turn.step))
        respondent = respondent or self.plan.respondent_for(turn.step)
        on_delta = self._on_delta(trajectory, turn)
        async with self.recalling.asking(turn, lane, repeat, anew=anew) as recall:
            request = self._request(trajectory, turn, repeat, recall)
            answer = await respondent.answer(request, on_delta)
            if answer.call is not None:
                self.tell(Spent(answer.call.usage, answer.call.seconds))
            if answer.recalled is not None:
                self.tell(Spared(answer.recalled))
            # whoever makes a picture, it shows what the respondent answered before; the lane names the maker
            own = respondent is self.plan.respondent or turn.shared or turn.makes == "picture"
            own = own or self.plan.benchmark.pipeline
            origin = Origin.RESPONDENT if own else Origin.OTHER
            return await store(trajectory, self._scored(trajectory, turn, answer, origin, lane, repeat))

    def _request(self, trajectory: Trajectory, turn: Turn, repeat: int, recall: Recall | None = None) -> Request:
        history: tuple[Exchange, ...] = ()
        if not turn.afresh:
            history = tuple(Exchange(step.turn, step.answer.text) for step in trajectory.steps)

        def on_wait(what: str, seconds: float, count: int) -> None:
            self.tell(Waiting(trajectory, turn.step, what, seconds, count))

        def on_loading(what: str) -> None:
            self.tell(Loading(trajectory, turn.step, what))

        return Request(trajectory.item, turn, history, repeat, self.plan.seed, recall, None, on_wait, on_loading)

    def _on_delta(self, trajectory: Trajectory, turn: Turn) -> OnDelta | None:
        if not self._stream:
            return None
        return lambda text: self.tell(Delta(trajectory, turn.step, text))

    def _scored(
        self, trajectory: Trajectory, turn: Turn, answer: Answer, origin: Origin, lane: str, repeat: int
    ) -> Step:
        item = trajectory.item
        scores = tuple(scorer.score(item, turn, answer) for scorer in self.plan.scorers)
        choice = self.plan.protocol.choice(item, turn, scores[0] if scores else None)
        return Step(turn, answer, scores, origin, choice, lane, repeat)

    def _ends(self, item: Item, steps: tuple[Step, ...]) -> bool:
        return self.plan.protocol.next_turn(item, steps) is None

    async def _add(self, trajectory: Trajectory, step: Step) -> Trajectory:
        """The last one ends its trajectory in one change, on a fork as on the way."""
        last = self._ends(trajectory.item, (*trajectory.steps, step))
        trajectory = await self.journal.add_step(trajectory, step, last=last)
        self.tell(StepDone(trajectory, trajectory.steps[-1]))
        if trajectory.progress is Progress.DONE:
            self.tell(TrajectoryDone(trajectory))
        return trajectory

    async def _failed(self, trajectory: Trajectory, step: str, error: CallError | PictureError) -> Trajectory:
        call = error.call if isinstance(error, CallError) else None
        # alike on many items it is one reason: the item stands beside it wherever it is told
        reason = str(error).removeprefix(f"{trajectory.item.id}: ")
        trajectory = await self.journal.finish(trajectory, Progress.FAILED, reason, call, step=step)
        self.tell(Failed(trajectory, step, reason))
        if isinstance(error, CallError) and error.fatal:
            raise error
        return replace(trajectory, progress=Progress.FAILED, reason=reason)

    def tell(self, event: Event) -> None:
        """Count an event and pass it on to the listener."""
        self.totals.count(event)
        if self._listener is not None:
            self._listener(event)
