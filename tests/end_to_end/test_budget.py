"""``run --budget`` and the exit statuses of runs, through the command."""

from __future__ import annotations

import asyncio
import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.commands import COMMAND, environment, phoropter, started
from tests.servers import FaultServer, Received, Reply, fails, says

ITEMS = 14
STEPS = 3
CALL = (600 * 1000 + 7 * 1000) / 1e6
"""USD of each call: 600 tokens of prompt and 7 of answer."""


def paid(text: str) -> Reply:
    """An answer, and what it came to."""
    reply = says(text)
    return replace(reply, body=reply.body | {"usage": {"prompt_tokens": 600, "completion_tokens": 7}})


def configured(home: Path, url: str, **fields: Any) -> None:
    """A phoropter.toml with one respondent, ``paid``."""
    lines = {"kind": "openai", "model": "m", "base_url": url, "picture_tokens": 100, "max_tokens": 7, **fields}
    table = "\n".join(f"{name} = {json.dumps(value)}" for name, value in lines.items())
    (home / "phoropter.toml").write_text(f"[respondents.paid]\n{table}\n", encoding="utf-8")


PRICES = {"price_in": 1000.0, "price_out": 1000.0, "attempts": 2, "concurrency": 4}


async def run(home: Path, *more: object) -> tuple[subprocess.CompletedProcess[str], Any]:
    """(the command, its document)."""
    done = await asyncio.to_thread(phoropter, home, "run", "voila:ND", "--respondent", "paid", "--json", *more)
    assert "Traceback" not in done.stderr
    return done, json.loads(done.stdout) if done.stdout else None


async def test_a_run_stops_before_its_budget_is_passed_and_a_higher_one_goes_on(tmp_path: Path) -> None:
    async with FaultServer(lambda _: paid("B")) as server:
        configured(tmp_path, server.url, **PRICES)
        done, told = await run(tmp_path, "--budget", "12")
        assert done.returncode == 1
        asked = len(server.received)
        assert 0 < asked * CALL <= 12
        assert told["budget"] == {
            "limit": 12.0,
            "spent": pytest.approx(asked * CALL),
            "uncertain": 0.0,
            "reached": True,
        }
        assert told["cost"] == pytest.approx(asked * CALL)
        assert (told["trajectories"], told["failed"]) == (ITEMS, 0)
        assert told["open"] == ITEMS - told["finished"] > 0
        assert told["steps"] == asked
        assert "stopped: the budget of $12.00 is reached: $" in done.stderr
        assert "The same command with a higher --budget goes on from here" in done.stderr
        assert f"{told['open']} left open" in done.stderr

        done, told = await run(tmp_path, "--budget", "12")
        assert (done.returncode, len(server.received)) == (1, asked)
        assert "resuming " in done.stderr

        done, told = await run(tmp_path, "--budget", "50")
        assert (done.returncode, told["finished"], told["open"]) == (0, ITEMS, 0)
        assert len(server.received) == ITEMS * STEPS
        assert told["budget"]["spent"] == pytest.approx(ITEMS * STEPS * CALL)
        (listed,) = json.loads((await asyncio.to_thread(phoropter, tmp_path, "runs", "--json")).stdout)
        assert listed["spent"] == pytest.approx(ITEMS * STEPS * CALL)
        shown = (await asyncio.to_thread(phoropter, tmp_path, "runs")).stdout
        assert f"${ITEMS * STEPS * CALL:.2f}" in shown


async def test_a_killed_run_forgets_nothing_of_what_may_have_been_charged(tmp_path: Path) -> None:
    """All requests in flight when the process was killed were charged; the rerun keeps to the budget all the same."""
    limit = 30.0
    charged = 0

    async def script(received: Received) -> Reply:
        nonlocal charged
        charged += 1
        await asyncio.sleep(0.1 if charged > 4 else 0)
        return paid("B")

    async with FaultServer(script) as server:
        configured(tmp_path, server.url, **PRICES)
        command = [*COMMAND, "run", "voila:ND", "--respondent", "paid", "--budget", str(limit)]
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=tmp_path,
            env=environment(tmp_path),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while charged < 6 and process.returncode is None:
            await asyncio.sleep(0.01)
        assert charged >= 6
        process.kill()
        await process.wait()
        done, told = await run(tmp_path, "--budget", limit)
        assert charged * CALL <= limit
        assert told["budget"]["spent"] + told["budget"]["uncertain"] <= limit
        assert told["budget"]["uncertain"] > 0
        assert done.returncode == 1
        assert "at most by requests that broke off" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "fields", "said"),
    [
        (["--budget", "5"], {}, "paid: a budget needs to know its prices. Set price_in and price_out"),
        (["--budget", "5"], {"price_in": 1.0}, "a budget needs to know its prices"),
        (["--budget", "0"], PRICES, "a budget is a sum of USD above 0"),
        (["--budget", "nan"], PRICES, "a budget is a sum of USD above 0"),
        (["--budget", "5", "--respondent", "oracle"], PRICES, "a budget is for one run, not for 2"),
    ],
)
async def test_what_cannot_be_budgeted_is_refused_before_anything_is_asked(
    tmp_path: Path, arguments: list[str], fields: dict[str, Any], said: str
) -> None:
    async with FaultServer(lambda _: says("B")) as server:
        configured(tmp_path, server.url, **fields)
        done, told = await run(tmp_path, *arguments)
        assert (done.returncode, told) == (2, None)
        assert said in done.stderr
        assert not server.received
        assert not (tmp_path / "data" / "phoropter" / "phoropter.db").exists()


async def test_prices_by_model_serve_a_respondent_without_configuration(tmp_path: Path) -> None:
    async with FaultServer(lambda _: says("B")) as server:
        (tmp_path / "phoropter.toml").write_text(
            '[prices."a/model"]\ninput = 1000\noutput = 2000\n', encoding="utf-8"
        )
        who = f"openai:a/model@{server.url}"
        done = await asyncio.to_thread(
            phoropter, tmp_path, "run", "mmra", "--respondent", who, "--protocol", "qo", "--limit", "2", "--json",
            "--budget", "1000",
        )  # fmt: skip
        told = json.loads(done.stdout)
        assert done.returncode == 0, done.stderr
        assert told["cost"] == pytest.approx(told["steps"] * (11 * 1000 + 7 * 2000) / 1e6)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (fails(500, "boom"), "8 failed"),
        (fails(401, "Incorrect API key provided"), "stopped: paid at 127.0.0.1:"),
        (fails(429, "Rate limit reached on requests per day (RPD)"), "the day's quota is spent"),
    ],
)
async def test_a_run_in_which_nothing_succeeds_ends_with_1(tmp_path: Path, reply: Reply, said: str) -> None:
    """xi02"""
    async with FaultServer(lambda _: reply) as server:
        configured(tmp_path, server.url, attempts=1, concurrency=2)
        done, told = await run(tmp_path, "--limit", "8")
        assert done.returncode == 1
        assert told["finished"] == 0
        assert told["failed"] + told["open"] == 8
        assert said in done.stderr
        assert reply.body["error"]["message"] in done.stderr


async def test_a_package_that_does_not_load_inside_the_run_is_no_success(tmp_path: Path) -> None:
    """xi01"""
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "openai.py").write_text("raise ImportError('this package is broken')\n", encoding="utf-8")
    configured(tmp_path, "http://127.0.0.1:9/v1")
    path = f"{broken}:{environment(tmp_path)['PYTHONPATH']}"
    done = await asyncio.to_thread(
        started, tmp_path, "run", "voila:ND", "--respondent", "paid", "--limit", "1", PYTHONPATH=path
    )
    assert done.returncode == 2
    assert "this package is broken" in done.stderr
    assert "Traceback" not in done.stderr
