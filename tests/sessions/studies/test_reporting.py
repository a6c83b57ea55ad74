from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from core.errors import UsageError
from core.records import Turn
from core.study.content import content_of
from core.study.definition import Catch, Condition, Design, Exclusion, Items, Practice, Timing
from core.study.orders import Planned
from core.study.preparing import prepare_study
from sessions.comparing import compare
from sessions.runs import runs
from sessions.store import Store
from sessions.studies.book import amend
from sessions.studies.claims import claim
from sessions.studies.clock import SetClock
from sessions.studies.collected import checklist
from sessions.studies.excluding import apply_rules, exclude, lift
from sessions.studies.people import find as person
from sessions.studies.reading import find, find_session
from sessions.studies.reporting import people_beside, report
from sessions.studies.said import Reply
from tests.sitting import SHOWN, STUDY, Say, a_study, says, sit

ITEMS = ("sm-001", "lo-001", "lo-003", "oa-002")


def wrong_on(*items: str) -> Say:
    """The gold but on these items, where it is always the same wrong value."""

    def say(planned: Planned, turn: Turn) -> Mapping[str, str]:
        return {
            field.name: next(value for value in field.options if value != turn.gold[field.name])
            if planned.item.id in items
            else turn.gold[field.name]
            for field in turn.form
        }

    return say


SMALL = replace(STUDY, items=Items(ids=ITEMS), design=Design(raters=3, per_session=4, no_picture_twice="off"))


async def test_every_figure_of_a_small_study_is_known(store: Store) -> None:
    """Three people on four items: one errs on two, one on one of these: 9 of 12 right."""
    record, prepared = a_study(store, SMALL)
    await sit(store, record, prepared, "P01", wrong_on("sm-001", "lo-001"))
    await sit(store, record, prepared, "P02", wrong_on("sm-001"))
    await sit(store, record, prepared, "P03", says(1.0), seconds=9.0)

    told = report(store, "mmra-people")

    whole = next(cell for cell in told.cells if cell.property == "all")
    assert (whole.right, whole.n, whole.accuracy) == (9.0, 12, 0.75)
    assert whole.interval == "bootstrap over participants and items"
    assert whole.low is not None
    assert whole.low < 0.75
    assert (whole.kind, whole.respondent) == ("human", "people")
    by_rule = {cell.group: cell.right for cell in told.together if cell.property == "all"}
    assert by_rule == {"majority of 3": 3.0, "best of 3": 4.0, "all of 3": 2.0}
    hardest = [(row.item, row.right, row.people) for row in told.difficulty][:2]
    assert hardest == [("sm-001", 1.0, 3), ("lo-001", 2.0, 3)]
    (against,) = told.against_gold
    assert (against.item, against.count, against.people) == ("sm-001", 2, 3)
    assert against.said != against.gold
    final = next(row for row in told.times if row.measure == "final")
    assert (final.median, final.n, final.person_low, final.person_high) == (3.0, 12, 3.0, 9.0)
    done = told.completion
    assert (done.items, done.complete, done.short, done.over, done.valid, done.people) == (4, 4, 0, 0, 12, 3)
    assert told.agreement[0].alpha.value is not None


async def test_all_the_same_answers_are_undefined_agreement(store: Store) -> None:
    study = replace(SMALL, items=Items(ids=("sm-001",)), design=Design(raters=2, per_session=1))
    record, prepared = a_study(store, study)
    for who in ("P01", "P02"):
        await sit(store, record, prepared, who)

    (row,) = report(store, "mmra-people").agreement

    assert row.alpha.value is None
    assert row.alpha.why == "all answers are the same"


async def test_people_who_always_disagree(store: Store) -> None:
    study = replace(SMALL, design=Design(raters=2, per_session=4, no_picture_twice="off"))
    record, prepared = a_study(store, study)
    await sit(store, record, prepared, "P01")
    await sit(store, record, prepared, "P02", wrong_on(*ITEMS))

    (row,) = report(store, "mmra-people").agreement

    assert row.alpha.value is not None
    assert row.alpha.value <= 0


async def test_practice_catch_and_simulated_sessions_count_nowhere(store: Store) -> None:
    study = replace(SMALL, practice=Practice(("lo-002",)), catch=Catch(("env-001",), every=2))
    record, prepared = a_study(store, study)
    await sit(store, record, prepared, "P01")
    await sit(store, record, prepared, kind="simulated", say=says(0.0))
    await sit(store, record, prepared, "P02", kind="pilot", say=says(0.0))

    told = report(store, "mmra-people")

    whole = next(cell for cell in told.cells if cell.property == "all")
    assert (whole.right, whole.n) == (4.0, 4)
    assert (told.completion.practice, told.completion.catch, told.completion.answers) == (1, 1, 4)
    assert report(store, "mmra-people", kind="simulated").cells[0].right == 0.0
    assert report(store, "mmra-people", kind="pilot").cells[0].right == 0.0


async def test_who_was_asked_no_item_is_not_one_of_the_people(store: Store) -> None:
    record, prepared = a_study(store, SMALL)
    await sit(store, record, prepared, "P01")
    await sit(store, record, prepared, "P02", trials=0)

    told = report(store, "mmra-people")

    assert sum(told.completion.states.values()) == 2
    assert told.completion.people == 1


async def test_rules_decided_beforehand_are_applied_and_stored(store: Store) -> None:
    study = replace(SMALL, exclude=Exclusion(fastest_s=2.0, same_answer=0.9))
    record, prepared = a_study(store, study)
    await sit(store, record, prepared, "P01", seconds=0.5, say=wrong_on(*ITEMS))
    await sit(store, record, prepared, "P02")

    told = report(store, "mmra-people")

    assert [(session.person, session.exclusions[0].rule) for session in told.excluded] == [("P01", "fastest_s")]
    assert told.applied.excluded == ((told.excluded[0].id, "fastest_s", "median 0.50 s an item (< 2 s)"),)
    with_, without = told.all_cells[0], told.cells[0]
    assert (without.right, without.n, with_.right, with_.n) == (4.0, 4, 4.0, 8)
    assert told.completion.short == 4
    free = store.reader().execute("SELECT count(*) FROM assignments WHERE state = 'free'").fetchone()[0]
    assert free == 8
    again = report(store, "mmra-people")
    assert again.applied.excluded == ()
    assert store.reader().execute("SELECT count(*) FROM exclusions").fetchone()[0] == 1
    assert [cell.accuracy for cell in again.cells] == [cell.accuracy for cell in told.cells]


async def test_a_session_that_goes_on_is_not_judged_yet(store: Store) -> None:
    record, prepared = a_study(store, replace(SMALL, exclude=Exclusion(fastest_s=2.0)))
    await sit(store, record, prepared, "P01", seconds=0.5, trials=2)

    told = report(store, "mmra-people")

    assert told.excluded == ()
    assert told.cells[0].n == 2


async def test_catch_trials_exclude_whoever_fails_them(store: Store) -> None:
    study = replace(SMALL, catch=Catch(("env-001", "env-002"), every=2), exclude=Exclusion(catch_right=0.6))
    record, prepared = a_study(store, study)
    await sit(store, record, prepared, "P01", wrong_on("env-001"))
    await sit(store, record, prepared, "P02", wrong_on("sm-001"))

    told = report(store, "mmra-people")

    assert [(session.person, session.exclusions[0].reason) for session in told.excluded] == [
        ("P01", "1 of 2 catch trials right (50% < 60%)")
    ]


async def test_by_hand_and_back_again(store: Store) -> None:
    record, prepared = a_study(store, SMALL)
    await sit(store, record, prepared, "P01", wrong_on("sm-001"))
    session = find_session(find(store, "mmra-people"), "P01")

    with pytest.raises(UsageError, match="needs its reason"):
        exclude(store, session, "  ", "AB")
    exclude(store, session, "fire alarm", "AB")

    excluded = find(store, "mmra-people").sessions[0]
    assert [(each.rule, each.reason, each.author) for each in excluded.exclusions] == [("", "fire alarm", "AB")]
    assert report(store, "mmra-people").cells == ()
    with pytest.raises(UsageError, match="excluded by hand already"):
        exclude(store, excluded, "again", "AB")
    lift(store, excluded)
    lift(store, excluded)  # somebody else at the same moment: nothing counts twice
    assert report(store, "mmra-people").cells[0].n == 4
    done = store.reader().execute("SELECT count(*) FROM assignments WHERE state = 'done'").fetchone()[0]
    assert done == 4
    with pytest.raises(UsageError, match="not excluded by hand"):
        lift(store, find(store, "mmra-people").sessions[0])


async def test_an_open_session_is_not_excluded_by_hand(store: Store) -> None:
    record, prepared = a_study(store, SMALL)
    await sit(store, record, prepared, "P01", trials=1)

    with pytest.raises(UsageError, match="still going on"):
        exclude(store, find(store, "mmra-people").sessions[0], "why not", "AB")


async def test_a_timed_out_trial_is_wrong_and_its_later_steps_are_left_out(store: Store) -> None:
    study = replace(
        STUDY,
        benchmark="voila:ND",
        conditions={"steps": Condition(protocol="l2m")},
        items=Items(sample=2),
        design=Design(raters=1, per_session=2, no_picture_twice="off"),
        timing=Timing(limit_s=5.0),
    )
    record, prepared = a_study(store, study)
    sitting = claim(store, record, person(store, "P01"), prepared=prepared, clock=SetClock())
    try:
        for number, planned in enumerate(sitting.planned):
            trial = await sitting.begin(planned, SHOWN)
            path = await sitting.take_up(trial)
            out = False
            while (turn := sitting.next_turn(trial, path)) is not None and not out:
                out = number == 0 and turn.step.startswith("relate")
                values = {} if out else says(1.0)(planned, turn)
                reply = Reply(dict(values), final_ms=None if out else 10.0, timed_out=out)
                path = await sitting.answer(trial, path, reply)
            await sitting.end_trial(trial, timed_out=out)
        await sitting.end("ended")
    finally:
        sitting.close()

    told = report(store, "mmra-people")

    cells = {cell.step: cell for cell in told.cells if cell.property == "all"}
    assert (cells["relate"].right, cells["relate"].n, cells["relate"].unparsed) == (1.0, 2, 1)
    assert (cells["apply"].right, cells["apply"].n, cells["apply"].failed) == (1.0, 1, 1)
    assert cells["apply"].accuracy_strict == 0.5


async def test_people_stand_beside_runs_of_the_same_protocol(store: Store) -> None:
    record, prepared = a_study(store, SMALL)
    await sit(store, record, prepared, "P01")
    run = next(summary.run for summary in runs(store) if summary.run.name == "mmra-people/P01")

    assert [cell.n for cell in people_beside(store, [run]) if cell.property == "all"] == [4]
    assert people_beside(store, [replace(run, config=replace(run.config, protocol="dq"))]) == []


async def test_the_checklist_is_filled_in_from_what_was_collected(store: Store) -> None:
    record, prepared = a_study(store, SMALL)
    await sit(store, record, prepared, "P01", wrong_on("sm-001"))
    told = report(store, "mmra-people")

    answers = {each.entry.key: each for each in checklist(store, told)}

    assert answers["size"].answer.startswith("1 person, 1 session that count, 4 answers to 4 items")
    assert answers["dates"].answer.endswith("by AB; at lab 1")
    assert "bootstrap over participants and items" not in answers["agreement"].answer
    assert answers["versions"].answer.startswith(f"version 1 {record.digest[:12]}")
    assert not answers["ethics"].said
    assert all(each.said for each in answers.values() if each.entry.source == "collected")


async def test_nothing_is_applied_to_a_store_open_for_reading(store: Store) -> None:
    record, prepared = a_study(store, replace(SMALL, exclude=Exclusion(fastest_s=2.0)))
    await sit(store, record, prepared, "P01", seconds=0.5)

    with Store.open(store.path, read_only=True) as reader:
        assert report(reader, "mmra-people").excluded == ()
    assert apply_rules(store, find(store, "mmra-people")).excluded != ()


async def test_an_item_that_was_found_fault_with_is_told_and_is_no_answer(store: Store) -> None:
    record, prepared = a_study(store, SMALL)
    await sit(store, record, prepared, "P01")
    sitting = claim(store, record, person(store, "P02"), prepared=prepared, clock=SetClock())
    try:
        trial = await sitting.begin(sitting.planned[0], SHOWN)
        await sitting.take_up(trial)
        await sitting.event("problem", trial=trial, details={"reason": "the picture is torn", "step": "answer"})
        await sitting.end_trial(trial, problem="problem: the picture is torn")
        await sitting.end("left")
    finally:
        sitting.close()

    told = report(store, "mmra-people")

    (row,) = told.reported
    assert (row.person, row.item, row.reason) == ("P02", trial.item.id, "the picture is torn")
    assert (told.completion.answers, told.completion.valid, told.completion.reported) == (5, 4, 1)
    whole = next(cell for cell in told.cells if cell.property == "all")
    assert (whole.n, whole.failed, whole.accuracy, whole.accuracy_strict) == (4, 1, 1.0, 0.8)


async def test_a_fault_that_was_cut_off_and_answered_in_the_end_is_none(store: Store) -> None:
    record, prepared = a_study(store, SMALL)
    sitting = claim(store, record, person(store, "P01"), prepared=prepared, clock=SetClock())
    trial = await sitting.begin(sitting.planned[0], SHOWN)
    await sitting.event("problem", trial=trial, details={"reason": "torn", "step": "answer"})
    sitting.close()
    await sit(store, record, prepared, "P01")

    told = report(store, "mmra-people")

    assert told.reported == ()
    assert (told.completion.valid, told.completion.reported) == (4, 0)


async def test_an_amended_study_counts_what_was_kept_of_items_that_it_still_has(store: Store) -> None:
    record, prepared = a_study(store, SMALL)
    await sit(store, record, prepared, "P01", wrong_on("sm-001"))
    changed = replace(SMALL, items=Items(ids=("lo-001", "lo-003", "oa-002", "ms-004")))
    asked = prepare_study(changed)
    _, newer = amend(store, changed, content_of(asked), keep_quota=True, reason="sm-001 was misprinted")
    await sit(store, newer, asked, "P02")

    told = report(store, "mmra-people")

    assert [(each.version, each.sessions, each.reason) for each in told.versions] == [
        (1, 1, ""), (2, 1, "sm-001 was misprinted"),
    ]  # fmt: skip
    assert len({each.digest for each in told.versions}) == 2
    whole = next(cell for cell in told.cells if cell.property == "all")
    # three of the first, whose wrong answer was to the item that is gone; P02 was given what was left of that slot
    assert (whole.right, whole.n) == (4.0, 4)
    assert (told.completion.items, told.completion.answers, told.completion.valid) == (4, 5, 4)


async def test_an_amended_study_that_kept_nothing_counts_anew(store: Store) -> None:
    record, prepared = a_study(store, SMALL)
    await sit(store, record, prepared, "P01")
    changed = replace(SMALL, design=Design(raters=2, per_session=4, no_picture_twice="off"))
    asked = prepare_study(changed)
    amend(store, changed, content_of(asked), keep_quota=False, reason="fewer")

    assert report(store, "mmra-people").completion.answers == 0


async def test_a_number_that_is_somebodys_pseudonym_means_nobody(store: Store) -> None:
    record, prepared = a_study(store, SMALL)
    await sit(store, record, prepared, "2")
    await sit(store, record, prepared, "P02")
    found = find(store, "mmra-people")
    with pytest.raises(UsageError, match=f"2 sessions are meant.*{found.sessions[0].uid}"):
        find_session(found, "2")
    assert find_session(found, found.sessions[1].uid).person == "P02"
    assert find_session(found, "1").person == "2"


async def test_who_breaks_a_rule_is_beside_no_run_and_compared_with_none_before_any_report(store: Store) -> None:
    record, prepared = a_study(store, replace(SMALL, exclude=Exclusion(fastest_s=2.0)))
    await sit(store, record, prepared, "P01", wrong_on(*ITEMS), seconds=0.5)
    await sit(store, record, prepared, "P02")
    (run,) = [each.run for each in runs(store) if each.run.name == "mmra-people/P02"]
    assert {cell.accuracy for cell in people_beside(store, [run])} == {1.0}
    told = compare(store, ["people", run.name], unmatched=True)
    assert {(row.accuracy_a, row.accuracy_b) for row in told.differences} == {(1.0, 1.0)}


async def test_a_night_between_two_halves_of_a_session_is_no_part_of_its_length(store: Store) -> None:
    record, prepared = a_study(store, SMALL)
    for started in (0, 86_400_000):
        clock = SetClock(started)
        sitting = claim(store, record, person(store, "P01"), prepared=prepared, clock=clock, same_person=True)
        for planned in sitting.planned[:2]:
            trial = await sitting.begin(planned, SHOWN)
            path = await sitting.take_up(trial)
            while (turn := sitting.next_turn(trial, path)) is not None:
                onset = clock.ms()
                clock.go_on(60_000)
                reply = Reply(dict(turn.gold), onset_ms=onset, first_ms=onset + 1, final_ms=onset + 60_000)
                path = await sitting.answer(trial, path, reply)
            await sitting.end_trial(trial)
        if not sitting.planned:
            await sitting.end("ended")
        sitting.close()
    durations = {each.entry.key: each.answer for each in checklist(store, report(store, "mmra-people"))}["durations"]
    assert durations.endswith("sessions: median 4.0 minutes")
