"""``study withdraw`` where another program has the store open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sessions.store import Store, connect
from sessions.studies import people, withdrawing
from tui.cli import run as phoropter


def test_what_is_to_be_deleted_by_hand_is_named_also_where_the_wiping_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    """The same command again, which finishes it, knows nobody any more."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setitem(withdrawing.wipe.__kwdefaults__, "patience_s", 0.0)  # type: ignore[arg-type]
    path = tmp_path / "a.db"
    with Store.open(path) as store:
        people.issue(store, 2)
    copy = tmp_path / "a.db.backup-1"
    copy.write_bytes(b"")
    arguments = ["study", "withdraw", "P01", "--yes", "--store", str(path)]
    reading = connect(path, read_only=True)
    try:
        reading.execute("BEGIN")
        reading.execute("SELECT count(*) FROM participants").fetchone()
        assert phoropter(arguments) == 2
    finally:
        reading.close()
    told = capfd.readouterr().err
    assert "P01 is removed" in told
    assert "delete by hand: backup of the store of" in told
    assert str(copy) in told
    assert "the file is in use" in told
    assert phoropter(arguments) == 0
    assert "wiped now" in capfd.readouterr().err
