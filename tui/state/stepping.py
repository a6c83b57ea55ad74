"""The stepping screen's state and commands: what can be asked from where the cursor stands.

Commands that ask run one at a time; a call that fails or is stopped leaves what had arrived to be looked at.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from core.errors import PhoropterError, UsageError
from core.interventions import Intervention
from core.records import Progress, Trajectory, first_wrong
from core.respondents.base import PostponedError, Respondent
from tui.state.family import Family
from tui.state.gate import CHECKING
from tui.state.look import Running, Stopped
from tui.state.noting import Noting
from tui.state.upkeep import Upkeep, went_on


class Stepping(Noting, Upkeep):
    """Steps through the items of one plan: walking about, and asking, putting in, asking again, stopping."""

    _task: asyncio.Task[object] | None = None
    _stopping = False

    async def next(self) -> None:
        """Forward along stored steps; at the end, ask the next turn. After a failure, the same turn again."""
        if self.cursor < len(self.current.steps) - 1:
            self.forward()
        elif self.current.progress is Progress.DONE:
            self._say("this path is complete")
        else:
            trajectory = self._reopened()
            await self._work(trajectory, len(trajectory.steps), lambda: self.engine.advance(trajectory))

    async def to_end(self) -> None:
        """Ask every turn that is left."""
        if self.current.progress is Progress.DONE:
            self._place(self.end)
            self._say("this path is complete")
            return
        trajectory = self._reopened()
        await self._work(trajectory, len(trajectory.steps), lambda: self.engine.to_end(trajectory))

    async def to_first_wrong(self) -> None:
        """To the first wrong step of this path; where there is none yet, ask on until there is."""
        wrong = first_wrong(self.current.steps, self.scorer)
        if wrong is not None:
            self._place(wrong)
            return
        if self.current.progress is Progress.DONE:
            self._say("every step of this path is right")
            return
        trajectory = self._reopened()

        def found(t: Trajectory) -> bool:
            return first_wrong(t.steps, self.scorer) is not None

        await self._work(trajectory, len(trajectory.steps), lambda: self.engine.to_end(trajectory, found))
        now = self.current
        if now.progress is Progress.DONE and first_wrong(now.steps, self.scorer) is None:
            self._say("every step of this path is right")

    async def gold(self, property_name: str = "") -> None:
        """Fork here with the gold answer, or with one property of the answer set to gold."""
        turn = self.look().turn
        pictured = turn is not None and turn.makes == "picture"
        if turn is None or not turn.gold_text or (pictured and self.plan.benchmark.answer_drawer is None):
            self._say("this turn has no gold that could be put in")
            return
        if pictured and property_name:
            self._say(f"a picture cannot be set right in its {property_name} alone")
            return
        await self.intervene(Intervention(turn.step, "gold", property_name))

    async def edit(self, text: str) -> None:
        """Fork here with own words for the answer."""
        turn = self.look().turn
        if turn is None:
            self._say("there is no turn here to answer")
            return
        place = self.place
        if await self.intervene(Intervention(turn.step, "text", text=text)):
            self.drafts.pop(place, None)

    async def pick(self, letter: str) -> None:
        """Fork here with another option, in the words that the benchmark writes it in."""
        turn = self.look().turn
        if turn is None or self.choices() is None:
            self._say("this turn offers no options to pick from")
            return
        text = self.plan.benchmark.write(self.item, turn, {turn.form[0].name: letter})
        await self.intervene(Intervention(turn.step, "text", text=text))

    async def intervene(self, intervention: Intervention) -> bool:
        """Fork here with anything put in. True where that brought a step."""
        trajectory, index = self._reopened(), self.cursor
        asks = intervention.asks or (intervention.needs_answer and index >= len(trajectory.steps))
        return await self._work(
            trajectory, index, lambda: self.engine.intervene(trajectory, index, intervention), asks=asks
        )

    async def ask_other(self, respondent: Respondent) -> bool:
        """Fork here and send this one turn to somebody else."""
        trajectory, index = self._reopened(), self.cursor
        return await self._work(trajectory, index, lambda: self.engine.ask_other(trajectory, index, respondent))

    async def to_step(self, index: int) -> None:
        """To that step of this path; where it is not answered yet, ask on until it is."""
        if index < len(self.current.steps) or self.current.progress is Progress.DONE:
            self._place(min(index, self.end))
            return
        trajectory = self._reopened()

        def reached(t: Trajectory) -> bool:
            return len(t.steps) > index

        await self._work(trajectory, len(trajectory.steps), lambda: self.engine.to_end(trajectory, reached))

    async def ask_again(self) -> None:
        """Fork here and ask the same turn once more; the earlier answers stay beside it, none below another."""
        if self.cursor >= len(self.current.steps):
            await self.next()
            return
        trajectory, index = self.family.first_asked(self.current, self.cursor), self.cursor
        repeat = self.family.next_repeat(trajectory.steps[index].turn.step, self.plan.repeats)
        await self._work(trajectory, index, lambda: self.engine.ask_again(trajectory, index, repeat))

    def fork_here(self) -> Trajectory | None:
        """The fork that is looked at; None, with a note why, where nothing could be removed."""
        fork = self.current
        if self.running is not None:
            self._say(self.running.words)
        elif against := self.gate.against(self.item, asks=False):
            self._say(against)
        elif fork.parent is None:
            self._say("this is no fork; only forks are removed, never what was answered")
        else:
            return fork
        return None

    async def remove_fork(self, fork: Trajectory) -> None:
        """Remove a fork, and the forks made from it, for good."""
        try:
            await self._journal.remove_fork(fork)
        except PhoropterError as error:
            self._say(str(error))
            return
        if self.item.id != fork.item.id:
            return
        self.family = Family(self.item, await self._journal.all_on(self.item))
        self.current = self.family.get(fork.parent or 0) or self.family.main
        self.to_recount = True
        self._place(min(self.cursor, self.end))

    def cancel(self) -> bool:
        """Stop the call under way; False where there is none. What had arrived stays to be read."""
        if self._task is None or self.running is None:
            return False
        self._stopping = True
        self._task.cancel()
        return True

    # -- parts

    async def _work(
        self, trajectory: Trajectory, index: int, ask: Callable[[], Awaitable[Trajectory]], *, asks: bool = True
    ) -> bool:
        """Run one command that asks, or (not ``asks``) only stores. True where it brought a step; a failure is kept
        to be looked at."""
        if against := self.gate.against(self.item, asks=asks):
            self._say(against)
            return False
        if self.running is not None:
            self._say(self.running.words)
            return False
        turn = trajectory.steps[index].turn if index < len(trajectory.steps) else self._next_turn()
        step, place = turn.step if turn else "", (self.item.id, trajectory.id, index)
        self.running = running = Running(*place, step, self._clock(), self._clock)
        self.stopped, self.note, self._stopping = None, "", False
        self._task = asyncio.current_task()
        self._place(index, follow=True)
        stopped: Stopped | None = None
        try:
            if asks:
                await self._let_through(running, trajectory)
            result = await ask()
            if self._stopping:
                await asyncio.sleep(0)  # it was put off while the last step was stored
            if result.progress is Progress.FAILED:
                stopped = Stopped(*place[1:], running.step, running.text, result.reason)
        except (PhoropterError, PostponedError) as error:
            stopped = Stopped(*place[1:], running.step, running.text, str(error))
        except asyncio.CancelledError:
            if not self._stopping or self._task is None:
                raise
            self._task.uncancel()
            self.to_recount = True  # what was on its way into the store is there, and was never told
            stopped = Stopped(*place[1:], running.step, running.text)
        finally:
            self.running = self._task = None
        if stopped is None:
            self._arrived(result, running)
        else:
            await self._halted(stopped, running)
        self.on_change()
        return stopped is None

    async def _let_through(self, running: Running, trajectory: Trajectory) -> None:
        """Until it is known whether anybody can be asked. Raises UsageError where nobody can, and where others went
        on with the path meanwhile: its next turn is another one now."""
        waits, item = self.gate.shut, trajectory.item
        running.held = CHECKING if waits else ""
        if against := await self.gate.known(item):
            raise UsageError(against)
        running.held, running.started = "", self._clock()
        if waits and any(went_on(trajectory, stored) for stored in await self._journal.all_on(item)):
            raise UsageError("somebody else went on with this path meanwhile")

    async def _halted(self, stopped: Stopped, running: Running) -> None:
        """After a failure or a stop: what is stored counts; the cursor stands where the call was meant to be."""
        item = self.item
        if item.id != running.item:
            return
        family = Family(item, await self._journal.all_on(item))
        if item is not self.item:
            return
        self.family = family
        self._came_out(item.id, family.all())
        was = family.get(running.trajectory)
        index = running.index
        if was is None:
            was = family.main
        elif was.parent is not None and len(was.steps) <= was.fork:
            was, index = family.get(stopped.trajectory) or family.main, stopped.index
        self.stopped = Stopped(was.id, index, stopped.step, stopped.text, stopped.reason)
        self.current = was if running.follow else family.get(self.current.id) or family.main
        self.cursor = min(index if running.follow else self.cursor, self.end)

    def _reopened(self) -> Trajectory:
        """The trajectory looked at, ready to go on where it failed."""
        if self.current.progress is Progress.FAILED:
            return replace(self.current, progress=Progress.OPEN, reason="")
        return self.current
