"""Tallies equal what one gets by reading every step and counting."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from core.interventions import Intervention, join_lanes, to_stored
from core.records import Origin, Parse, Progress
from sessions import reading
from sessions.cells import cells_of
from sessions.journal import StoreJournal
from sessions.scoring import keep_scores
from sessions.store import Store
from tests.stored import STEPS, a_run, a_score, a_step, an_item

PUT_IN = to_stored([Intervention(step, kind) for step in STEPS for kind in ("gold", "text", "sham")])


async def scatter(store: Store, seed: int, runs: int = 2, items: int = 6) -> list[int]:
    """Runs with failures, repeats, forks, siblings, lanes, own and other answers, two scorers, two versions."""
    chances = random.Random(seed)
    rows = []
    for number in range(runs):
        run = a_run(store, f"run {number}", interventions=PUT_IN)
        rows.append(run.id)
        journal = StoreJournal(store, run)
        for item in range(items):
            for repeat in range(chances.choice([1, 1, 2])):
                trajectory = await journal.take_up(an_item(item), repeat)
                for name in STEPS[: chances.randrange(4)]:
                    trajectory = await journal.add_step(trajectory, some_step(chances, name, repeat, trajectory.lane))
                    if chances.random() < 0.2:
                        await journal.add_sibling(
                            trajectory, some_step(chances, "apply", repeat + 5, trajectory.lane)
                        )
                if trajectory.steps and chances.random() < 0.4:
                    fork = await journal.fork(trajectory, chances.randrange(len(trajectory.steps) + 1))
                    await journal.add_step(fork, some_step(chances, "relate", 9, fork.lane))
                if chances.random() < 0.2:
                    await journal.finish(trajectory, Progress.FAILED, "x", step=chances.choice(STEPS))
        for answer in await journal.all_on(an_item(0)):
            newer = [(step.id, a_score(chances.randrange(8), version="2")) for step in answer.steps]
            keep_scores(store, run, newer[: chances.randrange(4)])
    return rows


def some_step(chances: random.Random, name: str, repeat: int, before: str) -> Any:
    def score(scorer: str) -> Any:
        scored = chances.choice([7, 7, 5, 0])
        return a_score(chances.randrange(8) & scored, scored, chances.choice(list(Parse)), scorer=scorer)

    scores = tuple(score(scorer) for scorer in chances.choice([("rule",), ("rule", "judge"), ()]))
    origin = chances.choice([Origin.RESPONDENT] * 3 + [Origin.GOLD, Origin.EDITED])
    said = {Origin.GOLD: "gold", Origin.EDITED: "text"}.get(origin) or chances.choice(["", "", "sham"])
    lane = join_lanes(before, f"{name}={said}") if said else before
    return a_step(name, scores=scores, origin=origin, lane=lane, repeat=repeat)


def brute_force(store: Store, rows: list[int], scorer: str | None) -> Counter[tuple[Any, ...]]:
    out: Counter[tuple[Any, ...]] = Counter()
    for run in rows:
        seen: set[int] = set()
        for item in range(1, 1 + len(reading.item_keys(store))):
            tree = reading.tree(store, run, item)
            forks = {t.id for t in tree.trajectories if t.parent is not None}
            for node in tree.nodes:
                if node.step.origin is not Origin.RESPONDENT or node.step.id in seen:
                    continue
                seen.add(node.step.id)
                for score in node.step.scores:
                    if scorer in (None, score.scorer):
                        key = (run, score.scorer, score.version, node.step.turn.step, node.step.lane)
                        out[(*key, node.trajectory in forks, score.status, score.right, score.scored, item)] += 1
    return out


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    scorer=st.sampled_from([None, "rule", "judge", "nobody"]),
)
def test_tallies_equal_a_count_of_every_step(tmp_path_factory: Any, seed: int, scorer: str | None) -> None:
    folder: Path = tmp_path_factory.mktemp("tallies")
    with Store.open(folder / "phoropter.db") as store:
        rows = asyncio.run(scatter(store, seed))
        expected = brute_force(store, rows, scorer)
        by_item: Counter[tuple[Any, ...]] = Counter()
        for t in reading.tallies(store, rows, scorer=scorer, by_item=True):
            by_item[(*t[:9], t.item)] += t.count
        assert by_item == expected
        pooled: Counter[tuple[Any, ...]] = Counter()
        for key, count in expected.items():
            pooled[key[:-1]] += count
        found: Counter[tuple[Any, ...]] = Counter()
        for t in reading.tallies(store, rows, scorer=scorer):
            assert t.item is None
            found[t[:9]] += t.count
        assert found == pooled


async def test_failures_are_counted_by_step_and_in_cells_by_group(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    for number, step in enumerate(["describe", "apply", "apply", "apply"]):
        await journal.finish(await journal.take_up(an_item(number), 0), Progress.FAILED, "x", step=step)
    found = {f.step: f.count for f in reading.failures(store, [journal.run.id])}
    assert found == {"describe": 1, "apply": 3}
    cells = cells_of(store, [journal.run], group_by="rule")
    found_by_group = {(c.step, c.group): c.failed for c in cells if c.property == "all" and c.step in found}
    assert [found_by_group["apply", group] for group in "012"] == [2, 1, 1]
    assert found_by_group["describe", "0"] == 3  # pictures
    assert reading.failures(store, []) == []


async def test_repeats_are_known(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    await journal.add_step(await journal.take_up(an_item(), 0), a_step())
    assert not reading.hangs_together(store, journal.run.id)
    await journal.add_step(await journal.take_up(an_item(), 1), a_step(repeat=1))
    assert reading.hangs_together(store, journal.run.id)


def test_the_report_reads_its_index_alone(store: Store) -> None:
    from sessions.tallies import _TALLY

    for what in ("count(*)", "group_concat(item)"):
        plan = (
            store.reader()
            .execute("EXPLAIN QUERY PLAN " + _TALLY.format(what=what, newest="", only=""), (1, 1))
            .fetchall()
        )
        assert [row[3] for row in plan] == ["SEARCH s USING COVERING INDEX scores_report (run=? AND scorer=?)"]


def test_one_step_is_read_from_its_part_of_the_index(store: Store) -> None:
    from sessions.tallies import _ONLY, _TALLY

    query = _TALLY.format(what="group_concat(item)", newest="", only=_ONLY)
    plan = store.reader().execute("EXPLAIN QUERY PLAN " + query, (1, 1, None, "apply")).fetchall()
    assert plan[0][3] == "SEARCH s USING COVERING INDEX scores_report (run=? AND scorer=? AND name=?)"
