"""Where ``run --log FILE`` may write."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import UsageError
from sessions.store import Store
from tui.cli.event_log import EventLog


@pytest.mark.parametrize("held", [b'{"id": "map-001"}\n', b"[respondents]\n", b"\n", b'{"at"'])
def test_a_file_that_is_no_log_is_not_written_into(tmp_path: Path, held: bytes) -> None:
    file = tmp_path / "file"
    file.write_bytes(held)
    with pytest.raises(UsageError, match="this file holds something else than a log"):
        EventLog(file)
    assert file.read_bytes() == held


def test_a_store_is_no_log(tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    Store.open(file).close()
    held = file.read_bytes()
    with pytest.raises(UsageError, match="this file holds something else than a log"):
        EventLog(file)
    assert file.read_bytes() == held


def test_a_log_is_appended_to_and_a_torn_one_on_a_new_line(tmp_path: Path) -> None:
    file = tmp_path / "log"
    for event in ("one", "two"):
        log = EventLog(file)
        log.tell(event)
        log.close()
    file.write_bytes(file.read_bytes()[:-5])
    log = EventLog(file)
    log.tell("three")
    log.close()
    first, torn, third = file.read_bytes().splitlines()
    assert b'"one"' in first
    assert not torn.endswith(b"}")
    assert b'"three"' in third
