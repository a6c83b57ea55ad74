"""Taking a fork away: the one removal on the screen. The main path of an item is never taken away alone."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from core.errors import UsageError
from sessions import encoding, sweep
from sessions.runs import Run
from sessions.store import Store


@dataclass(frozen=True, slots=True)
class RemovedFork:
    """What a removal takes, or took: the fork and the forks made from it, and the steps that they alone hold."""

    trajectories: tuple[int, ...]
    steps: int
    run: str
    item: str


def what_goes(store: Store, trajectory: int, run: Run | None = None) -> RemovedFork:
    """What :func:`remove_fork` would take. Raises UsageError as it does."""
    return _found(store.reader(), trajectory, run)


def remove_fork(store: Store, trajectory: int, run: Run | None = None) -> RemovedFork:
    """Remove a fork with its own steps, scores and calls, and the forks made from it.

    UsageError for a trajectory that is not there (or not of this run), for a main one, and where a participant's
    sitting hangs on it.
    """

    def change(db: sqlite3.Connection) -> RemovedFork:
        found = _found(db, trajectory, run)
        sweep.remove_forks(db, found.trajectories)
        store.vocabulary.forget()
        return found

    return store.write(change, unchecked=True)


def _found(db: sqlite3.Connection, trajectory: int, run: Run | None) -> RemovedFork:
    where = f"trajectory {trajectory}"
    row = db.execute(
        "SELECT t.parent, t.run, runs.name, i.key FROM trajectories AS t JOIN runs ON runs.id = t.run"
        " JOIN items AS i ON i.id = t.item WHERE t.id = ?",
        (trajectory,),
    ).fetchone()
    if row is None or (run is not None and row[1] != run.id):
        raise UsageError("there is no such trajectory", where=where, remedy="`phoropter show ITEM` lists them")
    if row[0] is None:
        raise UsageError(
            "this is no fork but what was answered; only forks are removed",
            where=where,
            remedy="`phoropter runs delete RUN` removes a whole run",
        )
    with_children = tuple(
        each
        for (each,) in db.execute(
            "WITH RECURSIVE going (id) AS (SELECT ? UNION SELECT t.id FROM going JOIN trajectories AS t"
            " ON t.parent = going.id) SELECT id FROM going ORDER BY id",
            (trajectory,),
        )
    )
    listed = encoding.to_json(list(with_children))
    if db.execute("SELECT 1 FROM trials WHERE trajectory IN (SELECT value FROM json_each(?))", (listed,)).fetchone():
        raise UsageError(
            "a participant's sitting belongs to it", where=where, remedy="Use `phoropter study withdraw`"
        )
    steps = db.execute(
        "SELECT count(*) FROM steps WHERE trajectory IN (SELECT value FROM json_each(?))", (listed,)
    ).fetchone()[0]
    return RemovedFork(with_children, steps, encoding.from_text(row[2]), encoding.from_text(row[3]))
