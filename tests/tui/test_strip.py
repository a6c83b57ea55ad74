"""The accuracy strip: the plain lane, and the what-if that is looked at or came last."""

from __future__ import annotations

from core.cells import ALL
from tui.state.accuracy import Lane, StepAccuracy
from tui.widgets.strip import AccuracyStrip


def lane(name: str) -> Lane:
    return Lane(name, (StepAccuracy("plan", (("answer", 0.5), (ALL, 0.5)), 12, pooled=True),))


def second_line(*names: str, looked_at: str = "") -> str:
    strip = AccuracyStrip(demo=False, id="strip")
    strip.show([lane(""), *map(lane, names)], "plan", looked_at)
    return str(strip.content).splitlines()[1]


def test_what_was_answered_before_an_intervention_is_no_what_if_and_hides_none() -> None:
    names = ("plan.2=gold", "before plan.2=gold")
    assert second_line(*names).startswith("what if plan.2=gold (+1)")
    assert second_line(*names, looked_at=names[1]).startswith("before plan.2=gold (+1)")
    assert second_line(names[1]).startswith("before plan.2=gold  ")
