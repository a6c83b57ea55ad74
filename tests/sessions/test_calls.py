"""The ledger: what a request was answered with before, and what a run has used."""

from __future__ import annotations

from dataclasses import replace

from core.records import Answer, Call, Progress, Usage
from sessions.calls import Spending, answered, spending
from sessions.journal import StoreJournal
from sessions.store import Store
from tests.stored import a_run, a_step, an_item

CALL = Call("describe", "hash", {"q": 1}, {"a": 1}, "m", 2, 0.5, Usage(10, 4, 0.25))


async def test_a_request_is_answered_as_it_was_for_the_same_repeat_alone(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    await journal.add_step(await journal.take_up(an_item(), 0), a_step(answer=Answer("x", call=CALL)))
    failed = replace(CALL, reply=None, error="500")
    await journal.finish(await journal.take_up(an_item(1), 0), Progress.FAILED, "500", failed, step="describe")
    assert answered(store, "hash") == CALL
    assert answered(store, "hash", 1) is None
    assert answered(store, "other") is None


async def test_spending_counts_failed_calls_too_and_a_missing_price_is_no_price(store: Store) -> None:
    run = a_run(store)
    assert spending(store, run.id) == Spending(0, 0, 0, 0, 0, None, 0.0)
    journal = StoreJournal(store, run)
    await journal.add_step(await journal.take_up(an_item(), 0), a_step(answer=Answer("x", call=CALL)))
    failed = replace(CALL, error="500", usage=Usage(3, 0), attempts=4)
    await journal.finish(await journal.take_up(an_item(1), 0), Progress.FAILED, "500", failed)
    assert spending(store, run.id) == Spending(2, 1, 6, 13, 4, 0.25, 1.0)
