"""Two stores joined: nothing twice, nothing lost, conflicts named, the other never written."""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.errors import StoreError, UsageError
from core.records import Progress
from sessions import doctor, reading
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
        old.write(
            lambda db: (
                db.execute(
                    "INSERT INTO runs (uid, name, identity, benchmark, subset, protocol, options, respondent,"
                    " respondent_kind, data_digest, configuration, versions, created)"
                    " VALUES ('0123456789abcdef0123456789abcdef', 'old', 'i', 'voila', '', 'l2m', '{}', 'oracle', 'baseline', '', '{}', '{}', 1)"
                )
                and None
            )
        )
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
