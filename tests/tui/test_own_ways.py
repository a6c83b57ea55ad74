"""A refusal on the screen names what stands on the screen, not the command's option for it."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from core.errors import BudgetError, UsageError
from core.respondents.budget import _AGAIN
from tests.tui.batching import bench_on
from tests.tui.pilots import app_on, press
from tui.screens.data import FIELDS
from tui.state.own_ways import BATCH, DATA, on_screen


@pytest.mark.parametrize(
    ("refused", "said"),
    [
        (UsageError("x has no Batch API", where="--via batch"), "via batch: x has no Batch API"),
        (UsageError("nobody", where="--judge big", remedy="Leave out --judge"), "judge big: nobody. Leave out judge"),
        (UsageError("no such step", where="--intervene a=gold"), "a=gold: no such step"),
        (BudgetError("spent", remedy=_AGAIN), "spent. The same again with a higher budget goes on from here"),
        (UsageError("is there", remedy="Choose another with --name"), "is there. Choose another with --name"),
        (UsageError("x", remedy="Send it in: --respondent-at a=NAME"), "x. Send it in: --respondent-at a=NAME"),
        (UsageError("running", remedy="Let it finish, or run with --fresh"), "running. Let it finish"),
        ("--budgets and --", "--budgets and --"),
    ],
)
def test_options_with_a_field_are_named_as_the_field(refused: object, said: str) -> None:
    assert on_screen(refused) == said


def test_other_screens_have_other_fields() -> None:
    refused = UsageError("a picture is missing", remedy="Name its folder with --pictures")
    assert on_screen(refused, DATA) == "a picture is missing. Name its folder with pictures"
    assert on_screen(refused) == str(refused)
    assert {label for _, label, _ in FIELDS} >= set(DATA.values())


async def test_every_field_of_the_dialog_for_a_batch_has_its_option(path) -> None:  # type: ignore[no-untyped-def]
    with bench_on(path, limit=2) as bench:
        async with app_on(bench.stepping, bench=bench).run_test(size=(120, 40)) as pilot:
            await press(pilot, "B", "n")
            fields = {field.id for field in pilot.app.screen.query(Input)}
    assert fields - {"typed"} == {way for way in BATCH.values() if way}
