"""How far the items of a pipeline's run are: accepted, rejected, waiting for somebody, or failed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from core.benchmarks.base import ProtocolLike
from core.curation.replies import the_object, words
from core.curation.review import REVIEWER, Ending, rejected, reviews, verdict_of
from core.records import Origin, Progress, Trajectory
from sessions import encoding
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
    why = protocol.thrown_out(trajectory.item, trajectory.steps) if isinstance(protocol, Ending) else None
    return why if why is not None else rejected(trajectory.steps)


def rows_of(store: Store, run: Run, *, open_only: bool = False) -> list[int]:
    """Rows of the run's main trajectories, in the order they were begun."""
    still_open = encoding.PROGRESS_CODE[Progress.OPEN]
    rows = store.reader().execute(
        "SELECT id FROM trajectories WHERE run = ? AND parent IS NULL AND (NOT ? OR progress = ?) ORDER BY id",
        (run.id, open_only, still_open),
    )
    return [row for (row,) in rows]


def reviewers_of(found: list[Standing]) -> dict[str, list[str]]:
    """By step, the pseudonyms of the people whose answers stand there, sorted."""
    out: dict[str, set[str]] = {}
    for one in found:
        for step in one.trajectory.steps:
            said = the_object(step.answer.text) if step.origin is Origin.PERSON else {}
            who = words(said.get(REVIEWER)) or words(said.get("by"))
            if who:
                out.setdefault(step.turn.step, set()).add(who)
    return {step: sorted(who) for step, who in sorted(out.items())}
