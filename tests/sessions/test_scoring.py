"""Stored answers are scored again without asking anybody, and nothing that stood is rewritten."""

from __future__ import annotations

import gc
import tracemalloc
from collections import Counter
from dataclasses import dataclass, replace

import pytest

from core.records import Answer, Item, Origin, Parse, Score, Turn
from sessions import reading, scoring
from sessions.journal import StoreJournal
from sessions.scoring import Change, count_unscored, first_step, keep_scores, rescore, unscored
from sessions.store import Store
from tests.stored import STEPS, a_run, a_score, a_step, an_item, walk


@dataclass
class Strict:
    """Holds an answer right only if it says "one"."""

    version: str
    name: str = "rule"
    looked: int = 0

    def score(self, item: Item, turn: Turn, answer: Answer) -> Score:
        self.looked += 1
        right = 7 if answer.text == "one" else 0
        return Score(self.name, self.version, Parse.OK, right, 7, {"number": answer.text}, {"number": (0, 3)})


def by_version(store: Store, journal: StoreJournal) -> Counter[tuple[str, int]]:
    out: Counter[tuple[str, int]] = Counter()
    for tally in reading.tallies(store, [journal.run.id]):
        out[tally.version, tally.right] += tally.count
    return out


async def test_a_new_version_puts_its_scores_beside_the_old_and_reports_use_it(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    await walk(journal, an_item(0), answer=Answer("one"))
    kept = await walk(journal, an_item(1), right=7, answer=Answer("two"), choice="B")
    changes: list[Change] = []
    outcome = rescore(store, journal.run, Strict("2"), changes.append)
    assert (outcome.version, outcome.steps, outcome.added) == ("2", 6, 6)
    assert outcome.changed == len(changes)
    wrong_now = [change for change in changes if change.item == "voila-1"]
    assert len(wrong_now) == 3
    assert "right" in wrong_now[0].line()
    assert "wrong" in wrong_now[0].line()
    assert wrong_now[0].to_json()["old"]["version"] == "1"
    tallies = by_version(store, journal)
    assert tallies == {("2", 7): 3, ("2", 0): 3}
    assert store.reader().execute("SELECT count(*) FROM scores").fetchone() == (12,)
    found = reading.trajectory(store, kept.id)
    assert found is not None
    assert [step.choice for step in found[1].steps] == ["B"] * 3
    assert [step.scores[0].version for step in found[1].steps] == ["2"] * 3


async def test_the_same_version_again_changes_nothing(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    await walk(journal, an_item(), answer=Answer("two"))
    before = store.reader().execute("SELECT * FROM scores").fetchall()
    outcome = rescore(store, journal.run, Strict("1"))
    assert (outcome.steps, outcome.added, outcome.changed) == (3, 0, 0)
    assert store.reader().execute("SELECT * FROM scores").fetchall() == before


async def test_another_scorer_stands_beside_and_an_older_version_stays_behind(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    await walk(journal, an_item(), answer=Answer("one"))
    rescore(store, journal.run, Strict("2"))
    rescore(store, journal.run, Strict("1"))
    judged = rescore(store, journal.run, Strict("1", name="judge"))
    assert judged.added == 3
    assert {(t.scorer, t.version) for t in reading.tallies(store, [journal.run.id])} == {
        ("rule", "2"),
        ("judge", "1"),
    }


async def test_steps_scored_by_two_versions_count_once_each(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    await walk(journal, an_item(0), answer=Answer("two"))
    rescore(store, journal.run, Strict("2"))
    await walk(journal, an_item(1), answer=Answer("two"))  # a process of the older program goes on
    tallies = by_version(store, journal)
    assert tallies == {("2", 0): 3, ("1", 7): 3}


async def test_gold_edited_and_forked_answers_keep_out_of_plain_accuracy(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    trajectory = await walk(journal, an_item(), scores=())
    fork = await journal.add_step(await journal.fork(trajectory, 1), a_step("relate", scores=()))
    await journal.add_step(fork, a_step("apply", scores=(), origin=Origin.GOLD))
    assert rescore(store, journal.run, Strict("1")).added == 5
    found = {(t.step, t.forked): t.count for t in reading.tallies(store, [journal.run.id])}
    assert found == {("describe", False): 1, ("relate", False): 1, ("apply", False): 1, ("relate", True): 1}


async def test_memory_is_flat_in_the_number_of_answers_scored_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scoring, "BATCH", 20)
    monkeypatch.setattr(scoring, "PAGE", 20)
    small, large = (
        StoreJournal(store, a_run(store, name, seed=seed)) for seed, name in enumerate(("small", "large"))
    )
    for journal, items in ((small, 100), (large, 400)):
        for number in range(items):
            await walk(journal, an_item(number), steps=STEPS[:1], answer=Answer(f"{number} " * 2000))

    def peak(journal: StoreJournal, version: str) -> int:
        gc.collect()
        tracemalloc.start()
        outcome = rescore(store, journal.run, Strict(version))
        assert outcome.steps == outcome.added
        assert outcome.steps in (100, 400)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    for journal in (small, large):
        peak(journal, "2")  # fills the caches
    assert peak(large, "3") < 1.5 * peak(small, "3")


async def test_a_judge_is_given_what_it_has_not_scored(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    trajectory = await walk(journal, an_item())
    first = trajectory.steps[0].id
    score = replace(a_score(), scorer="judge")
    assert keep_scores(store, journal.run, [(first, score), (first, score), (999, score)]) == 1
    waiting = unscored(store, journal.run, scorer="judge", version="1")
    assert [answer.step.id for answer in waiting] == [step.id for step in trajectory.steps[1:]]
    assert waiting[0].item == an_item()
    assert len(unscored(store, journal.run, scorer="judge", version="2")) == 3
    assert count_unscored(store, journal.run, scorer="judge", version="2") == dict.fromkeys(STEPS, 1)


async def test_what_waits_for_a_judge_comes_in_pages_and_is_what_somebody_answered(store: Store) -> None:
    other, journal = StoreJournal(store, a_run(store)), StoreJournal(store, a_run(store, seed=1))
    await walk(other, an_item())
    assert first_step(store, journal.run) == 4  # nothing of the run is stored: what comes is newer than all
    trajectory = await walk(journal, an_item(1))
    fork = await journal.fork(trajectory, 1)
    fork = await journal.add_step(fork, a_step("relate", origin=Origin.GOLD))
    fork = await journal.add_step(fork, a_step("apply"))
    assert first_step(store, journal.run) == trajectory.steps[0].id
    seen: list[int] = []
    while page := unscored(store, journal.run, scorer="judge", version="1", after=seen[-1] if seen else 0, limit=3):
        seen += [answer.step.id for answer in page]
    assert seen == [*(step.id for step in trajectory.steps), fork.steps[-1].id]
