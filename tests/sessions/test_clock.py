"""A clock that is set back: where the newest of several counts, it still is the one that was stored last."""

from __future__ import annotations

import itertools

import pytest

from sessions import encoding
from sessions.cells import cells_of
from sessions.doctor import examine
from sessions.grading import grade, gradings
from sessions.journal import StoreJournal
from sessions.runs import open_run, runs
from sessions.scoring import keep_scores
from sessions.store import Store
from sessions.studies.grading import keeping, verdicts_of
from sessions.studies.grading_pool import gradable
from tests.stored import CONFIG, a_run, a_score, a_step, an_item, walk

HOUR = 3_600_000
ACTION = 4


@pytest.fixture(autouse=True)
def backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at it is an hour before the last."""
    times = itertools.count(1_800_000_000_000, -HOUR)
    monkeypatch.setattr(encoding, "now_ms", lambda: next(times))


def test_a_run_made_anew_is_the_one_that_is_resumed(store: Store) -> None:
    first, _ = open_run(store, CONFIG)
    second, _ = open_run(store, CONFIG, fresh=True)
    resumed, found = open_run(store, CONFIG)
    assert (resumed.uid, found.resumed) == (second.uid, True)
    assert [each.run.uid for each in runs(store)] == [second.uid, first.uid]


async def test_the_newest_version_of_a_scorer_counts(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    path = await walk(journal, an_item())
    scores = [(step.id, a_score(0, version="2")) for step in path.steps]
    keep_scores(store, journal.run, scores)
    rights = {cell.right for cell in cells_of(store, [journal.run], scorer="rule")}
    assert rights == {0}


async def test_what_a_grader_said_last_counts(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    step = (await walk(journal, an_item(), right=0)).steps[2].id
    for right in (7, 3, 1):
        grade(store, step, "ann", right, 7)
    assert [each.right for each in gradings(store, [step])[step]] == [7, 3, 1]
    (action,) = (cell for cell in cells_of(store, [journal.run], scorer="ann") if cell.property == "action")
    assert action.right == 0


async def test_a_verdict_that_was_changed_stays_changed(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    await walk(journal, an_item(), steps=("apply",))
    answer = gradable(store, [journal.run])[0]
    for verdict in (True, False):
        store.write(keeping(store.vocabulary, answer, "ann", ACTION, verdict), full=True)
    assert verdicts_of(store.reader(), [answer.step])[answer.step].graders["ann"][ACTION] is False


async def test_an_open_trajectory_goes_on_and_the_store_is_sound(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    begun = await journal.add_step(await journal.take_up(an_item(), 0), a_step())
    again = StoreJournal(store, journal.run)
    taken = await again.take_up(an_item(), 0)
    assert [step.id for step in taken.steps] == [step.id for step in begun.steps]
    assert examine(store.path).sound
