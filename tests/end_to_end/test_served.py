"""A run on a server that changes its model underway says so, and shows the odds of the letters."""

from __future__ import annotations

import asyncio
import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from tests.end_to_end.commands import phoropter
from tests.servers import FaultServer, Received, Reply, says


def script(received: Received) -> Reply:
    """(B) with its odds, by another model from the third request on."""
    reply = says("(B)", model="m-1" if received.number < 3 else "m-2")
    whole = json.loads(json.dumps(reply.body))
    likely = [{"token": "B", "logprob": math.log(0.75)}, {"token": "A", "logprob": math.log(0.125)}]
    tokens = [
        {"token": "(", "logprob": 0.0, "top_logprobs": []},
        {"token": "B", "logprob": math.log(0.75), "top_logprobs": likely},
        {"token": ")", "logprob": 0.0, "top_logprobs": []},
    ]
    whole["choices"][0]["logprobs"] = {"content": tokens}
    return replace(reply, body=whole)


async def test_a_change_of_model_and_the_odds_of_the_letters_are_told(tmp_path: Path) -> None:
    async with FaultServer(script) as server:
        table = f'[respondents.m]\nkind = "openai"\nmodel = "m"\nbase_url = "{server.url}"\nlogprobs = true\n'
        (tmp_path / "phoropter.toml").write_text(table + "concurrency = 1\n", encoding="utf-8")
        run = ["run", "vrex", "--protocol", "direct", "--limit", 4, "--respondent", "m", "--name", "mine", "--json"]
        done = await asyncio.to_thread(phoropter, tmp_path, *run)
    assert done.returncode == 0, done.stderr
    changed = "the model behind m changed within this run: m-1, then m-2"
    assert f"mine: {changed}" in done.stderr
    assert [one["model"] for one in json.loads(done.stdout)["served"]] == ["m-1", "m-2"]
    assert server.bodies[0]["top_logprobs"] == 20
    listed, shown = await asyncio.gather(
        asyncio.to_thread(phoropter, tmp_path, "runs"), asyncio.to_thread(phoropter, tmp_path, "show", "1")
    )
    assert f"mine: {changed}" in listed.stdout
    assert changed in shown.stdout
    assert "served by m-1" in shown.stdout
    assert "odds: A 0.125, B 0.750" in shown.stdout
    document = json.loads((await asyncio.to_thread(phoropter, tmp_path, "show", "4", "--json")).stdout)
    (step,) = document["trajectories"][0]["steps"]
    assert (step["served_model"], step["odds"]) == ("m-2", pytest.approx({"A": 0.125, "B": 0.75}))
