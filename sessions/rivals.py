"""Who else has been asked an item: the trajectories of other runs on it, to be set beside one."""

from __future__ import annotations

from dataclasses import dataclass

from core.records import Item, Progress, RespondentKind, Trajectory
from sessions import encoding
from sessions.replay import Replay
from sessions.store import Store


@dataclass(frozen=True, slots=True)
class Rival:
    """A trajectory on an item, without its steps. ``parent`` is None for what is no fork."""

    trajectory: int
    run: str
    respondent: str
    kind: RespondentKind
    protocol: str
    repeat: int
    lane: str
    progress: Progress
    parent: int | None


def rivals_on(store: Store, item: Item, but: int = 0) -> list[Rival]:
    """The trajectories on exactly this item (its content, wherever its data lay) in all runs but that one, that hold
    a step: plain ones before forks, of the newest run first."""
    rows = store.reader().execute(
        "SELECT t.id, r.name, r.respondent, r.respondent_kind, r.protocol, t.repeat, lanes.label, t.progress,"
        " t.parent FROM items JOIN trajectories AS t ON t.item = items.id JOIN runs AS r ON r.id = t.run"
        " JOIN lanes ON lanes.id = t.lane WHERE items.hash = ? AND t.run <> ? AND t.head IS NOT NULL"
        " ORDER BY t.parent IS NOT NULL, r.created DESC, r.id DESC, t.repeat, t.id",
        (bytes.fromhex(item.hash), but),
    )
    return [
        Rival(
            row,
            encoding.from_text(run),
            encoding.from_text(respondent),
            kind,
            encoding.from_text(protocol),
            repeat,
            encoding.from_text(lane),
            encoding.PROGRESSES[progress],
            parent,
        )
        for row, run, respondent, kind, protocol, repeat, lane, progress, parent in rows
    ]


def rival(store: Store, item: Item, row: int) -> Trajectory:
    """One of them whole, as stored on that item. KeyError where it is gone."""
    return Replay(store.reader()).trajectory(row, item)
