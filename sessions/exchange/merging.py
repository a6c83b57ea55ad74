"""Joining stores: everything of one into another, in one transaction; the other one is only read."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.errors import StoreError, UsageError
from sessions import encoding, links, migrations, orphans, unwritable
from sessions.exchange.carrying import Carried, Carrier
from sessions.exchange.joining import Joining
from sessions.exchange.paths import Paths
from sessions.exchange.people import People
from sessions.store import OlderStoreError, Store, backup, connect


def merge(ours: Store, other: Path) -> Carried:
    """Everything of the store at ``other`` into ``ours``: all of it, or nothing where it fails or is killed.

    Items are the same by their hash; runs of one identity are joined, others put beside ours; doing it twice adds
    nothing. ``other`` is never written: one of an older schema is migrated in a copy. Raises StoreError where it is
    no store, UsageError where it is the same one.
    """
    if other.exists() and other.samefile(ours.path):
        raise UsageError("a store cannot be merged into itself", where=str(other), remedy="Name two stores")
    with readable(other) as theirs:
        return ours.write(lambda db: carry_all(theirs, db))


@contextmanager
def readable(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that reads a store of this or an older schema, all of one moment. Raises StoreError."""
    with tempfile.TemporaryDirectory(prefix="phoropter-") as folder, unwritable.place_of(path) as place:
        path = place.path
        try:
            Store.open(path, create=False, read_only=True).close()
        except OlderStoreError:
            copy = Path(folder) / "copy.db"
            backup(path, copy)
            path = copy
            migrated = connect(copy)
            try:
                migrations.apply(migrated)
            finally:
                migrated.close()
        connection = connect(path, read_only=True, blind=place.blind)
        try:
            connection.execute("BEGIN")
            _refuse_damaged(connection, path)
            yield connection
        finally:
            connection.close()


def _refuse_damaged(theirs: sqlite3.Connection, path: Path) -> None:
    """What is half there would be half carried."""
    try:
        found = str(theirs.execute("PRAGMA quick_check(1)").fetchone()[0])
        what = orphans.broken(theirs) or links.contradiction(theirs) if found == "ok" else found
    except sqlite3.DatabaseError as error:
        what = str(error)
    if what:
        told = " ".join(what.split())[:200]
        raise StoreError(f"the store is damaged: {told}", where=str(path), remedy="`phoropter doctor` says more")


def carry_all(theirs: sqlite3.Connection, ours: sqlite3.Connection) -> Carried:
    """Every row of a store that ours lacks, inside the transaction that is open on ``ours``."""
    carrier = Carrier(theirs, ours)
    people = People(carrier)
    joining = Joining(carrier, people.left)
    paths = Paths(carrier)
    scores = _Scores(carrier, paths)
    changes = {
        "participants": people.person,
        "studies": people.study,
        "sessions": people.sitting,
        "assignments": people.assignment,
        "scores": scores.score,
        "readings": scores.beside,
        "gradings": scores.beside,
    }
    changes |= dict.fromkeys(("notes", "tags", "disputes", "verdicts"), people.written)
    changes |= {"scorers": people.scorer, "calls": people.call}
    own = {"runs": joining.runs, "trajectories": paths.trajectories, "steps": paths.steps}
    for name, table in carrier.tables.items():
        if name in own:
            own[name]()
        else:
            carrier.carry(table, changes.get(name))
    paths.heads()
    people.sweep()
    return carrier.carried


class _Scores:
    """A score of the same scorer and version that says something else is named; ours stands."""

    def __init__(self, carrier: Carrier, paths: Paths) -> None:
        self._carrier = carrier
        self._paths = paths
        self._differing: set[tuple[int, int]] = set()

    def score(self, theirs: Mapping[str, Any], row: dict[str, Any]) -> bool:
        """Whether to carry it; on a trajectory that became a fork, its answers count as a fork's."""
        ours = self._carrier.ours
        if self._paths.aside and row["counted"] == encoding.OWN:
            trajectory = ours.execute("SELECT trajectory FROM steps WHERE id = ?", (row["step"],)).fetchone()[0]
            if trajectory in self._paths.aside:
                row["counted"] = encoding.OWN_ON_FORK
        if row["step"] > self._carrier.before["steps"]:
            return True
        found = ours.execute(
            "SELECT status, right, scored FROM scores WHERE step = ? AND scorer = ?", (row["step"], row["scorer"])
        ).fetchone()
        if found is None or found == (row["status"], row["right"], row["scored"]):
            return True
        self._differing.add((row["step"], row["scorer"]))
        name, item, step = ours.execute(
            "SELECT scorers.name, items.key, step_names.name FROM scorers, items, step_names"
            " WHERE scorers.id = ? AND items.id = ? AND step_names.id = ?",
            (row["scorer"], row["item"], row["name"]),
        ).fetchone()
        told = " ".join(map(encoding.from_text, (item, step)))
        self._carrier.carried.conflict(f"{told}: {encoding.from_text(name)} scored it differently; ours stands")
        return False

    def beside(self, theirs: Mapping[str, Any], row: dict[str, Any]) -> bool:
        """What hangs on a score goes where it goes."""
        return (row["step"], row["scorer"]) not in self._differing
