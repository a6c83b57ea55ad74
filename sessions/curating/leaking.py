"""The leakage check at work on a run: what it says of each item is a step of that item's trajectory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.curation.mmra.protocol import LEAK, leak_text
from core.plan import Plan
from core.records import Answer, Origin, Step
from sessions.curating.state import ACCEPTED, WAITING, Standing
from sessions.journal import StoreJournal
from sessions.reading import finished
from sessions.runs import Run
from sessions.store import Store


def at_the_check(found: Sequence[Standing]) -> list[Standing]:
    """Those that wait for nothing but the check."""
    return [one for one in found if one.state == WAITING and one.step.partition(".")[0] == LEAK]


def to_be_checked(found: Sequence[Standing]) -> list[Standing]:
    """All that are in the set by now, checked before or not; empty while somebody still works on one."""
    waiting = [one for one in found if one.state == WAITING]
    ready = at_the_check(found)
    if not ready or len(ready) < len(waiting):
        return []
    return [one for one in found if one.state == ACCEPTED or one in ready]


async def put_down(store: Store, run: Run, plan: Plan, ready: Sequence[Standing], back: Mapping[str, str]) -> None:
    """What the check says of those that wait for it: ``back`` gives reasons by item id."""
    journal = StoreJournal(store, run, full=True)
    for one in ready:
        trajectory = one.trajectory
        turn = plan.protocol.next_turn(trajectory.item, trajectory.steps)
        assert turn is not None
        answer = Answer(leak_text(back.get(trajectory.item.id, "")))
        step = Step(turn, answer, origin=Origin.OTHER, lane=trajectory.lane, repeat=trajectory.repeat)
        last = plan.protocol.next_turn(trajectory.item, (*trajectory.steps, step)) is None
        await journal.add_step(trajectory, step, last=last)


def right_by_item(store: Store, run: Run) -> dict[str, bool]:
    """Of a run that saw no picture: by item whether its answer was right. What failed is left out."""
    out = {}
    for trajectory in finished(store, run.id):
        score = trajectory.steps[-1].score() if trajectory.steps else None
        if score is not None:
            out[trajectory.item.id] = score.correct
    return out
