from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from sessions.migrations import MIGRATIONS
from sessions.store import Store


def test_assignments_of_an_older_store_keep_their_places_as_those_of_main_sessions(path: Path) -> None:
    def fill(db: sqlite3.Connection) -> None:
        db.execute("INSERT INTO studies (name, digest, configuration, seed, created) VALUES ('s', 'd', '{}', 0, 1)")
        db.execute(
            "INSERT INTO items (benchmark, subset, key, hash, groups, content)"
            " VALUES ('voila', 'ND', 'a', x'00', '{}', '{}')"
        )
        db.execute("INSERT INTO assignments (study, item, part, slot, place, state) VALUES (1, 1, 2, 7, 3, 'done')")

    with Store.open(path, schema=MIGRATIONS[:7]) as old:
        old.write(fill)
    with Store.open(path) as store:
        rows = store.reader().execute("SELECT study, kind, item, part, slot, place, state, block FROM assignments")
        assert rows.fetchall() == [(1, "main", 1, 2, 7, 3, "done", 0)]

        def again(kind: str) -> None:
            store.write(
                lambda db: db.execute(
                    "INSERT INTO assignments (study, kind, item, part) VALUES (1, ?, 1, 2)", (kind,)
                )
            )

        again("pilot")
        with pytest.raises(Exception, match="UNIQUE"):
            again("main")
