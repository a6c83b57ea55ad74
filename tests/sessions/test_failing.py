"""Trajectories that went wrong, for reading: some of each step, and how many there are."""

from __future__ import annotations

from pathlib import Path

from core.planning import Request
from sessions.failing import failing
from sessions.store import Store
from tests.tui.stored import run_on


async def test_some_of_every_step_and_the_count_of_all(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        run = await run_on(store, Request("voila:WD", respondent="noisy:0.8"))
        whole = failing(store, run, "rule", 1000)
        few = failing(store, run, "rule", 3)
        none = failing(store, run, "rule", 0)
    assert len(whole.shown) > 1
    assert whole.left_out == 0
    assert {step: len(paths) for step, paths in whole.shown.items()} == whole.counts
    assert list(whole.shown) == [step for step in ("describe", "relate", "apply") if step in whole.counts]
    assert few.counts == whole.counts
    assert sum(map(len, few.shown.values())) == 3
    assert all(paths for paths in few.shown.values())  # one of each step before a second one of any
    assert few.left_out == whole.total - 3
    assert (none.total, none.left_out) == (whole.total, whole.total)


async def test_a_run_without_a_wrong_step_has_none(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        run = await run_on(store, Request("voila:WD", respondent="oracle"), limit=3)
        assert failing(store, run, "rule", 5).total == 0
        assert failing(store, run, "nobody", 5).total == 0
