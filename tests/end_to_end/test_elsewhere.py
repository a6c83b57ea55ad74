"""``run --on processes:N`` as a user runs it: workers and driver killed, interrupted, resumed; keys and a budget."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.end_to_end.commands import COMMAND, environment, phoropter, told
from tests.servers import FaultServer, Received, Reply, says
from tests.voila_data import small_voila_file

ITEMS = 60
KEY = "sk-key-of-the-tests-0123456789"


def without_run(document: Any) -> list[dict[str, Any]]:
    return [{k: v for k, v in cell.items() if k not in ("run", "respondent")} for cell in document["cells"]]


def workers_of(driver: int) -> list[int]:
    """The processes that this one started."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == driver and fields[0] != "Z":
            found.append(int(status.parent.name))
    return found


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


async def until(true: Callable[[], bool], seconds: float = 60.0) -> None:
    async with asyncio.timeout(seconds):
        while not true():
            await asyncio.sleep(0.02)


async def start(home: Path, *arguments: object, **more: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *COMMAND,
        *map(str, arguments),
        cwd=home,
        env=environment(home, **more),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def answering(asked: Counter[str], seconds: float = 0.005) -> Callable[[Received], Awaitable[Reply]]:
    """The same words for the same conversation, whoever asks."""

    async def script(received: Received) -> Reply:
        asked[str(received.messages)] += 1
        await asyncio.sleep(seconds)
        number = sum(str(received.messages[-1]["content"]).encode()) % 3
        return says(("number = two, subject = dogs, action = walking", "two dogs walking", "no idea")[number])

    return script


async def test_workers_killed_driver_killed_interrupted_resumed_and_the_cells_are_those_of_a_plain_run(
    tmp_path: Path,
) -> None:
    data = small_voila_file(tmp_path, ITEMS, "ND")
    asked: Counter[str] = Counter()
    store = tmp_path / "data" / "phoropter" / "phoropter.db"
    async with FaultServer(answering(asked)) as server:
        run = ["run", "voila:ND", "--data", data, "--pictures", "drawn", "--concurrency", 6]
        run += ["--respondent", f"openai:model@{server.url}"]
        there = [*run, "--on", "processes:2"]

        driver = await start(tmp_path, *there)
        await until(lambda: len(asked) > 10)
        hands = workers_of(driver.pid)
        os.kill(hands[0], signal.SIGKILL)
        await until(lambda: len(asked) > 40)
        hands += workers_of(driver.pid)
        driver.send_signal(signal.SIGTERM)
        _, errors = await asyncio.wait_for(driver.communicate(), 5)
        assert driver.returncode == 143
        assert b"worker 1 is gone (killed by SIGKILL); another takes its place" in errors
        assert b"everything so far is kept" in errors
        assert b"Traceback" not in errors
        assert all(gone(hand) for hand in hands)

        driver = await start(tmp_path, *there)
        before = len(asked)
        await until(lambda: len(asked) > before + 20)
        hands = workers_of(driver.pid)
        driver.kill()
        await driver.wait()
        await until(lambda: all(gone(hand) for hand in hands), 5)

        done = await asyncio.to_thread(told, tmp_path, *there)
        assert (done["finished"], done["failed"], done["workers"]["where"]) == (ITEMS, 0, "2 processes")
        assert sum(asked.values()) - len(asked) <= 6 * 3  # what was in flight at each kill
        with sqlite3.connect(store) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert db.execute("SELECT count(*) FROM steps").fetchone() == (3 * ITEMS,)
        (tmp_path / "other").mkdir()
        plain = await asyncio.to_thread(told, tmp_path / "other", *run)
    assert without_run(done) == without_run(plain)


async def test_keys_come_from_the_environment_and_a_budget_holds_over_all_workers(tmp_path: Path) -> None:
    data = small_voila_file(tmp_path, ITEMS, "ND")
    keys: set[str] = set()
    asked: Counter[str] = Counter()
    answer = answering(asked, 0.0)

    async def script(received: Received) -> Reply:
        keys.add(received.headers.get("authorization", ""))
        return await answer(received)

    async with FaultServer(script) as server:
        (tmp_path / "phoropter.toml").write_text(
            f'[respondents.mine]\nkind = "openai"\nmodel = "m"\nbase_url = "{server.url}"\napi_key_env = "MY_KEY"\n'
            "max_tokens = 100\nprice_in = 0.0\nprice_out = 10000.0\n",
            encoding="utf-8",
        )
        run = [
            "run",
            "voila:ND",
            "--data",
            data,
            "--pictures",
            "drawn",
            "--respondent",
            "mine",
            "--on",
            "processes:2",
        ]
        done = await asyncio.to_thread(phoropter, tmp_path, *run, "--budget", 3, "--json", MY_KEY=KEY)
    assert done.returncode == 1, done.stderr
    assert "the budget of" in done.stderr
    assert keys == {f"Bearer {KEY}"}
    assert KEY not in done.stderr + done.stdout
    document = json.loads(done.stdout)
    assert 0 < document["budget"]["spent"] + document["budget"]["uncertain"] <= 3
    assert document["budget"]["reached"]
    assert document["open"] > 0
