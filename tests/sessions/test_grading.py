"""People's scores stand beside the others; nothing is overwritten, and reports take the newest."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

import pytest

from core.errors import UsageError
from core.records import Origin, Parse, Trajectory
from sessions import reading
from sessions.agreement import agreement_of
from sessions.cells import cells_of
from sessions.grading import Grading, grade, graders, gradings
from sessions.journal import StoreJournal
from sessions.outcomes import run_outcomes
from sessions.paths import scored_steps
from sessions.runs import delete_run
from sessions.scoring import keep_scores
from sessions.store import Store
from tests.stored import a_run, a_score, a_step, an_item, walk

APPLY = 2


async def one(store: Store) -> tuple[StoreJournal, list[Trajectory]]:
    journal = StoreJournal(store, a_run(store))
    return journal, [await walk(journal, an_item(number), right=0) for number in range(2)]


def stored(store: Store, trajectory: int) -> Trajectory:
    found = reading.trajectory(store, trajectory)
    assert found is not None
    return found[1]


def share(store: Store, journal: StoreJournal, scorer: str, step: str) -> tuple[float, int]:
    cells = cells_of(store, [journal.run], scorer=scorer)
    return next((cell.right, cell.n) for cell in cells if (cell.step, cell.property) == (step, "all"))


async def test_a_score_stands_beside_the_rules_and_changes_nothing_of_it(store: Store) -> None:
    journal, (trajectory, _) = await one(store)
    before = store.reader().execute("SELECT * FROM scores").fetchall()
    given = grade(store, trajectory.steps[APPLY].id, "ann", 0b111, 0b111, "parser wrong", "it says so")
    assert (given.version, given.correct) == ("1", True)
    step = stored(store, trajectory.id).steps[APPLY]
    rule, mine = step.score("rule"), step.score("ann")
    assert rule is not None
    assert mine is not None
    assert (rule.right, mine.right, mine.status) == (0, 7, Parse.OK)
    assert set(before) < set(store.reader().execute("SELECT * FROM scores").fetchall())
    assert graders(store, journal.run.id) == ["ann"]


async def test_scoring_again_keeps_what_was_said_and_the_newest_counts(store: Store) -> None:
    journal, (trajectory, _) = await one(store)
    step = trajectory.steps[APPLY].id
    for right, note in ((7, ""), (7, ""), (3, "no"), (3, "no, really")):
        grade(store, step, "ann", right, 7, note=note)
    history = gradings(store, [step])[step]
    assert [(one.version, one.right, one.note) for one in history] == [
        ("1", 7, ""), ("2", 3, "no"), ("3", 3, "no, really"),
    ]  # fmt: skip
    assert share(store, journal, "ann", "apply") == (0, 1)
    mine = stored(store, trajectory.id).steps[APPLY].score("ann")
    assert mine is not None
    assert (mine.version, mine.right) == ("3", 3)


async def test_rows_of_the_rule_overruled_where_graded(store: Store) -> None:
    journal, (first, second) = await one(store)
    grade(store, first.steps[APPLY].id, "ann", 7, 7)
    assert share(store, journal, "rule", "apply") == (0, 2)
    assert share(store, journal, "ann", "apply") == (1, 1)
    assert share(store, journal, "rule+ann", "apply") == (1, 2)
    assert share(store, journal, "rule+ann", "relate") == (0, 2)
    assert {cell.scorer for cell in cells_of(store, [journal.run])} == {"rule", "ann", "rule+ann"}
    seen = {s.id: s.right for s in scored_steps(store.reader(), [first.id, second.id], "rule+ann")}
    assert (seen[first.steps[APPLY].id], seen[second.steps[APPLY].id]) == (7, 0)
    found = {one.scorer: one.outcomes for one in run_outcomes(store, [journal.run])}
    assert set(found) == {"rule", "rule+ann"}  # ann has no whole trajectory
    assert [step.right for outcome in found["rule+ann"] for step in outcome.steps] == [False, False, True] + 3 * [
        False
    ]


async def test_the_overruled_rule_agrees_like_any_scorer(store: Store) -> None:
    journal, (first, _) = await one(store)
    grade(store, first.steps[APPLY].id, "ann", 3, 7)
    grade(store, first.steps[APPLY].id, "ann", 7, 7)  # the newest counts

    def of(scorer: str, reference: str) -> dict[str, tuple[int, int, int, int]]:
        rows = agreement_of(store, [journal.run], scorer, reference)
        return {row.step: (row.tp, row.fp, row.fn, row.tn) for row in rows if row.property == "all"}

    assert of("rule+ann", "rule") == {"describe": (0, 0, 0, 2), "relate": (0, 0, 0, 2), "apply": (0, 1, 0, 1)}
    assert of("rule", "rule+ann")["apply"] == (0, 0, 1, 1)
    assert of("ann", "rule+ann") == {"apply": (1, 0, 0, 0)}


async def test_nobody_overrules_by_a_name_alone(store: Store) -> None:
    journal, (trajectory, _) = await one(store)
    keep_scores(store, journal.run, [(trajectory.steps[0].id, replace(a_score(), scorer="judge"))])
    assert cells_of(store, [journal.run], scorer="rule+judge") == []
    assert {cell.scorer for cell in cells_of(store, [journal.run])} == {"rule", "judge"}


async def test_a_score_by_property_may_leave_some_out(store: Store) -> None:
    journal, (trajectory, _) = await one(store)
    grade(store, trajectory.steps[APPLY].id, "ann", 0b111, 0b011)
    cells = {c.property: (c.right, c.n) for c in cells_of(store, [journal.run], scorer="ann")}
    assert (cells["number"], cells["subject"]) == ((1, 1), (1, 1))
    assert "action" not in cells


async def test_steps_put_in_are_scored_and_never_counted(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    trajectory = await walk(journal, an_item(), steps=("describe",))
    put_in = await journal.add_step(await journal.fork(trajectory, 0), a_step(origin=Origin.GOLD))
    grade(store, put_in.steps[0].id, "ann", 7, 7)
    assert cells_of(store, [journal.run], scorer="ann") == []


async def test_parts_count_with_the_part_that_was_overruled(store: Store) -> None:
    parts = ("relate.number", "relate.subject", "relate.action")
    journal = StoreJournal(store, a_run(store, options={"subprompts": "yes"}))
    trajectory = await journal.take_up(an_item(), 0)
    for bit, name in enumerate(parts):
        score = a_score(right=0 if bit == 1 else 1 << bit, scored=1 << bit)
        trajectory = await journal.add_step(trajectory, a_step(name, scores=(score,)))
    grade(store, trajectory.steps[1].id, "ann", 0b010, 0b010)
    assert share(store, journal, "rule", "relate") == (0, 1)
    assert share(store, journal, "rule+ann", "relate") == (1, 1)


async def test_people_and_the_rule_can_be_compared(store: Store) -> None:
    journal, (trajectory, _) = await one(store)
    grade(store, trajectory.steps[APPLY].id, "ann", 7, 7)
    rows = {row.property: (row.fp, row.fn, row.n) for row in agreement_of(store, [journal.run], "ann", "rule")}
    assert rows["all"] == (1, 0, 1)


async def test_names_of_other_scorers_are_refused(store: Store) -> None:
    journal, (trajectory, _) = await one(store)
    step = trajectory.steps[0].id
    keep_scores(store, journal.run, [(step, replace(a_score(), scorer="gpt-4o"))])
    for name in ("rule", "published", "gpt-4o", "rule+ann"):
        with pytest.raises(UsageError, match="no person"):
            grade(store, step, name, 7, 7)
    with pytest.raises(UsageError, match="no such step"):
        grade(store, 9999, "ann", 7, 7)
    with pytest.raises(UsageError, match="200,000"):
        grade(store, step, "ann", 7, 7, note="x" * 200_001)
    assert gradings(store, [step]) == {}


async def test_a_deleted_run_takes_its_scores_along_and_the_name_stays_free(store: Store) -> None:
    journal, (trajectory, _) = await one(store)
    grade(store, trajectory.steps[0].id, "ann", 7, 7)
    delete_run(store, journal.run.name)
    assert store.reader().execute("SELECT count(*) FROM gradings").fetchone() == (0,)
    with sqlite3.connect(store.path) as db:
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    _, (again, _) = await one(store)
    assert isinstance(grade(store, again.steps[0].id, "ann", 7, 7), Grading)
