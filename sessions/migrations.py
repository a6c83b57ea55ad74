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

from sessions.schema import APPLICATION_ID, BATCHES, EXTENTS, FIRST, JUDGEMENTS, NOTEBOOK, SERVED, SPENDING, STATUSES
from sessions.studies.schema import GONE, QUOTAS, STUDIES, VERDICTS

Migration: TypeAlias = Callable[[sqlite3.Connection], None]

SET: Final = "phoropter"


def of_statements(statements: Sequence[str]) -> Migration:
    """A migration that is these statements, one after the other."""

    def change(db: sqlite3.Connection) -> None:
        for statement in statements:
            db.execute(statement)

    return change


MIGRATIONS: Final[tuple[tuple[str, Migration], ...]] = (
    # all tables, with the tree of steps, calls, bit-packed scores and the covering index
    ("0001_first", of_statements(FIRST)),
    # who answered in each run
    ("0002_served", of_statements(SERVED)),
    # what judges were asked, and why some of it gave no score
    ("0003_judgements", of_statements(JUDGEMENTS)),
    # what requests of a run may have cost without having been counted, and what was counted at hand
    ("0004_spending", of_statements(SPENDING)),
    # the batch book
    ("0005_batches", of_statements(BATCHES)),
    # what people hold against scores and golds, and what their notes said before
    ("0006_notebook", of_statements(NOTEBOOK)),
    # slots, versions and sessions of studies, exclusions, questionnaires, the monitor's wishes
    ("0007_studies", of_statements(STUDIES)),
    # assignments of pilots and of simulated people apart from those of people
    ("0008_quotas", of_statements(QUOTAS)),
    # which sittings were removed, so that no merge brings them back
    ("0009_gone", of_statements(GONE)),
    # what graders said of answers, property by property
    ("0010_verdicts", of_statements(VERDICTS)),
    # how many trajectories were asked for
    ("0011_extents", of_statements(EXTENTS)),
    # which answers were cut off, empty or refused
    ("0012_statuses", of_statements(STATUSES)),
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
