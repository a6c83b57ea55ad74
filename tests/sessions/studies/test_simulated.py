from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import UsageError
from core.study.definition import Answers, Design, Question
from core.study.preparing import Prepared, prepare_study
from core.study.simulating import Simulated
from sessions.runs import runs
from sessions.store import Store
from sessions.studies.book import StudyRecord
from sessions.studies.coverage import coverage
from sessions.studies.simulated import Sat, simulate
from tests.studies import a_study, kept, voila_study


def test_simulated_people_sit_until_no_slot_is_left_and_are_marked(
    store: Store, record: StudyRecord, prepared: Prepared
) -> None:
    told: list[Sat] = []
    sat = simulate(store, record, prepared, 10, 0.9, told=told.append)
    assert len(sat) == len(told) == 8
    assert {one.answered for one in sat} == {5}
    assert coverage(store, record, "simulated").complete
    assert coverage(store, record).items == ()
    configs = {summary.run.name: summary.run.config for summary in runs(store)}
    assert {config.respondent_kind for config in configs.values()} == {"baseline"}
    assert configs["test/simulated:P03"].respondent == "simulated:P03"
    kinds = store.reader().execute("SELECT DISTINCT kind FROM sessions").fetchall()
    assert kinds == [("simulated",)]
    assert store.reader().execute("SELECT state FROM studies").fetchone()[0] == "draft"
    with pytest.raises(UsageError, match="nobody else is needed"):
        simulate(store, record, prepared, 1, 0.9)


@pytest.mark.parametrize(("skill", "low", "high"), [(0.0, 0, 0), (1.0, 1, 1), (0.7, 0.6, 0.8)])
def test_each_value_is_right_with_the_probability_given(
    store: Store, tmp_path: Path, skill: float, low: float, high: float
) -> None:
    record, prepared = kept(store, voila_study(tmp_path, 60, design=Design(2, 10, no_picture_twice="session")))
    simulate(store, record, prepared, 12, skill)
    right, scored = (
        store.reader()
        .execute("SELECT sum((right & 1) + (right >> 1 & 1) + (right >> 2 & 1)), 3 * count(*) FROM scores")
        .fetchone()
    )
    assert scored == 360
    assert low <= right / scored <= high


def test_a_simulated_person_is_the_same_again_and_different_from_others() -> None:
    study = a_study(answers=Answers(confidence=5, why="required"))
    prepared = prepare_study(study)
    item = next(iter(prepared.pool.items.values()))
    turn = prepared.protocols[""].next_turn(item, ())
    assert turn is not None
    one, again, other = (Simulated(study, 0.5, seed) for seed in ("a", "a", "b"))
    assert one.says(item.id, turn) == again.says(item.id, turn)
    assert one.says(item.id, turn) != other.says(item.id, turn)
    said = one.says(item.id, turn)
    assert 0 < said.first_s <= said.final_s
    assert said.confidence in (1.0, 2.0, 3.0, 4.0, 5.0)
    assert said.why


def test_gates_are_passed_and_questionnaires_filled_in(store: Store, tmp_path: Path) -> None:
    study = voila_study(
        tmp_path,
        4,
        design=Design(1, 4, no_picture_twice="off"),
        gate=(Question("g", "What?", options=("a", "b"), answer="b"),),
        before=(Question("age", "Age?", kind="number"),),
        after=(Question("hard", "Hard?", kind="scale", points=3), Question("which", "?", options=("x", "y"))),
    )
    record, prepared = kept(store, study)
    simulate(store, record, prepared, 1, 0.5)
    rows = store.reader().execute("SELECT part, question, value FROM questionnaires ORDER BY id").fetchall()
    assert [row[:2] for row in rows] == [("gate", "g"), ("before", "age"), ("after", "hard"), ("after", "which")]
    assert rows[0][2] == "b"
    assert rows[2][2] in "123"
    assert rows[3][2] in "xy"
