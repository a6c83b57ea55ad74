"""Two people grade blind, a third settles what they differ on; everything they say is on disk at once."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.errors import UsageError
from core.records import Answer, Status
from core.study.preparing import Prepared
from sessions.agreement import agreement_of
from sessions.exchange.merging import merge
from sessions.grading import ADJUDICATED, grade
from sessions.journal import StoreJournal
from sessions.runs import Run, delete_run, find_run
from sessions.store import Store, backup
from sessions.studies import grading_tables
from sessions.studies.book import StudyRecord
from sessions.studies.grading import Verdict, keeping, offer, settle_all, verdicts_of
from sessions.studies.grading_pool import Gradable, gradable, runs_of_people, sampled, shuffled
from sessions.studies.people import issue
from sessions.studies.reading import find
from sessions.studies.simulated import claim_all, simulate
from sessions.studies.withdrawing import withdraw
from tests.sessions.studies.sitting import answer_some
from tests.stored import a_run, a_step, an_item, walk

NUMBER, SUBJECT, ACTION = 1, 2, 4


async def two_runs(store: Store, items: int = 3) -> list[Run]:
    runs = []
    for name in ("a", "b"):
        run = a_run(store, name, respondent=name, identity_of_respondent={"kind": name})
        journal = StoreJournal(store, run)
        for number in range(items):
            await walk(journal, an_item(number), steps=("apply",))
        runs.append(run)
    return runs


def say(store: Store, answer: Gradable, author: str, verdicts: Sequence[Verdict], *, settles: bool = False) -> None:
    for bit, verdict in zip(answer.bits, verdicts, strict=True):
        store.write(keeping(store.vocabulary, answer, author, bit, verdict, settles=settles), full=True)


def scores_of(store: Store, name: str) -> list[tuple[int, int, int]]:
    return store.reader().execute(
        "SELECT s.step, s.right, s.scored FROM scores AS s JOIN scorers AS v ON v.id = s.scorer WHERE v.name = ?"
        " AND NOT EXISTS (SELECT 1 FROM scores AS n JOIN scorers AS w ON w.id = n.scorer"
        "                 WHERE n.step = s.step AND w.name = v.name AND n.scorer > s.scorer) ORDER BY s.step",
        (name,),
    ).fetchall()  # fmt: skip


async def test_each_grader_has_an_order_of_their_own_that_mixes_respondents(store: Store) -> None:
    found = gradable(store, await two_runs(store, 20))
    assert len(found) == 40
    ann, ben = (shuffled(found, 0, name) for name in ("ann", "ben"))
    assert set(ann) == set(ben) == set(found)
    assert ann != ben != found
    assert ann == shuffled(found, 0, "ann") != shuffled(found, 1, "ann")
    assert {each.run for each in ann[:10]} == {each.run for each in found}
    assert sampled(found, 7, 3) == sampled(found, 7, 3) != sampled(found, 7, 4)
    assert len(sampled(found, 7, 3)) == 7


async def test_a_verdict_is_on_disk_before_the_next_and_becomes_a_score_with_the_last(store: Store) -> None:
    answer = gradable(store, await two_runs(store))[0]
    for count, bit in enumerate(answer.bits, 1):
        assert scores_of(store, "ann") == []
        store.write(keeping(store.vocabulary, answer, "ann", bit, bit != SUBJECT), full=True)
        assert len(verdicts_of(store.reader(), [answer.step])[answer.step].graders["ann"]) == count
    assert scores_of(store, "ann") == [(answer.step, NUMBER | ACTION, 7)]
    store.write(keeping(store.vocabulary, answer, "ann", ACTION, None), full=True)  # one back, and changed
    assert scores_of(store, "ann") == [(answer.step, NUMBER, NUMBER | SUBJECT)]


async def test_grading_goes_on_where_it_was_left(store: Store) -> None:
    found = gradable(store, await two_runs(store))
    begun = offer(store, found, "ann")
    say(store, begun.answers[0], "ann", (True, True, None))
    again = offer(store, found, "ann")
    assert again.answers == begun.answers
    assert again.said == {(begun.answers[0].step, bit): bit != ACTION or None for bit in (1, 2, 4)}
    assert offer(store, found, "ben").said == {}  # nobody is told what another said


async def test_what_two_agree_on_stands_and_a_third_settles_the_rest(store: Store) -> None:
    runs = await two_runs(store)
    found = gradable(store, runs)
    alike, other, *_ = found
    for answer in found:
        say(store, answer, "ann", (True, True, False))
        say(store, answer, "ben", (True, False, None) if answer is other else (True, True, False))
    assert {step for step, _, _ in scores_of(store, ADJUDICATED)} == {each.step for each in found} - {other.step}
    (asked,) = offer(store, found, "cleo", settles=True).answers
    assert (asked.step, asked.bits) == (other.step, (SUBJECT, ACTION))
    assert grading_tables.report(store, found).open == 2
    say(store, asked, "cleo", (False, True), settles=True)
    settled = {step: (right, scored) for step, right, scored in scores_of(store, ADJUDICATED)}
    assert settled[other.step] == (NUMBER | ACTION, 7)
    assert settled[alike.step] == (NUMBER | SUBJECT, 7)
    assert scores_of(store, "cleo") == []
    with pytest.raises(UsageError, match="nothing is left to settle"):
        offer(store, found, "dora", settles=True)
    rows = agreement_of(store, runs, "rule", ADJUDICATED)  # the rule holds everything right
    by_property = {(row.run, row.property): (row.tp, row.fp, row.fn, row.tn) for row in rows}
    of_run = {run.id: run.name for run in runs}[other.run]
    assert by_property[of_run, "subject"] == (2, 1, 0, 0)
    assert by_property[of_run, "action"] == (1, 2, 0, 0)
    assert by_property[of_run, "all"] == (0, 3, 0, 0)


async def test_a_grader_who_thinks_again_opens_what_was_agreed(store: Store) -> None:
    answer = gradable(store, await two_runs(store))[0]
    for name in ("ann", "ben"):
        say(store, answer, name, (True, True, True))
    assert scores_of(store, ADJUDICATED) == [(answer.step, 7, 7)]
    store.write(keeping(store.vocabulary, answer, "ann", ACTION, False), full=True)
    assert scores_of(store, ADJUDICATED) == [(answer.step, 3, 3)]
    assert verdicts_of(store.reader(), [answer.step])[answer.step].open == (ACTION,)


async def test_who_may_grade_and_who_may_settle(store: Store) -> None:
    found = gradable(store, await two_runs(store))
    with pytest.raises(UsageError, match="two graders yet"):
        offer(store, found, "cleo", settles=True)
    for answer in found:
        say(store, answer, "ann", (True, True, True))
        say(store, answer, "ben", (True, True, False))
    with pytest.raises(UsageError, match="two others have judged"):
        offer(store, found, "cleo")
    with pytest.raises(UsageError, match="two others have judged this answer meanwhile"):
        say(store, found[0], "cleo", (True, True, True))
    with pytest.raises(UsageError, match="ann is one of the graders"):
        offer(store, found, "ann", settles=True)
    (first, *_) = offer(store, found, "cleo", settles=True).answers
    say(store, first, "cleo", (True,), settles=True)
    with pytest.raises(UsageError, match="has settled differences"):
        offer(store, found, "cleo")
    for name in ("rule", ADJUDICATED, "Ann Smith", "ann@example.org"):
        with pytest.raises(UsageError):
            offer(store, found, name)
    with pytest.raises(UsageError, match="scorer that is no person"):
        grade(store, found[0].step, ADJUDICATED, 1, 1)


async def test_one_property_alone_then_another(store: Store) -> None:
    runs = await two_runs(store)
    (answer, *_) = gradable(store, runs, "subject")
    assert answer.bits == (SUBJECT,)
    say(store, answer, "ann", (True,))
    assert scores_of(store, "ann") == [(answer.step, SUBJECT, SUBJECT)]
    (other, *_) = gradable(store, runs, "number")
    say(store, other, "ann", (False,))
    assert scores_of(store, "ann") == [(answer.step, SUBJECT, NUMBER | SUBJECT)]
    with pytest.raises(UsageError, match="no answer has a property 'colour'"):
        gradable(store, runs, "colour")


async def test_what_says_nothing_is_not_judged(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    for number, answer in enumerate((Answer("two cats"), Answer("", Status.EMPTY), Answer("no", Status.REFUSAL))):
        path = await journal.take_up(an_item(number), 0)
        step = a_step("apply")
        await journal.add_step(path, type(step)(step.turn, answer, step.scores))
    assert len(gradable(store, [journal.run])) == 1


async def test_kappa_and_alpha_of_two_graders(store: Store) -> None:
    found = gradable(store, await two_runs(store, 20), "subject")
    chance = random.Random(4)
    for answer in found:
        truth = chance.random() < 0.5
        say(store, answer, "ann", (truth,))
        say(store, answer, "ben", (truth if chance.random() < 0.8 else not truth,))
    (row,) = grading_tables.report(store, found).agreement
    assert (row.first, row.second, row.step, row.property, row.n) == ("ann", "ben", "apply", "subject", 40)
    assert row.agree == 40 - row.differ
    assert row.kappa is not None
    assert row.alpha is not None
    assert 0.4 < row.kappa < 0.8
    assert row.alpha == pytest.approx(row.kappa, abs=0.02)
    done = grading_tables.report(store, found).done
    assert [(each.author, each.answers, each.of) for each in done] == [("ann", 40, 40), ("ben", 40, 40)]


async def test_graders_at_two_machines(store: Store, tmp_path: Path) -> None:
    """Each on a copy; merged, also twice, what both agree on is settled when somebody looks."""
    runs = await two_runs(store)
    found = gradable(store, runs)
    copy = tmp_path / "copy.db"
    backup(store.path, copy)
    for answer in found:
        say(store, answer, "ann", (True, None, True))
    with Store.open(copy) as there:
        for answer in gradable(there, [find_run(there, run.name) for run in runs]):
            say(there, answer, "ben", (True, None, answer.step != found[0].step))
    for _ in range(2):
        merge(store, copy)
    rows = store.reader().execute("SELECT author, count(*) FROM verdicts GROUP BY author").fetchall()
    assert rows == [("ann", 18), ("ben", 18)]
    settle_all(store, found)
    assert scores_of(store, ADJUDICATED) == [(step, 5, 5) for step in sorted({each.step for each in found[1:]})]
    (asked,) = offer(store, found, "cleo", settles=True).answers
    assert (asked.step, asked.bits) == (found[0].step, (ACTION,))


async def test_a_deleted_run_takes_its_verdicts_along(store: Store) -> None:
    runs = await two_runs(store)
    for answer in gradable(store, runs):
        say(store, answer, "ann", (True, True, True))
    delete_run(store, "a")
    left = {run for (run,) in store.reader().execute("SELECT DISTINCT t.run FROM verdicts AS v JOIN steps AS s"
            " ON s.id = v.step JOIN trajectories AS t ON t.id = s.trajectory")}  # fmt: skip
    assert left == {runs[1].id}
    assert store.reader().execute("SELECT count(*) FROM verdicts").fetchone()[0] == 9


async def test_peoples_main_answers_are_graded_and_nothing_else(
    store: Store, record: StudyRecord, prepared: Prepared
) -> None:
    (sitting,) = claim_all(store, record, prepared, issue(store, 1), kind="main")
    await answer_some(sitting)
    await sitting.end("ended")
    sitting.close()
    runs = runs_of_people(store, find(store, record.name))
    assert [run.config.respondent for run in runs] == ["P01"]
    assert len(gradable(store, runs)) == 5


def test_simulated_people_have_to_be_asked_for(store: Store, record: StudyRecord, prepared: Prepared) -> None:
    simulate(store, record, prepared, 1, 0.8)
    assert runs_of_people(store, find(store, record.name)) == []
    assert len(gradable(store, runs_of_people(store, find(store, record.name, "simulated")))) == 5


async def test_who_withdraws_takes_verdicts_along_given_and_received(
    store: Store, record: StudyRecord, prepared
) -> None:  # type: ignore[no-untyped-def]
    first, second = claim_all(store, record, prepared, issue(store, 2), kind="main")
    for sitting in (first, second):
        await answer_some(sitting)
        await sitting.end("ended")
        sitting.close()
    found = gradable(store, runs_of_people(store, find(store, record.name)))
    for answer in found:
        for name in ("P01", "G2"):
            say(store, answer, name, (True, True, True))
    assert len(scores_of(store, ADJUDICATED)) == 10
    withdraw(store, "P01")
    left = store.reader().execute("SELECT DISTINCT author, count(*) FROM verdicts GROUP BY author").fetchall()
    assert left == [("G2", 15)]
    assert scores_of(store, "P01") == scores_of(store, ADJUDICATED) == []
    assert len(scores_of(store, "G2")) == 5
