"""What ``make perf`` puts to inspect-ai is what it puts to us: the same turns with the same pictures, in order."""

from __future__ import annotations

import asyncio
import csv
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.performance.inspect_tasks import PEER, tasks_file
from tests.servers import FaultServer, says
from tests.voila_data import small_voila_file

pytest.importorskip("inspect_ai.log", reason="make test-inspect installs inspect-ai")


async def test_it_is_asked_three_turns_of_each_question(tmp_path: Path) -> None:
    from PIL import Image

    table = small_voila_file(tmp_path, 2, "ND")
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    with table.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            for name in ("img1", "img2", "img3"):
                Image.new("RGB", (8, 8), (len(name), 1, 2)).save(pictures / row[name], "PNG")
    tasks = tasks_file(table, pictures, tmp_path / "tasks.jsonl", 2)
    async with FaultServer(lambda received: says("number = two, subject = dogs, action = walking")) as server:
        line = [sys.executable, str(PEER), server.url, str(tasks), str(tmp_path / "logs"), "2"]
        done = await asyncio.to_thread(subprocess.run, line, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        asked: list[list[Any]] = sorted((body["messages"] for body in server.bodies), key=len)
    assert [len(messages) for messages in asked] == [1, 1, 3, 3, 5, 5]
    for messages in asked:
        kinds = [part["type"] for part in messages[0]["content"]]
        assert sorted(kinds) == ["image_url"] * 3 + ["text"]
    assert list((tmp_path / "logs").glob("*.eval"))
