"""The ledger: a line for each call to a server or a local model."""

# ruff: noqa: S608  (only identifiers from constants of this house are put into SQL; values are parameters)

from __future__ import annotations

import sqlite3
from typing import Final

from core.records import JUDGING, Call
from core.respondents.batch_book import Standing
from sessions import encoding
from sessions.vocabulary import Vocabulary

_FILL: Final = (
    f"UPDATE calls SET ({encoding.CALL_COLUMNS}) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?), trajectory = ?,"
    f" batch_id = iif(pending = {Standing.AGAIN:d}, NULL, batch_id), pending = 0 WHERE id = ? AND run = ?"
)


def enter(
    db: sqlite3.Connection, words: Vocabulary, call: Call, run: int, trajectory: int | None, repeat: int
) -> int:
    """One line more, or that which a batch began filled in where it stands; its row. Inside the writing transaction
    only."""
    values = encoding.call_values(call, lambda text: words.text(db, text))
    if call.served_model and call.purpose != JUDGING:
        words.served(db, run, call)
    if call.id and db.execute(_FILL, (*values, trajectory, call.id, run)).rowcount:
        return call.id
    cursor = db.execute(
        f"INSERT INTO calls (run, trajectory, repeat, created, {encoding.CALL_COLUMNS})"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            run,
            trajectory,
            repeat,
            encoding.now_ms(),
            *values,
        ),
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid
