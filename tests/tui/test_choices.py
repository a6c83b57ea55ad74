"""Choice questions without a terminal: options, pick, gold, what is told next, and another option put in."""

from __future__ import annotations

import pytest

from core.benchmarks import registry
from core.benchmarks.mmra.question import ALL_WRONG
from core.records import Origin, Progress
from tests.tui.stage import Told, choosing, stepping
from tui.state.choices import Choices
from tui.state.stepping import Stepping

PLAN_1 = "flowchart-001"  # gold B (7 kg); A is a chain-level distractor and tells "Glass"


async def opened(name: str, *answers: str, first: str = "", **options: str) -> Stepping:
    state = choosing(name, Told(*answers), first=first, options=options)
    await state.open_item(0)
    return state


def seen(state: Stepping) -> Choices:
    found = state.choices()
    assert found is not None
    return found


def signs(state: Stepping) -> dict[str, str]:
    """The signs that some option has."""
    return {line.letter: line.signs.strip() for line in seen(state).lines if line.signs.strip()}


async def test_before_anything_is_asked_the_options_stand_there_with_the_gold() -> None:
    state = await opened("vrex:planning", first=PLAN_1)
    assert [line.letter for line in seen(state).lines] == list("ABCDE")
    assert signs(state) == {"B": "✓"}
    assert (seen(state).picked, seen(state).answered) == (None, False)


async def test_a_wrong_pick_and_the_gold_are_told_apart_without_colour() -> None:
    state = await opened("vrex:planning", "(A)", first=PLAN_1)
    await state.next()
    assert signs(state) == {"A": "▸✗", "B": "✓"}
    right = await opened("vrex:planning", first=PLAN_1)
    await right.next()
    assert signs(right) == {"B": "▸✓"}


async def test_each_planning_option_says_its_kind_and_what_it_would_tell() -> None:
    state = await opened("vrex:planning", "(A)", first=PLAN_1)
    await state.next()
    options = {line.letter: (line.option.told, line.option.kind) for line in seen(state).lines}
    assert options["A"] == ("Glass", "chain")
    assert options["B"] == ("7 kg", "gold")
    await state.next()
    assert "Answer: Glass" in state.current.steps[1].turn.text


async def test_an_answer_that_gives_no_letter_picks_nothing() -> None:
    state = await opened("vrex:planning", "I would look at the legend.", first=PLAN_1)
    await state.next()
    assert (seen(state).picked, seen(state).answered) == (None, True)
    assert signs(state) == {"B": "✓"}


async def test_the_final_question_is_a_choice_that_tells_nothing() -> None:
    state = await opened("vrex:planning", first=PLAN_1)
    await state.to_end()
    assert seen(state).question == "On which shelf does the parcel of the card end up?"
    assert (seen(state).tells, signs(state)) == (False, {"A": "▸✓"})


@pytest.mark.parametrize("protocol", ["planning", "following", "direct"])
async def test_rotated_options_stand_under_the_letters_that_the_turn_shows(protocol: str) -> None:
    state = await opened(f"vrex:{protocol}", options="rotate", seed="7")
    for _ in range(3):
        turn = state.look().turn
        assert turn is not None
        for line in seen(state).lines:
            assert f"({line.letter}) {line.option.text}" in turn.text
        await state.next()
        assert state.choices() is not None
        state.forward()


async def test_mmra_shows_as_many_options_as_were_put_and_the_added_one() -> None:
    for first, count in (("rp-001", 4), ("rp-002", 3)):
        state = await opened("mmra:iq", first=first)
        assert len(seen(state).lines) == count
        swapped = await opened("mmra:iq", first=first, swap="yes")
        last = seen(swapped).lines[-1]
        assert (len(seen(swapped).lines), last.option.text, last.right) == (count + 1, ALL_WRONG, True)


async def test_yes_and_no_are_options_that_say_themselves() -> None:
    state = await opened("mmra:iq", "Yes, they are.", first="rp-003")
    await state.next()
    assert [(line.letter, line.option.text) for line in seen(state).lines] == [("Yes", ""), ("No", "")]
    assert signs(state) == {"Yes": "▸✗", "No": "✓"}


async def test_a_description_and_an_analogy_offer_no_options() -> None:
    described = await opened("mmra:dq", "A shelf.", first="rp-002")
    assert described.choices() is None
    await described.pick("A")
    assert described.note == "this turn offers no options to pick from"
    analogy = stepping()
    await analogy.open_item(0)
    assert analogy.choices() is None


@pytest.mark.parametrize(
    ("name", "first", "letter", "text"),
    [("vrex:planning", PLAN_1, "C", "(C)"), ("mmra:iq", "rp-001", "D", "[D]"), ("mmra:iq", "rp-003", "Yes", "Yes")],
)
async def test_another_option_is_put_in_as_the_benchmark_writes_it(
    name: str, first: str, letter: str, text: str
) -> None:
    state = await opened(name, first=first)
    await state.next()
    await state.pick(letter)
    step = state.current.steps[0]
    assert (state.current.fork, step.origin, step.answer.text) == (0, Origin.EDITED, text)
    assert signs(state)[letter] == "▸✗"


async def test_an_option_can_be_put_in_before_anybody_is_asked_and_is_acted_on() -> None:
    told = Told()
    state = choosing("vrex:planning", told, first=PLAN_1)
    await state.open_item(0)
    await state.pick("A")
    assert (told.asked, state.current.steps[0].choice) == (0, "A")
    await state.next()
    assert "Answer: Glass" in state.current.steps[1].turn.text


async def test_the_gold_goes_in_as_its_letter() -> None:
    state = await opened("vrex:planning", "(A)", first=PLAN_1)
    await state.next()
    await state.gold()
    assert (state.current.steps[0].answer.text, signs(state)) == ("(B)", {"B": "▸✓"})


async def test_steps_that_nobody_scores_are_left_out_of_the_strip() -> None:
    state = await opened("mmra:dq", "A shelf.", "A shelf.", first="rp-002")
    assert [step.step for step in state.lanes()[0].steps] == ["answer"]
    await state.to_end()
    assert state.current.progress is Progress.DONE
    assert [(step.step, step.n, step.whole) for step in state.lanes()[0].steps] == [("answer", 1, 1.0)]


async def test_pictures_of_another_conversation_are_not_said_to_be_sent() -> None:
    state = await opened("mmra:dq", "A shelf.", "A shelf.", first="rp-002")
    await state.next()
    assert [len(state.shows()[0]), state.shows()[1]] == [1, True]
    await state.to_end()
    shows, sent = state.shows()
    assert (len(shows), sent) == (2, False)


def test_every_choice_of_the_packs_has_its_gold_among_its_options() -> None:
    for name in ("vrex:planning", "vrex:following", "mmra:iq"):
        state = choosing(name)
        benchmark = registry.get(name.partition(":")[0])
        for item in state.items:
            turn = state.plan.protocol.next_turn(item, [])
            assert turn is not None
            offer = benchmark.offer(item, turn)
            assert offer is not None
            assert tuple(offer.options) == turn.form[0].options
            assert turn.gold["answer"] in offer.options
