from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import StoreError, UsageError
from core.records import Answer, Origin, Progress, Step
from core.study.definition import Answers, Catch, Practice, Question
from sessions import grading, notebook
from sessions.drafts import Drafts, Place
from sessions.exchange.marks import mark_export
from sessions.identity import RunConfig
from sessions.journal import StoreJournal
from sessions.runs import find_run, open_run, runs
from sessions.store import Store, backup, connect
from sessions.studies import withdrawing
from sessions.studies.claims import claim
from sessions.studies.exporting import export
from sessions.studies.people import find
from sessions.studies.reporting import report
from tests.sitting import STUDY, a_study, says, sit

WORDS = "I-saw-a-heron-in-Oslo"
FULL = replace(
    STUDY,
    practice=Practice(("lo-002",)),
    catch=Catch(("env-001",), every=2),
    answers=Answers(why="optional"),
    after=(Question("job", "What do you do?", "text"),),
)


async def studied(store: Store) -> None:
    """P01 and P02 have sat; what P01 left behind holds WORDS wherever a person's words can stand."""
    record, prepared = a_study(store, FULL)
    for person in ("P01", "P02"):
        why = WORDS if person == "P01" else "a reason"
        await sit(store, record, prepared, person, says(0.5), reply=lambda reply, why=why: replace(reply, why=why))
    db = store.reader()
    session, trajectory = db.execute(
        "SELECT s.id, t.trajectory FROM sessions AS s JOIN participants AS p ON p.id = s.participant"
        " JOIN trials AS t ON t.session = s.id WHERE p.pseudonym = 'P01' AND t.kind = 'main' LIMIT 1"
    ).fetchone()
    step = db.execute("SELECT head FROM trajectories WHERE id = ?", (trajectory,)).fetchone()[0]
    (key,) = db.execute(
        "SELECT i.key FROM trajectories AS t JOIN items AS i ON i.id = t.item WHERE t.id = ?", (trajectory,)
    ).fetchone()
    item = prepared.pool.items[key]
    notebook.write(store, item, notebook.Target(trajectory), "AB", f"said {WORDS}")
    notebook.toggle(store, step, "AB", "odd")
    grading.grade(store, step, "AB", 0, 1, "other", WORDS)
    store.write(
        lambda d: d.execute(
            "INSERT INTO questionnaires (session, part, question, value, created) VALUES (?, 'after', 'job', ?, 1)",
            (session, WORDS),
        )
    )
    run = find_run(store, "mmra-people/P01", exact=True)
    mark_export(store, "csv", "/somewhere.csv", "ab", [run.id])
    Drafts(store.path.with_name(f"{store.path.name}.drafts"))[Place(run.uid, item.id, 0, 0)] = WORDS


def files(path: Path) -> bytes:
    """The store with its log."""
    return b"".join(each.read_bytes() for each in (path, path.with_name(path.name + "-wal")) if each.exists())


def rows_of(path: Path) -> dict[str, int]:
    db = connect(path, read_only=True)
    try:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}
    finally:
        db.close()


async def test_nothing_of_a_person_is_left_in_the_file_or_its_log(path: Path) -> None:
    with Store.open(path) as store:
        await studied(store)
    assert WORDS.encode() in files(path)
    assert b"P01" in files(path)

    with Store.open(path) as store:
        gone = withdrawing.withdraw(store, "p01")
        assert withdrawing.unwiped(store)
        whole = report(store, "mmra-people")
    withdrawing.wipe(path)

    left = files(path)
    assert WORDS.encode() not in left
    assert b"P01" not in left
    assert b"P02" in left
    assert not path.with_name(path.name + "-wal").exists() or not path.with_name(path.name + "-wal").stat().st_size
    assert WORDS not in "".join(str(text) for text in Drafts(path.with_name(f"{path.name}.drafts")).values())
    assert (gone.pseudonym, gone.trials, gone.answers, gone.notes) == ("P01", 6, 6, 1)
    assert [run.name for run in gone.runs] == [f"mmra-people/P01{what}" for what in ("", " practice", " catch")]
    assert whole.completion.people == 1
    with Store.open(path, read_only=True) as store:
        assert not withdrawing.unwiped(store)
        assert not [summary.run.name for summary in runs(store) if "P01" in summary.run.name]
        assert store.reader().execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert store.reader().execute("PRAGMA foreign_key_check").fetchall() == []


async def test_only_the_other_persons_rows_are_left(path: Path, tmp_path: Path) -> None:
    """Every table holds what it holds where the person never came, but for a row that counts a withdrawal."""
    alone = tmp_path / "alone.db"
    for each, people in ((path, ("P01", "P02")), (alone, ("P02",))):
        with Store.open(each) as store:
            record, prepared = a_study(store, FULL)
            for person in people:
                await sit(store, record, prepared, person, says(0.5))
    with Store.open(path) as store:
        withdrawing.withdraw(store, "P01")
    withdrawing.wipe(path)

    with_, without = rows_of(path), rows_of(alone)
    words = ("golds", "prompts", "items", "sqlite_sequence")  # what was asked: other items by chance of the slots
    assert {name: with_[name] for name in with_ if name not in words} == {
        **{name: without[name] for name in without if name not in words}, "participants": 2, "gone_sessions": 1,
    }  # fmt: skip


async def test_the_items_can_be_given_out_again(store: Store) -> None:
    record, prepared = a_study(store)
    await sit(store, record, prepared, "P01")
    withdrawing.withdraw(store, "P01")

    assert store.reader().execute("SELECT DISTINCT state FROM assignments").fetchall() == [("free",)]
    for person in ("P02", "P03", "P04", "P05"):
        await sit(store, record, prepared, person)
    assert report(store, "mmra-people").completion.complete == 8


async def test_backups_and_exports_made_before_are_named(path: Path, tmp_path: Path) -> None:
    with Store.open(path) as store:
        await studied(store)
        export(store, "mmra-people", tmp_path / "before")
    copy = path.with_name(f"{path.name}.backup-6-20261130T000000Z")
    backup(path, copy)

    with Store.open(path) as store:
        gone = withdrawing.withdraw(store, "P01")
        export(store, "mmra-people", tmp_path / "after")

    assert [(each.what, each.where, each.there) for each in gone.copies] == [
        ("export (csv)", "/somewhere.csv", False),
        ("export (study)", str(tmp_path / "before"), True),
        ("backup of the store", str(copy), True),
    ]
    later = b"".join(file.read_bytes() for file in (tmp_path / "after").rglob("*") if file.is_file())
    assert b"P01" not in later
    assert WORDS.encode() not in later
    assert b"P02" in later


async def test_a_run_made_from_a_persons_steps_goes_too(store: Store) -> None:
    record, prepared = a_study(store)
    await sit(store, record, prepared, "P01")
    base = find_run(store, "mmra-people/P01", exact=True)
    item = next(iter(prepared.pool.items.values()))
    config = RunConfig("mmra", "", "iq", "model", "model", base_run=base.uid)
    for key in prepared.pool.items:
        item = prepared.pool.items[key]
        if store.reader().execute("SELECT 1 FROM trajectories AS t JOIN items AS i ON i.id = t.item WHERE t.run = ?"
                                  " AND i.key = ?", (base.id, key)).fetchone():  # fmt: skip
            break
    journal = StoreJournal(store, open_run(store, config, "later")[0], base=base)
    (before, *_) = await journal.base_steps(item, 0)
    path = replace(await journal.take_up(item, 0), steps=(before,))
    step = Step(replace(before.turn, step="more"), Answer(f"after {WORDS}"), origin=Origin.RESPONDENT)
    path = await journal.add_step(path, step)
    await journal.finish(path, Progress.DONE)

    looked = withdrawing.what_goes(store, "P01")
    withdrawing.withdraw(store, "P01")

    assert [run.name for run in looked.dependents] == ["later"]
    assert runs(store) == []
    assert store.reader().execute("SELECT count(*) FROM steps").fetchone()[0] == 0


async def test_what_the_person_wrote_about_others_goes_too(store: Store) -> None:
    record, prepared = a_study(store)
    await sit(store, record, prepared, "P01")
    await sit(store, record, prepared, "P02")
    step, item = (
        store.reader()
        .execute(
            "SELECT t.head, i.key FROM trajectories AS t JOIN runs AS r ON r.id = t.run"
            " JOIN items AS i ON i.id = t.item"
            " WHERE r.name = 'mmra-people/P02'"
        )
        .fetchone()
    )
    notebook.toggle(store, step, "P01", "odd")
    notebook.write(store, prepared.pool.items[item], notebook.Target(), "P01", WORDS)
    grading.grade(store, step, "P01", 1, 1, "other", WORDS)

    withdrawing.withdraw(store, "P01")
    withdrawing.wipe(store.path)

    assert WORDS.encode() not in files(store.path)
    assert b"P01" not in files(store.path)
    assert store.reader().execute("PRAGMA foreign_key_check").fetchall() == []


async def test_nobody_is_removed_who_sits_just_now(store: Store) -> None:
    record, prepared = a_study(store)
    sitting = claim(store, record, find(store, "P01"), prepared=prepared)
    try:
        with pytest.raises(UsageError, match="open at another terminal"):
            withdrawing.withdraw(store, "P01")
        assert withdrawing.what_goes(store, "P01").sessions == (("mmra-people", 1, "main", "open"),)
    finally:
        sitting.close()
    withdrawing.withdraw(store, "P01")


async def test_who_is_not_there_is_told(store: Store) -> None:
    record, prepared = a_study(store)
    await sit(store, record, prepared, "P01")

    with pytest.raises(UsageError, match="no participant of that pseudonym"):
        withdrawing.what_goes(store, "P09")
    withdrawing.withdraw(store, "P01")
    with pytest.raises(UsageError, match="no participant of that pseudonym"):
        withdrawing.withdraw(store, "P01")


async def test_a_reader_that_holds_on_keeps_the_log_and_is_told(path: Path) -> None:
    with Store.open(path) as store:
        await studied(store)
        withdrawing.withdraw(store, "P01")
    other = connect(path, read_only=True)
    try:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM runs").fetchone()
        with pytest.raises(StoreError, match="the file is in use"):
            withdrawing.wipe(path, patience_s=0.5)
    finally:
        other.close()
    with Store.open(path, read_only=True) as store:
        assert withdrawing.unwiped(store)
    withdrawing.wipe(path)
    assert WORDS.encode() not in files(path)


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"x" * 8192)
    with pytest.raises((StoreError, sqlite3.DatabaseError)):
        withdrawing.wipe(broken, patience_s=0.1)
