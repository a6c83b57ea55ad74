from __future__ import annotations

import asyncio
import uuid
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UsageError
from core.study.content import content_of
from core.study.definition import Condition, Design, Study
from core.study.pool import pictures_of
from core.study.preparing import Prepared, prepare_study
from sessions.runs import runs
from sessions.store import Store
from sessions.studies import assigning, people
from sessions.studies.book import StudyRecord, amend, find
from sessions.studies.claims import claim, hand_back
from sessions.studies.clock import SetClock
from sessions.studies.coverage import coverage
from sessions.studies.runs import SessionKind
from sessions.studies.said import Reply
from sessions.studies.sitting import HandedOnError, Sitting
from tests.fuzzing import fuzzed
from tests.sessions.studies.sitting import SHOWN, answer_some, shut_out
from tests.studies import kept, voila_study

MINUTE = 60_000


def arrive(store: Store, record: StudyRecord, prepared: Prepared, who: str, **more: object) -> Sitting:
    return claim(store, record, people.find(store, who), prepared=prepared, **more)  # type: ignore[arg-type]


def rows(store: Store, table: str) -> list[tuple[object, ...]]:
    return store.reader().execute(f"SELECT * FROM {table} ORDER BY id").fetchall()


def test_arrivals_take_the_first_free_slots_and_the_first_one_freezes_the_study(
    store: Store, record: StudyRecord, prepared: Prepared
) -> None:
    assert not record.live
    sittings = [arrive(store, record, prepared, f"P{number}", clock=SetClock()) for number in range(8)]
    assert [sitting.slot for sitting in sittings] == list(range(8))
    assert find(store, "test").live
    assert all(sitting.record.live for sitting in sittings)
    given = Counter(each.item.id for sitting in sittings for each in sitting.planned)
    assert set(given.values()) == {2}
    assert len(given) == 20
    with pytest.raises(UsageError, match="no slot is free: 0 answered, 40 with people who sit now"):
        arrive(store, record, prepared, "P9", clock=SetClock())


def test_runs_are_named_by_study_and_pseudonym(store: Store, tmp_path: Path) -> None:
    ways = {name: Condition(protocol="direct", options={"images": name}) for name in ("sequence", "collage")}
    design = Design(raters=1, per_session=6, blocks=2, conditions="within", order="latin", no_picture_twice="off")
    record, prepared = kept(store, voila_study(tmp_path, 12, design=design, conditions=ways))
    arrive(store, record, prepared, "P1").close()
    arrive(store, record, prepared, "P2", kind="pilot").close()
    names = {summary.run.name: summary.run.config for summary in runs(store)}
    assert set(names) == {"test/P1 sequence", "test/P1 collage", "test/P2 pilot sequence", "test/P2 pilot collage"}
    config = names["test/P1 collage"]
    assert config.options["images"] == "collage"
    assert (config.respondent, config.respondent_kind) == ("P1", "human")
    assert config.filter == {"study": "test", "version": 1, "digest": record.digest}
    assert len({summary.run.identity for summary in runs(store)}) == 4


async def test_the_same_label_asks_for_the_same_person_and_touches_nothing(
    store: Store, record: StudyRecord, prepared: Prepared
) -> None:
    sitting = arrive(store, record, prepared, "P17", clock=SetClock())
    await answer_some(sitting, 2)
    sitting.close()
    before = {table: rows(store, table) for table in ("sessions", "trials", "responses", "events", "assignments")}
    with pytest.raises(people.SamePersonError) as told:
        arrive(store, record, prepared, "p17")
    assert "open session of this study: 2 of 5 items answered, last seen 20" in str(told.value)
    assert "Is it the same person?" in str(told.value)
    assert told.value.earlier[0].going_on
    with pytest.raises(UsageError, match="somebody else's: nothing of theirs is touched"):
        arrive(store, record, prepared, "P17", same_person=False)
    assert {table: rows(store, table) for table in before} == before


async def test_a_person_goes_on_where_the_session_stopped_and_only_appends(
    store: Store, record: StudyRecord, prepared: Prepared
) -> None:
    clock = SetClock()
    first = arrive(store, record, prepared, "P17", clock=clock)
    await answer_some(first, 3)
    first.close()
    before = {table: rows(store, table) for table in ("trials", "responses", "events", "steps")}
    clock.go_on(30 * MINUTE)
    second = arrive(store, record, prepared, "P17", same_person=True, clock=clock, station="B", experimenter="AB")
    assert (second.session, second.slot, second.resumed) == (first.session, first.slot, True)
    assert second.gap_s == pytest.approx(1800, abs=1)
    assert second.plan == first.plan
    await answer_some(second)
    await second.end("ended")
    second.close()
    for table, old in before.items():
        assert rows(store, table)[: len(old)] == old
    asked = [row[0] for row in store.reader().execute("SELECT item FROM trials WHERE session = ?", (first.session,))]
    assert len(asked) == len(set(asked)) == 5
    resumed = store.reader().execute("SELECT details FROM events WHERE kind = 'resumed'").fetchall()
    assert len(resumed) == 1
    assert '"gap_s":1800' in resumed[0][0]


async def test_a_trial_that_had_begun_comes_first_again(
    store: Store, record: StudyRecord, prepared: Prepared
) -> None:
    first = arrive(store, record, prepared, "P1", clock=SetClock())
    await answer_some(first, 1)
    begun = await first.begin(first.planned[0], SHOWN)
    shown = rows(store, "trials")
    first.close()
    second = arrive(store, record, prepared, "P1", same_person=True, clock=SetClock())
    assert second.planned[0] == begun.planned
    again = await second.begin(second.planned[0], SHOWN)
    assert (again.id, again.again) == (begun.id, True)
    assert rows(store, "trials") == shown
    assert "shown_again" in [row[4] for row in rows(store, "events")]
    second.close()


def test_nobody_sits_at_two_terminals_and_a_killed_one_lets_go(
    store: Store, record: StudyRecord, prepared: Prepared
) -> None:
    sitting = arrive(store, record, prepared, "P1")
    with Store.open(store.path) as other, pytest.raises(UsageError, match="open at another terminal"):
        arrive(other, record, prepared, "P1", same_person=True)
    sitting.close()
    with Store.open(store.path) as other:
        arrive(other, record, prepared, "P1", same_person=True).close()
    assert list(store.path.parent.glob("*.sitting.lock")) == []


async def test_an_abandoned_claim_is_given_out_again_when_its_lease_is_over(
    store: Store, record: StudyRecord, prepared: Prepared
) -> None:
    clock = SetClock()
    left = arrive(store, record, prepared, "P1", clock=clock)
    await answer_some(left, 2)
    held = {each.item.id for each in left.planned}
    clock.go_on(119 * MINUTE)
    assert arrive(store, record, prepared, "P2", clock=clock).slot == 1
    clock.go_on(2 * MINUTE)
    found = coverage(store, record, clock=clock)
    assert (found.done, found.sitting, found.free) == (2, 5, 33)
    taker = arrive(store, record, prepared, "P3", clock=clock)
    assert taker.slot == 0
    assert {each.item.id for each in taker.planned} == held
    assert [each.position for each in taker.planned] == [0, 1, 2]
    with pytest.raises(HandedOnError):
        await left.begin(left.planned[0], SHOWN)
    assert await left.alive() is False
    await left.end("left")
    states = dict(store.reader().execute("SELECT id, state FROM sessions").fetchall())
    assert states == {left.session: "left", 2: "open", taker.session: "open"}
    kinds = [row[4] for row in rows(store, "events")]
    assert "lease_over" in kinds
    left.close()
    again = arrive(store, record, prepared, "P1", same_person=True, clock=clock)
    assert again.session not in (left.session, taker.session)
    assert not {each.item.id for each in again.planned} & ({each.item.id for each in left.plan} - held)


async def test_a_sign_of_life_renews_the_lease(store: Store, record: StudyRecord, prepared: Prepared) -> None:
    clock = SetClock()
    sitting = arrive(store, record, prepared, "P1", clock=clock)
    for _ in range(3):
        clock.go_on(100 * MINUTE)
        assert await sitting.alive() is True
    assert arrive(store, record, prepared, "P2", clock=clock).slot == 1


async def test_an_answer_that_comes_too_late_is_kept_and_not_counted(
    store: Store, record: StudyRecord, prepared: Prepared
) -> None:
    clock = SetClock()
    late = arrive(store, record, prepared, "P1", clock=clock)
    trial = await late.begin(late.planned[0], SHOWN)
    clock.go_on(121 * MINUTE)
    arrive(store, record, prepared, "P2", clock=clock)
    path = await late.take_up(trial)
    turn = late.next_turn(trial, path)
    assert turn is not None
    await late.answer(trial, path, Reply(dict(turn.gold), onset_ms=clock.ms()))
    await late.end_trial(trial)
    assert "not_counted" in [row[4] for row in rows(store, "events")]
    assert len(rows(store, "responses")) == 1
    assert coverage(store, record, clock=clock).done == 0


async def test_handing_back_frees_what_is_not_answered_and_excluding_all(
    store: Store, record: StudyRecord, prepared: Prepared
) -> None:
    sitting = arrive(store, record, prepared, "P1", clock=SetClock())
    await answer_some(sitting, 2)
    assert hand_back(store, sitting.session) == 3
    with pytest.raises(HandedOnError):
        await sitting.begin(sitting.planned[0], SHOWN)
    assert coverage(store, record).by_answers() == {0: 18, 1: 2}
    assert shut_out(store, sitting.session) == 2
    assert coverage(store, record).by_answers() == {0: 20}
    assert len(rows(store, "responses")) == 2
    assert store.write(lambda db: assigning.take_back(db, sitting.session)) == 2
    assert coverage(store, record).by_answers() == {0: 18, 1: 2}
    replaced = arrive(store, record, prepared, "P2", clock=SetClock())
    assert (replaced.slot, len(replaced.planned)) == (0, 3)


async def sit_on(store: Store, record: StudyRecord, prepared: Prepared, shown: list[str]) -> None:
    """The same person sits through one session more."""
    sitting = arrive(store, record, prepared, "P1", same_person=True, clock=SetClock())
    shown += [picture for each in sitting.planned for picture in pictures_of(each.item)]
    await answer_some(sitting)
    await sitting.end("ended")
    sitting.close()


async def test_a_person_meets_no_picture_again_in_a_later_session(store: Store, tmp_path: Path) -> None:
    design = Design(raters=1, per_session=12, no_picture_twice="person")
    record, prepared = kept(store, voila_study(tmp_path, 36, times=2, design=design))
    shown: list[str] = []
    await sit_on(store, record, prepared, shown)
    with pytest.raises(UsageError, match=r"none of the \d free slots is new to this person: \d would show a picture"):
        await asyncio.wait_for(_for_ever(store, record, prepared, shown), 60)
    assert len(shown) == len(set(shown))


async def test_pictures_may_come_again_where_the_study_says_so_and_items_never(store: Store, tmp_path: Path) -> None:
    design = Design(raters=2, per_session=12, no_picture_twice="session")
    record, prepared = kept(store, voila_study(tmp_path, 36, times=2, design=design))
    shown: list[str] = []
    with pytest.raises(UsageError, match=r"free slots is new to this person: \d+ would ask an item again"):
        await asyncio.wait_for(_for_ever(store, record, prepared, shown), 60)
    assert len(shown) > len(set(shown))
    items = [row[0] for row in store.reader().execute("SELECT item FROM trials")]
    assert len(items) == len(set(items))
    assert len(items) >= 36


async def _for_ever(store: Store, record: StudyRecord, prepared: Prepared, shown: list[str]) -> None:
    while True:
        await sit_on(store, record, prepared, shown)


async def test_who_had_a_condition_keeps_it(store: Store, tmp_path: Path) -> None:
    ways = {name: Condition(protocol="direct", options={"images": name}) for name in ("sequence", "collage")}
    design = Design(raters=2, per_session=4, no_picture_twice="session")
    record, prepared = kept(store, voila_study(tmp_path, 12, design=design, conditions=ways))
    conditions = set()
    for _ in range(2):
        sitting = arrive(store, record, prepared, "P1", same_person=True, clock=SetClock())
        conditions |= {each.condition for each in sitting.planned}
        await answer_some(sitting)
        await sitting.end("ended")
        sitting.close()
    assert len(conditions) == 1
    assert [summary.run.name for summary in runs(store)] == ["test/P1-2", "test/P1"]


async def test_only_main_sessions_of_this_version_that_stand_fill_the_quota(
    store: Store, record: StudyRecord, prepared: Prepared, study: Study
) -> None:
    simulated = people.issue_simulated(store, 1)[0]
    pilot = arrive(store, record, prepared, "X1", kind="pilot", clock=SetClock())
    made_up = claim(store, record, simulated, kind="simulated", prepared=prepared, clock=SetClock())
    for other in (pilot, made_up):
        assert not other.record.live
        await answer_some(other)
        await other.end("ended")
    assert coverage(store, record).items == ()
    assert coverage(store, record, "pilot").done == coverage(store, record, "simulated").done == 5

    one, two = (arrive(store, record, prepared, name, clock=SetClock()) for name in ("P1", "P2"))
    for sitting in (one, two):
        await answer_some(sitting)
        await sitting.end("ended")
    shut_out(store, two.session)
    assert coverage(store, one.record).done == 5

    changed = replace(study, answers=replace(study.answers, confidence=5))
    fresh = prepare_study(changed)
    _, new = amend(store, changed, content_of(fresh), keep_quota=False, reason="confidence")
    again = arrive(store, new, fresh, "P3", clock=SetClock())
    assert again.slot == 0
    assert coverage(store, new).done == 0

    kept_study = replace(changed, answers=replace(study.answers, confidence=7))
    fresh = prepare_study(kept_study)
    await answer_some(again, 3)
    _, newest = amend(store, kept_study, content_of(fresh), keep_quota=True, reason="a longer scale")
    sitting = arrive(store, newest, fresh, "P4", clock=SetClock())
    found = coverage(store, newest)
    assert found.done == 3
    assert found.wanted == 40
    assert (sitting.slot, len(sitting.planned)) == (0, 2)
    shut_out(store, again.session)  # excluded, and let in again
    assert (coverage(store, new).done, coverage(store, newest).done) == (0, 0)
    assert store.write(lambda db: assigning.take_back(db, again.session)) == 6
    assert (coverage(store, new).done, coverage(store, newest).done) == (3, 3)


async def test_what_two_amendments_keep_counts_once(store: Store, tmp_path: Path) -> None:
    design = Design(raters=2, per_session=4, no_picture_twice="off")
    study = voila_study(tmp_path, 4, design=design)
    record, prepared = kept(store, study)
    sitting = arrive(store, record, prepared, "P1", clock=SetClock())
    await answer_some(sitting)
    await sitting.end("ended")
    for confidence, name in ((5, "P2"), (7, "P3")):
        study = replace(study, answers=replace(study.answers, confidence=confidence))
        fresh = prepare_study(study)
        _, newest = amend(store, study, content_of(fresh), keep_quota=True, reason="a longer scale")
        arrive(store, newest, fresh, name, clock=SetClock())
        found = coverage(store, newest)
        assert (found.done, found.wanted) == (4, 8), "one person's answers fill one of the two places of each item"


def test_simulated_people_and_others_do_not_mix(store: Store, record: StudyRecord, prepared: Prepared) -> None:
    with pytest.raises(UsageError, match="only simulated people"):
        arrive(store, record, prepared, "P1", kind="simulated")
    with pytest.raises(UsageError, match="only simulated people"):
        claim(store, record, people.issue_simulated(store, 1)[0], prepared=prepared)


async def test_when_everything_is_answered_nobody_else_is_needed(store: Store, tmp_path: Path) -> None:
    design = Design(raters=1, per_session=4, no_picture_twice="off")
    record, prepared = kept(store, voila_study(tmp_path, 4, design=design))
    sitting = arrive(store, record, prepared, "P1", clock=SetClock())
    await answer_some(sitting)
    await sitting.end("ended")
    assert coverage(store, record).complete
    with pytest.raises(UsageError, match="every item has its 1 answers: nobody else is needed"):
        arrive(store, record, prepared, "P2")


@fuzzed(8)
@given(stops=st.lists(st.tuples(st.integers(0, 3), st.sampled_from(("killed", "left", "expired", "excluded")))))
def test_however_sessions_stop_nothing_is_asked_twice_and_nothing_dropped(
    tmp_path: Path, stops: list[tuple[int, str]]
) -> None:
    """Who was killed goes on as the same person; who left, expired or was excluded is followed by somebody else."""
    path = tmp_path / f"{uuid.uuid4().hex}.db"
    design = Design(raters=2, per_session=3, no_picture_twice="session")
    clock, excluded = SetClock(), set[int]()
    with Store.open(path) as store:
        record, prepared = kept(store, voila_study(tmp_path, 9, design=design))
        number = 0
        script = iter(stops)
        while not coverage(store, record, clock=clock).complete:
            try:
                sitting = arrive(store, record, prepared, f"P{number}", same_person=True, clock=clock)
            except UsageError:
                clock.go_on(121 * MINUTE)  # somebody's lease has still to run out
                continue
            assigned = {each.item.id for each in sitting.plan}
            count, how = next(script, (99, "left"))
            asyncio.run(answer_some(sitting, count))
            if how == "excluded":
                excluded.add(sitting.session)
                shut_out(store, sitting.session)
            elif not sitting.planned or how == "left":
                asyncio.run(sitting.end("ended" if not sitting.planned else "left"))
            sitting.close()
            number += how != "killed" or not sitting.planned
            asked = store.reader().execute(
                "SELECT items.key FROM trials JOIN items ON items.id = trials.item WHERE session = ?",
                (sitting.session,),
            )
            keys = [key for (key,) in asked]
            assert len(keys) == len(set(keys))
            assert set(keys) <= assigned
            assert sitting.planned or set(keys) == assigned
        marks = ",".join(map(str, excluded)) or "0"
        valid = store.reader().execute(
            "SELECT count(*), count(DISTINCT s.participant) FROM trials AS t JOIN sessions AS s ON s.id = t.session"
            f" WHERE t.ended IS NOT NULL AND s.id NOT IN ({marks}) GROUP BY t.item"
        )
        assert valid.fetchall() == [(2, 2)] * 9


def test_a_pseudonym_that_may_be_somebody_elses_freezes_nothing(
    store: Store, record: StudyRecord, prepared: Prepared
) -> None:
    person = people.find(store, "P1")
    claim(store, record, person, kind="pilot", prepared=prepared).close()
    with pytest.raises(people.SamePersonError):
        claim(store, record, person, prepared=prepared)
    assert not find(store, record.name).live


async def test_who_sits_while_the_study_is_amended_fills_the_quota_that_keeps_theirs(
    store: Store, record: StudyRecord, prepared: Prepared, study: Study
) -> None:
    """The newer version had been dealt before these answers were given."""
    here = claim(store, record, people.find(store, "P1"), prepared=prepared, clock=SetClock())
    await answer_some(here, 1)
    changed = replace(study, gate_attempts=5)
    _, newer = amend(store, changed, content_of(prepared), keep_quota=True, reason="misprint")
    other = claim(store, newer, people.find(store, "P2"), prepared=replace(prepared, study=changed), clock=SetClock())
    await other.end("left")
    assert coverage(store, newer).done == 1
    await answer_some(here)
    await here.end("ended")
    assert coverage(store, newer).done == coverage(store, record).done == 5
    here.close()
    other.close()


@pytest.mark.parametrize("kind", ["main", "pilot"])
def test_nobody_sits_with_a_draft_that_was_written_over_meanwhile(
    store: Store, record: StudyRecord, prepared: Prepared, study: Study, kind: SessionKind
) -> None:
    """A screen waited for a code, and somebody sat with the changed file."""
    changed, changed_prepared = kept(store, replace(study, gate_attempts=5))
    assert changed.id == record.id
    with pytest.raises(UsageError, match="changed since"):
        claim(store, record, people.find(store, "P1"), kind=kind, prepared=prepared)
    assert not find(store, record.name).live
    claim(store, changed, people.find(store, "P2"), kind=kind, prepared=changed_prepared).close()
    with pytest.raises(UsageError, match="changed since"):
        claim(store, record, people.find(store, "P1"), kind=kind, prepared=prepared)
    assert store.reader().execute("SELECT count(*) FROM sessions").fetchone() == (1,)
