"""The journal: trajectories resume, fork, get siblings and stand on other runs; nothing is stored twice."""

from __future__ import annotations

import asyncio
import inspect
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import StoreError
from core.journal import Journal
from core.records import Answer, Call, Origin, Progress, Trajectory, Usage
from sessions import reading
from sessions.journal import StoreJournal
from sessions.runs import delete_run
from sessions.store import Store
from tests.fuzzing import fuzzed
from tests.memory_journal import MemoryJournal
from tests.stored import STEPS, a_run, a_score, a_step, an_item, walk


def test_it_is_the_journal_that_core_asks_for(store: Store) -> None:
    journal: Journal = StoreJournal(store, a_run(store))
    for name in ("take_up", "all_on", "add_step", "add_sibling", "fork", "finish"):
        wanted = list(inspect.signature(getattr(MemoryJournal, name)).parameters)
        assert list(inspect.signature(getattr(type(journal), name)).parameters)[: len(wanted)] == wanted


def reopened(store: Store, journal: StoreJournal) -> StoreJournal:
    return StoreJournal(store, journal.run, base=journal.base)


async def test_a_new_item_gets_a_new_trajectory_and_nothing_is_stored_before_its_first_step(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    trajectory = await journal.take_up(an_item(), 0)
    assert (trajectory.id, trajectory.steps, trajectory.progress) == (0, (), Progress.OPEN)
    assert store.reader().execute("SELECT count(*) FROM trajectories").fetchone() == (0,)


async def test_an_open_trajectory_resumes_with_all_its_steps(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    trajectory = await journal.take_up(an_item(), 0)
    for name in STEPS[:2]:
        trajectory = await journal.add_step(trajectory, a_step(name, choice="B"))
    for same in (journal, reopened(store, journal)):
        assert await same.take_up(an_item(), 0) == trajectory
    assert (await journal.take_up(an_item(), 1)).id == 0
    assert (await journal.take_up(an_item(1), 0)).id == 0


async def test_a_done_one_comes_back_done_and_its_steps_only_when_asked_for(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    trajectory = await walk(journal, an_item())
    for same in (journal, reopened(store, journal)):
        bare = await same.take_up(an_item(), 0)
        assert (bare.progress, bare.id, bare.steps) == (Progress.DONE, trajectory.id, ())
        assert await same.take_up(an_item(), 0, with_steps=True) == trajectory


async def test_a_failed_one_comes_back_open_where_it_failed(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    trajectory = await journal.add_step(await journal.take_up(an_item(), 0), a_step())
    call = Call("relate", "h", {"model": "m"}, None, error="500", attempts=4, usage=Usage(3, 0, 0.01))
    failed = await journal.finish(trajectory, Progress.FAILED, "the server said 500", call, step="relate")
    assert (failed.progress, failed.reason) == (Progress.FAILED, "the server said 500")
    assert [(f.step, f.count) for f in reading.failures(store, [journal.run.id])] == [("relate", 1)]
    assert store.reader().execute("SELECT purpose, error, attempts, cost FROM calls").fetchall() == [
        ("relate", "500", 4, 0.01)
    ]
    again = reopened(store, journal)
    resumed = await again.take_up(an_item(), 0)
    assert (resumed.progress, resumed.reason, resumed.steps) == (Progress.OPEN, "", trajectory.steps)
    resumed = await again.add_step(resumed, a_step("relate"))
    await again.finish(resumed, Progress.DONE)
    assert reading.failures(store, [journal.run.id]) == []


async def test_one_that_fails_before_its_first_step_is_told_with_its_item(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    failed = await journal.finish(
        await journal.take_up(an_item(), 0), Progress.FAILED, "torn picture", step="describe"
    )
    assert failed.id
    (item,) = reading.items(store, journal.run)
    assert (item.label, item.reason, item.failed_step) == ("failed", "torn picture", "describe")
    assert (await walk(reopened(store, journal), an_item())).id == failed.id


async def test_a_fork_shares_what_came_before_and_the_old_path_stays(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    old = await walk(journal, an_item())
    fork = await journal.fork(old, 1)
    assert (fork.parent, fork.fork, fork.steps, fork.progress) == (old.id, 1, old.steps[:1], Progress.OPEN)
    fork = await journal.add_step(fork, a_step("relate", text="mine", origin=Origin.EDITED, lane="relate=text"))
    root = await journal.fork(fork, 0)
    root = await journal.add_step(root, a_step("describe", text="afresh", repeat=1, lane="describe=again"))
    found = await reopened(store, journal).all_on(an_item())
    assert found == (old, fork, root)
    assert len({step.id for trajectory in found for step in trajectory.steps}) == 5
    bare = await journal.take_up(an_item(), 0)
    assert (bare.id, bare.progress) == (old.id, Progress.DONE)


async def test_a_fork_of_what_is_not_stored_yet_stores_it(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    fork = await journal.fork(await journal.take_up(an_item(), 0), 0)
    assert fork.parent not in (None, 0)
    assert (await journal.add_step(fork, a_step())).parent == fork.parent


async def test_a_sibling_is_stored_beside_the_path(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    trajectory = await journal.add_step(await journal.take_up(an_item(), 0), a_step())
    sibling = await journal.add_sibling(trajectory, a_step("relate", right=0, text="own"))
    gold = a_step("relate", origin=Origin.GOLD, lane="relate=gold")
    trajectory = await journal.add_step(trajectory, gold)
    assert sibling.id not in {0, *(step.id for step in trajectory.steps)}
    assert (await journal.take_up(an_item(), 0)).steps == trajectory.steps
    tree = reading.tree(store, journal.run.id, reading.find_items(store, "voila-0")[0])
    first = trajectory.steps[0].id
    assert [(n.step.turn.step, n.parent, n.step.lane) for n in tree.nodes] == [
        ("describe", 0, ""),
        ("relate", first, ""),
        ("relate", first, "relate=gold"),
    ]
    assert tree.heads == {trajectory.id: trajectory.steps[-1].id}


async def test_the_same_step_twice_is_stored_once_and_the_first_one_stands(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    trajectory = await journal.take_up(an_item(), 0)
    first = await journal.add_step(trajectory, a_step(text="first", right=1))
    second = await journal.add_step(trajectory, a_step(text="second", right=7))
    assert second == first
    assert second.steps[0].answer.text == "first"
    assert store.reader().execute("SELECT count(*) FROM steps").fetchone() == (1,)


async def test_two_journals_on_one_run_share_one_trajectory(store: Store) -> None:
    run = a_run(store)
    left, right = StoreJournal(store, run), StoreJournal(store, run)
    mine, yours = await left.take_up(an_item(), 0), await right.take_up(an_item(), 0)
    for index, name in enumerate(STEPS):
        if index < 2:
            mine, yours = await asyncio.gather(
                left.add_step(mine, a_step(name, text="left")), right.add_step(yours, a_step(name, text="right"))
            )
            assert mine == yours
        else:
            mine = await left.add_step(mine, a_step(name))
    await left.finish(mine, Progress.DONE)
    await right.finish(yours, Progress.FAILED, "too late")
    (stored,) = await right.all_on(an_item())
    assert (stored.progress, stored.steps) == (Progress.DONE, mine.steps)
    assert (await right.take_up(an_item(5), 0)).id == 0
    await walk(left, an_item(5))
    assert (await right.take_up(an_item(5), 0)).progress is Progress.DONE


async def test_the_last_step_ends_its_trajectory_in_the_same_change(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    trajectory = await journal.take_up(an_item(), 0)
    for name in STEPS:
        trajectory = await journal.add_step(trajectory, a_step(name), last=name == STEPS[-1])
    assert trajectory.progress is Progress.DONE
    for same in (journal, reopened(store, journal)):
        assert await same.take_up(an_item(), 0, with_steps=True) == trajectory


async def test_a_last_step_that_another_process_was_faster_with_ends_nothing_by_itself(store: Store) -> None:
    run = a_run(store)
    left, right = StoreJournal(store, run), StoreJournal(store, run)
    mine, yours = await left.take_up(an_item(), 0), await right.take_up(an_item(), 0)
    mine = await left.add_step(mine, a_step(STEPS[0], text="left"))
    yours = await right.add_step(yours, a_step(STEPS[0], text="right"), last=True)
    assert (yours.progress, yours.steps) == (Progress.OPEN, mine.steps)
    assert (await right.take_up(an_item(), 0)).progress is Progress.OPEN
    assert (await right.finish(yours, Progress.DONE)).progress is Progress.DONE


async def test_steps_of_another_run_are_reused_up_to_the_intervention(store: Store) -> None:
    base = a_run(store, "base")
    old = await walk(StoreJournal(store, base), an_item())
    journal = StoreJournal(store, a_run(store, "what if", base_run=base.uid), base=base)
    assert await journal.base_steps(an_item(), 0, "apply") == old.steps[:2]
    assert await journal.base_steps(an_item(), 0) == old.steps
    assert await journal.base_steps(an_item(1), 0, "apply") == ()
    trajectory = await journal.take_up(an_item(), 0)
    trajectory = replace(trajectory, steps=old.steps[:2])
    trajectory = await journal.add_step(trajectory, a_step("apply", lane="apply=gold", origin=Origin.GOLD))
    assert (await reopened(store, journal).take_up(an_item(), 0)).steps == trajectory.steps
    mine = {(t.run, t.step, t.lane): t.count for t in reading.tallies(store, [journal.run.id, base.id])}
    assert mine == {(base.id, name, ""): 1 for name in STEPS}  # gold is nobody's answer, reused steps stay theirs


async def test_an_intervened_base_gives_only_its_plain_steps(store: Store) -> None:
    base = a_run(store, "base")
    journal = StoreJournal(store, base)
    trajectory = await journal.add_step(await journal.take_up(an_item(), 0), a_step())
    trajectory = await journal.add_step(trajectory, a_step("relate", lane="relate=gold"))
    other = StoreJournal(store, a_run(store, "other"), base=base)
    assert await other.base_steps(an_item(), 0) == trajectory.steps[:1]


async def test_a_call_is_kept_with_its_step(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    call = Call("describe", "hash", {"messages": ["é" * 500]}, {"id": 1}, "m-1", 2, 0.5, Usage(10, 4, 0.25))
    trajectory = await journal.take_up(an_item(), 0)
    trajectory = await journal.add_step(trajectory, a_step(answer=Answer("x", call=call)))
    found = reading.trajectory(store, trajectory.id, calls=True)
    assert found is not None
    assert found[1].steps[0].answer.call == call
    without = reading.trajectory(store, trajectory.id)
    assert without is not None
    assert without[1].steps[0].answer.call is None


async def test_a_run_deleted_under_its_journal_is_said_and_nothing_is_left_half(store: Store) -> None:
    journal = StoreJournal(store, a_run(store, "gone"))
    trajectory = await journal.add_step(await journal.take_up(an_item(), 0), a_step())
    delete_run(store, "gone")
    with pytest.raises(StoreError, match="FOREIGN KEY"):
        await journal.add_step(trajectory, a_step("relate"))
    with pytest.raises(StoreError, match="FOREIGN KEY"):
        await walk(journal, an_item(1))
    for table in ("steps", "trajectories", "items", "scores"):
        assert store.reader().execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


async def test_groups_of_a_stored_item_follow_the_program(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    await walk(journal, an_item())
    await walk(journal, an_item(0, groups={"rule": "9", "new": "x"}), repeat=1)
    assert reading.item(store, 1).groups == {"rule": "9", "new": "x"}
    assert store.reader().execute("SELECT count(*) FROM items").fetchone() == (1,)


async def test_a_step_without_scores_and_one_with_two_scorers(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    trajectory = await journal.add_step(await journal.take_up(an_item(), 0), a_step(scores=()))
    scores = (a_score(7, scorer="rule"), a_score(3, scorer="judge"))  # the rule first, whatever the names
    trajectory = await journal.add_step(trajectory, a_step("relate", scores=scores))
    assert (await journal.take_up(an_item(), 0)).steps == trajectory.steps


# -- the same as the journal in memory


class Kept:
    """Trajectories of two journals side by side, told apart from each other by their numbers alone."""

    def __init__(self, stored: StoreJournal, memory: MemoryJournal) -> None:
        self.journals = (stored, memory)
        self.pairs: list[tuple[Trajectory, Trajectory]] = []

    def same(self, mine: Trajectory, theirs: Trajectory) -> None:
        def bare(trajectory: Trajectory) -> Trajectory:
            steps = tuple(replace(step, id=0) for step in trajectory.steps)
            return replace(trajectory, id=0, parent=None, steps=steps)

        assert bare(mine) == bare(theirs)
        assert (mine.parent is None) == (theirs.parent is None)
        assert (mine.id == 0) == (theirs.id == 0)


@fuzzed(60)
@given(acts=st.lists(st.tuples(st.sampled_from("ttaaaasfdx"), st.integers(0, 99)), max_size=25))
def test_it_does_what_the_journal_in_memory_does(tmp_path_factory: Any, acts: list[tuple[str, int]]) -> None:
    async def play(store: Store) -> None:
        kept = Kept(StoreJournal(store, a_run(store)), MemoryJournal())
        mine, theirs = kept.journals
        for number, (act, pick) in enumerate(acts):
            if act == "t" or not kept.pairs:
                item, repeat = an_item(pick % 3), pick % 2
                pair = (await mine.take_up(item, repeat, with_steps=True), await theirs.take_up(item, repeat))
                kept.pairs = [p for p in kept.pairs if p[0].id or (p[0].item, p[0].repeat) != (item, repeat)]
                kept.pairs = [p for p in kept.pairs if p[0].id != pair[0].id or not p[0].id]
            else:
                old = kept.pairs.pop(pick % len(kept.pairs))
                if old[0].progress is not Progress.OPEN and act in "asdx":
                    act = "f"
                if act == "s" and not old[0].id:  # the store needs a row to hang it on, memory does not
                    act = "a"
                step = a_step(f"step {number}", text=f"{number}")
                if act == "a":
                    pair = (await mine.add_step(old[0], step), await theirs.add_step(old[1], step))
                elif act == "s":
                    await mine.add_sibling(old[0], step)
                    await theirs.add_sibling(old[1], step)
                    continue
                elif act == "f" and old[0].id:
                    kept.pairs.append(old)
                    keep = pick % (len(old[0].steps) + 1)
                    pair = (await mine.fork(old[0], keep), await theirs.fork(old[1], keep))
                else:
                    progress = Progress.DONE if act == "d" else Progress.FAILED
                    pair = (await mine.finish(old[0], progress, "r"), await theirs.finish(old[1], progress, "r"))
            kept.same(*pair)
            kept.pairs.append(pair)
        for number in range(3):
            found, expected = await mine.all_on(an_item(number)), await theirs.all_on(an_item(number))
            assert len(found) == len(expected)
            for pair in zip(found, expected, strict=True):
                kept.same(*pair)

    with Store.open(tmp_path_factory.mktemp("model") / "phoropter.db") as store:
        asyncio.run(play(store))
