"""Tables, indexes and triggers that a store of this version has, and what of them is missing or otherwise."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import NamedTuple

from sessions.migrations import MIGRATIONS


class Part(NamedTuple):
    """An object of the schema by its kind (table, index, trigger) and name."""

    kind: str
    name: str


def missing(db: sqlite3.Connection) -> dict[Part, str]:
    """What the store lacks, or has of that name and made otherwise, with the statement that makes it.

    A table lacks something where it lacks a column: how SQLite writes down a table that was altered is its own.
    """
    found = {part: _words(made) for part, made in _parts(db).items()}
    with closing(sqlite3.connect(":memory:")) as plain:
        _make(plain)
        return {
            part: made
            for part, made in _parts(plain).items()
            if (
                _columns(plain, part) - _columns(db, part)
                if part.kind == "table"
                else found.get(part) != _words(made)
            )
        }


def made_by(db: sqlite3.Connection) -> int:
    """How many migrations these tables have had, by the columns that are there, and where a migration made indexes
    alone by those; 0 for no store's."""
    if not any(part.kind == "table" for part in _parts(db)):
        return 0
    for count in range(len(MIGRATIONS), 0, -1):
        with closing(sqlite3.connect(":memory:")) as plain:
            _make(plain, count - 1)
            before = _parts(plain)
            MIGRATIONS[count - 1][1](plain)
            parts = _parts(plain)
            added = parts.keys() - before.keys()
            if added and all(part.kind == "index" for part in added) and not added & _parts(db).keys():
                continue
            tables = [part for part in parts if part.kind == "table"]
            if all(_columns(plain, table) <= _columns(db, table) for table in tables):
                return count
    return 0


def is_half(db: sqlite3.Connection) -> bool:
    """Of a file with no version of ours, and not all tables of any: whether there are some. Another process may be
    making the store, whose tables and version are there at once."""
    return bool(_parts(db)) and not db.execute("PRAGMA user_version").fetchone()[0]


def _make(db: sqlite3.Connection, count: int = len(MIGRATIONS)) -> None:
    for _, change in MIGRATIONS[:count]:
        change(db)


def _parts(db: sqlite3.Connection) -> dict[Part, str]:
    rows = db.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
    )
    return {Part(kind, name): made for kind, name, made in rows}


def _columns(db: sqlite3.Connection, table: Part) -> set[str]:
    return {name for (name,) in db.execute("SELECT name FROM pragma_table_info(?)", (table.name,))}


def _words(made: str) -> str:
    return " ".join(made.split())
