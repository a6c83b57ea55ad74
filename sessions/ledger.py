"""The ledger: a line for each call to a server or a local model."""

# ruff: noqa: S608  (only identifiers from constants of this house are put into SQL; values are parameters)

from __future__ import annotations

import sqlite3

from core.records import JUDGING, Call
from sessions import encoding
from sessions.vocabulary import Vocabulary


def enter(
    db: sqlite3.Connection, words: Vocabulary, call: Call, run: int, trajectory: int | None, repeat: int
) -> int:
    """One line more; its row. Inside the writing transaction only."""
    cursor = db.execute(
        f"INSERT INTO calls (run, trajectory, repeat, created, {encoding.CALL_COLUMNS})"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            run,
            trajectory,
            repeat,
            encoding.now_ms(),
            *encoding.call_values(call, lambda text: words.text(db, text)),
        ),
    )
    assert cursor.lastrowid is not None
    if call.served_model and call.purpose != JUDGING:
        words.served(db, run, call)
    return cursor.lastrowid
