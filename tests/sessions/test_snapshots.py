"""A report is of one moment, whatever a batch writes while it is made."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from sessions import cells, outcomes, reading
from sessions.cells import cells_of, run_tally
from sessions.journal import StoreJournal
from sessions.runs import Run
from sessions.store import Store
from tests.stored import a_run, an_item, walk


def add(store: Store, run: Run, number: int, repeat: int = 0) -> None:
    """A trajectory, written on another thread."""
    with ThreadPoolExecutor(1) as other:
        other.submit(asyncio.run, walk(StoreJournal(store, run), an_item(number), repeat)).result()


def count(store: Store) -> int:
    found: int = store.reader().execute("SELECT count(*) FROM steps").fetchone()[0]
    return found


def test_a_snapshot_stands_still_while_others_write_and_the_inner_one_is_the_outer_ones(store: Store) -> None:
    run = a_run(store)
    add(store, run, 0)
    with store.snapshot():
        assert count(store) == 3
        add(store, run, 1)
        with store.snapshot():
            assert count(store) == 3
        assert count(store) == 3
    assert count(store) == 6


def test_a_snapshot_ends_with_what_goes_wrong_inside(store: Store) -> None:
    run = a_run(store)
    with pytest.raises(sqlite3.OperationalError), store.snapshot():
        store.reader().execute("SELECT nothing FROM steps")
    assert count(store) == 0
    add(store, run, 0)
    assert count(store) == 3


def test_one_that_a_generator_holds_may_be_dropped_after_its_store(store: Store) -> None:
    """Whoever writes the rows may meet a full disk."""

    def rows() -> Iterator[int]:
        with store.snapshot():
            yield from range(3)

    reading = rows()
    next(reading)
    store.close()
    reading.close()


def test_the_cells_of_a_report_agree_while_a_batch_writes(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    run = a_run(store)
    add(store, run, 0)
    numbers, read = iter((1, 2)), cells.answered

    def written_behind(store: Store, row: int, **how: Any) -> list[Any]:
        found = list(read(store, row, **how))
        add(store, run, next(numbers))
        return found

    monkeypatch.setattr(cells, "answered", written_behind)
    both = cells_of(store, [run, run])
    first, second = both[: len(both) // 2], both[len(both) // 2 :]
    assert first == second
    monkeypatch.setattr(cells, "answered", read)
    assert {cell.n for cell in cells_of(store, [run])} == {3 * cell.n for cell in first}


def test_an_item_that_arrives_while_items_are_counted_is_no_trouble(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = a_run(store)
    add(store, run, 0)
    add(store, run, 0, repeat=1)  # an item with repeats: items are told apart by their names
    names = reading.item_names

    def written_behind(store: Store, row: int) -> dict[int, str]:
        found = names(store, row)
        add(store, run, 1)
        return found

    monkeypatch.setattr(reading, "item_names", written_behind)
    assert {cell.n for cell in run_tally(store, run).cells()} == {2}


def test_the_outcomes_that_measures_read_agree_while_a_batch_writes(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = a_run(store)
    add(store, run, 0)
    scorers = outcomes.scorers_of

    def written_before(store: Store, row: int) -> list[tuple[str, str]]:
        found = scorers(store, row)
        add(store, run, 1)
        return found

    monkeypatch.setattr(outcomes, "scorers_of", written_before)
    first, second = outcomes.run_outcomes(store, [run, run])
    assert list(first.outcomes) == list(second.outcomes)
    assert len(first.outcomes) == 1
