"""A journal in memory: the engine and the screens without a store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count

from core.errors import UsageError
from core.interventions import what_if
from core.records import Answer, Call, Item, Progress, Recalled, SentPicture, Step, Trajectory


class MemoryJournal:
    """Does what ``sessions.journal.StoreJournal`` does, and keeps nothing beyond the process."""

    def __init__(self) -> None:
        self.trajectories: dict[int, Trajectory] = {}
        self._main: dict[tuple[str, int], int] = {}
        self._ids = count(1)
        self.siblings: list[Step] = []
        self._siblings: dict[tuple[str, int, int], list[Step]] = {}

    async def take_up(self, item: Item, repeat: int) -> Trajectory:
        stored = self._main.get((item.hash, repeat))
        if stored is None:
            return Trajectory(item, repeat)
        trajectory = self.trajectories[stored]
        if trajectory.progress is Progress.FAILED:
            lane = trajectory.steps[-1].lane if trajectory.steps else ""
            return replace(trajectory, progress=Progress.OPEN, reason="", lane=lane)
        return trajectory

    async def all_on(self, item: Item) -> tuple[Trajectory, ...]:
        wanted = item.hash
        return tuple(t for _, t in sorted(self.trajectories.items()) if t.item.hash == wanted)

    def _keep(self, trajectory: Trajectory) -> Trajectory:
        if trajectory.id == 0:
            trajectory = replace(trajectory, id=next(self._ids))
            if trajectory.parent is None:
                self._main[(trajectory.item.hash, trajectory.repeat)] = trajectory.id
        self.trajectories[trajectory.id] = trajectory
        return trajectory

    async def add_step(self, trajectory: Trajectory, step: Step, *, last: bool = False) -> Trajectory:
        longer = trajectory.then(replace(step, id=next(self._ids)))
        return self._keep(replace(longer, progress=Progress.DONE) if last else longer)

    async def add_sibling(self, trajectory: Trajectory, step: Step) -> Step:
        stored = replace(step, id=next(self._ids))
        self.siblings.append(stored)
        self._siblings.setdefault(self._head(trajectory), []).append(stored)
        return stored

    @staticmethod
    def _head(trajectory: Trajectory) -> tuple[str, int, int]:
        return (trajectory.item.hash, trajectory.repeat, trajectory.steps[-1].id if trajectory.steps else 0)

    async def sibling(self, trajectory: Trajectory, step: str, repeat: int) -> Step | None:
        stored = self._siblings.get(self._head(trajectory), [])
        return next((one for one in stored if one.turn.step == step and one.repeat == repeat), None)

    async def call_of(self, step: Step, *, raw: bool = True) -> Call | None:
        return step.answer.call

    async def pictures(self, hashes: Sequence[str]) -> Mapping[str, SentPicture]:
        sent = (one for t in self.trajectories.values() for step in t.steps for one in step.answer.sent)
        return {one.hash: one for one in sent if one.hash in hashes}

    async def recall(self, request_hash: str, repeat: int, behind: str | None = None) -> Answer | None:
        kept = [step for trajectory in self.trajectories.values() for step in trajectory.steps]
        for step in sorted([*kept, *self.siblings], key=lambda step: -step.id):
            call = step.answer.call
            if call is None or call.error or (call.request_hash, step.repeat) != (request_hash, repeat):
                continue
            if behind in (None, what_if(step.lane)):
                return replace(step.answer, call=None, recalled=Recalled(step.id, 0))
        return None

    async def fork(self, trajectory: Trajectory, keep: int) -> Trajectory:
        steps = trajectory.steps[:keep]
        lane = steps[-1].lane if steps else ""
        return self._keep(
            Trajectory(trajectory.item, trajectory.repeat, steps, lane, parent=trajectory.id, fork=keep)
        )

    async def finish(
        self,
        trajectory: Trajectory,
        progress: Progress,
        reason: str = "",
        call: Call | None = None,
        *,
        step: str = "",
    ) -> Trajectory:
        return self._keep(replace(trajectory, progress=progress, reason=reason))

    async def remove_fork(self, fork: Trajectory) -> None:
        if fork.parent is None:
            raise UsageError("this is no fork", where=f"trajectory {fork.id}")
        for child in [t for t in self.trajectories.values() if t.parent == fork.id]:
            await self.remove_fork(child)
        del self.trajectories[fork.id]
