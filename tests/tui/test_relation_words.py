"""A relation whose verdict is right and whose values are not: every place says which were read and which are gold."""

from __future__ import annotations

from core.interventions import Intervention, changed_answer
from core.records import Step
from tests.tui.stage import Told, stepping
from tui.cli.show import verdict
from tui.state.forking import changes
from tui.state.grading import GradeForm
from tui.state.reading import readings
from tui.state.stepping import Stepping
from tui.widgets.compare_text import counts, differing
from tui.widgets.detail_text import scored


async def related(said: str) -> tuple[Stepping, Step, str]:
    """A state whose second step said that of its number, the step, and what gold says of its number."""
    state = stepping(Told("Image 1: one fox.", said), count=6)
    await state.open_item(5)
    await state.next()
    await state.next()
    step = state.current.steps[1]
    gold = step.turn.gold_text.splitlines()[0].removeprefix("Number: ").removesuffix(".")
    assert gold.startswith("changed from ")
    return state, step, gold


async def test_the_values_read_stand_beside_those_of_gold() -> None:
    state, step, gold = await related("Number: changed from four to one.")
    benchmark, score = state.plan.benchmark, step.score()
    assert score is not None
    assert not score.right & 1
    told = f"read changed from four to one, gold {gold}"
    assert f"number changed from four to one (gold {gold})" in verdict(state.current.item, step, score)
    assert f"✗ Number: {told}" in scored(step, benchmark).plain
    form = GradeForm(benchmark.layout("relate"), score, None, readings(benchmark, step.turn, score))
    assert form.lines[0].told == told
    assert "Number: changed from four to one ✗ x 1" in counts(benchmark, [step], "rule").plain


async def test_a_right_verdict_without_values_is_as_good_and_no_difference() -> None:
    state, bare, gold = await related("Number: changed.")
    _, whole, _ = await related(f"Number: {gold}.")
    _, wrong, _ = await related("Number: changed from four to one.")
    benchmark, score = state.plan.benchmark, bare.score()
    assert score is not None
    assert "number changed," in verdict(state.current.item, bare, score)
    assert changes(benchmark, bare, whole, "rule") == ()
    (change,) = changes(benchmark, whole, wrong, "rule")
    assert (change.before, change.after, change.gold) == (gold, "changed from four to one", gold)
    assert changes(benchmark, bare, wrong, "rule")[0].after == "changed from four to one"
    shown = differing([change])
    assert shown is not None
    assert f"{gold} ✓  |  changed from four to one ✗   gold {gold}" in shown.plain


async def test_setting_one_property_right_leaves_the_wrong_values_of_another_as_they_were_said() -> None:
    said = "Number: changed from four to one.\nSubject: changed from dogs to cats."
    state, step, _ = await related(said)
    benchmark, item = state.plan.benchmark, state.current.item
    put_in = changed_answer(benchmark, item, step.turn, Intervention("relate", "gold", "subject"), step, 0)
    assert put_in.splitlines()[0] == "Number: changed from four to one."
    assert put_in.splitlines()[1] == step.turn.gold_text.splitlines()[1]
    score = benchmark.score(item, step.turn, put_in)
    assert (score.right & 0b1, score.right & 0b10) == (0, 0b10)
