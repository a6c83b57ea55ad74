from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records import Progress, Turn
from core.study.definition import Answers, Catch, Condition, Design, Practice, Study
from core.study.preparing import Prepared
from sessions import encoding
from sessions.cells import cells_of
from sessions.runs import Run, find_run
from sessions.store import Store
from sessions.studies import people, wishes
from sessions.studies.book import StudyRecord
from sessions.studies.claims import claim
from sessions.studies.clock import Clock, SetClock
from sessions.studies.recording import keep_response
from sessions.studies.said import Reply, Trial
from sessions.studies.sitting import Sitting
from tests.fuzzing import fuzzed
from tests.sessions.studies.sitting import SHOWN, answer_some
from tests.studies import kept, voila_study


@pytest.fixture
def sitting(store: Store, record: StudyRecord, prepared: Prepared) -> Sitting:
    return claim(store, record, people.find(store, "P17"), prepared=prepared, clock=SetClock())


def one(store: Store, table: str) -> dict[str, Any]:
    cursor = store.reader().execute(f"SELECT * FROM {table} ORDER BY id DESC LIMIT 1")
    row = cursor.fetchone()
    return {name[0]: value for name, value in zip(cursor.description, row, strict=True)}


def logged(store: Store, kind: str) -> list[dict[str, Any]]:
    rows = store.reader().execute("SELECT details FROM events WHERE kind = ? ORDER BY id", (kind,))
    return [json.loads(row[0]) for row in rows]


def right_of(store: Store, run: Run) -> set[tuple[str, float, int]]:
    """By step: how many answers are all right, of how many."""
    return {(cell.step, cell.right, cell.n) for cell in cells_of(store, [run]) if cell.property == "all"}


def wrong(turn: Turn) -> dict[str, str]:
    return {field.name: next(o for o in field.options if o != turn.gold[field.name]) for field in turn.form}


async def test_an_answer_is_a_step_scored_like_a_models(store: Store, sitting: Sitting) -> None:
    await answer_some(sitting, 2)
    await answer_some(sitting, 1, wrong)
    run = find_run(store, "test/P17")
    assert right_of(store, run) == {("apply", 2, 3)}
    trial = one(store, "trials")
    response = one(store, "responses")
    assert trial["ended"] is not None
    assert response["step"] == one(store, "steps")["id"]
    planned = sitting.plan[2]
    assert (trial["position"], trial["item_hash"].hex()) == (planned.position, planned.item.hash)
    details = json.loads(trial["details"])
    assert details["pictures"] == [["aa", 200, 180]]
    assert details["study"] == sitting.record.digest
    assert (details["cells"], details["pixels"], details["protocol"]) == ([80, 24], [800, 480], "halfcell")


async def test_the_hash_stored_is_that_of_the_item_the_answer_was_given_to(store: Store, sitting: Sitting) -> None:
    trials = [await sitting.begin(planned, SHOWN) for planned in sitting.planned[:2]]
    first = await sitting.take_up(trials[0])
    with pytest.raises(ValueError, match="asks nothing more"):
        await sitting.answer(trials[1], first, Reply())
    turn = sitting.next_turn(trials[0], first)
    assert turn is not None
    await sitting.answer(trials[0], first, Reply(dict(turn.gold)))
    stored = store.reader().execute(
        "SELECT t.item_hash, items.hash, s.key FROM responses AS r JOIN trials AS t ON t.id = r.trial"
        " JOIN items ON items.id = t.item JOIN trajectories AS p ON p.id = t.trajectory"
        " JOIN items AS s ON s.id = p.item"
    )
    ((of_trial, of_item, key),) = stored.fetchall()
    assert of_trial == of_item == bytes.fromhex(trials[0].item.hash)
    assert key == trials[0].item.id


async def test_three_times_are_three_fields_and_active_time_stays_within_wall_time(
    store: Store, sitting: Sitting
) -> None:
    assert isinstance(sitting.clock, SetClock)
    trial = await sitting.begin(sitting.planned[0], SHOWN)
    path = await sitting.take_up(trial)
    turn = sitting.next_turn(trial, path)
    assert turn is not None
    onset = sitting.clock.ms()
    sitting.clock.go_on(10_000)
    await sitting.answer(
        trial,
        path,
        Reply(dict(turn.gold), onset_ms=onset, first_ms=onset + 1200.4, final_ms=onset + 9000, paused_ms=2500),
    )
    stored = one(store, "responses")
    assert (stored["first_ms"], stored["final_ms"], stored["paused_ms"]) == (1200, 9000, 2500)
    details = json.loads(stored["details"])
    assert details["wall_ms"] == 10_000
    assert details["onset_utc"] == sitting.clock.utc(onset)


@fuzzed(25)
@given(
    first=st.none() | st.floats(-5000, 50_000),
    final=st.none() | st.floats(-5000, 50_000),
    paused=st.floats(-100, 60_000),
    waited=st.floats(0, 20_000),
)
async def test_whatever_a_screen_tells_active_time_never_exceeds_wall_time(
    store: Store, record: StudyRecord, prepared: Prepared, first: float | None, final: float | None,
    paused: float, waited: float,
) -> None:  # fmt: skip
    sitting = claim(store, record, people.find(store, "P17"), prepared=prepared, clock=SetClock(), same_person=True)
    try:
        trial = await sitting.begin(sitting.planned[0], SHOWN)
        trial = Trial(trial.id, trial.planned, trial.begun_ms)

        def change(db: Any) -> None:
            reply = Reply(first_ms=first, final_ms=final, paused_ms=paused)
            keep_response(db, sitting.session, trial, {}, reply, None, sitting.clock, 1, waited)

        store.write(change)
    finally:
        sitting.close()
    stored = one(store, "responses")
    wall = json.loads(stored["details"])["wall_ms"]
    for value in (stored["first_ms"], stored["final_ms"]):
        assert value is None or 0 <= value <= wall
    active = (wall if stored["final_ms"] is None else stored["final_ms"]) - stored["paused_ms"]
    assert 0 <= active <= wall


async def test_three_changes_are_one_answer_and_three_events(store: Store, sitting: Sitting) -> None:
    trial = await sitting.begin(sitting.planned[0], SHOWN)
    path = await sitting.take_up(trial)
    turn = sitting.next_turn(trial, path)
    assert turn is not None
    values = {**turn.gold, "number": "four"}
    changes = tuple((100.0 * i, "number", value) for i, value in enumerate(("one", "two", "three", "four"), 1))
    path = await sitting.answer(trial, path, Reply(values, changes=(*changes, (600.0, "subject", "cat"))))
    assert store.reader().execute("SELECT count(*) FROM responses").fetchone()[0] == 1
    assert [(event["field"], event["value"], event["ms"]) for event in logged(store, "changed")] == [
        ("number", "two", 200),
        ("number", "three", 300),
        ("number", "four", 400),
    ]
    stored = one(store, "responses")
    assert stored["revisions"] == 3
    assert json.loads(stored["details"])["fields"] == {"number": [100, 400], "subject": [600, 600]}
    assert json.loads(stored["form"])["values"]["number"] == "four"


async def test_early_keys_are_logged_and_answer_nothing(store: Store, sitting: Sitting) -> None:
    trial = await sitting.begin(sitting.planned[0], SHOWN)
    path = await sitting.take_up(trial)
    turn = sitting.next_turn(trial, path)
    assert turn is not None
    early = tuple((1000.0 - 30 * i, "y") for i in range(5, 0, -1))
    await sitting.answer(trial, path, Reply(dict(turn.gold), onset_ms=1000, anticipations=early))
    (event,) = logged(store, "anticipations")
    assert event["keys"] == [[-150, "y"], [-120, "y"], [-90, "y"], [-60, "y"], [-30, "y"]]
    assert json.loads(one(store, "responses")["details"])["anticipations"] == 5
    assert store.reader().execute("SELECT count(*) FROM responses").fetchone()[0] == 1


async def test_when_the_time_is_out_what_was_typed_is_kept_and_the_answer_is_empty(
    store: Store, sitting: Sitting
) -> None:
    trial = await sitting.begin(sitting.planned[0], SHOWN)
    path = await sitting.take_up(trial)
    typed = "two hams"
    path = await sitting.answer(trial, path, Reply({"number": "two"}, typed, timed_out=True))
    await sitting.end_trial(trial, timed_out=True)
    response, stored = one(store, "responses"), one(store, "trials")
    assert json.loads(response["form"]) == {"values": {"number": "two"}, "text": typed}
    assert (response["timed_out"], stored["timed_out"]) == (1, 1)
    assert path.steps[-1].answer.text == ""
    assert path.steps[-1].score() is not None
    assert not path.steps[-1].score().correct  # type: ignore[union-attr]
    assert len(sitting.planned) == 4


async def test_a_trial_left_in_the_middle_ends_only_for_want_of_time(store: Store, tmp_path: Path) -> None:
    study = voila_study(tmp_path, 6, conditions={"": Condition(protocol="l2m")}, design=Design(1, 3))
    record, prepared = kept(store, study)
    sitting = claim(store, record, people.find(store, "P1"), prepared=prepared, clock=SetClock())
    trial = await sitting.begin(sitting.planned[0], SHOWN)
    path = await sitting.take_up(trial)
    turn = sitting.next_turn(trial, path)
    assert turn is not None
    await sitting.answer(trial, path, Reply(dict(turn.gold)))
    with pytest.raises(ValueError, match="more to ask"):
        await sitting.end_trial(trial)
    await sitting.end_trial(trial, timed_out=True)
    assert one(store, "trajectories")["progress"] == encoding.PROGRESS_CODE[Progress.FAILED]
    with pytest.raises(ValueError, match="is over"):
        await sitting.begin(trial.planned, SHOWN)


async def test_going_back_leaves_the_old_answer_on_record_and_counts_the_new_one(
    store: Store, tmp_path: Path
) -> None:
    study = voila_study(
        tmp_path, 6, conditions={"": Condition(protocol="l2m")}, design=Design(1, 3), answers=Answers(back=True)
    )
    record, prepared = kept(store, study)
    sitting = claim(store, record, people.find(store, "P1"), prepared=prepared, clock=SetClock())
    trial = await sitting.begin(sitting.planned[0], SHOWN)
    path = await sitting.take_up(trial)
    turn = sitting.next_turn(trial, path)
    assert turn is not None
    path = await sitting.answer(trial, path, Reply(wrong(turn)))
    path = await sitting.back(trial, path)
    assert path.steps == ()
    assert sitting.next_turn(trial, path) == turn
    path = await sitting.answer(trial, path, Reply(wrong(turn)))  # the same again
    path = await sitting.back(trial, path)
    while (turn := sitting.next_turn(trial, path)) is not None:
        path = await sitting.answer(trial, path, Reply(dict(turn.gold)))
    path = await sitting.back(trial, path)
    turn = sitting.next_turn(trial, path)
    assert turn is not None
    path = await sitting.answer(trial, path, Reply(dict(turn.gold)))
    await sitting.end_trial(trial)
    assert right_of(store, find_run(store, "test/P1")) == {
        ("describe", 3, 3),
        ("relate", 1, 1),
        ("apply", 1, 1),
    }
    assert store.reader().execute("SELECT count(*) FROM responses").fetchone()[0] == 6
    assert len(logged(store, "back")) == 3
    assert all(len(each.steps) == 3 for each in [await sitting.take_up(trial)])


async def test_words_of_64_kilobytes_come_back_byte_for_byte(store: Store, sitting: Sitting) -> None:
    words = ('猫,"é"\n=1+1\t\r\u2028 two cats 🐈 ' * 3000).encode()[: 64 * 1024].decode("utf-8", "ignore")
    assert len(words.encode()) >= 64 * 1024 - 4
    trial = await sitting.begin(sitting.planned[0], SHOWN)
    path = await sitting.take_up(trial)
    path = await sitting.answer(trial, path, Reply(text=words, why=words))
    await sitting.end_trial(trial)
    await sitting.questionnaire("after", "how", words)
    with Store.open(store.path, read_only=True) as other:
        db = other.reader()
        assert db.execute("SELECT text FROM steps").fetchone()[0].encode() == words.encode()
        response = db.execute("SELECT form, details FROM responses").fetchone()
        assert json.loads(response[0])["text"].encode() == words.encode()
        assert json.loads(response[1])["why"].encode() == words.encode()
        assert db.execute("SELECT value FROM questionnaires").fetchone()[0].encode() == words.encode()


async def test_a_sitting_of_5000_trials_comes_back_whole(store: Store, tmp_path: Path) -> None:
    """Trials are begun a hundred at a time, so that their commits go together."""
    design = Design(raters=1, per_session=5000, no_picture_twice="off")
    record, prepared = kept(store, voila_study(tmp_path, 5000, design=design))
    sitting = claim(store, record, people.find(store, "P1"), prepared=prepared, clock=SetClock())
    said: dict[str, str] = {}

    async def ask(number: int) -> None:
        planned = sitting.plan[number]
        said[planned.item.id] = f"answer {number} é\n"
        trial = await sitting.begin(planned, SHOWN)
        path = await sitting.take_up(trial)
        await sitting.answer(trial, path, Reply(text=said[planned.item.id]))
        await sitting.end_trial(trial)

    for start in range(0, 5000, 250):
        await asyncio.gather(*(ask(number) for number in range(start, start + 250)))
    await sitting.end("ended")
    with Store.open(store.path, read_only=True) as other:
        rows = other.reader().execute(
            "SELECT items.key, steps.text, t.position, t.item_hash = items.hash FROM trials AS t"
            " JOIN items ON items.id = t.item JOIN responses AS r ON r.trial = t.id JOIN steps ON steps.id = r.step"
        )
        found = rows.fetchall()
    assert len(found) == 5000
    assert {key: text for key, text, _, _ in found} == said
    assert all(same for *_, same in found)
    assert [key for key, _, position, _ in sorted(found, key=lambda row: row[2])] == [
        each.item.id for each in sitting.plan
    ]


async def test_pauses_wishes_and_ends_are_on_record(store: Store, sitting: Sitting) -> None:
    await sitting.pause(True)
    assert one(store, "sessions")["state"] == "paused"
    await sitting.pause(False)
    assert await sitting.wishes() == []
    wishes.ask(store, sitting.session, "note", "look at the screen", "AB")
    wishes.ask(store, sitting.session, "end")
    heard = await sitting.wishes()
    assert [(wish.wish, wish.text, wish.author) for wish in heard] == [
        ("note", "look at the screen", "AB"),
        ("end", "", ""),
    ]
    assert await sitting.wishes() == []
    await sitting.event("zoom", details={"ms": 3})
    assert logged(store, "zoom")[0]["ms"] == 3
    await sitting.end("left")
    stored = one(store, "sessions")
    assert (stored["state"], stored["ended"]) == ("left", sitting.clock.now())
    with pytest.raises(Exception, match="this session is over"):
        wishes.ask(store, sitting.session, "pause")
    with pytest.raises(Exception, match="nobody can wish"):
        wishes.ask(store, sitting.session, "dance")


async def test_a_field_that_the_form_does_not_have_is_a_fault_and_keeps_nothing(
    store: Store, sitting: Sitting
) -> None:
    trial = await sitting.begin(sitting.planned[0], SHOWN)
    path = await sitting.take_up(trial)
    with pytest.raises(ValueError, match="no field colour"):
        await sitting.answer(trial, path, Reply({"colour": "red"}))
    assert store.reader().execute("SELECT count(*) FROM steps").fetchone()[0] == 0


def test_clocks_go_one_way() -> None:
    clock = Clock()
    before = clock.ms()
    assert 0 <= before <= clock.ms()
    assert abs(clock.utc(clock.ms()) - clock.now()) < 1000
    still = SetClock(1_000_000)
    still.go_on(1500)
    assert (still.ms(), still.now()) == (1500.0, 1_001_500)


def test_practice_and_catch_trials_have_runs_apart(store: Store, tmp_path: Path) -> None:
    study: Study = voila_study(
        tmp_path,
        15,
        practice=Practice(ids=("voila-1",)),
        catch=Catch(ids=("voila-2", "voila-3"), every=2),
        design=Design(1, 4, no_picture_twice="off"),
    )
    record, prepared = kept(store, study)
    sitting = claim(store, record, people.find(store, "P1"), prepared=prepared, clock=SetClock())
    asyncio.run(answer_some(sitting))
    asyncio.run(sitting.end("ended"))
    for name, n in (("test/P1", 4), ("test/P1 practice", 1), ("test/P1 catch", 2)):
        assert right_of(store, find_run(store, name, exact=True)) == {("apply", n, n)}
    kinds = store.reader().execute("SELECT kind, count(*) FROM trials GROUP BY kind").fetchall()
    assert dict(kinds) == {"main": 4, "practice": 1, "catch": 2}
    assert store.reader().execute("SELECT count(*) FROM assignments WHERE state = 'done'").fetchone()[0] == 4
