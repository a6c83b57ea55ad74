"""A server in this process that sees: it names the colours of the pictures it is shown, and can be crippled."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from PIL import Image

from core.checking import Report, check
from core.checking.probes import COLOURS
from core.config import Config
from core.respondents.patience import Clock
from core.respondents.settings import ServerSettings
from tests.servers import FaultServer, Received, Reply, fails, says


@dataclass
class Seeing:
    """What it can do. ``most`` pictures are taken; ``refuse`` may give an error for a body; ``headers`` are sent."""

    most: int = 9
    order: Callable[[list[str]], list[str]] = list
    odds: bool = True
    structured: bool = True
    streams: bool = True
    usage: bool = True
    refuse: Callable[[Any], Reply | None] = lambda body: None
    headers: dict[str, str] = field(default_factory=dict)
    models: Any = None

    def __call__(self, received: Received) -> Reply:
        if received.path.endswith("/models"):
            return Reply(self.models) if self.models is not None else fails(404, "no such page")
        body = received.body
        urls = [part["image_url"]["url"] for part in _parts(body) if part["type"] == "image_url"]
        if len(urls) > self.most:
            return fails(400, f"At most {self.most} image(s) may be provided in one prompt.")
        if (refused := self.refuse(body)) is not None:
            return refused
        reply = says(self._said(body, urls), system_fingerprint=None)
        whole = json.loads(json.dumps(reply.body))
        if body.get("logprobs") and self.odds:
            listed = [{"token": "A", "logprob": -0.1}, {"token": "B", "logprob": -3.0}]
            whole["choices"][0]["logprobs"] = {"content": [{"token": "A", "logprob": -0.1, "top_logprobs": listed}]}
        if not self.usage:
            whole["usage"] = None
        pieces = reply.pieces if self.streams else None
        if pieces is not None and not self.usage:
            pieces = pieces[:-1]
        return replace(reply, body=whole, headers=self.headers, pieces=pieces)

    def _said(self, body: Any, urls: list[str]) -> str:
        words = "\n".join(part["text"] for part in _parts(body) if part["type"] == "text")
        if "shape" in words:
            return ", ".join(self.order([_colour(url) for url in urls]))
        if "first in the alphabet" in words:
            return "A"
        if "response_format" in body and self.structured:
            return '{"colour": "teal"}'
        return "The answer is number = two, subject = dog, action = walking"


def _parts(body: Any) -> list[Any]:
    contents = [message["content"] for message in body["messages"]]
    return [part for content in contents for part in (content if isinstance(content, list) else [_text(content)])]


def _text(content: str) -> dict[str, str]:
    return {"type": "text", "text": content}


def _colour(url: str) -> str:
    """The name nearest to the colour in the middle; white pictures and others have none."""
    with Image.open(io.BytesIO(base64.b64decode(url.split(",")[1]))) as image:
        middle = image.convert("RGB").getpixel((image.width // 2, image.height // 2))
    assert isinstance(middle, tuple)

    def far(name: str) -> int:
        return sum((one - other) ** 2 for one, other in zip(COLOURS[name], middle, strict=True))

    return min(COLOURS, key=far)


Check = Callable[..., Awaitable[tuple[FaultServer, Report]]]


@pytest.fixture
async def checked() -> AsyncIterator[Check]:
    """``await checked(script, benchmark=..., **settings)``: the report on a server that does as the script says."""
    async with AsyncExitStack() as stack:

        async def make(script: Any, **given: Any) -> tuple[FaultServer, Report]:
            server = await stack.enter_async_context(FaultServer(script))
            asked = {name: given.pop(name) for name in ("benchmark", "protocol", "options") if name in given}
            settings = ServerSettings(**{"model": "served", "base_url": (server.url,), **given})
            return server, await check(
                "tested",
                Config(respondents={"tested": settings}),
                environment={},
                clock=Clock(sleep=_at_once),
                **asked,
            )

        yield make


async def _at_once(_: float) -> None:
    """Nobody waits in a test."""
