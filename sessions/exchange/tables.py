"""The store's tables as exchange sees them: read from the schema itself, with a line for what it cannot tell.

A new table is carried without a word here: its references are its foreign keys, its key is its first unique index, or
all its columns where it has none. A line in ``RULES`` says otherwise.
"""

# ruff: noqa: S608  (only identifiers from the schema are put into SQL; values are parameters)

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any, Final, TypeAlias

Row: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Rule:
    """What the schema does not say of a table.

    ``key``: the columns that tell its rows apart (rows alike in them are taken one for one, in order). ``newer``
    says of a row that both stores have, (ours, theirs), whether theirs takes the place of ours in the columns
    ``renewed``. ``filled`` are columns that theirs fills in where ours has nothing. ``loose`` are references that
    become empty where the row referred to was not carried; any other takes its row out.
    """

    key: tuple[str, ...] = ()
    newer: Callable[[Row, Row], bool] | None = None
    renewed: tuple[str, ...] = ()
    filled: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()


_OURS: Final = re.compile(r"[a-z][a-z0-9_]*")
"""How tables and columns of ours are called."""


def _later(column: str) -> Callable[[Row, Row], bool]:
    return lambda ours, theirs: (theirs[column] or 0) > (ours[column] or 0)


def _earlier(column: str) -> Callable[[Row, Row], bool]:
    return lambda ours, theirs: bool(theirs[column] < ours[column])


def _now_has(column: str) -> Callable[[Row, Row], bool]:
    return lambda ours, theirs: ours[column] is None and theirs[column] is not None


def _seen(ours: Row, theirs: Row) -> bool:
    return (theirs.get("seen") or 0) > (ours.get("seen") or 0)


_FILLED: Final = {"claimed": 1, "done": 2}  # what a station did with an assignment goes before what was dealt to it

RULES: Final[Mapping[str, Rule]] = {
    "calls": Rule(
        ("purpose", "request_hash", "repeat", "created"),
        newer=lambda ours, theirs: ours["pending"] != 0 and theirs["pending"] == 0,  # come back from a batch since
        renewed=(
            *("request", "texts", "reply", "served_model", "attempts", "seconds", "prompt_tokens"),
            *("completion_tokens", "cost", "error", "pending", "batch_id"),
        ),
        filled=("run", "trajectory"),
        loose=("run", "trajectory"),
    ),
    "steps": Rule(loose=("call",)),
    "judgements": Rule(("step", "scorer", "created", "error"), filled=("call",), loose=("call",)),
    "batches": Rule(newer=_later("updated"), renewed=("remote", "file", "state", "ended", "updated")),
    # an upper bound of what went unnoted: of two stores of one run the larger one
    "spending": Rule(newer=_later("uncertain"), renewed=("uncertain",)),
    "extents": Rule(newer=_later("trajectories"), renewed=("trajectories",)),
    "notes": Rule(
        ("item", "run", "trajectory", "step", "author"),  # one author has one note on each
        newer=_later("updated"),
        renewed=("text", "updated"),
    ),
    "tags": Rule(("tag", "item", "run", "step", "author", "created")),
    "disputes": Rule(("item", "step", "author", "reason", "corrected", "withdrawn", "created")),
    "scorers": Rule(newer=_earlier("created"), renewed=("created",)),  # which version is the newer one goes by it
    "studies": Rule(newer=_now_has("frozen"), renewed=("state", "frozen")),
    "sessions": Rule(
        ("uid", "study", "participant", "kind", "seed", "created"),
        newer=lambda ours, theirs: ours["ended"] is None and (theirs["ended"] is not None or _seen(ours, theirs)),
        renewed=("run", "state", "slot", "details", "ended", "seen", "station", "experimenter"),
    ),
    "assignments": Rule(
        # without a sitting of its own it is what was told to a station when it was dealt to: ours knows better
        newer=lambda ours, theirs: (
            theirs["session"] is not None and _FILLED.get(theirs["state"], 0) > _FILLED.get(ours["state"], 0)
        ),
        renewed=("session", "state", "lease_until"),
        loose=("session",),
    ),
    "trials": Rule(newer=_now_has("ended"), renewed=("trajectory", "shown", "ended", "timed_out", "details")),
    "exclusions": Rule(
        ("session", "rule", "reason", "author", "created"), newer=_now_has("lifted"), renewed=("lifted",)
    ),
    "wishes": Rule(("session", "wish", "text", "author", "created"), newer=_now_has("done"), renewed=("done",)),
    "responses": Rule(("trial", "step", "created")),
    "exports": Rule(("kind", "target", "digest", "created")),
}


@dataclass(frozen=True, slots=True)
class Table:
    """One table. ``id`` is its integer key, "" where it has none; ``references`` maps a column to the table whose id
    it holds; ``types`` are the columns' declared types."""

    name: str
    columns: tuple[str, ...]
    id: str
    references: Mapping[str, str]
    key: tuple[str, ...]
    types: Mapping[str, str]
    rule: Rule

    def select(self, where: str = "") -> str:
        """All columns, in the order that rows were made in."""
        order = self.id or ", ".join(f'"{column}"' for column in self.key)
        return f"SELECT {self.listed()} FROM {self.name} {where} ORDER BY {order}"

    def listed(self) -> str:
        return ", ".join(f'"{column}"' for column in self.columns)

    @property
    def data(self) -> tuple[str, ...]:
        """The columns but for its own id."""
        return tuple(column for column in self.columns if column != self.id)


def tables_of(db: sqlite3.Connection) -> dict[str, Table]:
    """Every table of ours, those that are referred to before those that refer to them, and exclusions before
    assignments: whether a sitting's count hangs on them."""
    names = [
        name
        for (name,) in db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
            " AND name NOT LIKE '~_%' ESCAPE '~' ORDER BY name"
        )
        if _OURS.fullmatch(name)  # a file from elsewhere may hold tables whose names are SQL of their own
    ]
    keys = {name: _foreign_keys(db, name) for name in names}
    before = {name: {table for table, _ in keys[name].values()} - {name} for name in names}
    before["assignments"].add("exclusions")
    order = TopologicalSorter(before)
    return {name: _table(db, name, keys) for name in order.static_order()}


def _foreign_keys(db: sqlite3.Connection, name: str) -> dict[str, tuple[str, str]]:
    return {
        column: (table, to or "id") for _, _, table, column, to, *_ in db.execute(f"PRAGMA foreign_key_list({name})")
    }


def _table(db: sqlite3.Connection, name: str, keys: Mapping[str, Mapping[str, tuple[str, str]]]) -> Table:
    info = db.execute(f"PRAGMA table_info({name})").fetchall()
    columns = tuple(column for _, column, *_ in info if _OURS.fullmatch(column))
    primary = tuple(column for _, column, _, _, _, place in sorted(info, key=lambda row: row[5]) if place)
    is_integer = {column for _, column, type_, *_ in info if type_ == "INTEGER"}
    own_id = "id" if primary == ("id",) and "id" in is_integer else ""
    references = {}
    for column in columns:
        table = _refers_to(name, column, keys)
        if table:
            references[column] = table
    rule = RULES.get(name, Rule())
    found = rule.key or (() if own_id else primary) or _first_unique(db, name, columns)
    return Table(
        name,
        columns,
        own_id,
        references,
        found or tuple(column for column in columns if column != own_id),
        {column: type_ for _, column, type_, *_ in info},
        rule,
    )


def _refers_to(table: str, column: str, keys: Mapping[str, Mapping[str, tuple[str, str]]]) -> str:
    """The table whose id this column holds, through tables whose key is itself a reference."""
    while column in keys[table]:
        table, column = keys[table][column]
        if column == "id":
            return table
    return ""


def _first_unique(db: sqlite3.Connection, name: str, columns: tuple[str, ...]) -> tuple[str, ...]:
    for _, index, unique, _, partial in db.execute(f"PRAGMA index_list({name})").fetchall():
        of = tuple(column for *_, column in db.execute(f"PRAGMA index_info({index})"))
        if unique and not partial and set(of) <= set(columns):  # an index on an expression has no columns
            return of
    return ()
