"""How much batches were asked for, in the list of runs, over deletions and from store to store."""

from __future__ import annotations

import pytest

from core.records import Progress
from core.selection import Filter
from sessions.extents import WHOLE, ask_for, asked_for, part_of
from sessions.journal import StoreJournal
from sessions.runs import delete_run, runs
from sessions.store import Store
from tests.stored import a_run, a_step, an_item, walk


def note(store: Store, run: int, trajectories: int, part: str = WHOLE) -> None:
    store.write(lambda db: ask_for(db, run, part, trajectories))


async def test_what_was_never_taken_up_is_open(store: Store) -> None:
    run = a_run(store)
    journal = StoreJournal(store, run)
    for number in range(3):
        await walk(journal, an_item(number))
    await journal.finish(await journal.take_up(an_item(7), 0), Progress.FAILED, "gone", step="describe")
    await journal.add_step(await journal.take_up(an_item(8), 0), a_step())
    assert (runs(store)[0].items, runs(store)[0].open) == (5, 1), "by hand: nothing more was asked for"
    note(store, run.id, 10)
    found = runs(store)[0]
    assert (found.items, found.done, found.failed, found.open) == (5, 3, 1, 6)


def test_the_most_that_was_asked_for_counts_and_parts_are_added(store: Store) -> None:
    run, other = a_run(store).id, a_run(store, "other").id
    note(store, run, 10)
    note(store, run, 4)
    assert asked_for(store.reader()) == {run: 10}
    for part in ("1/3", "2/3", "2/3"):
        note(store, other, 5, part)
    assert asked_for(store.reader()) == {run: 10, other: 10}
    for part in ("1/2", "2/2"):
        note(store, other, 7, part)
    assert asked_for(store.reader())[other] == 14, "parts of two divisions are parts of the same"
    note(store, other, 14)
    assert asked_for(store.reader())[other] == 14, "the whole, of which the parts are some"


@pytest.mark.parametrize(("shard", "part"), [(None, ""), ((2, 8), "2/8")])
def test_a_shard_is_a_part_and_a_limit_is_none(shard: tuple[int, int] | None, part: str) -> None:
    assert part_of(Filter({}, limit=3, shard=shard)) == part


async def test_what_was_made_of_other_items_is_not_taken_for_what_was_asked(store: Store) -> None:
    """Three by hand or by a batch on another filter, then a batch of four others that is broken off after one."""
    run = a_run(store)
    journal = StoreJournal(store, run)
    for number in range(3):
        await walk(journal, an_item(number))
    some = [an_item(number).hash for number in range(10, 14)]
    store.write(lambda db: ask_for(db, run.id, WHOLE, 4, some))
    await walk(journal, an_item(10))
    found = runs(store)[0]
    assert (found.done, found.open) == (4, 3)
    for number in range(11, 14):
        await walk(journal, an_item(number))
    store.write(lambda db: ask_for(db, run.id, WHOLE, 4, some))
    assert (runs(store)[0].done, runs(store)[0].open) == (7, 0)


def test_it_goes_with_its_run(store: Store) -> None:
    run = a_run(store)
    note(store, run.id, 10)
    delete_run(store, run.name)
    assert asked_for(store.reader()) == {}
