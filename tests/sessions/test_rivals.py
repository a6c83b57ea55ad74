"""Who else was asked an item."""

from __future__ import annotations

import pytest

from core.records import Origin, Progress
from sessions.journal import StoreJournal
from sessions.rivals import rival, rivals_on
from sessions.store import Store
from tests.stored import a_run, a_step, an_item


async def test_trajectories_of_other_runs_on_the_item_are_found_plain_ones_first_newest_run_first(
    store: Store,
) -> None:
    runs = [a_run(store, name) for name in ("one", "two", "mine")]
    made = {}
    for run in runs:
        journal = StoreJournal(store, run)
        for item in (an_item(0), an_item(1)):
            t = await journal.add_step(await journal.take_up(item, 0), a_step("describe"))
            made[run.name, item.id] = await journal.finish(t, Progress.DONE)
    journal = StoreJournal(store, runs[1])
    fork = await journal.fork(made["two", "voila-0"], 0)
    fork = await journal.add_step(fork, a_step("describe", lane="describe=text", origin=Origin.EDITED))
    await journal.fork(fork, 0)  # nothing in it

    found = rivals_on(store, an_item(0), runs[2].id)
    assert [(one.run, one.lane, one.parent) for one in found] == [
        ("two", "", None),
        ("one", "", None),
        ("two", "describe=text", made["two", "voila-0"].id),
    ]
    assert rival(store, an_item(0), found[1].trajectory).steps == made["one", "voila-0"].steps
    assert len(rivals_on(store, an_item(0))) == 4
    assert rivals_on(store, an_item(9)) == []
    with pytest.raises(KeyError):
        rival(store, an_item(0), 999)
