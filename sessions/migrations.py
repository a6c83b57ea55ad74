"""Bringing a file's schema up to date: an ordered list of steps, applied through sqlite-utils.

The version of a file is the number of migrations it has had; SQLite's ``user_version`` holds it, so that an
up-to-date store is recognised, and a new one made, without importing sqlite-utils: that takes 0.3 s of CPU, and where
pandas is installed, which it imports too, 0.7 s and 65 MB.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final, TypeAlias

from sessions.schema import (
    APPLICATION_ID,
    BATCHES,
    FIRST,
    GONE,
    JUDGEMENTS,
    NOTEBOOK,
    QUOTAS,
    SERVED,
    SPENDING,
    STUDIES,
    VERDICTS,
)

Migration: TypeAlias = Callable[[sqlite3.Connection], None]

SET: Final = "phoropter"


def first(db: sqlite3.Connection) -> None:
    """All tables, with the tree of steps, calls, bit-packed scores and the covering index."""
    for statement in FIRST:
        db.execute(statement)


def served(db: sqlite3.Connection) -> None:
    """Who answered in each run."""
    for statement in SERVED:
        db.execute(statement)


def judgements(db: sqlite3.Connection) -> None:
    """What judges were asked, and why some of it gave no score."""
    for statement in JUDGEMENTS:
        db.execute(statement)


def spending(db: sqlite3.Connection) -> None:
    """What requests of a run may have cost without having been counted, and what was counted at hand."""
    for statement in SPENDING:
        db.execute(statement)


def batches(db: sqlite3.Connection) -> None:
    """The batch book."""
    for statement in BATCHES:
        db.execute(statement)


def notebook(db: sqlite3.Connection) -> None:
    """What people hold against scores and golds, and what their notes said before."""
    for statement in NOTEBOOK:
        db.execute(statement)


def studies(db: sqlite3.Connection) -> None:
    """Slots, versions and sessions of studies, exclusions, questionnaires, the monitor's wishes."""
    for statement in STUDIES:
        db.execute(statement)


def quotas(db: sqlite3.Connection) -> None:
    """Assignments of pilots and of simulated people apart from those of people."""
    for statement in QUOTAS:
        db.execute(statement)


def gone(db: sqlite3.Connection) -> None:
    """Which sittings were removed, so that no merge brings them back."""
    for statement in GONE:
        db.execute(statement)


def verdicts(db: sqlite3.Connection) -> None:
    """What graders said of answers, property by property."""
    for statement in VERDICTS:
        db.execute(statement)


MIGRATIONS: Final[tuple[tuple[str, Migration], ...]] = (
    ("0001_first", first),
    ("0002_served", served),
    ("0003_judgements", judgements),
    ("0004_spending", spending),
    ("0005_batches", batches),
    ("0006_notebook", notebook),
    ("0007_studies", studies),
    ("0008_quotas", quotas),
    ("0009_gone", gone),
    ("0010_verdicts", verdicts),
)
"""In order, for good: a released one is never changed, a new one is added at the end."""


def version_of(db: sqlite3.Connection) -> int:
    """How many migrations the file has had; 0 for a new file."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def is_ours(db: sqlite3.Connection) -> bool:
    """The file carries our mark, or is empty and may become ours."""
    if db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID:
        return True
    return int(db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]) == 0


def apply(db: sqlite3.Connection, migrations: Sequence[tuple[str, Migration]] = MIGRATIONS) -> None:
    """Apply what is missing, all of it in one transaction. The caller holds the store's lock.

    ``db`` is in autocommit mode (``isolation_level=None``).
    """
    had = version_of(db)
    db.execute("BEGIN IMMEDIATE")
    try:
        if had:
            _upgrade(db, migrations, had)
        else:
            for _, change in migrations:
                change(db)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
        db.execute(f"PRAGMA user_version = {len(migrations):d}")
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def _upgrade(db: sqlite3.Connection, migrations: Sequence[tuple[str, Migration]], had: int) -> None:
    """Those after the first ``had``, which sqlite-utils is told of where it does not know: a new file had them
    without it."""
    import sqlite_utils

    database = sqlite_utils.Database(db, execute_plugins=False)
    registry = sqlite_utils.Migrations(SET)
    for name, change in migrations[:had]:
        registry(name=name)(_on_connection(change))
    registry.ensure_migrations_table(database)
    database.table(registry.migrations_table).insert_all(
        {"migration_set": SET, "name": done.name, "applied_at": datetime.now(UTC).isoformat(sep=" ")}
        for done in registry.pending(database)
    )
    for name, change in migrations[had:]:
        registry(name=name)(_on_connection(change))
    registry.apply(database)


def _on_connection(change: Migration) -> Callable[[object], None]:
    """sqlite-utils hands its Database; ours take the plain connection."""

    def run(database: object) -> None:
        change(database.conn)  # type: ignore[attr-defined]

    return run
