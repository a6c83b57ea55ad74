"""Removing a run, and what nobody needs once it is gone."""

# ruff: noqa: S608  (only identifiers from constants of this house are put into SQL; values are parameters)

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final

from sessions import encoding

# a step stays while a step of another run stands on it, or a head of one points at it
_KEPT: Final = """
    INSERT INTO kept
    WITH RECURSIVE needed (id) AS (
        SELECT s.parent FROM steps AS s JOIN steps AS p ON p.id = s.parent
        WHERE p.trajectory IN (SELECT id FROM gone)
          AND (s.trajectory IS NULL OR s.trajectory NOT IN (SELECT id FROM gone))
        UNION
        SELECT t.head FROM trajectories AS t JOIN steps AS p ON p.id = t.head
        WHERE p.trajectory IN (SELECT id FROM gone) AND t.id NOT IN (SELECT id FROM gone)
        UNION
        SELECT steps.parent FROM needed JOIN steps ON steps.id = needed.id WHERE steps.parent IS NOT NULL)
    SELECT id FROM needed"""

# steps of deleted runs that were kept for this one, and are needed by nobody now; one layer at a time
_LOOSE: Final = """
    INSERT INTO removed SELECT id FROM steps
    WHERE trajectory IS NULL AND id IN (SELECT parent FROM steps WHERE id IN (SELECT id FROM removed)
                                        UNION SELECT head FROM trajectories WHERE id IN (SELECT id FROM gone))
      AND id NOT IN (SELECT id FROM removed)
      AND NOT EXISTS (SELECT 1 FROM steps AS c WHERE c.parent = steps.id AND c.id NOT IN (SELECT id FROM removed))
      AND NOT EXISTS (SELECT 1 FROM trajectories AS t
                      WHERE t.head = steps.id AND t.id NOT IN (SELECT id FROM gone))"""

_SHARED: Final = (("prompts", "prompt"), ("golds", "gold"), ("picture_sets", "sent"), ("picture_sets", "picture"))


def remove_run(db: sqlite3.Connection, run: int) -> None:
    """Everything that is this run's alone. Runs unchecked (without foreign keys): looking for children of each
    shared prompt would read all steps once a prompt."""
    _tables(db)
    db.execute("INSERT INTO gone SELECT id FROM trajectories WHERE run = ?", (run,))
    _note_down(db, "calls.run = ?", (run,))
    db.execute("UPDATE judgements SET call = NULL WHERE step IN (SELECT id FROM kept)")
    _remove(db)
    for statement in (
        "DELETE FROM notes WHERE run = ?",
        "DELETE FROM tags WHERE run = ?",
        # a call that another run's steps were recalled from, or whose step was kept, stays without a run
        "UPDATE calls SET run = NULL, trajectory = NULL"
        " WHERE run = ? AND EXISTS (SELECT 1 FROM steps WHERE steps.call = calls.id)",
        "DELETE FROM calls WHERE run = ?",
        "DELETE FROM batches WHERE run = ?",
        "DELETE FROM spending WHERE run = ?",
        "DELETE FROM extents WHERE run = ?",
        "DELETE FROM served WHERE run = ?",
        "DELETE FROM runs WHERE id = ?",
    ):
        db.execute(statement, (run,))
    db.execute(
        "DELETE FROM calls WHERE run IS NULL AND id IN (SELECT id FROM asked)"
        " AND NOT EXISTS (SELECT 1 FROM steps WHERE steps.call = calls.id)"
    )
    _sweep(db)


def remove_forks(db: sqlite3.Connection, trajectories: Iterable[int]) -> None:
    """These trajectories with the steps that they made; what their calls cost stays in the run's ledger. Runs
    unchecked, as ``remove_run``."""
    _tables(db)
    db.executemany("INSERT INTO gone VALUES (?)", ((row,) for row in trajectories))
    _note_down(db, "calls.trajectory IN (SELECT id FROM gone)", ())
    _remove(db)
    for statement in (
        # a call that was paid for, or that steps or judgements elsewhere hang on, stays without a trajectory
        "DELETE FROM calls WHERE (id IN (SELECT id FROM asked) OR trajectory IN (SELECT id FROM gone))"
        " AND (run IS NULL OR (cost IS NULL AND prompt_tokens + completion_tokens = 0))"
        " AND NOT EXISTS (SELECT 1 FROM steps WHERE steps.call = calls.id)"
        " AND NOT EXISTS (SELECT 1 FROM judgements AS j WHERE j.call = calls.id)",
        "UPDATE calls SET trajectory = NULL WHERE trajectory IN (SELECT id FROM gone)",
    ):
        db.execute(statement)
    _sweep(db)


def remove_items(db: sqlite3.Connection, rows: Iterable[int]) -> None:
    """Those of these items that nothing refers to any more, with the pictures embedded in them. Runs unchecked."""
    _tables(db)
    _sweep_pictures(db, _sweep_items(db, list(rows)))


def _tables(db: sqlite3.Connection) -> None:
    shared = [f"loose_{table}_{column}" for table, column in _SHARED]
    for table in ("gone", "kept", "removed", "spare", "asked", "loose_items", "loose_texts", *shared):
        db.execute(f"DROP TABLE IF EXISTS temp.{table}")
        db.execute(f"CREATE TEMP TABLE {table} (id INTEGER PRIMARY KEY)")


def _note_down(db: sqlite3.Connection, calls: str, of: tuple[int, ...]) -> None:
    """Which steps go with the trajectories in ``gone``, and what may be needed by nobody then. ``calls`` says which
    calls are meant beside those of the steps."""
    db.execute(_KEPT)
    db.execute(
        "INSERT INTO removed SELECT id FROM steps WHERE trajectory IN (SELECT id FROM gone)"
        " AND id NOT IN (SELECT id FROM kept)"
    )
    while db.execute(_LOOSE).rowcount > 0:
        pass
    db.execute("INSERT INTO loose_items SELECT DISTINCT item FROM trajectories WHERE id IN (SELECT id FROM gone)")
    for table, column in _SHARED:
        db.execute(
            f"INSERT INTO loose_{table}_{column} SELECT DISTINCT {column} FROM steps"
            f" WHERE id IN (SELECT id FROM removed) AND {column} IS NOT NULL"
        )
    for table in ("steps", "judgements"):
        step = "id" if table == "steps" else "step"
        db.execute(
            f"INSERT OR IGNORE INTO asked SELECT call FROM {table} WHERE {step} IN (SELECT id FROM removed)"
            " AND call IS NOT NULL"
        )
    db.execute(
        "INSERT INTO loose_texts SELECT DISTINCT value FROM calls, json_each(calls.texts)"
        f" WHERE ({calls} OR calls.id IN (SELECT id FROM asked)) AND calls.texts IS NOT NULL",
        of,
    )


def _remove(db: sqlite3.Connection) -> None:
    """The trajectories in ``gone`` and the steps in ``removed``."""
    in_removed, in_gone = "IN (SELECT id FROM removed)", "IN (SELECT id FROM gone)"
    for statement in (
        f"DELETE FROM verdicts WHERE step {in_removed}",
        f"DELETE FROM gradings WHERE step {in_removed}",
        f"DELETE FROM judgements WHERE step {in_removed}",
        f"DELETE FROM readings WHERE step {in_removed}",
        f"DELETE FROM scores WHERE step {in_removed}",
        f"DELETE FROM notes WHERE step {in_removed} OR trajectory {in_gone}",
        f"DELETE FROM tags WHERE step {in_removed}",
        f"DELETE FROM steps WHERE id {in_removed}",
        f"UPDATE scores SET run = NULL WHERE step IN (SELECT id FROM steps WHERE trajectory {in_gone})",
        f"UPDATE steps SET trajectory = NULL WHERE trajectory {in_gone}",
        f"DELETE FROM trajectories WHERE id {in_gone}",
    ):
        db.execute(statement)


def _sweep(db: sqlite3.Connection) -> None:
    """Delete what was noted down and is needed by nobody any more."""
    db.execute("DELETE FROM earlier_notes WHERE note NOT IN (SELECT id FROM notes)")

    def noted(table: str) -> list[int]:
        return [row[0] for row in db.execute(f"SELECT id FROM loose_{table}")]

    _sweep_texts(db, noted("texts"))
    pictures: set[str] = set()
    for table, column in _SHARED:
        pictures |= _sweep_shared(db, table, column, noted(f"{table}_{column}"))
    pictures |= _sweep_items(db, noted("items"))
    _sweep_pictures(db, pictures)


def _spare(db: sqlite3.Connection, rows: Iterable[int]) -> None:
    db.execute("DELETE FROM spare")
    db.executemany("INSERT OR IGNORE INTO spare VALUES (?)", ((row,) for row in rows))


def _sweep_shared(db: sqlite3.Connection, table: str, column: str, rows: list[int]) -> set[str]:
    """Delete those of ``rows`` that no step uses any more; the pictures that the deleted sets named."""
    if not rows:
        return set()
    columns = ("sent", "picture") if table == "picture_sets" else (column,)
    _spare(db, rows)
    for used in columns:
        db.execute(f"DELETE FROM spare WHERE id IN (SELECT {used} FROM steps WHERE {used} IS NOT NULL)")
    pictures = set()
    if table == "picture_sets":
        for (content,) in db.execute(f"SELECT content FROM {table} WHERE id IN (SELECT id FROM spare)"):
            pictures |= in_set(content)
    db.execute(f"DELETE FROM {table} WHERE id IN (SELECT id FROM spare)")
    return pictures


def _sweep_texts(db: sqlite3.Connection, rows: list[int]) -> None:
    """Delete those of ``rows`` that no request holds any more."""
    if rows:
        _spare(db, rows)
        db.execute(
            "DELETE FROM spare WHERE id IN"
            " (SELECT value FROM calls, json_each(calls.texts) WHERE calls.texts IS NOT NULL)"
        )
        db.execute("DELETE FROM texts WHERE id IN (SELECT id FROM spare)")


def _sweep_items(db: sqlite3.Connection, rows: list[int]) -> set[str]:
    """Delete those of ``rows`` that nothing refers to any more; the pictures embedded in them."""
    _spare(db, rows)
    for table in ("trajectories", "trials", "assignments", "notes", "tags", "disputes"):
        db.execute(f"DELETE FROM spare WHERE id IN (SELECT item FROM {table} WHERE item IS NOT NULL)")
    db.execute("DELETE FROM spare WHERE id IN (SELECT item FROM scores WHERE run IS NULL)")
    pictures = set()
    for (content,) in db.execute("SELECT content FROM items WHERE id IN (SELECT id FROM spare)"):
        pictures |= embedded(content)
    db.execute("DELETE FROM items WHERE id IN (SELECT id FROM spare)")
    return pictures


def _sweep_pictures(db: sqlite3.Connection, candidates: set[str]) -> None:
    if candidates:
        spare = candidates - used_pictures(db)
        db.executemany("DELETE FROM pictures WHERE hash = ?", ((encoding.to_text(digest),) for digest in spare))


def in_set(content: str | bytes) -> set[str]:
    """Hashes of the pictures of a set as it was sent or answered."""
    return {picture.hash for picture in encoding.pictures_from_json(content)}


def embedded(content: str | bytes) -> set[str]:
    """Hashes of the pictures that an item's data file embeds."""
    return {picture["sha256"] for picture in encoding.from_json(content)["pictures"] if "sha256" in picture}


def used_pictures(db: sqlite3.Connection) -> set[str]:
    """Hashes of all pictures that were sent, answered or are embedded in an item."""
    used: set[str] = set()
    for (content,) in db.execute("SELECT content FROM picture_sets"):
        used |= in_set(content)
    for (content,) in db.execute("SELECT content FROM items WHERE instr(content, '\"sha256\"') > 0"):
        used |= embedded(content)
    return used
