"""A store from elsewhere may hold more than our tables: its names are no SQL here, its triggers get no functions."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sessions import doctor
from sessions.exchange.merging import merge
from sessions.exchange.tables import tables_of
from sessions.exchange.writing import write_lines
from sessions.journal import StoreJournal
from sessions.store import Store, connect
from tests.stored import a_run, an_item, walk

EVIL = (
    """x" UNION SELECT name, 1 FROM sqlite_master; DROP TABLE steps; --""",
    "runs WHERE 0 UNION SELECT * FROM runs",
    "(SELECT writefile('gone', 'x'))",
)


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    """A good store with tables whose names are SQL, a view, and a column of that kind in a table of ours."""
    path = tmp_path / "strange.db"
    with Store.open(path) as store:
        asyncio.run(walk(StoreJournal(store, a_run(store)), an_item()))
    with closing(sqlite3.connect(path)) as db:
        for name in EVIL:
            quoted = name.replace('"', '""')
            db.execute(f'CREATE TABLE "{quoted}" (id INTEGER PRIMARY KEY, "a, (SELECT 1)" TEXT)')
            db.execute(f'INSERT INTO "{quoted}" VALUES (1, ?)', ("x",))
        db.execute('ALTER TABLE texts ADD COLUMN "x, (SELECT 1) AS y" TEXT')
        db.execute("CREATE VIEW seen AS SELECT load_extension('evil')")
        db.commit()
    return path


def test_it_is_examined_exported_and_merged_like_any_other(strange: Path, tmp_path: Path) -> None:
    found = doctor.examine(strange)
    assert found.counts[EVIL[0]] == 1
    assert found.counts["steps"] == 3
    lines: list[str] = []
    with Store.open(strange) as store:
        assert not set(EVIL) & set(tables_of(store.reader()))
        assert tables_of(store.reader())["texts"].columns[:2] == ("id", "hash")
        write_lines(store, None, lines.append)
    assert not any("writefile" in line or "UNION" in line for line in lines)
    with Store.open(tmp_path / "ours.db") as ours:
        carried = merge(ours, strange)
        assert carried.added["steps"] == 3
        assert doctor.examine(ours.path).sound


def test_what_stands_in_a_schema_calls_no_function_that_acts(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    Store.open(path).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TRIGGER evil BEFORE INSERT ON texts BEGIN SELECT acts(new.hash); END")
        db.commit()
    with closing(connect(path)) as db:
        db.create_function("acts", 1, lambda text: text)
        with pytest.raises(sqlite3.OperationalError, match="unsafe use of acts"):
            db.execute("INSERT INTO texts (hash, content) VALUES ('a', 'b')")
