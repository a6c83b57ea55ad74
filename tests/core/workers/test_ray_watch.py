"""A cluster that is gone ends the run before Ray ends the process."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from core.errors import CallError, RespondentError, UsageError, VariableError
from core.workers import on_ray, ray_watch
from core.workers.actors import Actors
from core.workers.ray_watch import EVERY_S, LOOK_S, PATIENCE_S, RayWatch

TWO = {"CPU": 2.0}


class Ray:
    """As much of it as is looked at. ``machines`` are their resources, None one that is dead."""

    def __init__(self, *machines: Mapping[str, float] | None) -> None:
        self.machines = list(machines)
        self.free: Mapping[str, float] = TWO
        self.hangs = threading.Event()
        self.hangs.set()

    def get_runtime_context(self) -> Any:
        return SimpleNamespace(gcs_address="head:6379")

    def nodes(self) -> list[dict[str, Any]]:
        self.hangs.wait(10)
        return [{"Alive": each is not None, "Resources": each or {}} for each in self.machines]

    def available_resources(self) -> Mapping[str, float]:
        return self.free

    def remote(self, _: type) -> Any:
        return SimpleNamespace(options=lambda **_: None)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> list[UsageError]:
    """Looks every two milliseconds; what is in the list is raised where the head is to be reached."""
    gone: list[UsageError] = []

    def reach(_: str) -> None:
        if gone:
            raise gone[0]

    monkeypatch.setattr(ray_watch, "EVERY_S", 0.002)
    monkeypatch.setattr(ray_watch, "PATIENCE_S", 0.02)
    monkeypatch.setattr(ray_watch, "reach", reach)
    return gone


def watched(ray: Ray, needs: Mapping[str, float]) -> tuple[RayWatch, list[str]]:
    said: list[str] = []
    return RayWatch(ray, needs, said.append), said


def test_the_run_ends_before_ray_would_end_the_process() -> None:
    rays = float(on_ray._SETTINGS["RAY_gcs_rpc_server_reconnect_timeout_s"])
    assert rays > 2 * (EVERY_S + LOOK_S) + PATIENCE_S


@pytest.mark.parametrize(
    ("machines", "needs", "why"),
    [
        ([None], {"CPU": 1.0}, "no machine of the cluster lives any more"),
        ([], {}, "no machine of the cluster lives any more"),
        ([TWO, None], {"CPU": 1.0, "GPU": 1.0}, "no machine that is left of the cluster has room for a worker"),
    ],
)
async def test_a_cluster_without_a_machine_for_a_worker_is_lost(machines: Any, needs: Any, why: str) -> None:
    watch, said = watched(Ray(*machines), needs)
    with pytest.raises(RespondentError, match=f"the Ray cluster is lost: {why}") as lost:
        await watch.until_lost()
    assert lost.value.where == "--on ray:head:6379"
    assert len(said) == 1
    assert said[0].startswith(f"{why}; if that lasts")


async def test_a_head_that_is_gone_is_noticed_and_nothing_is_asked_of_ray(quick: list[UsageError]) -> None:
    ray = Ray(TWO)
    ray.nodes = lambda: pytest.fail("Ray would hang here")  # type: ignore[method-assign]
    quick.append(UsageError("nobody answers there"))
    watch, _ = watched(ray, TWO)
    with pytest.raises(RespondentError, match="head does not answer any more"):
        await watch.until_lost()


async def test_a_ray_that_hangs_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_watch, "LOOK_S", 0.005)
    ray = Ray(TWO)
    ray.hangs.clear()
    watch, _ = watched(ray, TWO)
    with pytest.raises(RespondentError, match="the Ray cluster is lost: Ray does not answer"):
        await watch.until_lost()
    ray.hangs.set()


async def test_a_cluster_that_comes_back_is_not_lost_and_nobody_is_hired_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ray_watch, "PATIENCE_S", 60.0)
    ray = Ray(None)
    watch, said = watched(ray, TWO)
    lost, there = asyncio.ensure_future(watch.until_lost()), asyncio.ensure_future(watch.there())
    while not said:
        await asyncio.sleep(0.001)
    assert not there.done()
    ray.machines = [TWO]
    await there
    while len(said) < 2:
        await asyncio.sleep(0.001)
    assert said[1] == "the cluster is there again"
    lost.cancel()
    assert watch.why_no_place() == "Ray has not placed it yet"
    ray.free = {"CPU": 1.0}
    await watch.there()
    assert watch.why_no_place() == "all of the cluster's CPUs or GPUs are taken"


async def test_what_keeps_a_worker_from_its_work_is_told_with_its_machine() -> None:
    actors = Actors(Ray(TWO), 2, 1.0, 0.0, print)
    missing = actors.explained(VariableError("KEY is not set", where="gpt", remedy="Put the key in it"), 1, "node7")
    assert str(missing).startswith(
        "gpt, worker 2 on node7: KEY is not set. Set it where `ray start` is called on node7"
    )
    other = actors.explained(CallError("no", remedy="Do"), 0, "node7")
    assert str(other) == "worker 1 on node7: no. Do"
    fault = RuntimeError("of the program")
    assert actors.explained(fault, 0, "node7") is fault
