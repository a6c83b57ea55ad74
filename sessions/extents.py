"""How many trajectories batches of a run were to make, so that one that was broken off does not look whole."""

from __future__ import annotations

import sqlite3
from typing import Final

from core.selection import Filter

WHOLE: Final = ""
"""The part that is all items."""


def part_of(chosen: Filter) -> str:
    """``2/8`` for a shard; a limit is no part, only less of the same."""
    return "{}/{}".format(*chosen.shard) if chosen.shard is not None else WHOLE


def ask_for(db: sqlite3.Connection, run: int, part: str, trajectories: int) -> None:
    """A batch is about to make so many main trajectories of that part of the items, those that are there counted in.
    Inside the writing transaction only."""
    db.execute(
        "INSERT INTO extents (run, part, trajectories) VALUES (?, ?, ?) ON CONFLICT (run, part) DO UPDATE"
        " SET trajectories = excluded.trajectories WHERE excluded.trajectories > trajectories",
        (run, part, trajectories),
    )


def asked_for(db: sqlite3.Connection) -> dict[int, int]:
    """Of each run that batches worked on, how many main trajectories were asked for: of all its items, or of all
    parts that are known here, where those are more."""
    found: dict[int, int] = {}
    for run, whole, parts in db.execute(
        "SELECT run, sum(iif(part = ?1, trajectories, 0)), sum(iif(part = ?1, 0, trajectories))"
        " FROM extents GROUP BY run",
        (WHOLE,),
    ):
        found[run] = max(whole, parts)
    return found
