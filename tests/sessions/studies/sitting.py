"""Sittings in tests: on a clock set by hand, answered by rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.records import Turn
from sessions.store import Store
from sessions.studies import assigning
from sessions.studies.claims import hand_back
from sessions.studies.clock import SetClock
from sessions.studies.said import Reply, Shown, ShownPicture
from sessions.studies.sitting import Sitting

SHOWN = Shown("xterm", (80, 24), (800, 480), "halfcell", (ShownPicture("aa", 200, 180),), "1234")


def shut_out(store: Store, session: int) -> int:
    """End it, and free all of its assignments, as an exclusion does; how many had been answered."""
    hand_back(store, session)
    return store.write(lambda db: assigning.give_back(db, session, answered=True))


def gold(turn: Turn) -> Mapping[str, str]:
    return dict(turn.gold)


async def answer_some(
    sitting: Sitting, count: int | None = None, values: Callable[[Turn], Mapping[str, str]] = gold
) -> list[int]:
    """Answer the next ``count`` trials, or all; their rows."""
    rows = []
    for planned in sitting.planned[:count]:
        trial = await sitting.begin(planned, SHOWN)
        path = await sitting.take_up(trial)
        while (turn := sitting.next_turn(trial, path)) is not None:
            onset = sitting.clock.ms()
            if isinstance(sitting.clock, SetClock):
                sitting.clock.go_on(2000)
            reply = Reply(values(turn), onset_ms=onset, first_ms=onset + 500, final_ms=onset + 1500)
            path = await sitting.answer(trial, path, reply)
        await sitting.end_trial(trial)
        rows.append(trial.id)
    return rows
