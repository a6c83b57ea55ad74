"""What others store while the app is open comes by itself: the item looked at, the list, accuracy."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.planning import Request
from core.records import Progress
from core.tally import Tally
from sessions import browsing, notebook
from sessions.disputes import dispute
from sessions.grading import grade
from sessions.journal import StoreJournal
from sessions.store import Store
from tests.stored import a_run, an_item, walk
from tests.tui.stored import a_file, batch, opened, run_on
from tui.state import live
from tui.state.ready import Ready


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.db") as made:
        yield made


async def looked(made: Ready) -> bool:
    """As the screen's timer does; whether there was anything to do."""
    assert made.live is not None
    if not made.live.stirred():
        return False
    await made.live.refresh()
    return True


async def test_a_batch_elsewhere_shows_on_the_item_the_list_and_the_strip(store: Store, tmp_path: Path) -> None:
    request = Request("voila:ND", data=a_file(tmp_path), pictures="drawn", respondent="noisy:0.3")
    run = await run_on(store, request, limit=1)
    made = await opened(store, run)
    state = made.stepping
    await state.open_item(3)
    assert state.current.steps == ()
    await looked(made)
    assert not await looked(made), "nothing is asked of the store while nothing changes"
    with Store.open(tmp_path / "store.db") as other:  # another process
        await run_on(other, request)
    assert await looked(made)
    assert len(state.current.steps) == 3
    assert state.current.progress is Progress.DONE
    assert {state.roster.standing(key).status for key in state.items.keys} <= {"wrong", "right"}
    assert state.lanes()[0].steps[0].n == 18
    assert not await looked(made)


async def test_own_steps_are_counted_once_and_keep_what_the_store_does_not_read_back(
    store: Store, tmp_path: Path
) -> None:
    request = Request("voila:ND", data=a_file(tmp_path), pictures="drawn", respondent="noisy:0.3")
    run = await run_on(store, request, limit=1)
    made = await opened(store, run)
    state = made.stepping
    await state.open_item(2)
    await state.next()
    here, cursor = state.current, state.cursor
    await looked(made)
    assert state.lanes()[0].steps[0].n == 6
    assert state.current is here
    assert state.cursor == cursor
    await state.gold()
    fork = state.current
    state.to_recount = True
    await looked(made)
    assert (state.lanes()[0].steps[0].n, state.current) == (6, fork)


async def test_a_recount_that_an_own_step_crossed_is_dropped_and_done_again(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = Request("voila:ND", data=a_file(tmp_path), pictures="drawn", respondent="noisy:0.3")
    made = await opened(store, await run_on(store, request, limit=1))
    state, real = made.stepping, live.run_tally

    def crossed(*given: object) -> Tally:
        state.counted += 1  # a step is asked and counted meanwhile
        return real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(live, "run_tally", crossed)
    before, state.to_recount = state.tally, True
    await looked(made)
    assert (state.tally, state.to_recount) == (before, True)
    monkeypatch.setattr(live, "run_tally", real)
    await recounted(made)
    assert state.tally is not before


async def recounted(made: Ready) -> None:
    """Until the whole run has been counted anew, which waits for its turn."""
    while made.stepping.to_recount:
        await looked(made)
        await asyncio.sleep(0)


async def test_a_removed_fork_is_gone_from_the_tree_and_from_accuracy(store: Store, tmp_path: Path) -> None:
    run = await batch(store, a_file(tmp_path), "noisy:0.3")
    made = await opened(store, run)
    state = made.stepping
    main = state.current
    state.back()
    state.back()
    await state.gold()
    await state.to_end()
    await looked(made)
    assert len(state.lanes()) == 2
    fork = state.fork_here()
    assert fork is not None
    await state.remove_fork(fork)
    assert (state.current.id, len(state.family.all())) == (main.id, 1)
    await recounted(made)
    assert len(state.lanes()) == 1
    assert state.fork_here() is None
    assert "only forks" in state.note


async def test_a_fork_that_another_process_removed_goes_from_under_the_cursor(store: Store, tmp_path: Path) -> None:
    run = await batch(store, a_file(tmp_path), "noisy:0.3")
    made = await opened(store, run)
    await made.stepping.gold()
    await looked(made)
    with Store.open(tmp_path / "store.db") as other:
        await StoreJournal(other, run).remove_fork(made.stepping.current)
    await made.stepping.stored_elsewhere()
    assert made.stepping.current.parent is None


async def test_a_tag_given_here_or_elsewhere_shows_in_the_list(store: Store, tmp_path: Path) -> None:
    made = await opened(store, await batch(store, a_file(tmp_path)))
    state = made.stepping
    await looked(made)
    notebook.toggle(store, state.current.steps[0].id, "", "odd")
    assert await looked(made)
    assert state.roster.remarks(state.item.id).tags == ("odd",)
    notebook.toggle(store, state.current.steps[0].id, "", "odd")
    await looked(made)
    assert state.roster.remarks(state.item.id).tags == ()


async def test_a_draft_waits_for_the_next_start(store: Store, tmp_path: Path) -> None:
    run = await batch(store, a_file(tmp_path))
    state = (await opened(store, run)).stepping
    await state.open_item(5)
    state.drafts[state.place] = "half a sent"
    await state.open_item(1)
    assert state.place not in state.drafts
    again = (await opened(store, run)).stepping
    await again.open_item(5)
    assert again.drafts[again.place] == "half a sent"
    await again.edit("whole")
    assert not again.drafts


async def test_the_store_says_how_items_came_out_how_hard_they_are_and_what_was_remarked(store: Store) -> None:
    one, two = a_run(store, "one"), a_run(store, "two", seed=1)
    await walk(StoreJournal(store, one), an_item(0))
    await walk(StoreJournal(store, one), an_item(1), right=5)
    await walk(StoreJournal(store, two), an_item(1))
    fork = await StoreJournal(store, two).fork((await StoreJournal(store, two).all_on(an_item(1)))[0], 1)
    assert fork.parent is not None
    (page,) = browsing.outcomes(store, one, "rule")
    assert [(o.key, o.progress, o.first_wrong) for o in page] == [
        ("voila-0", Progress.DONE, ""),
        ("voila-1", Progress.DONE, "describe"),
    ]
    assert browsing.outcomes_among(store, one, "rule", [page[1].trajectory, fork.parent, fork.id]) == [page[1]]
    assert browsing.difficulty(store, "voila", "nd", "rule") == {"voila-0": (1, 1), "voila-1": (1, 2)}
    step = store.reader().execute("SELECT max(id) FROM steps").fetchone()[0]
    store.write(lambda db: db.execute("INSERT INTO notes (item, text, created, updated) VALUES (1, 'a', 0, 0)"))
    store.write(
        lambda db: db.execute("INSERT INTO notes (step, text, created, updated) VALUES (?, 'b', 0, 0)", (step,))
    )
    store.write(lambda db: db.execute("INSERT INTO tags (step, tag, created) VALUES (?, 'odd', 0)", (step,)))
    notebook.write(store, an_item(0), notebook.Target(), "ann", "emptied")
    notebook.write(store, an_item(0), notebook.Target(), "ann", "")
    dispute(store, an_item(0), "ann", "blurred")
    for right in (0, 1):
        grade(store, step, "ann", right, 1)
    found = browsing.remarks(store, "voila", "nd")
    assert (found["voila-0"].notes, found["voila-1"].notes, found["voila-1"].tags) == (1, 1, ("odd",))
    assert (found["voila-0"].graded, found["voila-1"].graded) == (0, 1), "a step, however often it was scored"
    assert (found["voila-0"].disputed, found["voila-1"].disputed) == (True, False)
