"""Items with how they stand, found by id or hash, and their transcripts."""

from __future__ import annotations

from core.records import Origin, Progress
from sessions import reading
from sessions.journal import StoreJournal
from sessions.scoring import keep_scores
from sessions.store import Store
from tests.stored import a_run, a_score, a_step, an_item, walk


async def test_each_item_says_how_it_stands_in_the_run(store: Store) -> None:
    other = StoreJournal(store, a_run(store, "other"))
    await walk(other, an_item(5))
    journal = StoreJournal(store, a_run(store, "this", seed=1))
    await walk(journal, an_item(0))
    trajectory = await journal.add_step(await journal.take_up(an_item(1), 0), a_step("describe"))
    for name, right in (("relate", 5), ("apply", 0)):
        trajectory = await journal.add_step(trajectory, a_step(name, right))
    await journal.finish(trajectory, Progress.DONE)
    trajectory = await journal.add_step(await journal.take_up(an_item(2), 0), a_step("describe"))
    await journal.finish(trajectory, Progress.FAILED, "[bold]no[/bold]", step="relate")
    await journal.add_step(await journal.take_up(an_item(3), 0), a_step("describe", 0))
    items = reading.items(store, journal.run)
    assert [(item.key, item.label, item.first_wrong, item.steps) for item in items] == [
        ("voila-5", "not run", "", 0),
        ("voila-0", "right", "", 3),
        ("voila-1", "wrong", "relate", 3),
        ("voila-2", "failed", "", 1),
        ("voila-3", "open", "describe", 1),
    ]
    assert (items[3].failed_step, items[3].reason) == ("relate", "[bold]no[/bold]")
    assert [item.key for item in reading.items(store, journal.run, offset=1, limit=2)] == ["voila-0", "voila-1"]
    labels = reading.items(store, journal.run, labels=["wrong", "failed"])
    assert [item.key for item in labels] == ["voila-1", "voila-2"]
    assert [i.key for i in reading.items(store, journal.run, labels=["wrong", "failed"], offset=1)] == ["voila-2"]
    assert [i.key for i in reading.items(store, journal.run, where={"rule": "2"})] == ["voila-5", "voila-2"]
    assert [i.label for i in reading.items(store, benchmark="voila")] == ["not run"] * 5
    assert reading.items(store, benchmark="vrex") == []


async def test_the_newest_version_of_a_scorer_decides(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    trajectory = await walk(journal, an_item(), right=0)
    assert reading.items(store, journal.run)[0].first_wrong == "describe"
    keep_scores(store, journal.run, [(trajectory.steps[0].id, a_score(7, version="2"))])
    assert reading.items(store, journal.run)[0].first_wrong == "relate"
    assert reading.items(store, journal.run, scorer="judge")[0].first_wrong == ""
    assert reading.scorers_of(store, journal.run.id) == [("rule", "2"), ("rule", "1")]


async def test_an_unscored_step_is_not_wrong(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    await walk(journal, an_item(), scores=(a_score(0, 0),))
    assert reading.items(store, journal.run)[0].label == "right"


async def test_items_are_found_by_id_or_hash(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    for number in range(3):
        await walk(journal, an_item(number))
    assert reading.find_items(store, "voila-1") == [2]
    assert reading.find_items(store, an_item(2).hash[:12]) == [3]
    assert reading.find_items(store, an_item(2).hash.upper()) == [3]
    assert reading.find_items(store, "voila") == []
    assert reading.find_items(store, "%%%%%%%%") == []
    assert reading.find_items(store, "voila-1", benchmark="vrex") == []
    assert reading.item_keys(store) == ["voila-0", "voila-1", "voila-2"]


async def test_transcripts_of_an_item_over_all_runs_or_one(store: Store) -> None:
    first, second = a_run(store, "first"), a_run(store, "second")
    one = await walk(StoreJournal(store, first), an_item())
    journal = StoreJournal(store, second)
    two = await walk(journal, an_item())
    fork = await journal.fork(two, 1)
    fork = await journal.add_step(fork, a_step("relate", lane="relate=text", origin=Origin.EDITED))
    assert reading.trajectories_on(store, "voila-0") == [(first.id, one), (second.id, two), (second.id, fork)]
    assert reading.trajectories_on(store, "voila-0", second.id) == [(second.id, two), (second.id, fork)]
    assert reading.trajectories_on(store, "nothing") == []
    assert reading.trajectory(store, fork.id) == (second.id, fork)
    assert reading.trajectory(store, 999) is None


async def test_a_tree_holds_forks_and_the_steps_of_the_run_it_stands_on(store: Store) -> None:
    base = a_run(store, "base")
    old = await walk(StoreJournal(store, base), an_item())
    run = a_run(store, "on top")
    journal = StoreJournal(store, run, base=base)
    trajectory = await journal.take_up(an_item(), 0)
    for step in await journal.base_steps(an_item(), 0, "apply"):
        trajectory = trajectory.then(step)
    trajectory = await journal.add_step(trajectory, a_step("apply", lane="apply=gold"))
    tree = reading.tree(store, run.id, 1)
    assert [(node.step.turn.step, node.parent, node.trajectory) for node in tree.nodes] == [
        ("describe", 0, old.id),
        ("relate", old.steps[0].id, old.id),
        ("apply", old.steps[1].id, trajectory.id),
    ]
    assert [t.id for t in tree.trajectories] == [trajectory.id]
