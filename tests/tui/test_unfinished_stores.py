"""Files whose making was broken off, in every state a kill can leave: a line that says what to do, or it works."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import StoreError
from sessions.schema import APPLICATION_ID, FIRST
from sessions.store import Store
from tui.cli import run
from tui.cli.opened import Opened

NOTHING = "there is nothing in this file yet. Run something first"
NO_RUNS = "the store holds no runs"
MISSING = "some of the store's tables are missing. Put a backup"


def connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def killed(path: Path, *statements: str) -> None:
    """A process that is killed after these statements, with its transaction open."""
    child = os.fork()
    if not child:
        try:
            db = connected(path)
            for statement in statements:
                db.execute(statement)
        finally:
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)


def empty(path: Path) -> None:
    path.touch()


def locked_once(path: Path) -> None:
    path.touch()
    path.with_name(f"{path.name}.lock").touch()
    path.with_name(f"{path.name}-wal").touch()


def header_only(path: Path) -> None:
    db = connected(path)
    db.execute("PRAGMA journal_mode = WAL")
    db.close()


def in_the_log(path: Path) -> None:
    killed(path, "PRAGMA journal_mode = WAL", "BEGIN IMMEDIATE", *FIRST)


def in_a_journal(path: Path) -> None:
    """More than the memory for pages holds: some are in the file, and how it was is in the journal."""
    rows = ["INSERT INTO large VALUES (zeroblob(100000))"] * 20
    killed(path, "PRAGMA cache_size = 1", "BEGIN IMMEDIATE", *FIRST, "CREATE TABLE large (x)", *rows)
    assert path.stat().st_size
    assert path.with_name(f"{path.name}-journal").stat().st_size


def half(path: Path) -> None:
    db = connected(path)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
    for statement in FIRST[:4]:
        db.execute(statement)
    db.close()


def whole(path: Path) -> None:
    Store.open(path).close()


def whole_with_a_log(path: Path) -> None:
    whole(path)
    killed(path, "BEGIN IMMEDIATE", "CREATE TABLE junk (x)")
    path.with_name(f"{path.name}.lock").touch()


STATES: dict[Callable[[Path], None], str] = {
    empty: NOTHING,
    locked_once: NOTHING,
    header_only: NOTHING,
    in_the_log: NOTHING,
    in_a_journal: NOTHING,
    half: MISSING,
    whole: NO_RUNS,
    whole_with_a_log: NO_RUNS,
}


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_every_state_is_told_in_one_line_and_can_be_gone_on_from(
    state: Callable[[Path], None],
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(path.parent)
    state(path)
    opener = Opened(None, path, respondent="oracle")
    if STATES[state] == MISSING:
        with pytest.raises(StoreError, match=MISSING):
            opener.stored()
    else:
        assert opener.stored() is None, "the first screen says what to do"
    opener.close()
    for command in ("runs", "report", "show voila-1"):
        status = run([*command.split(), "--store", str(path)])
        told = capsys.readouterr().err
        assert status == (0 if (command, STATES[state]) == ("runs", NO_RUNS) else 2)
        assert len(told.splitlines()) == 1
        assert STATES[state] in told or (command.startswith("show") and "`phoropter runs` says" in told)
    run(["doctor", "--store", str(path)])
    schema = [
        line for line in capsys.readouterr().out.splitlines() if "store: schema" in line or "store: file:" in line
    ]
    if STATES[state] == MISSING:
        assert schema[0].startswith("bad")
        assert "run again" in schema[0]
        with pytest.raises(StoreError, match=MISSING):
            Store.open(path)
    else:
        assert not any(line.startswith("bad") for line in schema)
        Store.open(path).close()  # as the first run does


def test_a_broken_off_change_is_told_by_the_doctor_and_put_back(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    in_a_journal(path)
    run(["doctor", "--store", str(path)])
    assert "`phoropter runs` puts it back" in capsys.readouterr().out
    assert run(["runs", "--store", str(path)]) == 2
    assert NOTHING in capsys.readouterr().err
    assert path.stat().st_size == 0


@pytest.mark.parametrize("command", [("runs",), ("report",), ("doctor",)])
def test_a_file_of_somebody_elses_and_one_beside_it_that_is_called_a_journal_are_left_alone(
    tmp_path: Path, command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    notes, journal = tmp_path / "notes.txt", tmp_path / "notes.txt-journal"
    notes.write_text("mine", encoding="utf-8")
    journal.write_text("mine too", encoding="utf-8")
    notes.chmod(0o644)
    assert run([*command, "--store", str(notes)]) != 0
    assert "this file is not a store of Phoropter" in "".join(capsys.readouterr())
    assert (notes.read_text(encoding="utf-8"), journal.read_text(encoding="utf-8")) == ("mine", "mine too")
    assert notes.stat().st_mode & 0o777 == 0o644
