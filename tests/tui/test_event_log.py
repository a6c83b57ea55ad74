"""Where ``run --log FILE`` may write."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from core.errors import UsageError
from sessions.store import Store
from tui.cli import run as phoropter
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


def told(file: Path, *events: str) -> list[str]:
    """Of the log, once these were told in it as well."""
    log = EventLog(file)
    for event in events:
        log.tell(event)
    log.close()
    return [json.loads(line)["event"] for line in file.read_bytes().splitlines()]


def test_a_log_is_appended_to_and_what_a_lost_machine_left_of_a_line_goes(tmp_path: Path) -> None:
    file = tmp_path / "log"
    assert told(file, "one", "two") == ["one", "two"]
    whole = file.read_bytes()
    file.write_bytes(whole[:-5])
    assert told(file, "three") == ["one", "three"]
    file.write_bytes(whole[:-1])
    assert told(file, "three") == ["one", "two", "three"], "it lacked its end alone"
    file.write_bytes(whole + whole[:9] + b"x" * 200_000)
    assert told(file, "three") == ["one", "two", "three"]
    file.write_bytes(whole[:20])
    assert told(file, "three") == ["three"]


def test_a_line_that_another_command_is_writing_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "log"
    told(file, "one", "two")
    whole = file.read_bytes()
    file.write_bytes(whole[:-5])
    monkeypatch.setattr(time, "sleep", lambda _: file.write_bytes(whole))
    assert told(file, "three") == ["one", "two", "three"]


def test_a_line_that_a_full_disk_has_no_room_for_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, write = tmp_path / "log", os.write
    log = EventLog(file)
    log.tell("one")
    with monkeypatch.context() as full:
        full.setattr(os, "write", lambda where, data: write(where, data[:9]))
        log.tell("two")
        log.tell("three")
    log.close()
    assert "can be written no more (no room for the whole line)" in capsys.readouterr().err
    assert file.read_bytes().endswith(b"}\n")
    assert told(file, "four") == ["one", "four"]


@pytest.mark.parametrize("named", ["q.db", "link", "q.db-wal"])
def test_the_store_is_no_log_even_before_it_is_there(
    named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to("q.db")
    assert phoropter(["run", "voila:WD", "--respondent", "oracle", "--store", "q.db", "--log", named]) == 2
    assert f"--log {named}: the store is there. Name another file" in capsys.readouterr().err
    assert not (tmp_path / "q.db").exists()
