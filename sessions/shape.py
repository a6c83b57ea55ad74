"""Tables, indexes and triggers that a store of a version has, what of them is missing or otherwise, and what there is
beside them."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from functools import cache
from typing import Final, NamedTuple

from sessions.migrations import MIGRATIONS

NOW: Final = len(MIGRATIONS)
BY_SQLITE_UTILS: Final = "_sqlite_migrations"
"""The table that it keeps in a store that was migrated."""
_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")  # the statement is for a shell


class Part(NamedTuple):
    """An object of the schema by its kind (table, index, trigger) and name."""

    kind: str
    name: str


def missing(db: sqlite3.Connection, version: int = NOW) -> dict[Part, str]:
    """What the store lacks, or has of that name and made otherwise, with the statement that makes it.

    A table lacks something where it lacks a column: how SQLite writes down a table that was altered is its own.
    """
    found = {part: _words(made) for part, made in _parts(db).items()}
    wanted, columns = _of(version)
    return {
        part: made
        for part, made in wanted.items()
        if (columns[part] - _columns(db, part) if part.kind == "table" else found.get(part) != _words(made))
    }


def added(db: sqlite3.Connection, version: int = NOW) -> dict[Part, str]:
    """What the store has beside what that version makes, with the statement that removes it ("" where a name is no
    plain word): nobody of ours made it, or a later version did. A column is told as ``TABLE.COLUMN``."""
    wanted, columns = _of(version)
    out = {}
    for part in _parts(db):
        if part in wanted and part.kind == "table":
            for column in sorted(_columns(db, part) - columns[part]):
                told = f"ALTER TABLE {part.name} DROP COLUMN {column}"
                out[Part("column", f"{part.name}.{column}")] = told if _PLAIN.fullmatch(column) else ""
        elif part not in wanted and part.name != BY_SQLITE_UTILS:
            out[part] = f"DROP {part.kind.upper()} {part.name}" if _PLAIN.fullmatch(part.name) else ""
    return out


def unlike(db: sqlite3.Connection, version: int) -> str:
    """What of the tables is not as a store of that version has them and the migrations after it need them, in words;
    "" where all is."""
    lacking = next(iter(missing(db, version)), None)
    if lacking is not None:
        return f"the {lacking.kind} {lacking.name} is missing, or not as it was made"
    later = _of(NOW)[0].keys() - _of(version)[0].keys()
    early = next((part for part in _parts(db) if part in later), None)
    return f"the {early.kind} {early.name} is of a later version" if early is not None else ""


def tables() -> list[str]:
    """The tables that a store of this version has."""
    return sorted(part.name for part in _of(NOW)[0] if part.kind == "table")


class Column(NamedTuple):
    """A column as this version has it: its kind as it was declared, and its place in the primary key from 1 on."""

    name: str
    kind: str
    key: int


@cache
def columns(table: str) -> tuple[Column, ...]:
    """Those of a table of this version, whatever another program put into a store."""
    with closing(sqlite3.connect(":memory:")) as plain:
        _make(plain)
        return tuple(
            Column(*row) for row in plain.execute("SELECT name, type, pk FROM pragma_table_info(?)", (table,))
        )


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


@cache
def _of(version: int) -> tuple[dict[Part, str], dict[Part, set[str]]]:
    """Every part that a store of that version has, and the columns of its tables."""
    with closing(sqlite3.connect(":memory:")) as plain:
        _make(plain, version)
        parts = _parts(plain)
        return parts, {part: _columns(plain, part) for part in parts if part.kind == "table"}


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
