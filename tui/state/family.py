"""The trajectories on one item as a tree: what was forked from what, and the rows that show it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.records import Item, Origin, Progress, Trajectory

RowKind = Literal["head", "step", "next", "failed"]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the tree.

    ``head`` names a fork or a repeat, ``step`` is a stored step, ``next`` the place where an open trajectory goes on,
    ``failed`` the place where one failed. ``on_path``: it belongs to the trajectory that is looked at.
    """

    kind: RowKind
    trajectory: Trajectory
    index: int
    depth: int
    on_path: bool


class Family:
    """All trajectories on an item. A fork that holds no step of its own shows only while it is looked at."""

    def __init__(self, item: Item, trajectories: Iterable[Trajectory] = ()) -> None:
        self.item = item
        self._members = {t.id: t for t in trajectories}
        if not any(t.parent is None and t.repeat == 0 for t in self._members.values()):
            self._members = {0: Trajectory(item), **self._members}

    @property
    def main(self) -> Trajectory:
        """The plain path; without an id as long as nothing of it is stored."""
        return next(t for t in self._members.values() if t.parent is None and t.repeat == 0)

    def get(self, trajectory_id: int) -> Trajectory | None:
        return self._members.get(trajectory_id)

    def all(self) -> tuple[Trajectory, ...]:
        return tuple(self._members.values())

    def put(self, trajectory: Trajectory) -> None:
        """Take a trajectory in, in the place of what was known of it; a judge's scores of its steps stay, of which
        whoever asks on knows nothing."""
        if trajectory.parent is None and trajectory.repeat == 0 and 0 in self._members:
            del self._members[0]
        known = self._members.get(trajectory.id)
        scores = {step.id: step.scores for step in known.steps if step.id} if known is not None else {}
        if any(len(scores.get(step.id, ())) > len(step.scores) for step in trajectory.steps):
            steps = (replace(s, scores=max(s.scores, scores.get(s.id, ()), key=len)) for s in trajectory.steps)
            trajectory = replace(trajectory, steps=tuple(steps))
        self._members[trajectory.id] = trajectory

    def next_repeat(self, step: str, repeats: int) -> int:
        """The index of a further asking of that step on this item, so that no earlier call is replayed for it."""
        asked = (s.repeat for t in self._members.values() for s in t.steps if s.turn.step == step)
        return max([repeats - 1, *asked]) + 1

    def first_asked(self, trajectory: Trajectory, index: int) -> Trajectory:
        """Of the trajectories that were forked from one another at that step and hold the same turn there, the one
        it was asked in first: what is asked again hangs beside what was, not below it."""
        while trajectory.fork == index and trajectory.parent is not None:
            parent = self._members.get(trajectory.parent)
            if (
                parent is None
                or len(parent.steps) <= index
                or parent.steps[index].turn != trajectory.steps[index].turn
            ):
                break
            trajectory = parent
        return trajectory

    def shares_with(self, fork: Trajectory) -> Trajectory | None:
        """The trajectory that it left: of those it was forked from, the nearest of which own steps stand in it. One
        made in the place of another fork's first step has nothing of that, and leaves what that one left."""
        left = self._members.get(fork.parent) if fork.parent is not None else None
        while left is not None and left.parent is not None and left.fork >= fork.fork:
            left = self._members.get(left.parent)
        return left

    def asked_beside(self, trajectory: Trajectory, index: int) -> tuple[Trajectory, ...]:
        """The trajectories that hold the respondent's answers to the same turn after the same steps, oldest first: of
        whoever was sent in, where that one answered here; what was put in is no answer."""
        wanted, before = trajectory.steps[index], [step.id for step in trajectory.steps[:index]]
        origin = Origin.OTHER if wanted.origin is Origin.OTHER else Origin.RESPONDENT
        found: dict[int, Trajectory] = {}
        for t in sorted(self._members.values(), key=lambda t: t.id):
            step = t.steps[index] if len(t.steps) > index else None
            if step is None or step.turn != wanted.turn or step.origin is not origin:
                continue
            if [each.id for each in t.steps[:index]] == before:
                found.setdefault(step.id, t)
        return tuple(found.values())

    def rows(self, looked_at: Trajectory) -> tuple[Row, ...]:
        """The tree from top to bottom: each trajectory's own steps, then its forks in the order they were made. What
        was put in the place of another fork's first step hangs beside that one."""
        path = {step.id for step in looked_at.steps if step.id}
        out: list[Row] = []
        children: dict[int | None, list[Trajectory]] = {}
        for t in sorted(self._members.values(), key=lambda t: (t.repeat, t.id)):
            left = self.shares_with(t)
            children.setdefault(left.id if left is not None else None, []).append(t)
        for root in children.get(None, ()):
            self._add(out, root, looked_at, path, 0, children)
        return tuple(out)

    def _add(
        self,
        out: list[Row],
        t: Trajectory,
        looked_at: Trajectory,
        path: set[int],
        depth: int,
        children: Mapping[int | None, Sequence[Trajectory]],
    ) -> None:
        current = t.id == looked_at.id
        own = t.fork if t.parent is not None and t.parent in self._members else 0
        if current or len(t.steps) > own or t.parent is None:
            if t.parent is not None or t.repeat:
                out.append(Row("head", t, own, depth, current))
            out.extend(Row("step", t, index, depth, t.steps[index].id in path) for index in range(own, len(t.steps)))
            if t.progress is not Progress.DONE:
                kind: RowKind = "failed" if t.progress is Progress.FAILED else "next"
                out.append(Row(kind, t, len(t.steps), depth, current))
        for child in children.get(t.id, ()) if t.id else ():
            self._add(out, child, looked_at, path, depth + 1, children)
