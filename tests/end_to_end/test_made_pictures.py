"""VOILA's fourth step answered with pictures: made behind a server, kept, shown, got out, and made once."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.end_to_end.commands import COMMAND, cells, environment, phoropter, told
from tests.servers import FaultServer, Received, Reply, fails, makes

RUN = ("run", "voila:ND", "--set", "generate=yes", "--respondent", "seeing:0.8", "--respondent-at", "generate=maker")


def picture_of(words: str) -> bytes:
    """A picture of a colour of its own for each words."""
    buffer = io.BytesIO()
    Image.new("RGB", (16, 16), "#" + hashlib.sha256(words.encode()).hexdigest()[:6]).save(buffer, "PNG")
    return buffer.getvalue()


def configure(home: Path, url: str, **fields: Any) -> None:
    """A maker behind that address."""
    lines = ["[respondents.maker]", 'kind = "openai-images"', 'model = "m"', f'base_url = "{url}"']
    lines += [f"{name} = {json.dumps(value)}" for name, value in fields.items()]
    (home / "phoropter.toml").write_text("\n".join(lines))


def last_steps(document: Any) -> list[Any]:
    return [trajectory["steps"][-1] for trajectory in document["trajectories"]]


async def test_a_picture_is_made_kept_shown_and_got_out(tmp_path: Path) -> None:
    async with FaultServer(lambda received: makes(picture_of(received.body["prompt"]))) as server:
        configure(tmp_path, server.url, price_picture=0.25)
        run = await asyncio.to_thread(told, tmp_path, *RUN, "--limit", "4")
        assert (run["finished"], run["steps"], run["cost"]) == (4, 16, 1.0)
        again = await asyncio.to_thread(told, tmp_path, *RUN, "--limit", "4")
        assert (again["steps"], len(server.received)) == (0, 4), "nothing is made twice"
        assert all(body["prompt"].startswith("Make one picture") for body in server.bodies)
    assert cells(run, step="apply", property="all")[0]["n"] == 4, "a step without scores breaks no table"
    assert cells(run, step="generate") == []
    assert phoropter(tmp_path, "report").returncode == 0
    out = tmp_path / "made"
    shown = await asyncio.to_thread(told, tmp_path, "show", "voila-1", "--save-pictures", out)
    (step,) = last_steps(shown)
    prompt = step["prompt"]
    assert (step["step"], step["interventions"], step["origin"]) == ("generate", "generate=@maker", "respondent")
    assert step["made"]["sha256"] == hashlib.sha256(picture_of(prompt)).hexdigest()
    assert step["made"]["size"] == [16, 16]
    (file,) = out.iterdir()
    assert file.read_bytes() == picture_of(prompt)
    assert (file.stat().st_mode & 0o777, out.stat().st_mode & 0o777) == (0o600, 0o700)
    text = phoropter(tmp_path, "show", "voila-1")
    assert f"a picture, 16x16 image/png, sha256 {step['made']['sha256'][:12]}, made by maker" in text.stdout
    assert "rule (version 1): not scored\n" in text.stdout
    assert phoropter(tmp_path, "show", "voila-1", "--save-pictures", out).returncode == 0
    file.write_text("mine")
    refused = phoropter(tmp_path, "show", "voila-1", "--save-pictures", out)
    assert (refused.returncode, file.read_text()) == (2, "mine")
    assert "another file of that name" in refused.stderr


async def test_each_picture_that_cannot_be_used_fails_its_item_and_a_rerun_takes_just_those(tmp_path: Path) -> None:
    bad = iter([makes("%%%"), makes(b"GIF89a"), fails(400, "unsafe", "moderation_blocked")])

    def script(_: Received) -> Reply:
        return next(bad, makes(picture_of("fine")))

    async with FaultServer(script) as server:
        configure(tmp_path, server.url, concurrency=1)
        run = await asyncio.to_thread(phoropter, tmp_path, *RUN, "--limit", "5", "--concurrency", "1", "--json")
        document = json.loads(run.stdout)
        assert (run.returncode, document["finished"], document["failed"]) == (1, 3, 2), run.stderr
        assert "Traceback" not in run.stderr
        assert "no base64" in run.stderr
        (failed,) = cells(document, step="generate", property="all")
        assert (failed["failed"], failed["n"], failed["interventions"]) == (2, 0, "generate=@maker")
        assert phoropter(tmp_path, "report").returncode == 0
        mended = await asyncio.to_thread(told, tmp_path, *RUN, "--limit", "5")
        assert (mended["finished"], mended["failed"], len(server.received)) == (5, 0, 7)
    shown = [await asyncio.to_thread(told, tmp_path, "show", f"voila-{n}") for n in range(1, 6)]
    statuses = sorted(step["status"] for document in shown for step in last_steps(document))
    assert statuses == ["ok"] * 4 + ["refusal"]


async def test_an_edit_gets_the_three_pictures(tmp_path: Path) -> None:
    async with FaultServer(lambda _: makes(picture_of("fine"))) as server:
        configure(tmp_path, server.url, mode="edit")
        await asyncio.to_thread(told, tmp_path, *RUN, "--pictures", "drawn", "--limit", "1")
        (received,) = server.received
    assert received.path == "/v1/images/edits"
    assert len(received.body["image[]"]) == 3
    (step,) = last_steps(await asyncio.to_thread(told, tmp_path, "show", "voila-1"))
    hashes = [hashlib.sha256(data).hexdigest() for _, _, data in received.body["image[]"]]
    assert [picture["sha256"] for picture in step["pictures"]] == hashes


async def test_a_killed_run_keeps_the_pictures_it_had(tmp_path: Path) -> None:
    asked = asyncio.Event()

    async def script(received: Received) -> Reply:
        if len(server.received) > 3:
            asked.set()
            await received.left.wait()
        return makes(picture_of(received.body["prompt"]))

    async with FaultServer(script) as server:
        configure(tmp_path, server.url)
        arguments = [*RUN, "--limit", "6", "--concurrency", "1"]
        process = await asyncio.create_subprocess_exec(
            *COMMAND,
            *arguments,
            cwd=tmp_path,
            env=environment(tmp_path),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        await asyncio.wait_for(asked.wait(), 60)
        process.send_signal(signal.SIGKILL)
        await process.wait()
        (step,) = last_steps(await asyncio.to_thread(told, tmp_path, "show", "voila-1", "--save-pictures", "made"))
        (file,) = (tmp_path / "made").iterdir()
        assert file.read_bytes() == picture_of(step["prompt"])
        server.script = lambda received: makes(picture_of(received.body["prompt"]))
        done = await asyncio.to_thread(told, tmp_path, *arguments)
        assert (done["finished"], len(server.received)) == (6, 7), "only what was in flight is made again"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--respondent", "maker"), "makes pictures and nothing else, and step describe asks for words"),
        (("--respondent-at", "apply=maker"), "--respondent-at generate=maker"),
        (("--intervene", "generate=gold:number"), "answered with a picture"),
    ],
)
def test_what_cannot_be_asked_of_a_maker_is_refused_before_anything_runs(
    tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    configure(tmp_path, "http://127.0.0.1:9/v1")
    done = phoropter(tmp_path, "run", "voila:ND", "--set", "generate=yes", *arguments)
    assert done.returncode == 2
    assert says in done.stderr


def test_baselines_draw_the_whole_path_offline(tmp_path: Path) -> None:
    run = told(tmp_path, "run", "voila:WD", "--set", "generate=yes", "--respondent", "seeing:0.8", "--limit", "3")
    assert (run["finished"], run["steps"]) == (3, 12)
    for step in last_steps(told(tmp_path, "show", "voila-1")):
        assert step["made"]["mime"] == "image/png"
