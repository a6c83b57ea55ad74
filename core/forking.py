"""Forks: what the screen does to a trajectory with one key."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace

from core.engine import Engine
from core.errors import CallError, PictureError, UsageError
from core.interventions import Intervention, as_changed, join_lanes
from core.records import Trajectory, Turn
from core.respondents.base import PictureMaker, Respondent


class ForkingEngine(Engine):
    """An engine that also leaves a trajectory's path at any of its steps."""

    async def intervene(self, trajectory: Trajectory, index: int, intervention: Intervention) -> Trajectory:
        """Fork before step ``index`` and put the intervention in there; the old path stays as it is.

        Where the step has been answered already, that answer is the one changed; nobody is asked for it again. A
        prompt and an order of pictures are those of the protocol's own turn, whatever was changed of it before.
        """
        turn = self._turn_at(trajectory, index, plain=intervention.asks)
        asked = trajectory.steps[index] if index < len(trajectory.steps) else None
        forked = await self.journal.fork(trajectory, index)
        if asked is not None and not intervention.asks:
            forked = replace(forked, lane=as_changed(forked.lane, asked))
        return await self._on_fork(forked, turn, self._intervened(forked, turn, intervention, asked))

    async def ask_again(self, trajectory: Trajectory, index: int, repeat: int) -> Trajectory:
        """Fork before step ``index`` and ask the same turn again as that repeat."""
        forked = await self.journal.fork(trajectory, index)
        turn = trajectory.steps[index].turn
        lane = join_lanes(as_changed(forked.lane, trajectory.steps[index]), f"{turn.step}=again")
        return await self._on_fork(forked, turn, self._ask(forked, turn, lane, repeat, self._add, anew=True))

    async def ask_other(self, trajectory: Trajectory, index: int, respondent: Respondent) -> Trajectory:
        """Fork before step ``index`` and send that one turn to somebody else.

        Raises UsageError where that one cannot answer with what the turn asks for.
        """
        turn = self._turn_at(trajectory, index)
        if turn.makes == "picture" and not respondent.draws:
            raise UsageError(f"{respondent.name} cannot make pictures, which {turn.step} asks for")
        if turn.makes == "text" and isinstance(respondent, PictureMaker):
            raise UsageError(f"{respondent.name} makes pictures and nothing else, and {turn.step} asks for words")
        forked = await self.journal.fork(trajectory, index)
        before = as_changed(forked.lane, trajectory.steps[index]) if index < len(trajectory.steps) else forked.lane
        lane = join_lanes(before, f"{turn.step}=@{respondent.name}")
        asking = self._ask(forked, turn, lane, trajectory.repeat, self._add, respondent=respondent)
        return await self._on_fork(forked, turn, asking)

    def plain_turn(self, trajectory: Trajectory, index: int) -> Turn:
        """The turn of that step as the protocol asks it, whatever was changed of it on this path: what a prompt and
        an order of pictures are put into. Raises UsageError where there is no such step."""
        return self._turn_at(trajectory, index, plain=True)

    # -- parts

    async def _on_fork(self, forked: Trajectory, turn: Turn, asking: Awaitable[Trajectory]) -> Trajectory:
        try:
            return await asking
        except (CallError, PictureError) as error:
            return await self._failed(forked, turn.step, error)

    def _turn_at(self, trajectory: Trajectory, index: int, *, plain: bool = False) -> Turn:
        """As it was asked, or (``plain``) as the protocol asks it."""
        if plain and (asked := self.plan.protocol.next_turn(trajectory.item, trajectory.steps[:index])) is not None:
            return asked
        if index < len(trajectory.steps):
            return trajectory.steps[index].turn
        turn = self.plan.protocol.next_turn(trajectory.item, trajectory.steps)
        if turn is None or index > len(trajectory.steps):
            raise UsageError("there is no step to intervene at", where=trajectory.item.id)
        return turn
