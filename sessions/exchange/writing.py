"""Runs as JSON lines, from which the same store can be made again: one object a line, a table at a time."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.records import Json
from core.version import own_version
from sessions import encoding, migrations
from sessions.exchange.lines import END, FORMAT, VERSION, Lines, dumped
from sessions.exchange.selection import Selection, with_what_belongs
from sessions.exchange.tables import tables_of
from sessions.store import Store, connect


@dataclass(frozen=True, slots=True)
class Written:
    """What went out: the runs by row (all where none was named), rows by table, the SHA-256 of the lines."""

    runs: tuple[int, ...]
    rows: Counter[str]
    digest: str


def write_lines(
    store: Store, runs: Sequence[int] | None, put: Callable[[str], object], *, pictures: bool = True
) -> Written:
    """Hand the lines of these runs (None: of the whole store) to ``put``, each with its end of line.

    A run that stands on another's steps takes that one with it, one of a sitting the other runs of that. All of one
    moment; memory does not grow with the store. Without ``pictures`` their bytes stay behind, named by their hash.
    """
    db = connect(store.path, read_only=True)
    try:
        db.execute("BEGIN")
        return _write(db, runs, put, pictures=pictures)
    finally:
        db.close()


def _write(
    db: sqlite3.Connection, runs: Sequence[int] | None, put: Callable[[str], object], *, pictures: bool
) -> Written:
    chosen = None if runs is None else with_what_belongs(db, runs)
    tables = tables_of(db)
    selection = Selection(db, tables, chosen)
    digest, rows = hashlib.sha256(), Counter[str]()

    def line(value: Json) -> None:
        text = dumped(value) + "\n"
        digest.update(text.encode("ascii"))
        put(text)

    schema = migrations.version_of(db)
    header = {"format": "jsonl", "version": VERSION, "schema": schema, "app": own_version(), "pictures": pictures}
    line({FORMAT: {**header, "whole": chosen is None, "created": encoding.now_ms()}})
    for name, table in tables.items():
        lines = Lines(table)
        for row in db.execute(selection.query(table)):
            said = lines.said(row)
            if name == "pictures" and not pictures:
                del said["bytes"]
            line({name: said})
            rows[name] += 1
    line({END: {"lines": rows.total() + 2}})
    every = [row for (row,) in db.execute("SELECT id FROM runs ORDER BY id")] if chosen is None else sorted(chosen)
    return Written(tuple(every), rows, digest.hexdigest())
