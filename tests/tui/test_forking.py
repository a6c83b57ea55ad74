"""Stepping in at the state's side: the menu, what forks say of themselves, repeats, steps ahead, costs."""

from __future__ import annotations

import pytest

from core.interventions import Intervention
from core.records import Answer, Call, Origin, Progress, Usage
from core.respondents.base import OnDelta, Request
from core.respondents.baselines import make_baseline
from tests.tui.stage import Held, Told, choosing, stepping
from tui.state.costs import Costs
from tui.state.forking import deed, history, whose
from tui.state.form import Filling
from tui.state.menu import ahead, entries
from tui.state.stepping import Stepping

WRONG = "Image 1: four wolves typing.\nImage 2: four wolves typing.\nImage 3: four wolves typing."


async def opened(respondent: object = "oracle", **given: object) -> Stepping:
    state = stepping(respondent, **given)  # type: ignore[arg-type]
    await state.open_item(0)
    return state


def told(state: Stepping) -> tuple[str, ...]:
    return history(state.current, state.family, state.plan, state.scorer)


async def test_the_menu_lists_everything_and_says_why_something_cannot_be_done() -> None:
    state = await opened(Told(WRONG))
    fresh = {(entry.doing, entry.property_name): entry for entry in entries(state)}
    assert {doing for doing, _ in fresh} == {
        "gold",
        "wrong",
        "edit",
        "prompt",
        "pictures",
        "again",
        "other",
        "person",
    }
    assert {name for doing, name in fresh if doing == "wrong"} == {"number", "subject", "action"}
    assert fresh["again", ""].against == "it has not been asked yet"
    assert fresh["wrong", "number"].asks == "told", "the answer that is changed has to be asked for"
    await state.next()
    await state.next()
    here = {(entry.doing, entry.property_name): entry for entry in entries(state)}
    assert here["pictures", ""].against == "this turn shows no picture of its own"
    assert (here["again", ""].against, here["wrong", "number"].asks) == ("", "")
    await state.to_end()
    assert entries(state), "a finished path can be stepped in at its last step"


async def test_where_nobody_may_be_asked_what_needs_no_asking_is_still_offered() -> None:
    state = await opened(Told(WRONG))
    state.gate.asking = lambda item: "the data is gone"
    found = {(entry.doing, entry.property_name): entry.against for entry in entries(state)}
    assert [found[doing, ""] for doing in ("gold", "edit", "person")] == ["", "", ""]
    assert found["prompt", ""] == found["pictures", ""] == found["wrong", "number"] == "the data is gone"
    assert not await state.intervene(Intervention("describe", "prompt", text="Look."))
    assert state.note == "the data is gone"
    assert await state.intervene(Intervention("describe", "person", text="two dogs"))


async def test_where_nothing_is_known_to_be_right_gold_and_wrong_values_are_not_offered() -> None:
    state = choosing("mmra:dq", Told("A shelf."), first="rp-002")
    await state.open_item(0)
    found = {entry.doing: entry for entry in entries(state)}
    assert found["gold"].against
    assert "wrong" not in found
    assert not found["pictures"].against


async def test_every_kind_of_fork_says_what_was_done_and_what_it_changed() -> None:
    state = await opened(Told(WRONG))
    await state.next()
    main = state.current
    gold = main.steps[0].turn.gold
    sent = make_baseline("oracle")
    assert sent is not None
    turn = main.steps[0].turn
    for kind, given, says, sign in (
        ("gold", {}, "gold put in", "gold"),
        ("gold", {"property_name": "number"}, "number set right", "gold"),
        ("wrong", {"property_name": "subject"}, "subject set wrong", "put wrong"),
        ("text", {"text": "words"}, "own words", "edited"),
        ("prompt", {"text": "Say what you see."}, "another prompt", "prompt"),
        ("pictures", {"text": "2,blank,3"}, "pictures 2,-,3", "pictures"),
        ("person", {"text": turn.gold_text}, "answered by you", "you"),
    ):
        state.current, state.cursor = main, 0
        assert await state.intervene(Intervention("describe", kind, **given))  # type: ignore[arg-type]
        step = state.current.steps[0]
        assert (deed(step), whose(step)) == (says, sign)
        assert state.current.parent == main.id
        assert told(state)[0] == f"at 1 describe: {says}"
    assert f"Image 1 number: four → {gold['1.number']}" in told(state)
    state.current, state.cursor = main, 0
    await state.ask_other(sent)
    assert (deed(state.current.steps[0]), whose(state.current.steps[0])) == ("asked oracle", "@oracle")
    assert state.current.steps[0].origin is Origin.OTHER
    assert state.family.get(main.id) == main, "nothing was overwritten"


async def test_a_fork_tells_which_later_steps_came_out_otherwise() -> None:
    state = await opened("seeing:0")
    await state.to_end()
    state.cursor = 0
    await state.gold()
    await state.to_end()
    assert told(state)[-1] == "then relate ✗ → ✓, apply ✗ → ✓"
    assert told(state)[1].startswith("Image 1 number: ")


async def test_twenty_forks_and_forks_of_forks_are_walked_row_by_row() -> None:
    state = await opened(Told(WRONG))
    await state.next()
    main = state.current
    for number in range(18):
        state.current, state.cursor = main, 0
        await state.edit(f"words {number}")
    await state.next()
    await state.edit("deeper")
    await state.next()
    await state.gold()
    rows = state.rows()
    assert max(row.depth for row in rows) == 3
    assert sum(row.kind == "head" for row in rows) == 20
    walked = []
    for _ in range(len(rows)):
        state.move(-1)
    assert (state.current.id, state.cursor) == (main.id, 0)
    while not walked or (state.current.id, state.cursor) != walked[-1]:
        walked.append((state.current.id, state.cursor))
        state.move(1)
    assert len(set(walked)) == len(walked) == sum(row.kind != "head" for row in rows)


async def test_what_replaces_a_forks_first_step_hangs_beside_it_in_the_order_made() -> None:
    state = await opened(Told(WRONG))
    await state.next()
    main = state.current
    for words in ("first", "in the place of the first", "in the place of the second"):
        await state.edit(words)
    made = state.current
    assert made.parent != main.id
    state.current, state.cursor = main, 0
    await state.edit("of the plain path")
    heads = [row for row in state.rows() if row.kind == "head"]
    assert [row.depth for row in heads] == [1, 1, 1, 1]
    ids = [row.trajectory.id for row in heads]
    assert ids == sorted(ids)
    assert [row.trajectory.steps[0].answer.text for row in heads][2:] == [
        "in the place of the second", "of the plain path",
    ]  # fmt: skip


async def test_further_askings_hang_beside_each_other_and_are_gathered() -> None:
    state = await opened(Told(WRONG, "Image 1: two dogs running.", WRONG))
    await state.next()
    main = state.current
    await state.ask_again()
    await state.ask_again()
    assert state.current.parent == main.id, "none below another"
    beside = state.family.asked_beside(state.current, 0)
    assert [path.steps[0].repeat for path in beside] == [0, 1, 2]
    await state.gold()
    assert len(state.family.asked_beside(main, 0)) == 3, "what was put in is no answer"
    assert len(state.family.asked_beside(state.current, 0)) == 3, "and beside it stand the answers, not itself"


async def test_any_step_is_gone_to_and_asked_for_where_it_is_not_there_yet() -> None:
    respondent = Told(WRONG)
    state = await opened(respondent)
    assert [(one.name, one.stored) for one in ahead(state)] == [
        ("describe", False),
        ("relate", False),
        ("apply", False),
    ]
    await state.to_step(1)
    assert (respondent.asked, state.cursor, state.current.progress) == (2, 1, Progress.OPEN)
    await state.to_step(0)
    assert (respondent.asked, state.cursor) == (2, 0)
    assert [one.stored for one in ahead(state)] == [True, True, False]
    await state.to_step(2)
    assert (respondent.asked, state.cursor, state.current.progress) == (3, 2, Progress.DONE)


async def test_a_turn_sent_elsewhere_is_stopped_like_any_other() -> None:
    import asyncio

    state, held = await opened(Told(WRONG)), Held()
    asking = asyncio.create_task(state.ask_other(held))
    await held.begun.wait()
    assert state.cancel()
    await asking
    assert state.stopped is not None
    assert state.stopped.text == "the first words"


class Priced(Told):
    """Says what each call took."""

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        answer = await super().answer(request, on_delta)
        call = Call("answer", "00", {}, {}, "m-2026", 2, 1.25, Usage(1200, 34, 0.002))
        return Answer(answer.text, call=call)


async def test_time_tokens_and_price_of_a_step_and_of_the_path() -> None:
    state = await opened(Priced())
    await state.next()
    await state.next()
    costs = Costs(state.engine.journal)
    steps = state.current.steps
    own = costs.of(steps[0])
    assert own is not None
    assert own.words == "1.2 s, 1,200 + 34 tokens, $0.002, 2 attempts, m-2026"
    total = costs.total(steps)
    assert total is not None
    assert (total.calls, total.prompt_tokens, total.usd) == (2, 2400, pytest.approx(0.004))


async def test_costs_of_steps_read_back_come_from_the_ledger_once() -> None:
    from dataclasses import replace

    state = await opened(Priced())
    await state.next()
    stored = state.current.steps[0]
    bare = replace(stored, answer=replace(stored.answer, call=None))

    class Ledger:
        asked = 0

        async def call_of(self, step: object, *, raw: bool) -> Call | None:
            self.asked += 1
            return stored.answer.call

    ledger = Ledger()
    costs = Costs(ledger)  # type: ignore[arg-type]
    assert costs.of(bare) is None
    assert costs.total([bare]) is None
    await costs.read(costs.unread([bare]))
    await costs.read(costs.unread([bare]))
    assert ledger.asked == 1
    assert costs.of(bare) == Costs(ledger).of(stored)  # type: ignore[arg-type]


def test_a_form_is_filled_by_turning_and_by_letters() -> None:
    turn = stepping().engine.next_turn(stepping().current)
    assert turn is not None
    filling = Filling(turn.form)
    filling.turn("1.number", 1)
    filling.turn("1.number", 1)
    filling.type("1.subject", "f")
    filling.type("2.subject", "z")
    assert dict(filling.values) == {"1.number": "two", "1.subject": "fox"}
    filling.turn("1.number", -1)
    filling.turn("1.number", -1)
    assert "1.number" not in filling.values
    filling.turn("1.number", -1)
    assert filling.value("1.number") == "four", "round the end"
