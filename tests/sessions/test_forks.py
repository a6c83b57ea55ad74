"""A fork is taken away whole, the main path never, and nothing of others is touched."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import UsageError
from core.records import Answer, Call, Origin, Trajectory, Usage
from sessions import doctor, reading
from sessions.forks import remove_fork, what_goes
from sessions.journal import StoreJournal
from sessions.store import Store
from tests.stored import a_run, a_step, an_item, walk


async def forked(journal: StoreJournal, main: Trajectory, text: str) -> Trajectory:
    usage = Usage(3, 4, 0.5) if text == "paid" else Usage()
    call = Call("describe", "ab" * 32, {"text": "x" * 500 + text}, {"text": text}, usage=usage)
    fork = await journal.fork(main, 1)
    step = a_step("relate", text=text, lane="relate=gold", origin=Origin.GOLD)
    return await journal.add_step(fork, replace(step, answer=Answer(text, call=call)))


def counts(store: Store) -> dict[str, int]:
    tables = ("trajectories", "steps", "scores", "readings", "calls", "texts", "prompts", "golds", "items", "runs")
    db = store.reader()
    return {table: db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}


async def test_a_fork_goes_with_its_forks_and_leaves_everything_else_as_it_was(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    main = await walk(journal, an_item(0))
    await walk(journal, an_item(1))
    before, was = counts(store), reading.trajectories_on(store, "voila-0")
    fork = await forked(journal, main, "one")
    await forked(journal, fork, "two")
    assert what_goes(store, fork.id) == removed_with_its_forks(store, fork.id)
    assert counts(store) == before
    assert reading.trajectories_on(store, "voila-0") == was
    assert doctor.examine(store.path).sound


async def test_what_a_fork_cost_stays_in_the_ledger_of_its_run(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    fork = await forked(journal, await walk(journal, an_item(0)), "paid")
    await journal.remove_fork(fork)
    rows = store.reader().execute("SELECT run, trajectory, prompt_tokens, cost FROM calls").fetchall()
    assert rows == [(journal.run.id, None, 3, 0.5)]
    assert await journal.recall("ab" * 32, 0) is None, "its answer is gone"
    assert doctor.examine(store.path).sound


def removed_with_its_forks(store: Store, row: int) -> object:
    gone = remove_fork(store, row)
    assert (len(gone.trajectories), gone.steps, gone.item) == (2, 2, "voila-0")
    return gone


async def test_the_main_path_another_run_and_a_sitting_are_refused(store: Store) -> None:
    run, other = a_run(store), a_run(store, "other", seed=1)
    journal = StoreJournal(store, run)
    main = await walk(journal, an_item(0))
    fork = await forked(journal, main, "one")
    for row, of in ((main.id, None), (fork.id, other), (10_000, None)):
        with pytest.raises(UsageError):
            remove_fork(store, row, of)
    assert len(reading.trajectories_on(store, "voila-0")) == 2
    await journal.remove_fork(fork)
    assert len(reading.trajectories_on(store, "voila-0")) == 1
