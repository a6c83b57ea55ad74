"""Killed at random moments and resumed: nothing asked twice beyond what was in flight, no stored step lost."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests import killing
from tests.end_to_end.commands import COMMAND, environment, phoropter, told
from tests.servers import FaultServer, Received, Reply, fails, says
from tests.voila_data import small_voila_file

CONCURRENCY = 8


def test_a_killed_run_loses_nothing_and_asks_nothing_twice_but_what_was_in_flight(tmp_path: Path) -> None:
    """A few of the kills that ``tests.performance.bench_kills`` makes two hundred of. The server counts."""
    with killing.counting_server() as (url, asked):
        found = killing.kill(partial(killing.served, items=40, url=url), tmp_path, 4, seed=11, each_store=4)
    assert found.whole, found
    assert (found.kills, len(asked)) == (4, 3 * 40)
    twice = sum(asked.values()) - (found.stores + 1) * len(asked)  # the last: of the run nobody killed
    assert twice <= found.kills * killing.AT_ONCE


def test_killed_beside_another_run_into_the_same_store(tmp_path: Path) -> None:
    found = killing.kill(partial(killing.pair, items=250), tmp_path, 2, seed=12, each_store=2)
    assert found.whole, found
    assert found.acknowledged > 0


def test_the_app_killed_between_two_keys(tmp_path: Path) -> None:
    found = killing.kill(killing.App, tmp_path, 2, seed=13, each_store=2)
    assert found.whole, found
    assert found.acknowledged > 0


def test_a_log_holds_what_happened_a_line_each_and_no_key(
    command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it breaks off it is gone on with; its lines are the store's steps."""
    key = "sk-very-secret-0123456789"
    monkeypatch.setenv("SECRET_KEY", key)
    log = tmp_path / "events.jsonl"
    with killing.counting_server() as (url, _):
        table = f'kind = "openai"\nmodel = "m"\nbase_url = "{url}"\napi_key_env = "SECRET_KEY"\n'
        (tmp_path / "phoropter.toml").write_text(f"[respondents.asked]\n{table}", encoding="utf-8")
        run = ("run", "voila:ND", "--respondent", "asked", "--log", str(log))
        assert command(*run, "--limit", "2")[0] == 0
        with log.open("a", encoding="ascii") as file:
            file.write('{"torn')
        status, _, said = command(*run, "--limit", "3")
    assert status == 0
    assert log.stat().st_mode & 0o777 == 0o600
    text = log.read_bytes()
    assert key.encode() not in text
    assert not [byte for byte in text if (byte < 32 and byte != 10) or byte > 126]
    assert "\x1b" not in said, "a line that moves the cursor, without a terminal"
    lines = text.decode().splitlines()
    events = [json.loads(line) for line in lines]  # what was torn is gone: no reader could take it
    names = Counter(event["event"] for event in events)
    assert {name: names[name] for name in ("run", "asked", "step", "spent", "finished", "end")} == {
        "run": 2, "asked": 9, "step": 9, "spent": 9, "finished": 3, "end": 2,
    }  # fmt: skip
    assert [event["before"] for event in events if event["event"] == "run"] == [0, 2]
    (end,) = (event for event in events[-1:] if event["event"] == "end")
    assert (end["finished"], end["before"], end["failed"], end["signal"]) == (3, 2, 0, None)
    with closing(sqlite3.connect(tmp_path / "phoropter" / "phoropter.db")) as db:
        steps = {row for (row,) in db.execute("SELECT id FROM steps")}
    assert {event["id"] for event in events if event["event"] == "step"} == steps


def test_failures_are_counted_by_reason(command: Any, tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    replies = [{"item": f"voila-{n}", "step": "describe", "text": "two dogs walking"} for n in range(1, 6)]
    file.write_text("\n".join(map(json.dumps, replies)), encoding="utf-8")
    status, out, err = command("run", "voila:ND", "--respondent", f"replay:{file}", "--limit", "7", "--json")
    assert status == 1
    failures = json.loads(out)["failures"]
    assert sum(each["count"] for each in failures) == 7
    assert [each["count"] for each in failures] == sorted((each["count"] for each in failures), reverse=True)
    assert all(f"{each['count']} x " in err and each["first"] in err for each in failures)


async def test_a_killed_run_pays_twice_for_no_more_than_was_in_flight(tmp_path: Path) -> None:
    """Killed while all that it may ask at once is under way, after some sixty answers."""
    data = small_voila_file(tmp_path, 40, "ND")
    asked: Counter[str] = Counter()
    hanging: set[str] = set()
    full = asyncio.Event()

    async def script(received: Received) -> Reply:
        request = str(received.messages)
        asked[request] += 1
        if received.number > 60 and not full.is_set():
            hanging.add(request)
            if len(hanging) == CONCURRENCY:
                full.set()
            await asyncio.sleep(3600)
        return says(f"two dogs walking, {sum(request.encode()) % 97}")

    async with FaultServer(script) as server:
        run = ["run", "voila:ND", "--data", data, "--pictures", "drawn", "--concurrency", CONCURRENCY]
        run += ["--respondent", f"openai:model@{server.url}"]
        process = await asyncio.create_subprocess_exec(
            *COMMAND,
            *map(str, run),
            cwd=tmp_path,
            env=environment(tmp_path),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        await asyncio.wait_for(full.wait(), 60)
        process.send_signal(signal.SIGKILL)
        await process.wait()
        (killed,) = await asyncio.to_thread(told, tmp_path, "runs", "list")
        done = await asyncio.to_thread(told, tmp_path, *run)
    assert killed["finished"] + killed["open"] == 40, "what was never taken up was asked for all the same"
    assert killed["items"] < 40
    assert (done["finished"], done["failed"]) == (40, 0)
    assert {request for request, times in asked.items() if times > 1} <= hanging
    assert (len(hanging), max(asked.values())) == (CONCURRENCY, 2)


def test_two_runs_into_one_store_at_once_both_complete(tmp_path: Path) -> None:
    data = small_voila_file(tmp_path, 350, "ND")
    processes = [
        subprocess.Popen(
            [*COMMAND, "run", "voila:ND", "--data", str(data), "--respondent", who],
            cwd=tmp_path,
            env=environment(tmp_path),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for who in ("oracle", "random")
    ]
    for process in processes:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
    runs = told(tmp_path, "runs")
    assert {(run["respondent"], run["finished"]) for run in runs} == {("oracle", 350), ("random", 350)}
    store = tmp_path / "data" / "phoropter" / "phoropter.db"
    with sqlite3.connect(store) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_an_interrupted_run_keeps_what_it_has_and_says_so(tmp_path: Path, number: signal.Signals) -> None:
    data = small_voila_file(tmp_path, 700, "ND")
    asked = asyncio.Event()
    count = 0

    async def script(received: Received) -> Reply:
        nonlocal count
        count += 1
        if count > 20:
            asked.set()
        await asyncio.sleep(0.01)
        return says("no idea")

    async with FaultServer(script) as server:
        process = await asyncio.create_subprocess_exec(
            *COMMAND,
            *["run", "voila:ND", "--data", str(data), "--pictures", "drawn"],
            *["--respondent", f"openai:model@{server.url}", "--json"],
            cwd=tmp_path,
            env=environment(tmp_path),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        await asyncio.wait_for(asked.wait(), 60)
        process.send_signal(number)
        output, errors = await asyncio.wait_for(process.communicate(), 5)
    assert process.returncode == 128 + number
    assert "everything so far is kept" in errors.decode()
    assert "Traceback" not in errors.decode()
    (run,) = told(tmp_path, "runs")
    assert run["finished"] + run["open"] > 0
    document = json.loads(output)
    assert (document["run"], document["signal"], document["stopped"]) == (run["run"], number, False)
    assert document["steps"] > 0
    for count in ("finished", "failed", "open"):
        assert document[count] == run[count], count
    assert document["trajectories"] == 700 == document["finished"] + document["failed"] + document["open"]


async def test_an_interrupted_run_counts_what_was_done_and_not_come_to_yet(tmp_path: Path) -> None:
    """Of more repeats than before: most of the first ones lie behind those that are asked."""
    hangs, asked = False, asyncio.Event()

    async def script(received: Received) -> Reply:
        if hangs:
            asked.set()
            await asyncio.sleep(3600)
        return says("two dogs walking")

    async with FaultServer(script) as server:
        run = ["run", "voila:ND", "--protocol", "direct", "--respondent", f"openai:model@{server.url}"]
        run += ["--concurrency", "1", "--json"]
        done = await asyncio.to_thread(phoropter, tmp_path, *run)
        assert json.loads(done.stdout)["finished"] == 14, done.stderr
        hangs = True
        process = await asyncio.create_subprocess_exec(
            *COMMAND, *run, "--repeats", "3", cwd=tmp_path, env=environment(tmp_path),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        await asyncio.wait_for(asked.wait(), 60)
        process.send_signal(signal.SIGINT)
        output, errors = await asyncio.wait_for(process.communicate(), 10)
    document = json.loads(output)
    assert (document["finished"], document["open"]) == (14, 28), errors.decode()


def test_files_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    assert phoropter(tmp_path, "run", "voila:ND").returncode == 0
    folder = tmp_path / "data" / "phoropter"
    assert folder.stat().st_mode & 0o077 == 0
    assert [file.name for file in folder.iterdir() if file.stat().st_mode & 0o077] == []


def test_a_failed_trajectory_gives_status_1_is_named_and_taken_up_by_a_rerun(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    lines = [f'{{"item": "voila-{n}", "step": "apply", "text": "two dogs walking"}}' for n in range(1, 14)]
    file.write_text("\n".join(lines), encoding="utf-8")
    arguments = ["run", "voila:ND", "--protocol", "direct", "--respondent", f"replay:{file}", "--name", "mine"]
    first = phoropter(tmp_path, *arguments)
    assert first.returncode == 1
    assert "no answer of voila-14 at apply" in first.stderr
    report = told(tmp_path, "report", "mine")
    (cell,) = [c for c in report["cells"] if c["property"] == "all"]
    assert (cell["n"], cell["failed"]) == (13, 1)
    assert cell["accuracy_strict"] == cell["right"] / 14


def test_help_costs_little_and_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom tui.cli import run\nrun(['--help'])\n"
        "heavy = {'textual', 'openai', 'torch', 'transformers', 'diffusers', 'numpy', 'pydantic', 'PIL'}\n"
        "heavy |= {'sqlite_utils'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(tmp_path), check=True
    )
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (["run", "voila:ND", "--respondent", "oracle"], {"numpy"}),
        (["report"], {"numpy"}),
        (["runs"], set()),
        (["show", "voila-1"], set()),
        (["items", "voila:ND"], set()),
    ],
)
def test_commands_load_only_what_they_need(tmp_path: Path, arguments: list[str], allowed: set[str]) -> None:
    assert phoropter(tmp_path, "run", "voila:ND").returncode == 0
    code = (
        f"import sys\nfrom tui.cli import run\nrun({arguments!r})\n"
        "heavy = {'textual', 'openai', 'torch', 'transformers', 'diffusers', 'numpy', 'scipy', 'sqlite_utils'}\n"
        "print('LOADED', *sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=environment(tmp_path),
        cwd=tmp_path,
        check=True,
    )
    loaded = set(done.stderr.rpartition("LOADED")[2].split())
    assert loaded <= allowed


async def test_an_interrupted_run_names_what_it_waited_for(tmp_path: Path) -> None:
    async with FaultServer(lambda _: fails(429, "slow down", retry_after="50")) as server:
        process = await asyncio.create_subprocess_exec(
            *COMMAND,
            *["run", "voila:ND", "--limit", "1", "--respondent", f"openai:model@{server.url}"],
            cwd=tmp_path,
            env=environment(tmp_path),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        assert process.stderr is not None
        async with asyncio.timeout(60):
            while b"HTTP 429, waits 50 s, asked once: slow down" not in await process.stderr.readline():
                assert process.returncode is None
            process.send_signal(signal.SIGINT)
            said = (await process.stderr.read()).decode()
    assert "waited for: HTTP 429, waits 50 s, asked once: slow down" in said
    assert "the same command goes on from there" in said
