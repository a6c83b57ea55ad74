"""``show --raw``: what went out comes out again, and curl sends it byte for byte."""

from __future__ import annotations

import asyncio
import json
import shutil
import stat
import subprocess
from pathlib import Path
from typing import Any

from tests.end_to_end.commands import environment, phoropter, told
from tests.servers import FaultServer, says

KEY = "sk-a-key-that-nobody-may-see"
GATE = "what-opens-the-gate"
CONFIG = """
[respondents.mine]
kind = "openai"
model = "m"
base_url = ["{url}"]
api_key_env = "MY_OWN_KEY"
max_tokens_field = "max_completion_tokens"

[respondents.mine.headers]
X-Must = "tenant7"
X-Gate = "env:MY_GATE"
"""


async def test_curl_sends_a_stored_request_byte_for_byte(tmp_path: Path) -> None:
    """A batch of one item; its requests are saved, and the saved ones sent again by the printed line."""

    def command(*arguments: object) -> Any:
        return asyncio.to_thread(phoropter, tmp_path, *arguments, MY_OWN_KEY=KEY, MY_GATE=GATE)

    async with FaultServer(lambda received: says("Image 1: two dogs running.")) as server:
        (tmp_path / "phoropter.toml").write_text(CONFIG.format(url=server.url), encoding="utf-8")
        ran = await command("run", "voila:WD", "--respondent", "mine", "--limit", 1)
        assert ran.returncode == 0, ran.stderr
        shown = await command("show", "1", "--raw", "--save", "out")
        assert shown.returncode == 0, shown.stderr
        assert len(server.received) == 3
        folders = sorted((tmp_path / "out").glob("1-*"))
        assert [folder.name for folder in folders] == ["1-1-describe", "1-2-relate", "1-3-apply"]
        assert [(folder / "request.json").read_bytes() for folder in folders] == [one.raw for one in server.received]
        if shutil.which("curl"):
            line = ["sh", str(folders[1] / "curl.sh")]
            around = environment(tmp_path, MY_OWN_KEY=KEY, MY_GATE=GATE)
            sent = await asyncio.to_thread(subprocess.run, line, env=around, capture_output=True, check=True)
            assert json.loads(sent.stdout)["choices"][0]["message"]["content"] == "Image 1: two dogs running."
            again, first = server.received[3], server.received[1]
            assert (again.raw, again.path) == (first.raw, first.path)
            assert again.headers["authorization"] == first.headers["authorization"] == f"Bearer {KEY}"
            for header, value in (("x-must", "tenant7"), ("x-gate", GATE)):
                assert again.headers[header] == first.headers[header] == value
    files = [file for file in (tmp_path / "out").rglob("*") if file.is_file()]
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    for secret in (KEY, GATE):
        assert secret not in shown.stdout + shown.stderr
        assert not any(secret.encode() in file.read_bytes() for file in files)
    assert "-H 'X-Must: tenant7' -H \"X-Gate: $MY_GATE\"" in shown.stdout
    assert 'Authorization: Bearer $MY_OWN_KEY"' in shown.stdout
    assert len(list((tmp_path / "out" / "pictures").iterdir())) == 3
    assert "sent 256x256, " in shown.stdout
    assert "11 prompt tokens, 7 answer tokens" in shown.stdout
    assert '"max_completion_tokens": 2048' in shown.stdout
    again = await command("show", "1", "--save", "out")
    assert (again.returncode, "not empty" in again.stderr) == (2, True)


def test_a_baseline_answers_without_a_request(tmp_path: Path) -> None:
    run = ("run", "mmra", "--respondent", "oracle", "--limit", 1)
    plain = told(tmp_path, *run)["run"]
    changed = told(tmp_path, *run, "--intervene", "answer=wrong:answer", "--from", plain)["run"]
    (item,) = told(tmp_path, "items", "mmra", "--limit", 1)
    for name, why in ((plain, "a baseline answers without a request"), (changed, "put in: nobody was asked")):
        assert why in phoropter(tmp_path, "show", item["id"], "--raw", "--run", name).stdout
    (trajectory, _) = told(tmp_path, "show", item["id"], "--raw")["trajectories"]
    assert all("call" not in step for step in trajectory["steps"])
