"""Rows of another store into ours: found again by their keys or added, every number they hold translated.

Inside one writing transaction: all of it or nothing. Runs and trajectories have rules of their own (``joining``,
``paths``); what is here serves every table, also those that come later.
"""

# ruff: noqa: S608  (only identifiers from the schema are put into SQL; values are parameters)

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sessions import encoding
from sessions.exchange.numbers import Numbers
from sessions.exchange.tables import Table, tables_of

CONFLICTS_KEPT: Final = 1000


@dataclass(frozen=True, slots=True)
class JoinedRun:
    """What became of a run of the other store: ``added`` as ``name`` (which may differ from ``theirs``), or joined
    with ours of that name."""

    theirs: str
    name: str
    added: bool


@dataclass(slots=True)
class Carried:
    """What a merge or an import did. ``added`` counts new rows by table, ``renewed`` rows of ours that took what is
    later in theirs; ``conflicts`` are told in words, the first thousand of ``conflicting``; ``notices`` are what else
    a person should know."""

    added: Counter[str] = field(default_factory=Counter)
    renewed: Counter[str] = field(default_factory=Counter)
    runs: list[JoinedRun] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    conflicting: int = 0
    notices: list[str] = field(default_factory=list)

    def conflict(self, told: str) -> None:
        self.conflicting += 1
        if len(self.conflicts) < CONFLICTS_KEPT:
            self.conflicts.append(told)


class Carrier:
    """Carries rows from ``theirs``, which is only read, into ``ours``, inside the transaction that is open there."""

    def __init__(self, theirs: sqlite3.Connection, ours: sqlite3.Connection) -> None:
        self.theirs = theirs
        self.ours = ours
        self.tables = tables_of(ours)
        self.carried = Carried()
        self.numbers = {t.name: Numbers.of(theirs, t) for t in self.tables.values() if t.id}
        # rows above ``before`` came with this carrying, and are nobody's counterpart
        self.highest = {name: _one(ours, f"SELECT ifnull(max(id), 0) FROM {name}") for name in self.numbers}
        self.before = dict(self.highest)
        self._empty = {name: not _one(ours, f"SELECT EXISTS (SELECT 1 FROM {name})") for name in self.tables}
        self._taken: set[int] = set()  # rows of ours that a row of the table at hand was found in
        self._inserts: dict[tuple[str, bool], str] = {}

    def rows(self, table: Table, where: str = "") -> Iterator[dict[str, Any]]:
        """Their rows, one at a time; a list of names serves them all."""
        for row in self.theirs.execute(table.select(where)):
            yield dict(zip(table.columns, row, strict=True))

    def carry(self, table: Table, change: Callable[[dict[str, Any], dict[str, Any]], bool] | None = None) -> None:
        """All their rows of a table. ``change`` sees a row as theirs and as translated, may change the latter, and
        says whether to carry it."""
        self._taken.clear()
        for theirs in self.rows(table):
            row = self.translated(table, theirs)
            if row is None or (change is not None and not change(theirs, row)):
                continue
            number = self.place(table, theirs, row)
            if table.id:
                self.numbers[table.name].put(theirs[table.id], number)

    def place(self, table: Table, theirs: Mapping[str, Any], row: dict[str, Any]) -> int:
        """The translated row in ours: found there and brought up to date, or added. Its number, 0 without one."""
        found = None if self._empty[table.name] else self._found(table, row)
        if found is None:
            return self.add(table, theirs, row)
        self._renew(table, found, row)
        return int(found[table.id]) if table.id else 0

    def translated(self, table: Table, theirs: Mapping[str, Any]) -> dict[str, Any] | None:
        """Their row with our numbers. None where what it belongs to was not carried."""
        row = {column: theirs[column] for column in table.data}
        for column, of in table.references.items():
            if row[column] is not None:
                number = self.numbers[of].get(row[column])
                if not number and column not in table.rule.loose:
                    return None
                row[column] = number or None
        if row.get("texts") is not None and table.name == "calls":
            texts = [self.numbers["texts"].get(text) for text in encoding.from_json(row["texts"])]
            row["texts"] = encoding.to_json(texts)
        return row

    def add(self, table: Table, theirs: Mapping[str, Any], row: Mapping[str, Any]) -> int:
        """A new row of ours. It keeps its number where that is above all of ours: into an empty store each does."""
        name = table.name
        keeps = bool(table.id) and theirs[table.id] > self.highest[name]
        columns = (table.id, *table.data) if keeps else table.data
        insert = self._inserts.get((name, keeps))
        if insert is None:
            listed, marks = ", ".join(f'"{column}"' for column in columns), ", ".join("?" * len(columns))
            insert = self._inserts[name, keeps] = f"INSERT INTO {name} ({listed}) VALUES ({marks})"
        values = [row[column] for column in table.data]
        cursor = self.ours.execute(insert, [theirs[table.id], *values] if keeps else values)
        self.carried.added[name] += 1
        if not table.id:
            return 0
        assert cursor.lastrowid is not None
        self.highest[name] = max(self.highest[name], cursor.lastrowid)
        return cursor.lastrowid

    # -- inside

    def _found(self, table: Table, row: Mapping[str, Any]) -> dict[str, Any] | None:
        """Ours of the same key. Of several alike each is taken once, in order."""
        same = " AND ".join(f'"{column}" IS ?' for column in table.key)
        order = f" ORDER BY {table.id}" if table.id else ""
        for found in self.ours.execute(
            f"SELECT {table.listed()} FROM {table.name} WHERE {same}{order}", [row[column] for column in table.key]
        ):
            ours = dict(zip(table.columns, found, strict=True))
            if not table.id:
                return ours
            if ours[table.id] <= self.before[table.name] and ours[table.id] not in self._taken:
                self._taken.add(ours[table.id])
                return ours
        return None

    def _renew(self, table: Table, ours: Mapping[str, Any], row: Mapping[str, Any]) -> None:
        rule = table.rule
        changes = {c: row[c] for c in rule.filled if ours[c] is None and row[c] is not None}
        if rule.newer is not None and rule.newer(ours, row):
            changes |= {column: row[column] for column in rule.renewed}
            if table.name == "notes":
                self._remember(ours["id"], ours["text"], ours["updated"])
        elif table.name == "notes" and ours["text"] != row["text"]:
            self._remember(ours["id"], row["text"], row["updated"])
        if changes:
            key = (table.id,) if table.id else table.key
            where = " AND ".join(f'"{column}" IS ?' for column in key)
            listed = ", ".join(f'"{column}" = ?' for column in changes)
            self.ours.execute(
                f"UPDATE {table.name} SET {listed} WHERE {where}", [*changes.values(), *(ours[c] for c in key)]
            )
            self.carried.renewed[table.name] += 1

    def _remember(self, note: int, text: str | bytes, written: int) -> None:
        """What a note said, beside what it says."""
        self.ours.execute(
            "INSERT INTO earlier_notes (note, text, written) SELECT ?1, ?2, ?3 WHERE NOT EXISTS"
            " (SELECT 1 FROM earlier_notes WHERE note = ?1 AND text = ?2 AND written = ?3)",
            (note, text, written),
        )


def _one(db: sqlite3.Connection, query: str) -> int:
    return int(db.execute(query).fetchone()[0])
