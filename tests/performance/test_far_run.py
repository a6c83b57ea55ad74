"""A run whose time of a step cannot be taken says why, and is no figure."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.events import StepDone
from core.records import Trajectory
from tests.performance import far_run
from tests.performance.bench_cluster import Far, compare
from tests.performance.far_run import Watch
from tests.stored import a_step, an_item


def watched(*workers: int, count: int = 2) -> Watch:
    """After steps that these of ``count`` workers made, one after the other, each on an item of its own."""
    trajectories = [Trajectory(an_item(number)) for number in range(len(workers))]
    hands = {
        worker: SimpleNamespace(
            number=worker,
            errands={
                job: SimpleNamespace(trajectory=trajectory)
                for job, trajectory in enumerate(trajectories)
                if workers[job] == worker
            },
        )
        for worker in range(count)
    }
    crew: Any = SimpleNamespace(terms=[None] * count, hands=hands) if count else None
    watch = Watch(crew, 0, 0, 0)
    for trajectory in trajectories:
        watch(StepDone(trajectory, a_step()))
    return watch


def test_time_is_taken_since_every_worker_has_made_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter((100.0, 106.0))
    monkeypatch.setattr(far_run.time, "perf_counter", lambda: next(now))
    monkeypatch.setattr(far_run.time, "process_time", lambda: 7.0)
    assert watched(0, 0, 1, 0, 0, 1).a_step() == {"wall": 2.0, "cpu": 0.0}


@pytest.mark.parametrize(
    ("workers", "count", "why"),
    [
        ((0, 0, 0), 2, "worker 2 of 2 made no step (3 in all)"),
        ((1,), 3, "worker 1 and worker 3 of 3 made no step (1 in all)"),
        ((0, 0, 1), 2, "no step came after the first one of every worker (3 in all)"),
        ((0,), 0, "no step came after the first one of every worker (1 in all)"),
        ((), 2, "no step was made: all was there before"),
    ],
)
def test_where_there_is_none_it_says_why(workers: tuple[int, ...], count: int, why: str) -> None:
    assert watched(*workers, count=count).a_step() == {"unmeasured": why}


def test_a_comparison_without_its_figures_fails_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(_: Far, name: str, **options: object) -> dict[str, Any]:
        return {"steps": 9, "wall": 1.0, "cpu": 1.0} if name == "plain" else {"unmeasured": "worker 2 of 2 slept"}

    monkeypatch.setattr(Far, "run", run)
    with pytest.raises(RuntimeError, match="the run processes-0 gives no time of a step: worker 2 of 2 slept"):
        compare("title", Far(tmp_path, 1), "nowhere")
    monkeypatch.setattr(Far, "run", lambda *_, **__: {})
    with pytest.raises(RuntimeError, match="the run plain gives no time of a step: the run was killed"):
        compare("title", Far(tmp_path, 1), "nowhere")


def test_a_resumed_run_with_nothing_to_do_is_told_as_such(tmp_path: Path) -> None:
    far = Far(tmp_path, 2)
    first = far.measured("run")
    assert (first["finished"], first["failed"]) == (2, 0)
    assert first["wall"] > 0
    again = far.run("run")
    assert (again["finished"], again["steps"]) == (2, 0)
    assert again["unmeasured"] == "no step was made: all was there before"
