"""The doctor finds damage made by hand, and never falls over it."""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import StoreError
from core.planning import Request
from core.records import Answer, SentPicture
from sessions import ending
from sessions.doctor import Examination, State, examine
from sessions.encoding import prompt_hash, short_hash
from sessions.journal import StoreJournal
from sessions.store import Store
from tests.stored import a_run, an_item, walk
from tests.tui.stored import run_on

NOTHING = '{"content":[]}'
NO_GOLD = '[{},""]'
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
        ("UPDATE steps SET parent = id + 1 WHERE id = 5", "steps", "stand before the step"),
        ("UPDATE steps SET status = 9 WHERE id = 5", "steps", "a code that means nothing"),
        ("UPDATE trajectories SET progress = 7 WHERE id = 5", "trajectories", "a code that means nothing"),
        ("UPDATE trajectories SET progress = 2 WHERE id = 5", "trajectories", "do not say where or why"),
        ("UPDATE trajectories SET failed_step = 'apply' WHERE id = 5", "trajectories", "did not fail"),
        ("UPDATE scores SET right = 8 WHERE step = 5", "scores", "something right that they do not score"),
        ("UPDATE scores SET item = 9 WHERE step = 5", "scores", "another run or item"),
        ("UPDATE scores SET name = 3 WHERE step = 5", "scores", "another step or lane"),
        ("UPDATE sqlite_sequence SET seq = 7 WHERE name = 'steps'", "steps", "a number above 7"),
        ("UPDATE golds SET content = replace(content, 'one', 'two')", "golds", "their hash is another"),
        ("UPDATE prompts SET content = replace(content, 'Please', 'Never')", "prompts", "their hash is another"),
        ("UPDATE items SET content = replace(content, '0_1.png', '0_2.png')", "items", "their hash is another"),
        ("UPDATE items SET key = 'voila-1000' WHERE id = 4", "items", "their hash is another"),
        (
            "INSERT INTO batches (token, run, respondent, address, requests, tokens_field, state, created, updated)"
            " VALUES ('t', 1, 'gpt', '', 4, '', 'out', 0, 0)",
            "batches",
            "count other requests",
        ),
        (
            "INSERT INTO calls (run, purpose, request_hash, request, created) VALUES (1, 'apply', 'h', x'f00f', 0)",
            "calls",
            "cannot be read any more",
        ),
        ("DROP INDEX steps_once", "schema", "the index steps_once is missing"),
        ("DROP TRIGGER sessions_gone", "schema", "the trigger sessions_gone is missing"),
        ("DROP TABLE spending", "schema", "the table spending is missing"),
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
        (f"INSERT INTO golds (hash, content) VALUES (x'{short_hash(NO_GOLD).hex()}', '{NO_GOLD}')", "golds"),
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


async def test_what_an_index_lacks_is_told_with_the_statement_that_makes_it(filled: Path) -> None:
    by_hand(filled, "DROP INDEX scores_report")
    (found,) = (f for f in examine(filled) if f.check == "schema" and f.state is State.BAD)
    statement = found.remedy.partition('sqlite3 STORE "')[2].removesuffix('"')
    by_hand(filled, statement)
    assert examine(filled).sound


async def test_a_half_made_index_is_told_apart_from_lost_rows(filled: Path) -> None:
    """Entries go from an index, and its rows stay: what a copy that broke off, or a bad sector, leaves."""
    db = sqlite3.connect(filled)
    ((made,),) = db.execute("SELECT sql FROM sqlite_master WHERE name = 'steps_by_parent'").fetchall()
    by_hand(
        filled,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = sql || ' AND id < 20' WHERE name = 'steps_by_parent'",
    )
    by_hand(filled, "REINDEX steps_by_parent")
    db.close()
    db = sqlite3.connect(filled)
    db.execute("PRAGMA writable_schema = ON")
    db.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'steps_by_parent'", (made,))
    db.commit()
    db.close()
    (found,) = (f for f in examine(filled) if f.check == "integrity")
    assert found.state is State.BAD
    assert "steps_by_parent" in found.what
    assert "REINDEX" in found.remedy
    by_hand(filled, "REINDEX")
    assert examine(filled).sound


async def test_a_sent_picture_that_is_gone_is_a_warning(filled: Path) -> None:
    by_hand(filled, "DELETE FROM pictures")
    found = examine(filled)
    assert found.sound
    assert "1 that were sent are not kept" in problems(found)["pictures"]


@pytest.fixture
async def killed(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store as a killed process leaves it: its last commits stand in the log alone, however long they took."""
    monkeypatch.setattr("sessions.writer.FOLD_S", float("inf"))
    place = tmp_path / "killed" / "phoropter.db"
    place.parent.mkdir()
    with Store.open(filled) as store:
        journal = StoreJournal(store, a_run(store))
        for number in range(100, 110):
            await walk(journal, an_item(number))
        for end in ("", "-wal", "-shm"):
            data = filled.with_name(filled.name + end).read_bytes()
            place.with_name(place.name + end).write_bytes(data)
            place.with_name(place.name + end).chmod(0o600)
    return place


FRAME = 4096 + 24


def cut(data: bytes, frames: int) -> bytes:
    return data[: 32 + frames * FRAME]


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


async def test_the_log_of_a_killed_process_is_whole(killed: Path) -> None:
    assert problems(examine(killed)) == {}
    assert examine(killed).counts["steps"] == 150


async def test_a_commit_that_a_process_was_killed_in_is_no_damage(killed: Path) -> None:
    log = killed.with_name(killed.name + "-wal")
    data = log.read_bytes()
    began = data[32 : 32 + 8]  # a frame of the same log whose page was not written whole
    log.write_bytes(data + began + data[16:24] + bytes(8) + bytes(1000))
    found = examine(killed)
    assert problems(found) == {}
    assert any(f.check == "log" and "killed in" in f.what for f in found)
    assert found.counts["steps"] == 150


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda data: cut(data, 9), "cut off or removed"),
        (lambda data: cut(data, 9)[:-100], "cut off or removed"),
        (lambda _: b"", "cut off or removed"),
        (lambda data: flipped(data, 32 + 5 * FRAME + 700), "behind them cannot be read"),
        (lambda data: flipped(data, 17), "the head of the write-ahead log is damaged"),
    ],
)
async def test_a_damaged_log_is_found_before_it_is_forgotten(
    killed: Path, damage: Callable[[bytes], bytes], words: str
) -> None:
    """SQLite takes the last commit that it can read for the last there was, and says nothing."""
    log = killed.with_name(killed.name + "-wal")
    log.write_bytes(damage(log.read_bytes()))
    found = examine(killed)
    assert not found.sound
    assert words in problems(found)["log"]
    assert found.counts["steps"] < 150


async def test_a_log_cut_in_a_commit_without_its_index_is_a_warning(killed: Path) -> None:
    log = killed.with_name(killed.name + "-wal")
    log.write_bytes(log.read_bytes()[:-100])
    killed.with_name(killed.name + "-shm").unlink()
    assert "in the middle of a commit" in problems(examine(killed))["log"]


async def test_a_store_that_somebody_writes_is_sound(filled: Path) -> None:
    with Store.open(filled) as store:
        journal = StoreJournal(store, a_run(store))
        for number in range(60, 66):
            await walk(journal, an_item(number))
            assert problems(examine(filled)) == {}


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


async def test_where_a_trajectory_ends_is_held_against_its_protocol(path: Path) -> None:
    with Store.open(path) as store:
        await run_on(store, Request("voila:WD", respondent="noisy:0.8"), limit=3)
    assert problems(examine(path)) == {}
    by_hand(path, "UPDATE trajectories SET progress = 0 WHERE id = 1")
    found = examine(path)
    assert found.sound  # the run ends it
    assert "their protocol asks nothing more (1)" in problems(found)["trajectories"]
    before = "(SELECT parent FROM steps WHERE id = head)"
    by_hand(path, f"UPDATE trajectories SET progress = 1, head = {before} WHERE id = 1")
    found = examine(path)
    assert not found.sound
    assert "their protocol asks on (1)" in problems(found)["trajectories"]


async def test_what_cannot_be_replayed_is_a_finding_too(path: Path) -> None:
    with Store.open(path) as store:
        await run_on(store, Request("voila:WD", respondent="oracle"), limit=1)
    by_hand(path, "UPDATE trajectories SET head = (SELECT parent FROM steps WHERE id = head)")
    by_hand(path, "UPDATE steps SET status = 9")
    found = examine(path)
    assert not found.sound
    assert "could not be looked at" in problems(found)["ends"]


def test_open_forks_are_nobodys_fault_and_what_was_not_replayed_is_said(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ending, "MOST", 2)
    with Store.open(path) as store:
        asyncio.run(run_on(store, Request("voila:WD", respondent="oracle"), limit=3))
    by_hand(path, "UPDATE trajectories SET progress = 0")
    assert problems(examine(path))["trajectories"].startswith("at least 2 trajectories are said to be open")
    by_hand(path, "UPDATE trajectories SET parent = 3 WHERE id < 3")
    assert problems(examine(path))["trajectories"].startswith("1 trajectories are said to be open")


@pytest.mark.parametrize("version", [0, 4])
def test_a_store_that_says_an_older_version_than_its_tables(path: Path, version: int) -> None:
    Store.open(path).close()
    by_hand(path, f"PRAGMA user_version = {version}")
    (found,) = (f for f in examine(path) if f.state is not State.OK)
    assert found.state is State.BAD
    assert f"it says version {version}, but its tables are those of version" in found.what
    for read_only in (True, False):
        with pytest.raises(StoreError, match=f"its schema is version {version}, but its tables"):
            Store.open(path, create=False, read_only=read_only)
    assert [each.name for each in path.parent.glob("*backup*")] == []
    by_hand(path, found.remedy.partition('sqlite3 STORE "')[2].removesuffix('"'))
    assert problems(examine(path)) == {}


def test_a_store_that_does_not_say_that_it_is_one(path: Path) -> None:
    Store.open(path).close()
    by_hand(path, "PRAGMA application_id = 0")
    (found,) = (f for f in examine(path) if f.state is not State.OK)
    assert "its tables are a store's" in found.what
    by_hand(path, found.remedy.partition('sqlite3 STORE "')[2].removesuffix('"'))
    assert problems(examine(path)) == {}


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
