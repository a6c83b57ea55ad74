"""Disks that are full, slow or read-only: one clear line, everything acknowledged kept, and the same command goes on.

Where this user may mount, on a small file system of memory; a limit on the size of files stands in elsewhere.
"""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sessions.doctor import examine
from tests.end_to_end.commands import COMMAND, environment, phoropter
from tests.killing import Found, Ground
from tests.voila_data import small_voila_file
from tui.cli import run as run_here
from tui.cli.ending import GRACE_S

ITEMS = 450


class Disk:
    """A small file system, mounted until the test ends."""

    def __init__(self, place: Path) -> None:
        place.mkdir()
        self.place = place

    def mount(self, options: str) -> bool:
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(self.place)]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def again(self, options: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{options}", str(self.place)], check=True)

    def unmount(self) -> None:
        subprocess.run(["umount", "--lazy", str(self.place)], capture_output=True, check=False)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    made = Disk(tmp_path / "disk")
    if not made.mount("size=200k"):
        pytest.skip("this user may mount nothing")
    yield made
    made.unmount()


def batch(home: Path, store: Path, *more: object) -> list[str]:
    data = home / f"VOILA_ND_{ITEMS}.csv"
    if not data.exists():
        small_voila_file(home, ITEMS, "ND")
    told = ["run", "voila:ND", "--data", data, "--respondent", "seeing:0.8", "--store", store, *more]
    return [str(word) for word in told]


def test_a_full_disk_ends_a_run_and_room_lets_it_go_on(
    disk: Disk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, found = disk.place / "phoropter.db", Found()
    ground = Ground(tmp_path / "home", found)
    ground.store = store
    command = batch(tmp_path, store, "--json", "--log", ground.log("log"))
    done = phoropter(tmp_path, *command)
    assert done.returncode == 2
    assert "cannot be opened: database or disk is full. Free some space" in done.stderr, "no room for the tables"

    disk.again("size=1500k")
    done = phoropter(tmp_path, *command)
    assert done.returncode == 2
    document = json.loads(done.stdout)
    assert document["stopped"]
    assert "database or disk is full" in document["stopped_by"]
    assert (document["signal"], document["run"]) == (None, "voila-ND-l2m-seeing-0.8")
    assert document["steps"] > 0
    assert document["open"] == ITEMS - document["finished"] > 0
    assert document["cells"]
    said = done.stderr.splitlines()
    assert "nothing could be written: database or disk is full. Free some space on that disk" in said[-1]
    assert "left open" in said[-2], "it was not said how far it came"
    assert examine(store).sound
    ground.check("full")
    before = found.acknowledged
    assert before > 0
    assert run_here(["report", "--store", str(store)]) == 0, "what is there can be read"

    disk.again("size=40m")
    done = phoropter(tmp_path, *command)
    assert done.returncode == 0, done.stderr
    ground.check("room again")
    assert found.whole, found
    (stored,) = ground.answers().values()
    assert sum(stored.values()) == 3 * ITEMS
    assert 3 * ITEMS - 64 < found.acknowledged <= 3 * ITEMS, "of one turn some were kept, and the run ended untold"

    disk.again("ro")
    refused = phoropter(tmp_path, *command)
    assert refused.returncode == 2
    assert "cannot be opened" in refused.stderr
    assert "permission" in refused.stderr
    capsys.readouterr()
    assert run_here(["doctor", "--store", str(store)]) == 1
    assert "cannot be written" in capsys.readouterr().out
    assert run_here(["report", "--store", str(store)]) == 0


def test_a_full_disk_ends_an_export_in_one_line(
    disk: Disk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "phoropter.db"
    assert run_here(batch(tmp_path, store)) == 0
    capsys.readouterr()
    done = phoropter(tmp_path, "export", "csv", "--store", store, "--out", disk.place / "x.csv")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "No space left on device" in line


def test_a_quota_on_files_ends_a_run_in_the_same_way(tmp_path: Path) -> None:
    store = tmp_path / "phoropter.db"
    command = batch(tmp_path, store, "--log", tmp_path / "log.jsonl")
    done = subprocess.run(
        [*COMMAND, *command],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (700_000, 700_000)),
    )
    assert done.returncode == 2
    assert "nothing could be written: disk I/O error. Check the disk, its quota" in done.stderr
    assert "Traceback" not in done.stderr
    found = examine(store)
    assert found.sound
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    told = sum(line["event"] == "step" for line in lines)
    assert 0 < told <= found.counts["steps"], "what was stored last may have come too late to be told"
    assert lines[-1]["event"] == "end"
    assert "disk I/O error" in lines[-1]["stopped"]


SLOW = """
import sqlite3, time
import sessions.store as store
import tui.cli.ending as ending

ending.GRACE_S /= 20

class Slow(sqlite3.Connection):
    def execute(self, statement, *values):
        if statement == "COMMIT":
            print("commits", flush=True)
            time.sleep({seconds})
        return super().execute(statement, *values)

def connect(uri):
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, factory=Slow)

store._connect = connect
from tui.cli import main
main()
"""


def slow(home: Path, seconds: float, *arguments: str) -> subprocess.Popen[str]:
    """The command where each commit takes so long."""
    return subprocess.Popen(
        [sys.executable, "-c", SLOW.format(seconds=seconds), *arguments],
        cwd=home,
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_slow_disk_slows_a_run_by_its_commits_not_by_its_steps(tmp_path: Path) -> None:
    process = slow(tmp_path, 0.05, "run", "voila:WD", "--respondent", "seeing:0.8")
    said, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert said.count("commits") < 38 * 3 / 2
    assert examine(tmp_path / "data" / "phoropter" / "phoropter.db").sound


def test_sigterm_ends_a_run_that_waits_for_its_disk(tmp_path: Path) -> None:
    """Whoever sends it, a cluster's scheduler say, sends SIGKILL soon after. The grace is a part of its own here."""
    assert GRACE_S < 5
    assert phoropter(tmp_path, "run", "voila:WD", "--respondent", "oracle").returncode == 0  # makes the store
    process = slow(tmp_path, 3600, "run", "voila:WD", "--respondent", "seeing:0.8")
    assert process.stdout is not None
    assert process.stdout.readline() == "commits\n"
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 143
    assert "everything stored is kept" in errors
    assert examine(tmp_path / "data" / "phoropter" / "phoropter.db").sound
