"""The cache through the command line: a second run costs nothing and says so; a fresh one asks anew."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.end_to_end.commands import phoropter, told
from tests.servers import FaultServer, says
from tests.voila_data import small_voila_file


async def test_what_was_recalled_is_said_and_shown(tmp_path: Path) -> None:
    data = small_voila_file(tmp_path, 3, "ND")
    async with FaultServer(lambda _: says("The answer is number = two, subject = dogs, action = walking")) as server:
        run = ["run", "voila:ND", "--data", data, "--pictures", "drawn", "--respondent", f"openai:model@{server.url}"]
        first = await asyncio.to_thread(told, tmp_path, *run, "--name", "first")
        asked = len(server.received)
        second = await asyncio.to_thread(told, tmp_path, *run, "--name", "second")
        assert len(server.received) == asked == 9 - first["recalled"]
        said = (await asyncio.to_thread(phoropter, tmp_path, *run, "--name", "third")).stderr
        assert said.count("9 answers recalled, not asked again") == 1
        fresh = await asyncio.to_thread(told, tmp_path, *run, "--fresh")
        assert (fresh["recalled"], len(server.received)) == (first["recalled"], 2 * asked)
    assert (second["recalled"], second["tokens"], second["steps"]) == (9, {"prompt": 0, "completion": 0}, 9)
    assert first["tokens"]["prompt"] == 11 * asked
    shown = await asyncio.to_thread(phoropter, tmp_path, "show", "voila-1", "--run", "second")
    assert shown.stdout.count("  from the cache: asked 20") == 3
    assert "Z in run first" in shown.stdout
    steps = told(tmp_path, "show", "voila-1", "--run", "second", "--raw")["trajectories"][0]["steps"]
    assert {step["recalled"]["run"] for step in steps} == {"first"}
    assert all(step["call"]["request"]["model"] == "model" for step in steps)
    phoropter(tmp_path, "runs", "delete", "first", "--yes")
    shown = await asyncio.to_thread(phoropter, tmp_path, "show", "voila-1", "--run", "second")
    assert shown.stdout.count("in a run that was deleted") == 3
