"""The stepping screen's state and commands: what can be asked from where the cursor stands.

Commands that ask run one at a time; a call that fails or is stopped leaves what had arrived where it was to go, until
the step is asked anew.
"""

from __future__ import annotations

from core.errors import PhoropterError
from core.interventions import Intervention
from core.records import Progress, Trajectory, first_wrong
from core.respondents.base import Respondent
from tui.state.asking import Asking
from tui.state.family import Family
from tui.state.halting import path_of


class Stepping(Asking):
    """Steps through the items of one plan: walking about, and asking, putting in, asking again, stopping."""

    async def next(self) -> None:
        """Forward along stored steps; at the end, ask the next turn. After a failure, the same turn again."""
        if self.cursor < len(self.current.steps) - 1:
            self.forward()
        elif self.current.progress is Progress.DONE:
            self._say("this path is complete")
        elif not self._bare():
            trajectory = self._reopened()
            await self._work(trajectory, len(trajectory.steps), lambda: self.engine.advance(trajectory))
        else:
            await self._begun_anew()

    async def to_end(self) -> None:
        """Ask every turn that is left."""
        if self.current.progress is Progress.DONE:
            self._place(self.end)
            self._say("this path is complete")
            return
        if not await self._begun_anew():
            return
        trajectory = self._reopened()
        if trajectory.progress is Progress.DONE:
            return
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
        if not await self._begun_anew():
            return
        trajectory = self._reopened()

        def found(t: Trajectory) -> bool:
            return first_wrong(t.steps, self.scorer) is not None

        if not found(trajectory) and trajectory.progress is not Progress.DONE:
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
        return await self._intervene(trajectory, index, intervention)

    async def ask_other(self, respondent: Respondent) -> bool:
        """Fork here and send this one turn to somebody else."""
        return await self._ask_other(self._reopened(), self.cursor, respondent)

    async def to_step(self, index: int) -> None:
        """To that step of this path; where it is not answered yet, ask on until it is."""
        if index < len(self.current.steps) or self.current.progress is Progress.DONE:
            self._place(min(index, self.end))
            return
        if not await self._begun_anew():
            return
        trajectory = self._reopened()

        def reached(t: Trajectory) -> bool:
            return len(t.steps) > index

        if not reached(trajectory) and trajectory.progress is not Progress.DONE:
            await self._work(trajectory, len(trajectory.steps), lambda: self.engine.to_end(trajectory, reached))

    async def ask_again(self) -> None:
        """Fork here and ask the same turn once more; the earlier answers stay beside it, none below another."""
        if self.cursor >= len(self.current.steps):
            await self.next()
            return
        await self._ask_again(self.family.first_asked(self.current, self.cursor), self.cursor)

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
        self.halted.hold_to(self.item.id, {path_of(t) for t in self.family.all()})
        self.current = self.family.get(fork.parent or 0) or self.family.main
        self.to_recount = True
        self._place(min(self.cursor, self.end))
