"""Where trajectories are kept, as the engine sees it. ``sessions`` implements it; tests use MemoryJournal."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Protocol

from core.records import Answer, Call, Item, Progress, Step, Trajectory


class Journal(Protocol):
    """The engine's only view of storage: one run's trajectories.

    Every method that writes returns when the change is safe on disk: a killed process loses only what was in
    flight.
    """

    async def take_up(self, item: Item, repeat: int) -> Trajectory:
        """The run's trajectory for this item as stored, its steps replayed; a new one where there is none.

        A failed one comes back open, at the step where it failed. A done one comes back done, and its steps may
        be left out.
        """
        ...

    async def all_on(self, item: Item) -> tuple[Trajectory, ...]:
        """All the run's trajectories on this item with their steps, forks after what they were forked from."""
        ...

    async def add_step(self, trajectory: Trajectory, step: Step) -> Trajectory:
        """Append a step at the trajectory's head. Returns the trajectory with the stored step as its last."""
        ...

    async def add_sibling(self, trajectory: Trajectory, step: Step) -> Step:
        """Store a step after the head without moving it: an asking that an intervention replaces."""
        ...

    async def sibling(self, trajectory: Trajectory, step: str, repeat: int) -> Step | None:
        """The respondent's answer to that step after the head as ``add_sibling`` stored it, if any."""
        ...

    async def recall(self, request_hash: str, repeat: int) -> Answer | None:
        """An answer that exactly this request got before, in any run; None where it was never answered."""
        ...

    async def fork(self, trajectory: Trajectory, keep: int) -> Trajectory:
        """A new open trajectory that shares the first ``keep`` steps; the old one stays as it is."""
        ...

    async def finish(
        self,
        trajectory: Trajectory,
        progress: Progress,
        reason: str = "",
        call: Call | None = None,
        *,
        step: str = "",
    ) -> Trajectory:
        """Mark it done or failed; ``call`` is the failed call for the ledger, ``step`` where it failed."""
        ...


class MemoryJournal:
    """A journal in memory, for tests and dry runs. Keeps nothing beyond the process."""

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

    async def add_step(self, trajectory: Trajectory, step: Step) -> Trajectory:
        return self._keep(trajectory.then(replace(step, id=next(self._ids))))

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

    async def recall(self, request_hash: str, repeat: int) -> Answer | None:
        for trajectory in self.trajectories.values():
            for step in trajectory.steps:
                call = step.answer.call
                if call is not None and call.request_hash == request_hash and step.repeat == repeat:
                    return replace(step.answer, call=None)
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
