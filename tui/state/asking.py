"""One command that asks, from its beginning to its end, whatever that is: an answer, a failure, a stop.

What had arrived of an answer that did not come stays where it was to go, until the step is asked anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import cast

from core.errors import PhoropterError, UsageError
from core.interventions import Intervention, Kind, another_prompt
from core.records import Progress, Trajectory
from core.respondents.base import PostponedError, Respondent
from sessions.drafts import Place
from tui.state.family import Family
from tui.state.gate import CHECKING
from tui.state.halting import AGAIN, OTHER, Deed, Kept, path_of
from tui.state.look import Running, Stopped
from tui.state.noting import Noting
from tui.state.upkeep import Upkeep, went_on


class Asking(Noting, Upkeep):
    """Runs the commands that ask, one at a time, and stops them."""

    _task: asyncio.Task[object] | None = None
    _stopping = False

    def cancel(self) -> bool:
        """Stop the call under way; False where there is none. What had arrived stays to be read."""
        if self._task is None or self.running is None:
            return False
        self._stopping = True
        self._task.cancel()
        return True

    async def settled(self) -> None:
        """Wait until the command that asks has come to its end, where one is under way."""
        if self._task is not None:
            await asyncio.wait((self._task,))

    # -- parts

    async def _intervene(
        self, trajectory: Trajectory, index: int, intervention: Intervention, anew: int = -1
    ) -> bool:
        asks = intervention.asks or (intervention.needs_answer and index >= len(trajectory.steps))
        deed = Deed(intervention.kind, intervention.property_name, intervention.text)
        return await self._work(
            trajectory,
            index,
            lambda: self.engine.intervene(trajectory, index, intervention),
            asks=asks,
            deed=deed,
            anew=anew,
        )

    async def _ask_other(self, trajectory: Trajectory, index: int, respondent: Respondent, anew: int = -1) -> bool:
        return await self._work(
            trajectory,
            index,
            lambda: self.engine.ask_other(trajectory, index, respondent),
            deed=Deed(OTHER, text=respondent.name),
            anew=anew,
        )

    async def _ask_again(self, trajectory: Trajectory, index: int, anew: int = -1) -> bool:
        repeat = self.family.next_repeat(trajectory.steps[index].turn.step, self.plan.repeats)
        return await self._work(
            trajectory,
            index,
            lambda: self.engine.ask_again(trajectory, index, repeat),
            deed=Deed(AGAIN),
            anew=anew,
        )

    def _bare(self) -> bool:
        """Whether the path looked at is a fork whose first own step was stopped: what it was made for is not done."""
        kept, fork = self.kept_of(self.current), self.current
        return kept is not None and bool(kept.deed.kind) and fork.parent is not None and len(fork.steps) <= fork.fork

    async def _begun_anew(self) -> bool:
        """Where the path looked at is such a fork, do that anew, from what it was forked from, in a fork of its own;
        elsewhere do nothing. True where the path can be gone on with."""
        if not self._bare():
            return True
        fork, kept = self.current, self.kept_of(self.current)
        parent = self.family.get(fork.parent or 0)
        assert kept is not None
        deed, index, anew = kept.deed, fork.fork, fork.id
        if parent is None or len(parent.steps) < index or (deed.kind == AGAIN and len(parent.steps) == index):
            self._say("what this was forked from is gone")
            return False
        if deed.kind == AGAIN:
            return await self._ask_again(parent, index, anew)
        if deed.kind != OTHER:
            known = self.engine.next_turn(fork)
            step = parent.steps[index].turn.step if index < len(parent.steps) else known.step if known else ""
            if deed.kind == "prompt":
                made = another_prompt(step, deed.text)
            else:
                made = Intervention(step, cast("Kind", deed.kind), deed.property_name, deed.text)
            done = await self._intervene(parent, index, made, anew)
            if done:  # what was typed for it is put in now
                typed = Place(f"{made.kind} {self._run}", self.item.id, path_of(parent), index)
                self.drafts.pop(typed, None)
            return done
        try:
            if self.crew is None:
                raise UsageError("there is no list of respondents here")
            respondent = await asyncio.to_thread(self.crew.get, deed.text)
        except PhoropterError as error:
            self._say(str(error))
            return False
        return await self._ask_other(parent, index, respondent, anew)

    async def _work(
        self,
        trajectory: Trajectory,
        index: int,
        ask: Callable[[], Awaitable[Trajectory]],
        *,
        asks: bool = True,
        deed: Deed = Deed(),  # noqa: B008  frozen
        anew: int = -1,
    ) -> bool:
        """Run one command that asks, or (not ``asks``) only stores. True where it brought a step; a failure is kept
        to be looked at. ``deed`` is what is asked for, ``anew`` the stopped path that it is asked for again."""
        if against := self.gate.against(self.item, asks=asks):
            self._say(against)
            return False
        if self.running is not None:
            self._say(self.running.words)
            return False
        turn = trajectory.steps[index].turn if index < len(trajectory.steps) else self._next_turn()
        step, place = turn.step if turn else "", (self.item.id, trajectory.id, index)
        self.running = running = Running(
            *place, step, self._clock(), self._clock, path=path_of(trajectory), anew=anew, deed=deed
        )
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
                stopped = Stopped(*place[1:], running.step, running.text, result.reason, deed.whom)
        except (PhoropterError, PostponedError) as error:
            stopped = Stopped(*place[1:], running.step, running.text, str(error), deed.whom)
        except asyncio.CancelledError:
            if not self._stopping or self._task is None:
                self._keep_arrived(running)
                raise
            self._task.uncancel()
            self.to_recount = True  # what was on its way into the store is there, and was never told
            stopped = Stopped(*place[1:], running.step, running.text, whom=deed.whom)
        finally:
            self.running = self._task = None
        if stopped is None:
            self._arrived(result, running)
        else:
            await self._ended(stopped, running)
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

    def _keep_arrived(self, running: Running) -> bool:
        """Keep what has arrived of a call that goes no further, where it was to go. False where there is none."""
        if running.asked:
            self.halted.put(running.item, running.path, running.index, Kept(running.text, running.deed))
        return running.asked

    async def _ended(self, stopped: Stopped, running: Running) -> None:
        """After a failure or a stop: what is stored counts; the cursor stands where the call was meant to be, at a
        fork that failed with nothing to show for it on the path that it left."""
        kept = (running.text or not stopped.reason) and self._keep_arrived(running)
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
        elif was.parent is not None and len(was.steps) <= was.fork and not kept:
            was, index = family.get(stopped.trajectory) or family.main, stopped.index
        self.stopped = replace(stopped, trajectory=was.id, index=index)
        self.current = was if running.follow else family.get(self.current.id) or family.main
        self.cursor = min(index if running.follow else self.cursor, self.end)

    def _reopened(self) -> Trajectory:
        """The trajectory looked at, ready to go on where it failed."""
        if self.current.progress is Progress.FAILED:
            return replace(self.current, progress=Progress.OPEN, reason="")
        return self.current
