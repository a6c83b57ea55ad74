"""What a worker has in the place of journal, recalled answers and budget: each tells the driver, which has them."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from core.events import Asked, Event, Loading, Spared, Spent, Waiting
from core.recalling import Key, Recalling
from core.records import Answer, Call, Item, Progress, Step, Trajectory
from core.respondents.budget import Budget
from core.workers.words import Added, Ask, Asks, Beside, Ended, LetGo, Loads, Paid, Reply, Spares, Spends, Waits, Word

Say: TypeAlias = Callable[[Word], None]
Undo: TypeAlias = Callable[[], None]


class Questions:
    """Asks the driver and waits for its replies. ``say`` sends a word."""

    def __init__(self, say: Say) -> None:
        self.say = say
        self._numbers = itertools.count(1)
        self._open: dict[int, tuple[asyncio.Future[Any], Undo | None]] = {}

    async def ask(self, job: int, what: str, *about: Any, undo: Undo | None = None) -> Any:
        """The reply, or its error raised. ``undo`` is called where one comes that nobody waits for any more."""
        number = next(self._numbers)
        waiter: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._open[number] = waiter, undo
        self.say(Ask(number, job, what, about))
        return await waiter

    def hear(self, reply: Reply) -> None:
        """Hand a reply to whoever asked."""
        waiter, undo = self._open.pop(reply.question)
        if waiter.done():
            if undo is not None and reply.error is None:
                undo()
        elif reply.error is not None:
            waiter.set_exception(reply.error)
        else:
            waiter.set_result(reply.value)


class RelayJournal:
    """What one trajectory on its way to the end needs of a journal.

    Nothing waits here until a step is on disk: the driver keeps the steps of a job in their order, or takes the job
    back. ``known`` is how many of its steps the driver has.
    """

    def __init__(self, questions: Questions, job: int, known: int) -> None:
        self._questions = questions
        self._say = questions.say
        self._job = job
        self._known = known

    async def add_step(self, trajectory: Trajectory, step: Step, *, last: bool = False) -> Trajectory:
        self._say(Added(self._job, self._taken(trajectory), step, last))
        self._known += 1
        return replace(trajectory.then(step), progress=Progress.DONE if last else Progress.OPEN)

    async def add_sibling(self, trajectory: Trajectory, step: Step) -> Step:
        self._say(Beside(self._job, self._taken(trajectory), step))
        return step

    async def sibling(self, trajectory: Trajectory, step: str, repeat: int) -> Step | None:
        found: Step | None = await self._ask("sibling", self._taken(trajectory), step, repeat)
        return found

    async def finish(
        self,
        trajectory: Trajectory,
        progress: Progress,
        reason: str = "",
        call: Call | None = None,
        *,
        step: str = "",
    ) -> Trajectory:
        taken = self._taken(trajectory)
        self._say(Ended(self._job, taken, trajectory.lane, progress, reason, call, step))
        return replace(trajectory, progress=progress, reason=reason)

    async def base(self, item: Item, repeat: int) -> Sequence[Step]:
        """The plain steps of the run that this one starts from."""
        steps: Sequence[Step] = await self._ask("base")
        return steps

    def tell(self, event: Event) -> None:
        """What the driver does not learn by keeping it."""
        match event:
            case Asked(step=step):
                self._say(Asks(self._job, step))
            case Spent(usage=usage, seconds=seconds):
                self._say(Spends(self._job, usage, seconds))
            case Spared(recalled=recalled):
                self._say(Spares(self._job, recalled))
            case Waiting(step=step, what=what, seconds=seconds, count=count):
                self._say(Waits(self._job, step, what, seconds, count))
            case Loading(step=step, what=what):
                self._say(Loads(self._job, step, what))
            case _:
                pass

    def _taken(self, trajectory: Trajectory) -> tuple[Step, ...]:
        """Steps that the driver has not heard of: those of another run."""
        taken = trajectory.steps[self._known :]
        self._known += len(taken)
        return taken

    async def _ask(self, what: str, *about: Any) -> Any:
        return await self._questions.ask(self._job, what, *about)


class RelayRecalling(Recalling):
    """Whoever asks the same at once, in whichever worker, waits for the first."""

    def __init__(self, questions: Questions, job: int, places: asyncio.Semaphore | None) -> None:
        self.places = places
        self._questions = questions
        self._job = job
        self._found: dict[Key, Answer | None] = {}

    async def hold(self, key: Key) -> None:
        self._found[key] = await self._questions.ask(self._job, "recall", key, undo=lambda: self.let_go(key))

    async def look_up(self, key: Key) -> Answer | None:
        return self._found[key]

    def let_go(self, key: Key) -> None:
        self._found.pop(key, None)
        self._questions.say(LetGo(self._job, key))


class RelayBudget(Budget):
    """The driver's budget, asked for every request: shares of it would be spent up one after the other."""

    def __init__(self, questions: Questions) -> None:
        super().__init__(0.0)
        self._questions = questions

    async def reserve(self, amount: float) -> None:
        await self._questions.ask(0, "reserve", amount, undo=lambda: self.release(amount))

    def release(self, amount: float) -> None:
        self._questions.say(Paid(amount, charged=False))

    def settle(self, amount: float, cost: float | None, counted: str = "") -> None:
        self._questions.say(Paid(amount, True, cost, counted))
