"""How many trajectories batches of a run were to make, so that one that was broken off does not look whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from typing import Final

from core.selection import Filter
from sessions import encoding

WHOLE: Final = ""
"""The part that is all items."""


def part_of(chosen: Filter) -> str:
    """``2/8`` for a shard; a limit is no part, only less of the same."""
    return "{}/{}".format(*chosen.shard) if chosen.shard is not None else WHOLE


def ask_for(
    db: sqlite3.Connection, run: int, part: str, trajectories: int, some: Collection[str] | None = None
) -> None:
    """A batch is about to make so many main trajectories of that part of the items, those that are there counted in.
    Of ``some`` of the items alone (their hashes), what is there of others counts beside. Inside the writing
    transaction only."""
    if some is not None:
        trajectories += db.execute(
            "SELECT count(*) FROM trajectories AS t JOIN items ON items.id = t.item"
            " WHERE t.run = ? AND t.parent IS NULL"
            " AND lower(hex(items.hash)) NOT IN (SELECT value FROM json_each(?))",
            (run, encoding.to_json(list(some))),
        ).fetchone()[0]
    db.execute(
        "INSERT INTO extents (run, part, trajectories) VALUES (?, ?, ?) ON CONFLICT (run, part) DO UPDATE"
        " SET trajectories = excluded.trajectories WHERE excluded.trajectories > trajectories",
        (run, part, trajectories),
    )


def asked_for(db: sqlite3.Connection) -> dict[int, int]:
    """Of each run that batches worked on, how many main trajectories were asked for: of all its items, or of the
    parts of one division that are known here, where those are more."""
    found: dict[int, int] = {}
    for run, trajectories in db.execute(
        "SELECT run, sum(trajectories) FROM extents GROUP BY run, substr(part, instr(part, '/'))"
    ):
        found[run] = max(found.get(run, 0), trajectories)
    return found
