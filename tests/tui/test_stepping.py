"""The stepping screen's state, without a terminal."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from core.records import Origin, Progress
from tests.memory_journal import MemoryJournal
from tests.tui.stage import Held, Told, refused, stepping
from tui.state.stepping import Stepping

WRONG = "Image 1: four wolves typing.\nImage 2: four wolves typing.\nImage 3: four wolves typing."


async def opened(respondent: object = "oracle", **given: object) -> Stepping:
    state = stepping(respondent, **given)  # type: ignore[arg-type]
    await state.open_item(0)
    return state


async def test_a_fresh_item_stands_before_its_first_turn_and_shows_its_prompt() -> None:
    state = await opened()
    look = state.look()
    assert (look.index, look.step) == (0, None)
    assert look.turn is not None
    assert look.turn.step == "describe"
    assert [row.kind for row in state.rows()] == ["next"]


async def test_space_asks_at_the_end_and_walks_stored_steps_before_it() -> None:
    told = Told()
    state = await opened(told)
    await state.next()
    await state.next()
    assert (told.asked, state.cursor) == (2, 1)
    state.back()
    assert (told.asked, state.cursor) == (2, 0)
    await state.next()
    assert (told.asked, state.cursor) == (2, 1)
    await state.next()
    assert (told.asked, state.cursor) == (3, 2)
    assert state.current.progress is Progress.DONE
    await state.next()
    assert told.asked == 3
    assert state.note == "this path is complete"


async def test_gold_at_an_answered_step_forks_and_leaves_the_old_path() -> None:
    told = Told(WRONG)
    state = await opened(told)
    await state.next()
    await state.next()
    before = state.current
    state.back()
    await state.gold()
    assert told.asked == 2
    assert state.current.parent == before.id
    assert state.current.steps[0].origin is Origin.GOLD
    assert state.cursor == 0
    assert state.family.get(before.id) == before
    assert [row.kind for row in state.rows()] == ["step", "step", "next", "head", "step", "next"]


async def test_gold_at_the_next_turn_is_put_in_unasked() -> None:
    told = Told()
    state = await opened(told)
    await state.gold()
    assert told.asked == 0
    assert state.current.steps[0].origin is Origin.GOLD


async def test_gold_of_one_property_keeps_the_rest_of_the_answer() -> None:
    state = await opened(Told(WRONG))
    await state.next()
    await state.gold("number")
    score = state.current.steps[0].score()
    assert score is not None
    gold = state.current.steps[0].turn.gold
    assert {score.parsed[f"{unit}.number"] for unit in (1, 2, 3)} == {gold[f"{unit}.number"] for unit in (1, 2, 3)}
    assert score.parsed["1.subject"] == "wolf"


async def test_own_words_are_put_in_and_scored() -> None:
    state = await opened(Told(WRONG))
    await state.next()
    gold_text = state.current.steps[0].turn.gold_text
    await state.edit(gold_text)
    step = state.current.steps[0]
    score = step.score()
    assert step.origin is Origin.EDITED
    assert score is not None
    assert score.correct


async def test_asking_again_takes_the_next_repeat_and_stands_beside_the_old_answer() -> None:
    told = Told(WRONG)
    state = await opened(told)
    await state.next()
    await state.ask_again()
    assert (told.asked, state.current.steps[0].repeat) == (2, 1)
    state.switch_trajectory(-1)
    await state.ask_again()
    assert state.current.steps[0].repeat == 2
    assert len(state.family.all()) == 3


async def test_f_stops_at_the_first_wrong_step_and_asks_no_further() -> None:
    told = Told(WRONG)
    state = await opened(told)
    await state.to_first_wrong()
    assert (told.asked, state.cursor) == (1, 0)
    await state.next()
    await state.to_first_wrong()
    assert (told.asked, state.cursor) == (2, 0)


async def test_f_says_so_where_every_step_is_right() -> None:
    state = await opened()
    await state.to_first_wrong()
    assert state.current.progress is Progress.DONE
    assert state.note == "every step of this path is right"


async def test_the_strip_moves_with_each_step_and_never_counts_what_ifs() -> None:
    state = await opened(Told(WRONG))
    await state.next()
    plain = state.lanes()[0]
    first = plain.steps[0]
    assert (first.step, first.whole, first.n) == ("describe", 0.0, 3)
    await state.gold()
    await state.next()
    assert state.lanes()[0] == plain
    what_if = state.lanes()[1]
    assert what_if.name == "describe=gold (fork)"
    assert [(step.step, step.n) for step in what_if.steps] == [("relate", 1)]


async def test_a_step_asked_in_parts_stands_in_the_strip_as_a_whole() -> None:
    state = await opened(options={"subprompts": "yes"})
    await state.to_end()
    assert [(step.step, step.whole) for step in state.lanes()[0].steps] == [
        ("describe", 1.0),
        ("relate", 1.0),
        ("apply", 1.0),
    ]


async def test_a_failed_call_shows_its_reason_and_space_tries_again() -> None:
    told = Told("ok", refused())
    state = await opened(told)
    await state.next()
    await state.next()
    look = state.look()
    assert look.index == 1
    assert look.stopped is not None
    assert "the server is gone" in look.stopped.reason
    assert state.rows()[-1].kind == "failed"
    await state.next()
    assert state.current.steps[1].turn.step == "relate"
    assert state.look().stopped is None


async def test_a_failure_is_there_again_when_the_item_is_reopened() -> None:
    journal = MemoryJournal()
    state = await opened(Told(refused()), journal=journal)
    await state.next()
    again = await opened(Told(), journal=journal)
    look = again.look()
    assert look.stopped is not None
    assert "the server is gone" in look.stopped.reason
    assert again.roster.standing(again.item.id).word == "failed"


async def test_a_failure_while_asking_again_leaves_the_answered_path() -> None:
    state = await opened(Told(WRONG, refused()))
    await state.next()
    main = state.current.id
    await state.ask_again()
    assert state.current.id == main
    look = state.look()
    assert look.step is not None
    assert look.stopped is not None
    assert [row.kind for row in state.rows()] == ["step", "next"]


async def test_cancelling_keeps_what_had_arrived_and_stores_no_step() -> None:
    held = Held()
    state = await opened(held)
    asking = asyncio.create_task(state.next())
    await held.begun.wait()
    running = state.look().running
    assert running is not None
    assert running.text == "the first words"
    assert state.cancel()
    await asking
    look = state.look()
    assert look.running is None
    assert look.stopped is not None
    assert look.stopped.text == "the first words"
    assert state.current.steps == ()
    held.let_go.set()
    await state.next()
    assert len(state.current.steps) == 1


async def test_one_call_at_a_time() -> None:
    held = Held()
    state = await opened(held)
    asking = asyncio.create_task(state.next())
    await held.begun.wait()
    await state.next()
    assert "still being asked" in state.note
    held.let_go.set()
    await asking
    assert held.asked == 1


async def test_an_answer_that_arrives_while_one_looks_elsewhere_leaves_the_cursor() -> None:
    held = Held()
    held.let_go.set()
    state = await opened(held)
    await state.next()
    held.let_go.clear()
    held.begun.clear()
    asking = asyncio.create_task(state.next())
    await held.begun.wait()
    state.back()
    held.let_go.set()
    await asking
    assert state.cursor == 0
    assert len(state.current.steps) == 2


async def test_a_call_goes_on_while_another_item_is_opened() -> None:
    held = Held()
    journal = MemoryJournal()
    state = await opened(held, journal=journal)
    asking = asyncio.create_task(state.next())
    await held.begun.wait()
    await state.next_item()
    held.let_go.set()
    await asking
    assert state.position == 1
    assert state.current.steps == ()
    await state.next_item(-1)
    assert len(state.current.steps) == 1


async def test_everything_is_there_when_the_item_is_opened_again() -> None:
    journal = MemoryJournal()
    state = await opened(Told(WRONG), journal=journal)
    await state.to_end()
    state.back()
    state.back()
    await state.gold()
    rows = [(row.kind, row.index) for row in state.rows()]
    again = await opened(Told(), journal=journal)
    assert [(row.kind, row.index) for row in again.rows()] == rows
    assert again.current.progress is Progress.DONE


async def test_coming_back_to_an_item_finds_the_fork_and_step_left_there() -> None:
    state = await opened(Told(WRONG))
    await state.next()
    await state.gold()
    fork = state.current.id
    await state.next_item()
    await state.next_item(-1)
    assert (state.current.id, state.cursor) == (fork, 0)


async def test_the_tree_is_walked_up_and_down_into_forks() -> None:
    state = await opened(Told(WRONG))
    await state.next()
    await state.gold()
    fork = state.current.id
    state.move(-1)
    assert (state.current.id, state.cursor) != (fork, 0)
    state.move(1)
    assert (state.current.id, state.cursor) == (fork, 0)
    state.move(-100)
    assert state.row_index(state.rows()) == 0


async def test_next_failing_finds_items_that_nobody_has_opened_yet() -> None:
    journal = MemoryJournal()
    state = stepping("oracle", journal=journal)
    await state.open_item(0)
    other = stepping(Told(WRONG), journal=journal)
    await other.open_item(2)
    await other.next()
    await state.next_failing()
    assert (state.position, state.cursor) == (2, 0)
    await state.next_failing()
    assert state.note == "no failing item after this one among those asked; > and < go to the next of all"


async def test_pictures_of_later_turns_are_those_shown_before_and_told_apart_from_unsent_ones() -> None:
    state = await opened()
    await state.to_end()
    shows, sent = state.shows()
    assert ([show.of for show in shows], sent) == ([(0,), (1,), (2,)], True)
    told = await opened(options={"input": "text"})
    shows, sent = told.shows()
    assert (len(shows), sent) == (3, False)


async def test_gold_at_a_picture_is_a_drawing_whole_or_not_at_all() -> None:
    state = await opened(options={"generate": "yes"})
    await state.to_end()
    shows, _ = state.pictures()
    assert state.current.steps[-1].answer.picture in shows
    assert len(shows) == 4
    await state.gold("number")
    assert state.note == "a picture cannot be set right in its number alone"
    await state.gold()
    step = state.current.steps[state.cursor]
    assert (step.origin, step.answer.picture in state.pictures()[0]) == (Origin.GOLD, True)
    state.back()
    assert len(state.pictures()[0]) == 3


async def test_gold_says_why_it_cannot_be_put_in() -> None:
    state = await opened()
    await state.to_end()
    state.forward()
    assert state.cursor == 2
    empty = await opened(options={"generate": "yes"})
    empty.plan = replace(empty.plan, benchmark=replace(empty.plan.benchmark, answer_drawer=None))
    await empty.to_end()
    await empty.gold()
    assert empty.note == "this turn has no gold that could be put in"
