"""One trajectory that is elsewhere, as the driver has it: what comes of it is kept and told of in its order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from enum import Enum, auto
from typing import Any

from core.events import Asked, Failed, Loading, Spared, Spent, StepDone, TrajectoryDone, Waiting
from core.executors import Home
from core.recalling import Key
from core.records import Progress, Step, Trajectory
from core.workers.words import Added, Ask, Asks, Beside, Ended, LetGo, Loads, Over, Reply, Spares, Spends, Waits, Word


class Outcome(Enum):
    """How an errand ended: ``AGAIN`` begins anew from what is stored, ``LOST`` because its worker is gone."""

    OVER = auto()
    AGAIN = auto()
    LOST = auto()


class Errand:
    """``trajectory`` holds what is stored of it. ``asked`` is the step that was asked last, ``kept`` whether a step
    was stored since it went out. ``reply`` sends a word to the worker, ``let_go`` frees what others may recall."""

    def __init__(
        self,
        job: int,
        trajectory: Trajectory,
        home: Home,
        reply: Callable[[Reply], None],
        let_go: Callable[[Key], None],
    ) -> None:
        self.job = job
        self.trajectory = trajectory
        self.home = home
        self.asked = ""
        self.kept = False
        self.done: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._reply = reply
        self._let_go = let_go
        self._words: deque[Word | None] = deque()
        self._keeping: asyncio.Task[None] | None = None

    def hear(self, word: Word | None) -> None:
        """Take a word of the worker in; None: there will be no other, it is gone."""
        if self.done.done():
            if isinstance(word, LetGo):
                self._let_go(word.key)
            return
        if self._keeping is None and not isinstance(word, Added | Beside | Ended | Ask):
            self._note(word)
            return
        self._words.append(word)
        if self._keeping is None:
            self._keeping = asyncio.ensure_future(self._keep_all())

    def close(self) -> None:
        """Nothing more is kept than what is being kept now; what was recalled for it is free."""
        for word in self._words:
            if isinstance(word, LetGo):
                self._let_go(word.key)
        self._words.clear()
        self.done.cancel()

    async def closed(self) -> None:
        """Once what was being kept when it was closed is kept, and told."""
        if self._keeping is not None:
            await asyncio.wait((self._keeping,))

    def fail(self, error: Exception) -> None:
        """It ends with an error."""
        if not self.done.done():
            self.done.set_exception(error)

    # -- parts

    async def _keep_all(self) -> None:
        try:
            while self._words and not self.done.done():
                word = self._words.popleft()
                match word:
                    case Added():
                        await self._add(word)
                    case Beside():
                        await self.home.journal.add_sibling(self._with(word.taken), word.step)
                    case Ended():
                        await self._end(word)
                    case Ask():
                        self._reply(await self._answered(word))
                    case _:
                        self._note(word)
        except Exception as error:  # noqa: BLE001  (a full disk, a listener's fault: the run's to hear)
            self.fail(error)
        finally:
            self._keeping = None

    def _note(self, word: Word | None) -> None:
        trajectory = self.trajectory
        match word:
            case Asks(step=step):
                self.asked = step
                self.home.tell(Asked(trajectory, step))
            case Spends(usage=usage, seconds=seconds):
                self.home.tell(Spent(usage, seconds))
            case Spares(recalled=recalled):
                self.home.tell(Spared(recalled))
            case Waits(step=step, what=what, seconds=seconds, times=times):
                self.home.tell(Waiting(trajectory, step, what, seconds, times))
            case Loads(step=step, what=what):
                self.home.tell(Loading(trajectory, step, what))
            case LetGo(key=key):
                self._let_go(key)
            case Over(error=error):
                if error is not None:
                    self.fail(error)
                self._ends(Outcome.OVER)
            case _:
                self._ends(Outcome.LOST)

    async def _add(self, word: Added) -> None:
        stored = await self.home.journal.add_step(self._with(word.taken), word.step, last=word.last)
        self.trajectory, self.kept = stored, True
        self.home.tell(StepDone(stored, stored.steps[-1]))
        if stored.progress is Progress.DONE:
            self.home.tell(TrajectoryDone(stored))
        another = stored.steps[-1].turn is not word.step.turn
        if another or (word.last and stored.progress is Progress.OPEN):
            self._ends(Outcome.AGAIN)  # another process's step stands there: the worker went on from its own

    async def _end(self, word: Ended) -> None:
        trajectory = replace(self._with(word.taken), lane=word.lane)
        stored = await self.home.journal.finish(trajectory, word.progress, word.reason, word.call, step=word.step)
        self.trajectory = stored
        if word.progress is Progress.FAILED:
            self.home.tell(Failed(stored, word.step, word.reason))
        else:
            self.home.tell(TrajectoryDone(stored))

    async def _answered(self, word: Ask) -> Reply:
        try:
            return Reply(word.question, await self._found(word))
        except Exception as error:  # noqa: BLE001  (it is met where it was asked, as if it had happened there)
            return Reply(word.question, error=error)

    async def _found(self, word: Ask) -> Any:
        if word.what == "base":
            assert self.home.base is not None
            return await self.home.base(self.trajectory.item, self.trajectory.repeat)
        taken, step, repeat = word.about
        return await self.home.journal.sibling(self._with(taken), step, repeat)

    def _with(self, taken: tuple[Step, ...]) -> Trajectory:
        for step in taken:
            self.trajectory = self.trajectory.then(step)
        return self.trajectory

    def _ends(self, outcome: Outcome) -> None:
        if not self.done.done():
            self.done.set_result(outcome)
