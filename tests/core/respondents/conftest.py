"""A model behind the faulty server, on a clock that only moves when somebody waits."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from core.pictures import Pictures
from core.records import Item, Picture, Show, Text, Turn
from core.respondents.base import Request
from core.respondents.openai_server import OpenAIServer, make_server
from core.respondents.patience import Clock
from core.respondents.settings import ServerSettings
from tests.servers import FaultServer, Script

TODAY = datetime(2026, 11, 29, 12, 0, 0, tzinfo=UTC)


class FakeTime:
    """Seconds pass only in ``sleep``; ``waits`` tells them."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.seconds += seconds

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.seconds, self.sleep, lambda: TODAY)


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


@pytest.fixture
def item(tmp_path: Path) -> Item:
    pictures = []
    for name, colour in (("red.png", "red"), ("green.png", "lime"), ("blue.png", "blue")):
        Image.new("RGB", (8, 8), colour).save(tmp_path / name)
        pictures.append(Picture(name, str(tmp_path / name)))
    return Item("voila", "test", "voila-7", tuple(pictures), {}, {})


@pytest.fixture
def turn() -> Turn:
    return Turn(
        "describe", (Text("Look."), Show((0,)), Text("Then"), Text("here."), Show((1,))), answer_format="ANSWER: X"
    )


@pytest.fixture
def request_(item: Item, turn: Turn) -> Request:
    return Request(item, turn)


Talk = Callable[..., Awaitable[tuple[FaultServer, OpenAIServer]]]


@pytest.fixture
async def talk(time: FakeTime) -> AsyncIterator[Talk]:
    """``await talk(script, **settings)``: a running server and the respondent that talks to it."""
    async with AsyncExitStack() as stack:

        async def make(script: Script, **settings: Any) -> tuple[FaultServer, OpenAIServer]:
            server = await stack.enter_async_context(FaultServer(script))
            pictures = settings.pop("pictures", None) or Pictures()
            environment = settings.pop("environment", {})
            settings = {"model": "m", "base_url": (server.url,), **settings}
            respondent = make_server(
                "tested",
                ServerSettings(**settings),
                pictures,
                environment=environment,
                clock=time.clock,
                chances=random.Random(0),
            )
            stack.push_async_callback(respondent.close)
            return server, respondent

        yield make
