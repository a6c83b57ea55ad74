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
# the partial index is for what is pending, and its words must stand here for it to be taken
_AGAIN: Final = f"run = ? AND pending <> 0 AND pending = {Standing.AGAIN:d} AND repeat = ? AND request_hash ="
_LEFT_OVER: Final = f"SELECT id FROM calls WHERE {_AGAIN} ?"
_NOT_ASKED: Final = (
    f"UPDATE calls SET pending = 0, batch_id = NULL, error = ? WHERE {_AGAIN} (SELECT request_hash FROM calls"
    " WHERE id = ?)"
)


def enter(
    db: sqlite3.Connection, words: Vocabulary, call: Call, run: int, trajectory: int | None, repeat: int
) -> int:
    """One line more, or that which a batch began or left over filled in where it stands; its row. Inside the writing
    transaction only."""
    values = encoding.call_values(call, lambda text: words.text(db, text))
    if call.served_model and call.purpose != JUDGING:
        words.served(db, run, call)
    row = call.id or _left_over(db, call, run, repeat)
    if row and db.execute(_FILL, (*values, trajectory, row, run)).rowcount:
        return row
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


def recalled(db: sqlite3.Connection, call: int, run: int, repeat: int) -> None:
    """What that call was answered serves this run too: a line that a batch left over of the same request is not asked
    again. Inside the writing transaction only."""
    db.execute(_NOT_ASKED, ("not asked again: recalled", run, repeat, call))


def _left_over(db: sqlite3.Connection, call: Call, run: int, repeat: int) -> int:
    found = db.execute(_LEFT_OVER, (run, repeat, encoding.to_hash(call.request_hash))).fetchone()
    return 0 if found is None else int(found[0])
