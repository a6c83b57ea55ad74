"""Two trajectories set side by side, without a terminal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.records import Progress, Step, Trajectory, Turn
from tests.tui.stage import Told, choosing, items, stepping
from tui.state.comparing import difference_words, pairs
from tui.state.partners import partners, rival_title, side

WRONG = "Image 1: four wolves typing.\nImage 2: four wolves typing.\nImage 3: four wolves typing."


def path(*steps: Step, progress: Progress = Progress.DONE) -> Trajectory:
    return Trajectory(items(1)[0], steps=steps, progress=progress)


async def walked(respondent: object) -> tuple[Step, ...]:
    state = stepping(respondent)  # type: ignore[arg-type]
    await state.open_item(0)
    await state.to_end()
    return state.current.steps


async def test_the_first_difference_is_the_first_step_that_is_read_otherwise() -> None:
    right = await walked("oracle")
    described = replace(right[0], answer=replace(right[0].answer, text=f"I see: {right[0].answer.text}"), id=0)
    wrong = await walked(Told(right[0].turn.gold_text, "Number: changed. Subject: the same. Action: the same."))
    found = pairs(stepping().plan.benchmark, path(described, *right[1:]), path(*wrong), "rule")
    assert [(pair.name, pair.same, pair.first) for pair in found] == [
        ("describe", True, False),
        ("relate", False, True),
        ("apply", True, False),
    ]
    assert [change.label for change in found[1].changes]
    assert all(change.was_right and not change.is_right for change in found[1].changes)


async def test_steps_are_aligned_by_their_names_and_what_one_side_lacks_is_said() -> None:
    steps = await walked("oracle")
    found = pairs(stepping().plan.benchmark, path(*steps), path(*steps[:1], *steps[2:]), "rule")
    assert [(pair.name, pair.left is None, pair.right is None) for pair in found] == [
        ("describe", False, False),
        ("relate", False, True),
        ("apply", False, False),
    ]
    assert [pair.first for pair in found] == [False, True, False]
    assert found[1].words == "only here"


@pytest.mark.parametrize("swapped", [False, True])
async def test_steps_that_one_side_has_not_come_to_are_no_difference(swapped: bool) -> None:
    steps = await walked("oracle")
    benchmark = stepping().plan.benchmark
    sides = [path(*steps), path(steps[0], progress=Progress.OPEN)]
    found = pairs(benchmark, *(reversed(sides) if swapped else sides), "rule")
    assert [(pair.name, pair.differs, pair.first, pair.words) for pair in found] == [
        ("describe", False, False, "the same step"),
        ("relate", False, False, "not asked yet on one side"),
        ("apply", False, False, "not asked yet on one side"),
    ]
    assert difference_words(found) == "no step differs, 2 not asked yet on one side"
    ended = pairs(benchmark, path(*steps), path(steps[0]), "rule")
    assert [pair.differs for pair in ended] == [False, True, True]
    assert difference_words(ended) == "2 of 3 steps differ"
    assert difference_words(ended[:2]) == "1 of 2 steps differs"


async def test_where_nothing_is_read_other_words_are_the_difference() -> None:
    state = choosing("mmra:dq", Told("A shelf.", "A table."), first="rp-002")
    await state.open_item(0)
    await state.next()
    one = state.current
    await state.ask_again()
    found = pairs(state.plan.benchmark, one, state.current, "rule")
    assert [(pair.same, pair.words) for pair in found] == [(False, "other words")]
    assert pairs(state.plan.benchmark, one, one, "rule")[0].words == "the same step"


async def test_another_prompt_is_said_though_the_answer_is_the_same() -> None:
    steps = await walked("oracle")
    turn: Turn = replace(steps[0].turn, answer_format="Say it otherwise.")
    found = pairs(stepping().plan.benchmark, path(*steps), path(replace(steps[0], turn=turn), *steps[1:]), "rule")
    assert (found[0].same, found[0].prompts) == (True, True)


async def test_partners_are_the_parent_first_then_other_forks() -> None:
    state = stepping(Told(WRONG))
    await state.open_item(0)
    await state.next()
    main = state.current
    await state.gold()
    state.current, state.cursor = main, 0
    await state.edit("own")
    found = await partners(state)
    assert [one.title for one in found] == ["plain path", "fork at 1 describe: gold put in"]
    other = await side(state, found[1])
    assert other is not None
    assert other.trajectory.steps[0].lane == "describe=gold"


async def test_the_path_that_a_fork_left_comes_before_a_fork_in_whose_place_it_was_made() -> None:
    state = stepping(Told(WRONG))
    await state.open_item(0)
    await state.next()
    await state.gold()
    state.back()
    await state.edit("own")  # in the place of the gold: it has nothing of that fork
    assert [one.title for one in await partners(state)] == ["plain path", "fork at 1 describe: gold put in"]
    await state.next()
    await state.gold()
    assert [one.title for one in await partners(state)] == [
        "fork at 1 describe: own words",
        "plain path",
        "fork at 1 describe: gold put in",
    ]


def test_a_rival_says_who_in_which_run_behind_what() -> None:
    from core.records import Progress
    from sessions.rivals import Rival

    one = Rival(1, "run-1", "p-17", "human", "l2m", 1, "describe=gold", Progress.DONE, 4)
    assert rival_title(one) == "p-17 (person) · run-1 · repeat 2 · fork describe=gold"
