"""Two stores joined: nothing twice, nothing lost, conflicts named, the other never written."""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import StoreError, UsageError
from core.records import Progress
from sessions import doctor, reading, sweep
from sessions.cells import cells_of
from sessions.exchange.merging import merge
from sessions.exchange.tables import tables_of
from sessions.grading import grade
from sessions.journal import StoreJournal
from sessions.migrations import MIGRATIONS
from sessions.replay import Replay
from sessions.runs import find_run, open_run, runs
from sessions.scoring import keep_scores
from sessions.store import Store
from tests.sessions.test_tallies import scatter
from tests.stored import CONFIG, STEPS, a_run, a_score, a_step, an_item, walk

ROOT = Path(__file__).parents[3]


def opened(path: Path) -> Store:
    return Store.open(path)


def contents(store: Store) -> dict[str, list[Any]]:
    """Every row of every table."""
    db = store.reader()
    return {name: db.execute(table.select()).fetchall() for name, table in tables_of(db).items()}


def cells(store: Store) -> Any:
    return [cell.to_json() for cell in cells_of(store, [summary.run for summary in reversed(runs(store))])]


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "other.db") as found:
        yield found


def test_merged_into_an_empty_store_everything_is_the_same(store: Store, other: Store) -> None:
    rows = asyncio.run(scatter(other, 3))
    keep_scores(other, runs(other)[0].run, [])
    other.close()
    carried = merge(store, other.path)
    with opened(other.path) as again:
        assert contents(store) == contents(again)
        assert cells(store) == cells(again)
    assert not carried.conflicting
    assert carried.added["runs"] == len(rows)
    assert doctor.examine(store.path).sound


@pytest.mark.parametrize("seed", range(4))
def test_merging_twice_adds_nothing(store: Store, other: Store, seed: int) -> None:
    asyncio.run(scatter(store, seed, runs=3))
    asyncio.run(scatter(other, seed + 100, runs=2))
    merge(store, other.path)
    once = contents(store)
    assert doctor.examine(store.path).sound
    carried = merge(store, other.path)
    assert contents(store) == once
    assert not carried.added
    assert not carried.renewed


def test_halves_of_one_run_make_the_whole(store: Store, other: Store, tmp_path: Path) -> None:
    def work(to: Store, numbers: range) -> None:
        journal = StoreJournal(to, a_run(to))
        for number in numbers:
            asyncio.run(walk(journal, an_item(number), right=number % 8))

    with opened(tmp_path / "whole.db") as whole:
        work(whole, range(6))
        work(store, range(4))
        work(other, range(2, 6))
        carried = merge(store, other.path)
        assert not carried.conflicting
        assert [run.added for run in carried.runs] == [False]
        assert cells(store) == cells(whole)
    assert len(runs(store)) == 1
    assert runs(store)[0].done == 6


def test_an_open_trajectory_goes_on_where_the_other_store_went_further(store: Store, other: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    begun = asyncio.run(journal.take_up(an_item(0), 0))
    asyncio.run(journal.add_step(begun, a_step("describe")))
    asyncio.run(walk(StoreJournal(other, a_run(other)), an_item(0)))
    carried = merge(store, other.path)
    assert not carried.conflicting
    trajectory = Replay(store.reader()).trajectory(1)
    assert [step.turn.step for step in trajectory.steps] == list(STEPS)
    assert trajectory.progress is Progress.DONE


def test_the_further_one_of_ours_stays(store: Store, other: Store) -> None:
    asyncio.run(walk(StoreJournal(store, a_run(store)), an_item(0)))
    journal = StoreJournal(other, a_run(other))
    begun = asyncio.run(journal.take_up(an_item(0), 0))
    begun = asyncio.run(journal.add_step(begun, a_step("describe")))
    asyncio.run(journal.finish(begun, Progress.FAILED, "the server was down", step="relate"))
    before = contents(store)
    assert not merge(store, other.path).conflicting
    assert contents(store) == before


def test_different_answers_are_both_kept_and_named(store: Store, other: Store) -> None:
    asyncio.run(walk(StoreJournal(store, a_run(store)), an_item(0), right=7))
    journal = StoreJournal(other, a_run(other))
    theirs = asyncio.run(journal.take_up(an_item(0), 0))
    theirs = asyncio.run(journal.add_step(theirs, a_step("describe")))
    theirs = asyncio.run(journal.add_step(theirs, a_step("relate", 1, text="one two two")))
    theirs = asyncio.run(journal.add_step(theirs, a_step("apply", 0, text="two")))
    asyncio.run(journal.finish(theirs, Progress.DONE))
    plain = cells(store)
    carried = merge(store, other.path)
    assert carried.conflicts == [
        "voila-nd-l2m-oracle voila-0: answered differently at relate; theirs is kept as a fork"
    ]
    fork = Replay(store.reader()).trajectory(2)
    assert (fork.parent, fork.fork) == (1, 1)
    assert [step.answer.text for step in fork.steps] == ["one one one", "one two two", "two"]
    assert fork.progress is Progress.DONE
    own = [cell for cell in cells(store) if not cell["interventions"]]
    assert [(cell["step"], cell["right"], cell["n"]) for cell in own] == [
        (cell["step"], cell["right"], cell["n"]) for cell in plain
    ]
    assert doctor.examine(store.path).sound
    before = contents(store)
    again = merge(store, other.path)
    assert contents(store) == before
    assert again.conflicting == 1


def test_runs_of_other_identity_stand_beside_and_taken_names_change(store: Store, other: Store) -> None:
    asyncio.run(walk(StoreJournal(store, a_run(store, "mine")), an_item(0)))
    asyncio.run(walk(StoreJournal(other, a_run(other, "MINE", seed=5)), an_item(0)))
    carried = merge(store, other.path)
    assert [(run.theirs, run.name, run.added) for run in carried.runs] == [("MINE", "MINE-2", True)]
    assert not merge(store, other.path).added
    assert {summary.run.name for summary in runs(store)} == {"mine", "MINE-2"}
    assert len(reading.item_keys(store)) == 1


def test_a_run_made_afresh_is_never_joined_with_another(store: Store, other: Store) -> None:
    a_run(store)
    open_run(other, CONFIG, fresh=True, recipe={"fresh": True})
    assert merge(store, other.path).runs[0].added
    assert not merge(store, other.path).runs[0].added
    assert len(runs(store)) == 2


def test_a_run_on_a_joined_base_follows_it(store: Store, other: Store) -> None:
    a_run(store, "base")
    base = a_run(other, "its base")
    a_run(other, "derived", base_run=base.uid, interventions=[{"step": "describe"}])
    merge(store, other.path)
    derived = find_run(store, "derived")
    assert derived.config.base_run == find_run(store, "base").uid
    assert derived.identity == derived.config.identity()
    assert not merge(store, other.path).added


def test_forks_notes_tags_and_grades_come_along_once(store: Store, other: Store) -> None:
    run = a_run(other)
    journal = StoreJournal(other, run)
    trajectory = asyncio.run(walk(journal, an_item(0)))
    fork = asyncio.run(journal.fork(trajectory, 1))
    asyncio.run(journal.add_step(fork, a_step("relate", 3, text="again")))
    merge(store, other.path)
    grade(other, trajectory.steps[0].id, "ann", 3, 7, "parser wrong", "looked again")
    merge(store, other.path)
    merge(store, other.path)
    assert contents(store)["gradings"] == contents(other)["gradings"]
    assert len(contents(store)["trajectories"]) == 2


def test_a_score_that_differs_is_named_and_ours_stands(store: Store, other: Store) -> None:
    for to, right in ((store, 7), (other, 1)):
        run = a_run(to)
        trajectory = asyncio.run(walk(StoreJournal(to, run), an_item(0)))
        keep_scores(to, run, [(trajectory.steps[0].id, a_score(right, scorer="judge"))])
    carried = merge(store, other.path)
    assert carried.conflicts == ["voila-0 describe: judge scored it differently; ours stands"]
    assert doctor.examine(store.path).sound


def test_the_other_store_is_never_written(store: Store, other: Store) -> None:
    asyncio.run(scatter(other, 1))
    other.close()
    other.path.chmod(0o400)
    before = hashlib.sha256(other.path.read_bytes()).hexdigest()
    merge(store, other.path)
    assert hashlib.sha256(other.path.read_bytes()).hexdigest() == before
    assert runs(store)


def test_a_store_of_an_older_schema_is_read_through_a_copy(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with Store.open(path, schema=MIGRATIONS[:1]) as old:
        a_run(old, "old")
    before = path.read_bytes()
    merge(store, path)
    assert path.read_bytes() == before
    assert store.reader().execute("SELECT name FROM runs").fetchall() == [("old",)]


def test_what_fails_midway_leaves_ours_as_it_was(store: Store, other: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    asyncio.run(scatter(store, 1))
    asyncio.run(scatter(other, 2))
    before = contents(store)

    def breaks(self: Any) -> None:
        raise RuntimeError("killed")

    monkeypatch.setattr("sessions.exchange.paths.Paths.heads", breaks)
    with pytest.raises(RuntimeError):
        merge(store, other.path)
    assert contents(store) == before


def test_a_merge_that_is_killed_leaves_ours_as_it_was(store: Store, other: Store) -> None:
    asyncio.run(scatter(store, 1))
    asyncio.run(scatter(other, 2))
    before = contents(store)
    script = (
        "import os, sys\nfrom pathlib import Path\nfrom sessions.exchange import merging, paths\n"
        "from sessions.store import Store\n"
        "paths.Paths.heads = lambda self: os.kill(os.getpid(), 9)\n"
        "merging.merge(Store.open(Path(sys.argv[1])), Path(sys.argv[2]))"
    )
    done = subprocess.run([sys.executable, "-c", script, store.path, other.path], cwd=ROOT, check=False)
    assert done.returncode == -9
    assert contents(store) == before
    assert doctor.examine(store.path).sound
    merge(store, other.path)
    assert len(runs(store)) == 2


def test_a_damaged_store_is_refused_and_named(store: Store, other: Store) -> None:
    asyncio.run(scatter(other, 1))
    other.write(lambda db: db.execute("DELETE FROM steps WHERE id = 1") and None, unchecked=True)
    with pytest.raises(StoreError, match=r"damaged: .* step that is gone") as refused:
        merge(store, other.path)
    assert refused.value.where == str(other.path)
    other.close()
    data = bytearray(other.path.read_bytes())
    data[8192:40_000] = bytes(40_000 - 8192)
    other.path.write_bytes(data)
    with pytest.raises(StoreError, match=r"damaged|cannot be opened") as refused:
        merge(store, other.path)
    assert str(other.path) in refused.value.where
    assert not runs(store)


def test_unusable_others_are_refused(store: Store, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="into itself"):
        merge(store, store.path)
    with pytest.raises(StoreError, match="no store here"):
        merge(store, tmp_path / "nowhere.db")
    (tmp_path / "text.db").write_text("hello")
    with pytest.raises(StoreError, match="not a store"):
        merge(store, tmp_path / "text.db")
    (tmp_path / "empty.db").touch()
    with pytest.raises(StoreError, match="empty"):
        merge(store, tmp_path / "empty.db")
    sqlite3.connect(tmp_path / "foreign.db").execute("CREATE TABLE t (x)").connection.close()
    with pytest.raises(StoreError, match="another program"):
        merge(store, tmp_path / "foreign.db")


def test_an_old_version_of_a_scorer_that_comes_late_is_still_the_old_one(store: Store, other: Store) -> None:
    early = a_run(other)
    asyncio.run(walk(StoreJournal(other, early), an_item(0), right=1))
    run = a_run(store)
    journal = StoreJournal(store, run)
    trajectory = asyncio.run(journal.take_up(an_item(0), 0))
    for name in STEPS:
        newer = (a_score(7, version="2"),)
        trajectory = asyncio.run(journal.add_step(trajectory, replace(a_step(name), scores=newer)))
    store.write(lambda db: db.execute("UPDATE scorers SET created = created + 1000") and None)
    merge(store, other.path)
    (read,) = asyncio.run(StoreJournal(store, run).all_on(an_item(0)))
    assert [(step.score("rule").version, step.score("rule").correct) for step in read.steps] == [("2", True)] * 3
    counted = {cell["step"]: cell["right"] / cell["n"] for cell in cells(store) if cell["property"] == "all"}
    assert counted == dict.fromkeys(STEPS, 1)


def a_sitting(store: Store, uid: str, pseudonym: str, number: int, state: str = "done") -> None:
    """A study of two assignments; one sitting that filled one of them."""
    run = a_run(store, f"s-{pseudonym}", respondent=pseudonym, respondent_kind="human",
                identity_of_respondent={"session": uid})  # fmt: skip
    trajectory = asyncio.run(walk(StoreJournal(store, run), an_item(number)))
    asyncio.run(StoreJournal(store, run).take_up(an_item(number), 1))

    def change(db: sqlite3.Connection) -> None:
        db.execute("INSERT INTO participants (pseudonym, created) VALUES (?, 5)", (pseudonym,))
        db.execute(
            "INSERT OR IGNORE INTO studies (name, digest, configuration, seed, created) VALUES ('s', 'd', '{}', 1, 1)"
        )
        (person,) = db.execute("SELECT max(id) FROM participants").fetchone()
        session = db.execute(
            "INSERT INTO sessions (study, participant, run, uid, seed, created, ended, state)"
            " VALUES (1, ?, ?, ?, 1, 7, 9, 'ended')",
            (person, run.id, uid),
        ).lastrowid
        item = db.execute("SELECT item FROM trajectories WHERE id = ?", (trajectory.id,)).fetchone()[0]
        trial = db.execute(
            "INSERT INTO trials (session, position, item, item_hash, trajectory, ended)"
            " VALUES (?, 0, ?, x'00', ?, 8)",
            (session, item, trajectory.id),
        ).lastrowid
        for step in trajectory.steps:
            db.execute("INSERT INTO responses (trial, step, created) VALUES (?, ?, 8)", (trial, step.id))
        db.execute("INSERT INTO events (session, trial, at_ms, kind) VALUES (?, ?, 1, 'key')", (session, trial))
        db.execute("INSERT INTO events (session, trial, at_ms, kind) VALUES (?, ?, 1, 'key')", (session, trial))
        db.execute(
            "INSERT INTO questionnaires (session, part, question, value, created) VALUES (?, 'gate', 'q', 'v', 3)",
            (session,),
        )
        db.execute("UPDATE assignments SET session = ?, state = ? WHERE item = ?", (session, state, item))

    store.write(change)


def dealt(store: Store, states: tuple[str, str]) -> None:
    def change(db: sqlite3.Connection) -> None:
        db.execute("INSERT INTO studies (name, digest, configuration, seed, created) VALUES ('s', 'd', '{}', 1, 1)")
        for number, state in enumerate(states):
            item = store.vocabulary.item(db, an_item(number), bytes.fromhex(an_item(number).hash))
            db.execute("INSERT INTO assignments (study, item, part, state) VALUES (1, ?, 0, ?)", (item, state))

    store.write(change)


def assignments(store: Store) -> list[Any]:
    return (
        store.reader()
        .execute(
            "SELECT i.key, a.state, s.uid FROM assignments AS a JOIN items AS i ON i.id = a.item"
            " LEFT JOIN sessions AS s ON s.id = a.session ORDER BY i.key"
        )
        .fetchall()
    )


def test_stations_of_a_study_come_home(store: Store, tmp_path: Path) -> None:
    dealt(store, ("dealt", "dealt"))
    for number in range(2):
        with Store.open(tmp_path / f"station{number}.db") as station:
            dealt(station, ("free", "dealt") if number == 0 else ("dealt", "free"))
            a_sitting(station, f"uid{number}", f"p{number}", number)
            for _ in range(2):
                assert not merge(store, station.path).conflicting
    assert assignments(store) == [("voila-0", "done", "uid0"), ("voila-1", "done", "uid1")]
    found = {name: len(rows) for name, rows in contents(store).items()}
    assert [found[name] for name in ("sessions", "trials", "responses", "events", "questionnaires")] == [
        2,
        2,
        6,
        4,
        2,
    ]
    assert {summary.run.name for summary in runs(store)} == {"s-p0", "s-p1"}
    assert doctor.examine(store.path).sound


def test_a_sitting_that_was_removed_is_never_brought_back(store: Store, other: Store) -> None:
    dealt(other, ("free", "free"))
    a_sitting(other, "uid0", "p0", 0)
    a_sitting(other, "uid1", "p1", 1)
    merge(store, other.path)

    def adds(db: sqlite3.Connection) -> None:
        """What p0 wrote about p1's answers, and a judge's request that holds p0's words."""
        step, item = db.execute(
            "SELECT s.id, t.item FROM steps AS s JOIN trajectories AS t ON t.id = s.trajectory"
            " JOIN runs AS r ON r.id = t.run WHERE r.name = 's-p1' LIMIT 1"
        ).fetchone()
        db.execute("INSERT INTO notes (item, author, text, created, updated) VALUES (?, 'p0', 'mine', 1, 1)", (item,))
        db.execute("INSERT INTO scorers (name, version, created) VALUES ('p0', '1', 1)")
        db.execute("INSERT INTO scores SELECT ?, (SELECT max(id) FROM scorers), run, item, name, lane, 1, 0, 1, 1"
                   " FROM scores WHERE step = ?", (step, step))  # fmt: skip
        db.execute("INSERT INTO texts (hash, content) VALUES (x'77', 'words of p0')")
        db.execute("INSERT INTO calls (run, purpose, request_hash, texts, error, created) VALUES"
                   " ((SELECT id FROM runs WHERE name = 's-p0'), 'judge', 'x88', '[1]', 'HTTP 500', 1)")  # fmt: skip

    other.write(adds)

    def remove(db: sqlite3.Connection) -> None:
        run = find_run(store, "s-p0").id
        session = "session = (SELECT id FROM sessions WHERE uid = 'uid0')"
        db.execute(f"UPDATE assignments SET session = NULL, state = 'free' WHERE {session}")
        for table in ("events", "questionnaires"):
            db.execute(f"DELETE FROM {table} WHERE {session}")
        db.execute(f"DELETE FROM responses WHERE trial IN (SELECT id FROM trials WHERE {session})")
        db.execute(f"DELETE FROM trials WHERE {session}")
        db.execute("DELETE FROM sessions WHERE uid = 'uid0'")
        db.execute(
            "UPDATE participants SET pseudonym = 'withdrawn:1', withdrawn = 99, created = 99 WHERE pseudonym = 'p0'"
        )
        sweep.remove_run(db, run)

    store.write(remove, unchecked=True)
    store.vocabulary.forget()
    before = contents(store)
    carried = merge(store, other.path)
    assert carried.notices == ["one sitting that had been removed here stayed where they were"]
    assert contents(store) == before
    assert assignments(store) == [("voila-0", "free", None), ("voila-1", "done", "uid1")]
    back = merge(other, store.path)
    assert back.notices == ["p0 withdrew in the other store: `phoropter study withdraw` removes what is here"]


def test_what_was_excluded_here_stays_free(store: Store, other: Store) -> None:
    dealt(other, ("free", "free"))
    a_sitting(other, "uid0", "p0", 0)
    merge(store, other.path)

    def exclude(db: sqlite3.Connection) -> None:
        db.execute("INSERT INTO exclusions (session, reason, created) VALUES (1, 'asleep', 1)")
        db.execute("UPDATE assignments SET session = NULL, state = 'free' WHERE session = 1")

    store.write(exclude)
    merge(store, other.path)
    assert assignments(store)[0] == ("voila-0", "free", None)


def test_two_sittings_of_one_assignment_are_both_kept_and_named(store: Store, other: Store) -> None:
    for to, uid, name in ((store, "uid0", "p0"), (other, "uid1", "p1")):
        dealt(to, ("free", "free"))
        a_sitting(to, uid, name, 0)
    carried = merge(store, other.path)
    assert carried.conflicts == ["voila-0 part 0: two sittings filled this assignment; ours stands, both are kept"]
    assert assignments(store)[0] == ("voila-0", "done", "uid0")
    assert len(contents(store)["sessions"]) == 2
