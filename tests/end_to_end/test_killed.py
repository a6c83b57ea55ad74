"""Killed at random moments and resumed: nothing asked twice beyond what was in flight, no stored step lost."""

from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.end_to_end.commands import COMMAND, environment, phoropter, told
from tests.servers import FaultServer, Received, Reply, fails, says
from tests.voila_data import small_voila_file

KILLS = 10
CONCURRENCY = 8
ITEMS = 210


def stored_steps(store: Path) -> set[int]:
    if not store.exists():
        return set()
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as db:
        try:
            return {row[0] for row in db.execute("SELECT id FROM steps")}
        except sqlite3.OperationalError:  # killed before the schema was there
            return set()


def without_run(document: dict[str, object]) -> list[dict[str, object]]:
    return [{k: v for k, v in cell.items() if k not in ("run", "respondent")} for cell in document["cells"]]  # type: ignore[attr-defined]


async def test_ten_kills_lose_nothing_and_ask_nothing_twice_but_what_was_in_flight(tmp_path: Path) -> None:
    """Against a real server process boundary: the server counts what it was asked."""
    data = small_voila_file(tmp_path, ITEMS, "ND")
    asked: Counter[str] = Counter()

    async def script(received: Received) -> Reply:
        asked[str(received.messages)] += 1
        await asyncio.sleep(0.004)
        words = str(received.messages[-1]["content"])
        number = sum(words.encode()) % 3
        return says(
            ("The answer is number = two, subject = dogs, action = walking", "two dogs walking", "no idea")[number]
        )

    chances = random.Random(11)
    async with FaultServer(script) as server:
        respondent = f"openai:model@{server.url}"
        arguments = ["run", "voila:ND", "--data", data, "--pictures", "drawn", "--respondent", respondent]
        arguments += ["--concurrency", CONCURRENCY]
        store = tmp_path / "data" / "phoropter" / "phoropter.db"
        kept: set[int] = set()
        kills = 0
        for _ in range(KILLS):
            process = await asyncio.create_subprocess_exec(
                *COMMAND,
                *map(str, arguments),
                cwd=tmp_path,
                env=environment(tmp_path),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            try:
                await asyncio.wait_for(process.wait(), chances.uniform(0.6, 2.2))
            except TimeoutError:
                process.send_signal(signal.SIGKILL)
                await process.wait()
                kills += 1
            now = stored_steps(store)
            assert kept <= now
            kept = now
        done = await asyncio.to_thread(told, tmp_path, *arguments)
        assert (done["finished"], done["failed"]) == (ITEMS, 0)
        assert kept <= stored_steps(store)
        total, twice = sum(asked.values()), sum(asked.values()) - len(asked)
        assert kills >= 3, "the machine was too fast for the kills to strike"
        assert twice <= kills * CONCURRENCY
        assert len(asked) <= 3 * ITEMS
        print(f"{kills} kills, {total} requests for {len(asked)} different ones of {3 * ITEMS} steps, {twice} twice")

        (tmp_path / "other").mkdir()
        unbroken = await asyncio.to_thread(told, tmp_path / "other", *arguments)
    assert without_run(done) == without_run(unbroken)
    with sqlite3.connect(store) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("SELECT count(*) FROM steps").fetchone() == (3 * ITEMS,)


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
        done = await asyncio.to_thread(told, tmp_path, *run)
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
            *["--respondent", f"openai:model@{server.url}"],
            cwd=tmp_path,
            env=environment(tmp_path),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        await asyncio.wait_for(asked.wait(), 60)
        process.send_signal(number)
        _, errors = await asyncio.wait_for(process.communicate(), 5)
    assert process.returncode == 128 + number
    assert "everything so far is kept" in errors.decode()
    assert "Traceback" not in errors.decode()
    (run,) = told(tmp_path, "runs")
    assert run["finished"] + run["open"] > 0


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
