"""V-REX in the app: numbered steps walk, fork and pool in the strip."""

from __future__ import annotations

from pathlib import Path

from core.plan import Plan
from core.records import Origin, Progress
from core.scoring import scorers_of
from tests.memory_journal import MemoryJournal
from tests.tui.pilots import app_on, idle, press
from tests.tui.stage import Told
from tests.vrex_data import VREX, loaded, protocol, rows, write
from tui.state.stepping import Stepping
from tui.widgets.compare_text import verdict
from tui.widgets.strip import AccuracyStrip, lane_line

NO_LETTER = "I would look at the legend."


def stepping(folder: Path, *answers: str) -> Stepping:
    """Items of one, two and three steps before the final question; what is not told is the gold."""
    items = tuple(loaded(write(folder, rows(3))))
    plan = Plan(VREX, protocol("planning"), Told(*answers), scorers_of(VREX))
    return Stepping(plan, MemoryJournal(), items, clock=lambda: 0.0)


async def test_the_strip_names_numbered_steps_once_with_the_mean_over_samples(tmp_path: Path) -> None:
    state = stepping(tmp_path, "(?)", "", NO_LETTER)
    assert [step.step for step in state.lanes()[0].steps] == ["plan", "final"]
    for position in range(3):
        await state.open_item(position)
        await state.to_end()
        assert state.current.progress is Progress.DONE
    # one of one wrong, final without an answer; then one of two wrong; then all of three right
    plan, final = state.lanes()[0].steps
    assert (plan.n, plan.whole) == (3, (0 + 1 / 2 + 1) / 3)
    assert (final.n, final.whole) == (3, 2 / 3)
    assert lane_line("% right", state.lanes()[0], "plan", 100) == "% right  plan mean 50 n3 │ final 67 n3"


async def test_the_gold_put_in_is_acted_on_and_counts_apart(tmp_path: Path) -> None:
    state = stepping(tmp_path, NO_LETTER)
    await state.open_item(1)
    await state.next()
    await state.gold()
    first = state.current.steps[0]
    assert (first.origin, first.choice) == (Origin.GOLD, first.turn.gold["answer"])
    await state.to_end()
    assert "You chose" in state.current.steps[1].turn.text
    plain, forked = state.lanes()
    assert (plain.name, plain.steps[0].n, plain.steps[0].whole) == ("", 1, 0)
    assert (forked.name, forked.steps[0].n) == ("plan.1=gold (fork)", 1)


async def test_a_choice_beside_another_is_told_by_what_was_chosen(tmp_path: Path) -> None:
    state = stepping(tmp_path)
    await state.open_item(1)
    await state.next()
    step = state.current.steps[0]
    right = step.turn.gold["answer"]
    assert verdict(step, VREX, "rule", "told").plain == f"✓ {right}  told"
    lost = stepping(tmp_path, NO_LETTER)
    await lost.open_item(1)
    await lost.next()
    assert verdict(lost.current.steps[0], VREX, "rule", "told").plain == "✗  told"


async def test_the_screen_shows_the_picture_the_question_and_the_strip(tmp_path: Path) -> None:
    state = stepping(tmp_path)
    async with app_on(state).run_test(size=(120, 40)) as pilot:
        await idle(pilot)
        await press(pilot, "space", "space")
        assert [step.turn.step for step in state.current.steps] == ["plan.1", "final"]
        strip = str(pilot.app.screen.query_one(AccuracyStrip).content)
        assert "plan mean 100 n1" in strip
        assert "final 100 n1" in strip
