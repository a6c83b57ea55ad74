"""Against a server nobody here wrote: ``transformers serve`` says what the local respondent says."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.checking import Verdict, check
from core.config import Config
from core.eyes.recording import pictures_of
from core.records import Status
from core.respondents import eyes
from core.respondents.openai_server import OpenAIServer, make_server
from core.respondents.settings import ServerSettings
from core.respondents.transformers_local import LocalModel, make_local
from tests.local.asking import PROTOCOLS, TEXT_ALONE, items, requests, run, small_pictures, texts, worded

Make = Callable[..., LocalModel]
Folder = Callable[..., Path]
TOKENS = 24
SYSTEM = "You answer questions about pictures."


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server that loads any model it is asked for, stopped at the end."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).with_name("transformers")), "serve", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--device", "cpu", "--dtype", "float32"]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait(server, f"http://127.0.0.1:{port}/health")
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait(20)


def _wait(server: subprocess.Popen[bytes], url: str) -> None:
    until = time.monotonic() + 90
    while time.monotonic() < until:
        assert server.poll() is None, "the server ended"
        try:
            urllib.request.urlopen(url, timeout=2).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise AssertionError("the server did not come up")


def asking(address: str, folder: Path, benchmark: str = "voila", **settings: object) -> OpenAIServer:
    """The respondent that talks to the server about the model in that folder."""
    chosen = ServerSettings(
        model=str(folder),
        base_url=(address,),
        max_tokens=TOKENS,
        concurrency=2,
        **settings,  # type: ignore[arg-type]
    )
    return make_server("served", chosen, small_pictures(benchmark), environment={})


@pytest.mark.parametrize("family", ["idefics3", "llava"])
@pytest.mark.parametrize("benchmark", ["voila", "vrex", "mmra"])
async def test_greedy_text_is_the_same_through_the_server_and_here_over_all_protocols(
    model: Make, folder: Folder, address: str, family: str, benchmark: str
) -> None:
    local = model(family, max_tokens=TOKENS, system=SYSTEM, batch_size=4, pictures=small_pictures(benchmark))
    served = asking(address, folder(family), benchmark, system=SYSTEM)
    asked = items(2, benchmark=benchmark)
    for protocol, options in ((protocol, options) for named, protocol, options in PROTOCOLS if named == benchmark):
        here, _ = await run(local, asked, protocol, options)
        there, totals = await run(served, asked, protocol, options)
        assert totals.finished == 2, totals.reasons
        assert texts(there) == texts(here), (protocol, options)
        for key, step in there.items():
            calls = step.answer.call, here[key].answer.call
            if calls[0] is not None and calls[1] is not None:
                if calls[0].usage.completion_tokens < TOKENS:  # at the limit the server says "cut off" of any answer
                    assert step.answer.status is here[key].answer.status
                assert calls[0].usage == calls[1].usage
                assert calls[0].request["messages"] == calls[1].request["messages"]
    await served.close()


async def test_it_is_the_same_for_a_text_only_model(model: Make, folder: Folder, address: str) -> None:
    local = model("llama", max_tokens=TOKENS, batch_size=2)
    served = asking(address, folder("llama"))
    for benchmark, protocol, options in TEXT_ALONE:
        asked = worded(2, benchmark)
        here, _ = await run(local, asked, protocol, options)
        there, totals = await run(served, asked, protocol, options)
        assert totals.finished == 2
        assert texts(there) == texts(here)
    await served.close()


@pytest.mark.parametrize(("benchmark", "protocol"), [("voila", "l2m"), ("mmra", "iq")])
async def test_the_model_that_ships_says_the_same_through_it(address: str, benchmark: str, protocol: str) -> None:
    pictures = pictures_of(benchmark)
    local = make_local("eyes", eyes.SETTINGS, pictures, tell=lambda _: None)
    settings = ServerSettings(model=str(eyes.folder()), base_url=(address,), max_tokens=160, concurrency=2)
    served = make_server("served", settings, pictures, environment={})
    asked = items(2, benchmark=benchmark)
    here, _ = await run(local, asked, protocol, {})
    there, totals = await run(served, asked, protocol, {})
    assert totals.finished == 2, totals.reasons
    assert texts(there) == texts(here)
    await served.close()
    await local.close()


async def test_a_stream_from_the_server_ends_as_the_whole_answer(folder: Folder, address: str) -> None:
    served = asking(address, folder("llava"))
    pieces: list[str] = []
    request = requests(1)[0]
    whole = await served.answer(request)
    streamed = await served.answer(request, pieces.append)
    assert "".join(pieces) == streamed.text
    assert streamed.text.rstrip("\ufffd") == whole.text.rstrip("\ufffd")  # the server drops half a character
    assert streamed.status in (Status.OK, Status.TRUNCATED)
    await served.close()


async def test_a_check_says_what_this_server_leaves_out_without_a_word(folder: Folder, address: str) -> None:
    settings = ServerSettings(model=str(folder("llava")), base_url=(address,), max_tokens=TOKENS)
    report = await check("served", Config(respondents={"served": settings}), benchmark="vrex", environment={})
    told = {line.name: line.verdict for line in report.lines}
    assert report.usable
    assert (told["streaming"], told["usage"], told["served model"]) == (Verdict.YES, Verdict.YES, Verdict.YES)
    assert (told["log-probabilities"], told["structured output"]) == (Verdict.NO, Verdict.NO)
