"""Runs over actors of a Ray cluster: one that is started once, of four logical CPUs and GPUs."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.config import Config
from core.errors import UsageError
from core.events import StepDone
from core.planning import Request
from core.respondents.settings import LocalSettings
from core.selection import Filter
from core.workers.actors import ActorLink, Calls
from core.workers.crew import Crew
from core.workers.lines import Exchange, Ticket
from core.workers.on_ray import Cluster
from core.workers.terms import Staff, staff_of, terms_of
from tests.core.workers.loops import Ran, prepare, prepared
from tests.end_to_end.commands import COMMAND, environment
from tests.voila_data import small_voila_file
from tui.cli import run as phoropter

pytestmark = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    kept = dict(os.environ)
    opened = Cluster(cpus=4, gpus=4)
    yield opened
    opened.close()
    os.environ.clear()
    os.environ.update(kept)


async def until(true: Callable[[], bool], seconds: float = 60.0) -> None:
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.02)


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


async def test_an_actor_that_is_killed_is_replaced_and_the_steps_are_those_of_a_plain_run(cluster: Cluster) -> None:
    ready = prepared(limit=14, repeats=40)
    here = await Ran().go(ready)
    staff = staff_of(ready, Config())
    there = Ran()
    killed: list[int] = []

    def kill() -> None:
        crew = there.crew
        if crew is not None and len(there.events) > 300 and not killed:
            killed.append(next(hand.ready.pid for hand in crew.hands.values() if hand.ready is not None))
            os.kill(killed[0], signal.SIGKILL)

    running = asyncio.ensure_future(there.go(ready, cluster.crew_of(staff, 2, print)))
    while not running.done():
        kill()
        await asyncio.sleep(0.002)  # only looking would take a core
    await running
    assert there.steps() == here.steps()
    assert sum(isinstance(event, StepDone) for event in there.events) == 14 * 40 * 3
    assert there.crew is not None
    assert (there.crew.restarts, len(killed)) == (1, 1)
    assert there.lines[0].startswith("worker ")
    assert "another takes its place" in there.lines[0]


async def test_words_go_over_lines_of_their_own_or_through_ray(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ray carries them where it hides what it carries, and where a worker does not reach the driver."""
    ready = prepared(limit=3)
    staff = staff_of(ready, Config())
    plain = (await Ran().go(ready)).steps()

    async def ran() -> tuple[set[type], list[str]]:
        there, links = Ran(), set()
        running = asyncio.ensure_future(there.go(ready, cluster.crew_of(staff, 2, there.lines.append)))
        while not running.done():
            links |= {type(hand.link) for hand in (there.crew.hands.values() if there.crew is not None else ())}
            await asyncio.sleep(0.002)
        await running
        assert there.steps() == plain
        return links, there.lines

    assert await ran() == ({ActorLink}, [])
    with monkeypatch.context() as patched:
        patched.setenv("RAY_USE_TLS", "1")
        assert await ran() == ({Calls}, [])
    with monkeypatch.context() as patched:
        patched.setattr(Exchange, "expect", lambda _: Ticket("127.0.0.1", 1, b"n" * 16, b"s" * 32))
        links, told = await ran()
        assert links == {Calls}
        assert len(told) == 2
        assert "does not reach 127.0.0.1, port 1 (" in told[0]
    with monkeypatch.context() as patched:
        patched.setattr(cluster.ray.util, "get_node_ip_address", lambda: "192.0.2.1")
        links, told = await ran()
        assert links == {Calls}
        assert told
        assert "words go through Ray" in told[0]


async def test_each_actor_has_its_gpus_to_itself(cluster: Cluster) -> None:
    config = Config(respondents={"local": LocalSettings(model="nowhere", gpus=2.0)})
    ready = prepare(Request("voila:ND", respondent="local", filter=Filter({}, limit=1)), config)
    staff = staff_of(ready, config)
    hiring = cluster.crew_of(staff, 0, print)
    assert hiring.words == "2 Ray actors of 2 GPUs each"
    crew = Crew(hiring, lambda number: terms_of(ready, config, staff, 2, number), print)
    async with crew:
        await until(lambda: sum(hand.ready is not None for hand in crew.hands.values()) == 2)
        found = [hand.ready.gpus for hand in crew.hands.values() if hand.ready is not None]
    assert sorted(found) == ["0,1", "2,3"]


def test_more_gpus_than_there_are_is_told(cluster: Cluster) -> None:
    with pytest.raises(UsageError, match="3 workers of 2 GPUs each need 6, and the cluster has 4"):
        cluster.crew_of(Staff(2.0, None, 8, shared=False), 3, print)
    assert cluster.crew_of(Staff(1.0, None, 8, shared=False), 0, print).words == "4 Ray actors of 1 GPU each"
    assert cluster.crew_of(Staff(0.0, 3, 8, shared=True), 0, print).count == 3
    assert cluster.crew_of(Staff(0.0, None, 8, shared=False), 0, print).count == 4


def test_rays_warnings_are_not_on_stdout(cluster: Cluster, capfd: pytest.CaptureFixture[str]) -> None:
    from ray._private import worker

    worker.print_to_stdstream({"lines": ["WARNING"], "pid": "raylet", "is_err": False}, ignore_prefix=False)
    assert capfd.readouterr().out == ""
    assert (
        "print_to_stdstream(" in Path(worker.__file__).read_text(encoding="utf-8").split("def listen_error_mess")[1]
    )


def test_nothing_is_sent_to_rays_makers_and_its_files_are_ones_own(cluster: Cluster) -> None:
    from ray._common.usage import usage_lib

    assert not usage_lib.usage_stats_enabled()
    assert Path(cluster._folder).stat().st_mode & 0o077 == 0


def test_a_driver_that_is_killed_takes_its_actors_along_and_the_run_goes_on(
    cluster: Cluster, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    home = environment(tmp_path)
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, home[name])
    data, store = small_voila_file(tmp_path, 1500, "ND"), tmp_path / "far.db"
    address = cluster.ray.get_runtime_context().gcs_address
    run = ["run", "voila:ND", "--data", str(data), "--pictures", "drawn", "--respondent", "seeing:0.8", "--json"]
    there = [*run, "--store", str(store), "--on", f"ray:{address}", "--workers", "2"]
    told = {name: value for name, value in home.items() if name != "RAY_AUTH_MODE"}  # the token is enough
    driver = subprocess.Popen([*COMMAND, *there], cwd=tmp_path, env=told, stderr=subprocess.PIPE)
    until_stored(driver, store, 200)
    driver.kill()
    driver.communicate()

    def ran(arguments: list[str]) -> Any:
        capfd.readouterr()
        assert phoropter(arguments) == 0
        return json.loads(capfd.readouterr().out)

    done, plain = ran(there), ran([*run, "--store", str(tmp_path / "plain.db")])
    assert (done["finished"], done["workers"]["where"]) == (1500, "2 Ray actors")
    assert 0 < done["steps"] < 4500
    assert done["cells"] == plain["cells"]


def until_stored(driver: subprocess.Popen[bytes], store: Path, steps: int) -> None:
    """Wait until so many steps are there."""
    import sqlite3

    ends = time.monotonic() + 120
    while time.monotonic() < ends:
        assert driver.poll() is None, driver.communicate()
        try:
            with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as db:
                if db.execute("SELECT count(*) FROM steps").fetchone()[0] >= steps:
                    return
        except sqlite3.OperationalError:
            pass
        time.sleep(0.02)
    raise AssertionError("the run stored nothing")
