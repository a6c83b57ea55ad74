"""The accuracy strip: the plain lane, and the what-if that is looked at or came last."""

from __future__ import annotations

from core.cells import ALL
from core.interventions import Intervention
from core.tally import forked_lane
from tests.tui.pilots import app_on, idle, press
from tests.tui.stage import stepping
from tui.state.accuracy import Lane, StepAccuracy
from tui.widgets.strip import AccuracyStrip


def lane(name: str) -> Lane:
    return Lane(name, (StepAccuracy("plan", (("answer", 0.5), (ALL, 0.5)), 12, pooled=True),))


def second_line(*names: str, looked_at: str = "") -> str:
    strip = AccuracyStrip(demo=False, id="strip")
    strip.show([lane(""), *map(lane, names)], "plan", looked_at)
    return str(strip.content).splitlines()[1]


def test_the_line_is_that_of_the_fork_looked_at_also_where_nothing_is_behind_it_yet() -> None:
    names = (forked_lane("describe=gold"), forked_lane("describe=again"))
    assert second_line(*names, looked_at=names[0]).startswith("what if describe=gold (fork) (+1)  plan")
    assert second_line(*names).startswith("what if describe=again (fork) (+1)")
    other = forked_lane("describe=wrong:number")
    assert (
        second_line(*names, looked_at=other) == "what if describe=wrong:number (fork) (+2)  no answers behind it yet"
    )


async def test_on_a_fork_the_strip_shows_that_fork() -> None:
    state = stepping("oracle")
    async with app_on(state).run_test(size=(100, 30)) as pilot:
        await press(pilot, "r", "b", "b")
        first = state.rows()[0].trajectory.id
        await state.gold()
        await press(pilot, "r")
        strip = pilot.app.screen.query_one(AccuracyStrip)
        assert "what if describe=gold (fork)  " in str(strip.content)
        state.select(next(row for row in state.rows() if row.trajectory.id == first))
        await state.intervene(Intervention("describe", "wrong", "number"))
        await idle(pilot)
        assert "what if describe=wrong:number (fork) (+1)  no answers" in str(strip.content)
        await press(pilot, "r")
        assert "what if describe=wrong:number (fork) (+1)  relate" in str(strip.content)
        state.select(next(row for row in state.rows() if row.trajectory.lane == "describe=gold"))
        await idle(pilot)
        assert "what if describe=gold (fork) (+1)  relate" in str(strip.content)


def test_what_was_answered_before_an_intervention_is_no_what_if_and_hides_none() -> None:
    names = ("plan.2=gold", "before plan.2=gold")
    assert second_line(*names).startswith("what if plan.2=gold (+1)")
    assert second_line(*names, looked_at=names[1]).startswith("before plan.2=gold (+1)")
    assert second_line(names[1]).startswith("before plan.2=gold  ")
