"""How far the items of a pipeline's run are: accepted, rejected, waiting for somebody, or failed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from core.benchmarks.base import ProtocolLike
from core.curation.review import rejected, reviews, verdict_of
from core.records import Progress, Trajectory
from sessions.replay import Replay
from sessions.runs import Run
from sessions.store import Store

ACCEPTED: Final = "accepted"
REJECTED: Final = "rejected"
WAITING: Final = "waiting"
FAILED: Final = "failed"


@dataclass(frozen=True, slots=True)
class Standing:
    """An item's trajectory and how it ended or what it waits for (``step``); ``reason`` of a rejection or failure."""

    trajectory: Trajectory
    state: str
    step: str = ""
    reason: str = ""

    @property
    def edited(self) -> bool:
        """Whether a reviewer changed something."""
        verdicts = (verdict_of(step) for step in reviews(self.trajectory.steps))
        return any(verdict is not None and verdict.verdict == "edit" for verdict in verdicts)


def standings(store: Store, run: Run, protocol: ProtocolLike) -> Iterator[Standing]:
    """Every main trajectory of the run, in the order they were begun, one by one."""
    replay = Replay(store.reader())
    for row in rows_of(store, run):
        trajectory = replay.trajectory(row)
        turn = protocol.next_turn(trajectory.item, trajectory.steps)
        if trajectory.progress is Progress.FAILED:
            yield Standing(trajectory, FAILED, turn.step if turn is not None else "", trajectory.reason)
        elif turn is not None:
            yield Standing(trajectory, WAITING, turn.step)
        elif (why := outcome(protocol, trajectory)) is not None:
            yield Standing(trajectory, REJECTED, reason=why)
        else:
            yield Standing(trajectory, ACCEPTED)


def outcome(protocol: ProtocolLike, trajectory: Trajectory) -> str | None:
    """Why a finished item is thrown out, None where it is not: a reviewer's no, or what the protocol says itself."""
    own = getattr(protocol, "thrown_out", None)
    if own is not None and (why := own(trajectory.item, trajectory.steps)) is not None:
        return str(why)
    return rejected(trajectory.steps)


def rows_of(store: Store, run: Run) -> list[int]:
    """Rows of the run's main trajectories, in the order they were begun."""
    rows = store.reader().execute(
        "SELECT id FROM trajectories WHERE run = ? AND parent IS NULL ORDER BY id", (run.id,)
    )
    return [row for (row,) in rows]


def reviewers_of(found: list[Standing]) -> dict[str, list[str]]:
    """By step, the pseudonyms of those whose answers stand there, sorted."""
    out: dict[str, set[str]] = {}
    for one in found:
        for step in reviews(one.trajectory.steps):
            verdict = verdict_of(step)
            if verdict is not None:
                out.setdefault(step.turn.step, set()).add(verdict.reviewer)
    return {step: sorted(who) for step, who in sorted(out.items())}
