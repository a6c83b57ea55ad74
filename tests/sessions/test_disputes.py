"""Disputed golds: nothing stored changes, and reports count by the gold that is asked for."""

from __future__ import annotations

import pytest

from core.cells import Cell
from core.disputes import Corrected
from core.errors import UsageError
from sessions.cells import cells_of
from sessions.disputes import all_disputes, dispute, withdraw
from sessions.entries import entries
from sessions.golds import gold_view
from sessions.grading import grade
from sessions.journal import StoreJournal
from sessions.notebook import page_of
from sessions.outcomes import run_outcomes
from sessions.runs import delete_run
from sessions.store import Store
from tests.stored import a_run, an_item, walk

RIGHT = {"number": Corrected("two"), "subject": Corrected("two"), "action": Corrected("two")}


async def three(store: Store, *, repeats: int = 1) -> StoreJournal:
    """Three items, of which the rule holds the first right in everything, the others wrong: they read "two"."""
    journal = StoreJournal(store, a_run(store))
    for number in range(3):
        for repeat in range(repeats):
            await walk(journal, an_item(number), repeat, right=7 if number == 0 else 0)
    return journal


def counted(
    store: Store, journal: StoreJournal, gold: str, step: str = "apply", scorer: str = "rule"
) -> tuple[float, int]:
    return row(cells_of(store, [journal.run], scorer=scorer, view=gold_view(store, gold)), step)


def row(cells: list[Cell], step: str) -> tuple[float, int]:
    return next((cell.right, cell.n) for cell in cells if (cell.step, cell.property) == (step, "all"))


async def test_the_three_golds(store: Store) -> None:
    journal = await three(store)
    before = store.reader().execute("SELECT * FROM scores").fetchall()
    dispute(store, an_item(1), "ann", "they are two", "apply", RIGHT)
    dispute(store, an_item(2), "ann", "blurred")
    assert counted(store, journal, "published") == (1, 3)
    assert counted(store, journal, "corrected") == (2, 3)
    assert counted(store, journal, "corrected", "relate") == (1, 3)
    assert counted(store, journal, "undisputed") == (1, 1)
    assert store.reader().execute("SELECT * FROM scores").fetchall() == before
    assert {cell.gold for cell in cells_of(store, [journal.run], view=gold_view(store, "corrected"))} == {"corrected"}
    with pytest.raises(UsageError, match="no gold"):
        gold_view(store, "golden")


async def test_groups_and_repeats_count_by_the_corrected_gold_too(store: Store) -> None:
    journal = await three(store, repeats=2)
    dispute(store, an_item(1), "ann", "they are two", "apply", RIGHT)
    view = gold_view(store, "corrected")
    cells = [cell for cell in cells_of(store, [journal.run], group_by="rule", view=view) if cell.step == "apply"]
    found = {cell.group: (cell.right, cell.n, cell.interval) for cell in cells if cell.property == "all"}
    assert found["1"][:2] == (2, 2)
    assert found["2"][:2] == (0, 2)
    whole = cells_of(store, [journal.run], view=view)
    assert {cell.interval for cell in whole if cell.step == "apply"} == {"bootstrap over clusters"}


async def test_measures_of_whole_paths_count_by_it(store: Store) -> None:
    journal = await three(store)
    for step in ("describe", "relate", "apply"):
        dispute(store, an_item(1), "ann", "they are two", step, RIGHT)
    dispute(store, an_item(2), "ann", "blurred")

    def right(gold: str) -> list[bool]:
        (of_rule,) = run_outcomes(store, [journal.run], "rule", gold_view(store, gold))
        return [all(step.right for step in outcome.steps) for outcome in of_rule.outcomes]

    assert (right("published"), right("corrected"), right("undisputed")) == (
        [True, False, False], [True, True, False], [True],
    )  # fmt: skip


async def test_what_people_scored_stays_as_it_is(store: Store) -> None:
    journal = await three(store)
    path = (await journal.all_on(an_item(1)))[0]
    grade(store, path.steps[2].id, "ann", 0, 7)
    dispute(store, an_item(1), "bob", "they are two", "apply", RIGHT)
    assert counted(store, journal, "corrected") == (2, 3)
    assert counted(store, journal, "corrected", scorer="ann") == (0, 1)
    assert counted(store, journal, "corrected", scorer="rule+ann") == (1, 3)


async def test_of_an_author_the_newest_counts_and_a_withdrawn_one_counts_no_more(store: Store) -> None:
    journal = await three(store)
    dispute(store, an_item(1), "ann", "they are two", "apply", RIGHT)
    dispute(store, an_item(1), "ann", "not so sure", "apply")
    assert [(held.reason, dict(held.corrected)) for held in page_of(store, an_item(1)).disputes] == [
        ("not so sure", {})
    ]
    assert counted(store, journal, "corrected") == (1, 3)
    assert not withdraw(store, an_item(1), "bob", "apply")
    assert withdraw(store, an_item(1), "ann", "apply")
    assert counted(store, journal, "undisputed") == (1, 3)
    assert [(entry.text, entry.past) for entry in entries(store, past=True)] == [
        ("they are two", True), ("not so sure", True), ("not so sure", True),
    ]  # fmt: skip


async def test_a_dispute_needs_a_reason_and_outlives_runs(store: Store) -> None:
    journal = await three(store)
    with pytest.raises(UsageError, match="reason"):
        dispute(store, an_item(1), "ann", "  ")
    dispute(store, an_item(1), "ann", "they are two", "apply", RIGHT)
    delete_run(store, journal.run.name)
    assert [held.reason for those in all_disputes(store).values() for held in those] == ["they are two"]
