"""Random damages to a small store: what reads it ends in an error of ours or in none, and the doctor never falls."""

from __future__ import annotations

import contextlib
import io
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from sessions.doctor import examine
from sessions.shape import tables
from tests.damaging import by_hand
from tests.fuzzing import NASTY, damaged, fuzzed
from tui.cli import run as command

READING = (
    ["runs", "--json"],
    ["report", "--json"],
    ["report", "--by", "rule"],
    ["show", "1", "--raw"],
    ["show", "voila-2"],
    ["export", "jsonl"],
    ["export", "csv"],
    ["export", "notes"],
    ["compare", "voila-WD-l2m-gpt", "voila-WD-l2m-oracle-describe-wrong-number", "--unmatched"],
)
VALUES = (*NASTY, *range(-2, 8), 2**40, 1.5, None, b"\xff\0", b"{", '{"a": 1}', "[1, 2]", '"x"', "[[1]]")


@contextlib.contextmanager
def a_copy(data: bytes) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "phoropter.db"
        path.write_bytes(data)
        path.chmod(0o600)
        yield path


def places(data: bytes) -> list[tuple[str, str]]:
    """The columns of the tables that hold something."""
    with a_copy(data) as path, contextlib.closing(sqlite3.connect(path)) as db:
        filled = [table for table in tables() if db.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone()]
        return [(table, row[1]) for table in filled for row in db.execute(f"PRAGMA table_info({table})")]


def overwrite(path: Path, table: str, column: str, where: float, value: object) -> None:
    """One cell, or (from 0.9 on) the whole column; what the table itself refuses stays as it was."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db, contextlib.suppress(sqlite3.Error):
        db.execute("PRAGMA foreign_keys = OFF")
        keys = [row[5] for row in db.execute(f"PRAGMA table_info({table})")]
        count = db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        key = next(row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[5] == 1) if any(keys) else "id"
        chosen = f"(SELECT {key} FROM {table} LIMIT 1 OFFSET {int(where * count)})"
        some = "" if where >= 0.9 else f" WHERE {key} = {chosen}"
        held = value.encode("utf-8", "surrogatepass") if isinstance(value, str) and not value.isprintable() else value
        db.execute(f'UPDATE {table} SET "{column}" = ?{some}', (held,))


def reads(path: Path, words: list[str]) -> None:
    """The command ends in its own words."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = command([*words, "--store", str(path)])
    assert status in (0, 1, 2)
    assert "fault of Phoropter" not in err.getvalue(), (words, err.getvalue())


@given(data=st.data())
@fuzzed(few=25, many=3_000)
def test_fuzz_cells_that_a_hand_overwrote(whole: bytes, data: st.DataObject) -> None:
    cell = st.tuples(st.sampled_from(places(whole)), st.floats(0, 1), st.sampled_from(VALUES))
    changes, words = data.draw(st.lists(cell, min_size=1, max_size=4)), data.draw(st.sampled_from(READING))
    with a_copy(whole) as path:
        for (table, column), where, value in changes:
            overwrite(path, table, column, where, value)
        reads(path, words)
        assert examine(path).to_json()


@given(data=st.data())
@fuzzed(few=10, many=1_000)
def test_fuzz_rows_that_a_hand_removed(whole: bytes, data: st.DataObject) -> None:
    row = st.tuples(st.sampled_from(places(whole)), st.integers(0, 20))
    gone, words = data.draw(st.lists(row, min_size=1, max_size=4)), data.draw(st.sampled_from(READING))
    with a_copy(whole) as path:
        for (table, column), which in gone:
            by_hand(
                path,
                f'DELETE FROM {table} WHERE "{column}" IN (SELECT "{column}" FROM {table} LIMIT 2 OFFSET {which})',
            )
        reads(path, words)
        assert examine(path).to_json()


@given(data=st.data())
@fuzzed(few=15, many=2_000)
def test_fuzz_bytes_that_a_disk_changed(whole: bytes, data: st.DataObject) -> None:
    words = data.draw(st.sampled_from(READING))
    with a_copy(data.draw(damaged(whole))) as path:
        reads(path, words)
        assert examine(path).to_json()
