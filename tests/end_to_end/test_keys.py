"""No key in store, log, export, crash report or process list: a marker is sent, echoed and looked for."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from sessions import encoding
from sessions.store import Store
from tests.end_to_end.commands import COMMAND, environment, phoropter
from tests.servers import FaultServer, Received, Reply, fails, says

KEY = "sk-marker+7/key=of_nobody"
HEADER = "gateway-marker-0123"
CONFIG = """
[respondents.mine]
kind = "openai"
model = "m"
base_url = "{url}"
api_key_env = "MY_OWN_KEY"
attempts = 2
[respondents.mine.headers]
x-gateway = "env:MY_GATEWAY_TOKEN"
"""
SECRETS = {"MY_OWN_KEY": KEY, "MY_GATEWAY_TOKEN": HEADER}
LINUX = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="only Linux shows processes so")


def forms(secret: str) -> Iterator[bytes]:
    """As it stands, and as it stands in an address, in base64 (at each of three places) and in JSON."""
    yield secret.encode()
    yield quote(secret, safe="").encode()
    for before in (b"", b"x", b"xx"):
        yield base64.b64encode(before + secret.encode())[4:-4]


FORMS = [form for secret in SECRETS.values() for form in forms(secret)]


def found_in(data: bytes) -> list[bytes]:
    return [form for form in FORMS if form in data]


def everything_written(home: Path) -> dict[str, list[bytes]]:
    """The files that hold a secret, in whatever form; a store's packed cells are unpacked too."""
    bad = {}
    for file in home.rglob("*"):
        if file.is_file() and not file.is_symlink():
            data = file.read_bytes()
            if data.startswith(b"SQLite format 3\0"):
                data += unpacked(file)
            if hits := found_in(data):
                bad[file.relative_to(home).as_posix()] = hits
    return bad


def unpacked(store: Path) -> bytes:
    """Every cell of a store, decompressed where it is packed."""
    out = []
    with contextlib.closing(sqlite3.connect(store)) as db:
        for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in db.execute(f'SELECT * FROM "{table}"'):
                for cell in row:
                    out.append(str(cell).encode("utf-8", "replace"))
                    if isinstance(cell, bytes):
                        with contextlib.suppress(Exception):
                            out.append(str(encoding.unpack(cell)).encode("utf-8", "replace"))
    return b"\n".join(out)


def echoing(received: Received) -> Reply:
    """A server that repeats what it was sent in whatever it says."""
    told = f"{received.headers['authorization']} {received.headers['x-gateway']}"
    if received.number == 2:
        return fails(500, f"no luck with {told}")
    words = f"You sent {told}. Image 1: two dogs running."
    return says(words, model=f"served to {told}", reasoning_content=f"hm, {told}", system=told)


def refusing(received: Received) -> Reply:
    return fails(401, f"Incorrect API key provided: {received.headers['authorization']}")


async def asked_of_echoes(home: Path) -> list[subprocess.CompletedProcess[str]]:
    """A run, one that is refused, and a check, each in a process of its own."""
    around = {name: str(home) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME")} | {"TMPDIR": str(home / "tmp")}
    (home / "tmp").mkdir()

    def run(*arguments: object, **more: str) -> Awaitable[subprocess.CompletedProcess[str]]:
        return asyncio.to_thread(phoropter, home, *arguments, **around, **SECRETS, **more)

    async with FaultServer(echoing) as server:
        (home / "phoropter.toml").write_text(CONFIG.format(url=server.url), encoding="utf-8")
        asked = ("run", "voila:WD", "--respondent", "mine", "--limit", 1)
        done = [await run(*asked)]
        assert server.received[0].headers["authorization"] == f"Bearer {KEY}"
        assert server.received[0].headers["x-gateway"] == HEADER
        server.script = refusing
        done.append(await run(*asked, "--fresh", "--name", "refused", PHOROPTER_DEBUG="1"))
        done.append(await run("respondents", "check", "mine"))
    return done


def test_a_marker_is_in_nothing_that_is_written_or_said(
    tmp_path: Path, command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran, refused, checked = asyncio.run(asked_of_echoes(tmp_path))
    assert ran.returncode == 0, ran.stderr
    assert "***" in refused.stderr
    said = "".join(done.stdout + done.stderr for done in (ran, refused, checked))
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    for arguments in (
        ("show", "1", "--raw", "--save", "saved"),
        ("export", "jsonl", "--out", "out.jsonl"),
        ("export", "csv", "--out", "out.csv"),
        ("report", "--out", "report.html", "--failing", "5"),
        ("doctor", "--json"),
    ):
        status, out, err = command(*arguments)
        assert status == 0 or arguments[0] == "doctor", err
        said += out + err
    assert len(list((tmp_path / "saved").rglob("*.json"))) > 3
    assert (tmp_path / "out.jsonl").stat().st_size > 10_000
    assert found_in(said.encode()) == []
    assert everything_written(tmp_path) == {}


@LINUX
async def test_a_running_command_shows_no_key_in_the_process_list(tmp_path: Path) -> None:
    """The key is in its own environment, which only its owner can read; its arguments and children hold none."""
    asked = asyncio.Event()

    def held(received: Received) -> Reply:
        asked.set()
        return Reply(hang=True)

    async with FaultServer(held) as server:
        (tmp_path / "phoropter.toml").write_text(CONFIG.format(url=server.url), encoding="utf-8")
        line = [*COMMAND, "run", "voila:WD", "--respondent", "mine", "--limit", "1"]
        process = await asyncio.create_subprocess_exec(
            *line, cwd=tmp_path, env=environment(tmp_path, **SECRETS), stderr=asyncio.subprocess.DEVNULL
        )
        try:
            await asyncio.wait_for(asked.wait(), 60)
            place = Path(f"/proc/{process.pid}")
            assert found_in((place / "cmdline").read_bytes()) == []
            assert found_in((place / "comm").read_bytes()) == []
            assert KEY.encode() in (place / "environ").read_bytes()
            for child in (place / "task" / str(process.pid) / "children").read_text().split():
                assert found_in(Path(f"/proc/{child}/cmdline").read_bytes()) == []
                assert found_in(Path(f"/proc/{child}/environ").read_bytes()) == []
        finally:
            process.terminate()
            await process.wait()
    assert everything_written(tmp_path) == {}


@LINUX
def test_a_viewer_is_started_without_the_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has its own work to do, and needs them as little as the pictures' authors do."""
    from tui.outside.desktop import Desktop
    from tui.outside.places import Offer

    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("SOMETHING", "else")
    viewer = tmp_path / "viewer"
    viewer.write_text(f"#!{shutil.which('sh')}\nenv > {tmp_path / 'seen'}\n")
    viewer.chmod(0o700)
    shown = Desktop([str(viewer)])
    shown.open(Offer("a", "image/png", b"data"), patience=30)
    shown.close()
    seen = (tmp_path / "seen").read_text()
    assert "MY_OWN_KEY" not in seen
    assert found_in(seen.encode()) == []
    assert "SOMETHING=else" in seen
    assert f"PATH={os.environ['PATH']}" in seen


def test_the_marker_would_be_found(tmp_path: Path) -> None:
    """In a store's packed cells and in base64 too: else nothing above could fail."""
    packed = encoding.pack({"a": ["long " * 99, KEY]})
    with Store.open(tmp_path / "s.db") as store:
        store.write(
            lambda db: db.execute(
                "INSERT INTO calls (purpose, request_hash, repeat, created, request) VALUES ('ask', '0', 0, 0, ?)",
                (packed,),
            )
        )
    (tmp_path / "a.txt").write_bytes(base64.b64encode(b"Authorization: Bearer " + KEY.encode()))
    assert KEY.encode() not in (tmp_path / "s.db").read_bytes()
    assert set(everything_written(tmp_path)) == {"s.db", "a.txt"}
