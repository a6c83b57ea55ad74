"""The doctor finds damage made by hand, and never falls over it."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from core.records import Answer, SentPicture
from sessions.doctor import Examination, State, examine
from sessions.encoding import prompt_hash, short_hash
from sessions.journal import StoreJournal
from sessions.store import Store
from tests.stored import a_run, an_item, walk

NOTHING = '{"content":[]}'
DATA = b"a picture" * 20
SENT = SentPicture(hashlib.sha256(DATA).hexdigest(), "image/png", (4, 4), (8, 8), "a.png", DATA)


@pytest.fixture
async def filled(path: Path) -> Path:
    with Store.open(path) as store:
        journal = StoreJournal(store, a_run(store))
        for number in range(40):
            await walk(journal, an_item(number), answer=Answer("long answer " * 20, sent=(SENT,)))
        store.write(lambda db: db.execute("SELECT 1"))
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    return path


def problems(examination: Examination) -> dict[str, str]:
    return {f.check: f.what for f in examination.findings if f.state is not State.OK}


def by_hand(path: Path, *statements: str) -> None:
    db = sqlite3.connect(path)
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()


async def test_a_sound_store_is_said_to_be_sound(filled: Path) -> None:
    found = examine(filled)
    assert problems(found) == {}
    assert found.sound
    assert (found.counts["runs"], found.counts["steps"], found.counts["scores"]) == (1, 120, 120)
    assert found.to_json()["sound"] is True


@pytest.mark.parametrize(
    ("statement", "check", "words"),
    [
        ("DELETE FROM steps WHERE id = 1", "references", "steps"),
        ("DELETE FROM steps WHERE id = 3", "heads", "point at a step that is gone"),
        ("DELETE FROM steps WHERE id = 3", "scores", "belong to no step"),
        ("DELETE FROM steps WHERE id = 1", "steps", "follow a step that is gone"),
        ("DELETE FROM trajectories WHERE id = 2", "steps", "name a trajectory that is gone"),
        ("DELETE FROM scores WHERE step = 5", "readings", "belong to no score"),
        ("UPDATE trajectories SET head = NULL WHERE id = 4", "heads", "done without a step"),
        ("UPDATE trajectories SET head = 30 WHERE id = 2", "heads", "another item"),
        ("DELETE FROM items WHERE id = 3", "references", "items that are gone"),
        (
            "INSERT INTO calls (run, purpose, request_hash, texts, created) VALUES (1, 'describe', 'h', '[7]', 0)",
            "texts",
            "name a text that is gone",
        ),
        ("UPDATE pictures SET bytes = zeroblob(9)", "pictures", "do not match their hash"),
    ],
)
async def test_rows_removed_by_hand_are_found(filled: Path, statement: str, check: str, words: str) -> None:
    by_hand(filled, statement)
    found = examine(filled)
    assert not found.sound
    assert any(f.check == check and words in f.what and f.state is State.BAD for f in found.findings)
    assert all(f.remedy for f in found.findings if f.state is State.BAD)


@pytest.mark.parametrize(
    ("statement", "check"),
    [
        (
            f"INSERT INTO prompts (hash, step, content) SELECT x'{prompt_hash('describe', NOTHING).hex()}', id,"
            f" '{NOTHING}' FROM step_names WHERE name = 'describe'",
            "prompts",
        ),
        (f"INSERT INTO texts (hash, content) VALUES (x'{short_hash('long').hex()}', 'long')", "texts"),
        (f"INSERT INTO golds (hash, content) VALUES (x'{short_hash('[]').hex()}', '[]')", "golds"),
        (f"INSERT INTO picture_sets (hash, content) VALUES (x'{short_hash('[]').hex()}', '[]')", "pictures"),
        (
            "INSERT INTO calls (run, purpose, request_hash, pending, created) VALUES (1, 'describe', 'h', 1, 0)",
            "calls",
        ),
    ],
)
async def test_what_is_used_by_nothing_is_a_warning(filled: Path, statement: str, check: str) -> None:
    by_hand(filled, statement)
    found = examine(filled)
    assert found.sound
    assert list(problems(found)) == [check]


async def test_a_picture_used_nowhere_is_a_warning(filled: Path) -> None:
    digest = hashlib.sha256(b"x").hexdigest()
    by_hand(filled, f"INSERT INTO pictures (hash, mime, bytes) VALUES ('{digest}', 'image/png', x'78')")
    assert list(problems(examine(filled))) == ["pictures"]


def torn(data: bytes) -> bytes:
    return data[: len(data) // 2 + 100]


def headless(data: bytes) -> bytes:
    return data[:16] + bytes(84) + data[100:]


def scribbled(data: bytes) -> bytes:
    page = 4096
    return b"".join(
        data[at : at + page] if at % (page * 3) else data[at : at + 100] + b"\xa5" * (page - 100)
        for at in range(0, len(data), page)
    )


def overwritten(data: bytes) -> bytes:
    return data[:4096] + b"\x00" * (len(data) - 4096)


@pytest.mark.parametrize("damage", [torn, headless, scribbled, overwritten])
async def test_a_damaged_file_ends_in_findings(filled: Path, damage: Callable[[bytes], bytes]) -> None:
    filled.write_bytes(damage(filled.read_bytes()))
    found = examine(filled)
    assert not found.sound
    assert all(f.remedy for f in found.findings if f.state is State.BAD)
    found.to_json()


async def test_a_torn_answer_in_a_cell_is_found(filled: Path) -> None:
    by_hand(filled, "UPDATE picture_sets SET content = '[[broken'")
    assert "pictures" in problems(examine(filled))


async def test_permissions_schema_and_file_system_are_looked_at(filled: Path) -> None:
    filled.chmod(0o644)
    mounts = f"/dev/sda1 / ext4 rw 0 0\n//nas/x {filled.parent} cifs rw 0 0\n"
    found = problems(examine(filled, mounts=mounts))
    assert "others may read phoropter.db" in found["permissions"]
    assert "cifs" in found["file system"]
    by_hand(filled, "PRAGMA user_version = 77")
    assert "77" in problems(examine(filled))["schema"]
    by_hand(filled, "PRAGMA user_version = 0")
    assert not problems(examine(filled))["schema"].startswith("version 77")


def test_no_store_a_folder_and_another_file_are_told_apart(path: Path, tmp_path: Path) -> None:
    found = examine(path)
    assert found.sound
    assert "no store here yet" in problems(found)["file"]
    assert not path.exists()
    assert "folder" in problems(examine(tmp_path))["file"]
    path.write_text("hello")
    assert "not a store" in problems(examine(path))["file"]
    assert path.read_text() == "hello"
    path.unlink()
    by_hand(path, "CREATE TABLE contacts (name TEXT)")
    assert "another program" in problems(examine(path))["schema"]
