"""``run --via batch`` as a command: submit and leave with status 0, collect later, killed in between, refused."""

from __future__ import annotations

import asyncio
import json
import signal
from pathlib import Path
from typing import Any

import pytest

from core.config import Config
from core.errors import UsageError
from core.planning import Request, prepare
from tests.batch_server import BatchServer, Lines, unanswered
from tests.end_to_end.commands import COMMAND, cells, environment, phoropter
from tests.servers import Received, Reply, fails, says
from tests.voila_data import small_voila_file
from tui.cli.batches import Via
from tui.cli.runs import delete_run, release_run

ITEMS = 8


async def command(home: Path, *arguments: object) -> tuple[int, Any, str]:
    done = await asyncio.to_thread(phoropter, home, *arguments)
    return done.returncode, json.loads(done.stdout) if done.stdout.startswith(("{", "[")) else None, done.stderr


async def test_submit_leave_and_collect_with_pictures_and_a_kill(tmp_path: Path) -> None:
    data = small_voila_file(tmp_path, ITEMS, "ND")
    async with BatchServer() as server:
        server.answer = lambda body: says(f"two dogs walking, {sum(str(body).encode())}")
        server.status = "in_progress"
        run = ["run", "voila:ND", "--data", data, "--pictures", "drawn", "--respondent", f"openai:m@{server.url}"]
        batch = [*run, "--via", "batch", "--json"]

        creating = asyncio.Event()

        def hang(received: Received) -> Reply | None:
            if received.method == "POST" and received.path == "/v1/batches":
                server.plainly(received)
                creating.set()
                return Reply(hang=True)
            return None

        server.hook = hang
        process = await asyncio.create_subprocess_exec(
            *COMMAND, *map(str, batch), cwd=tmp_path, env=environment(tmp_path), stderr=asyncio.subprocess.DEVNULL
        )
        await asyncio.wait_for(creating.wait(), 60)
        process.send_signal(signal.SIGKILL)
        await process.wait()
        server.hook = lambda received: None

        status, document, said = await command(tmp_path, *batch)
        assert (status, len(server.batches)) == (0, 1)
        counts = [document[key] for key in ("finished", "failed", "open", "awaited")]
        assert counts == [0, 0, ITEMS, ITEMS]
        assert [(b["id"], b["requests"]) for b in document["batches"]] == [("batch_1", ITEMS)]
        assert "1 batch is out with 8 requests; the same command with --via batch collects" in said
        (image, *_) = [part for part in server.requests()[0]["body"]["messages"][0]["content"] if "image_url" in part]
        assert image["image_url"]["url"].startswith("data:image/")

        _, listed, _ = await command(tmp_path, "runs", "--json")
        assert (listed[0]["out"], listed[0]["open"]) == (ITEMS, ITEMS)
        plain_status, plain, _ = await command(tmp_path, *run, "--json")
        assert (plain_status, plain["awaited"], server.live) == (0, ITEMS, 0)

        server.status = "completed"
        late = [1]  # the first batch leaves one request over

        def shape(done: Lines, failed: Lines) -> tuple[Lines, Lines]:
            left = late.pop() if late else 0
            return list(reversed(done[left:])), unanswered(done[:left], "batch_expired")

        server.shape = shape
        status, document, said = await command(tmp_path, *batch, "--poll", "0.05")
        assert (status, document["finished"], document["open"], document["batches"]) == (0, ITEMS, 0, [])
        assert "1 to be sent again" in said
        assert set(server.asked.values()) == {1}
        assert len(server.asked) == 3 * ITEMS
        assert {cell["n"] for cell in cells(document, step="apply", property="all")} == {ITEMS}
        store = tmp_path / "data" / "phoropter"
        assert not list(store.glob("*.jsonl"))


async def test_what_cannot_be_submitted_ends_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "s.db"
    async with BatchServer() as server:
        run = ["run", "voila:WD", "--store", store, "--limit", 2, "--respondent", f"openai:m@{server.url}"]
        run += ["--via", "batch", "--json"]
        server.hook = lambda received: fails(404, "Not Found")
        status, document, said = await command(tmp_path, *run)
        assert (status, document["stopped"], document["failed"], document["open"]) == (1, True, 0, 2)
        assert "leave out --via batch" in said
        assert "Traceback" not in said
        server.hook = lambda received: None
        status, document, _ = await command(tmp_path, *run)
        assert (status, document["awaited"]) == (0, 2)
    name = document["run"]
    with pytest.raises(UsageError, match="nobody can be asked"):
        release_run(store, name, yes=False)
    assert release_run(store, name, yes=True) == 0
    assert "1 batch given up" in capsys.readouterr().err
    assert release_run(store, name, yes=True) == 0
    assert "no batch is out" in capsys.readouterr().err
    assert delete_run(store, name, yes=True) == 0
    assert "batches" not in capsys.readouterr().err


def test_only_servers_have_batches_and_only_batches_are_waited_for() -> None:
    for words in ({"way": "post"}, {"way": "live", "wait": True}, {"way": "live", "poll_s": 3.0}):
        with pytest.raises(UsageError):
            Via.of(**{"wait": False, "poll_s": 0.0, **words})  # type: ignore[arg-type]
    assert Via.of("batch", wait=True, poll_s=0.0).waits is not None
    assert Via.of("batch", wait=False, poll_s=0.0).waits is None
    with pytest.raises(UsageError, match="oracle is behind no server, so it has no Batch API"):
        Via(batch=True).refuse_others([prepare(Request("voila:WD"), Config())])
