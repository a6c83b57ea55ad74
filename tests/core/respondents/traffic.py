"""Calls through the real patience and traffic to servers that are functions, on a clock that jumps."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from core.prices import Load, Prices
from core.respondents.budget import Budget
from core.respondents.failures import FailedError, Failure
from core.respondents.patience import Persistence
from core.respondents.replicas import Errand
from core.respondents.replies import Reply, read_reply
from core.respondents.settings import ServerSettings
from core.respondents.traffic import Traffic
from tests.virtual_time import VirtualLoop

BUSY = Failure("HTTP 429", retry=True, busy=True, overload=True, reply={"status": 429})
BROKEN = Failure("HTTP 500", retry=True, reply={"status": 500})
LOAD = Load(10, 10, 0, 18)


def reply(prompt: int = 11, completion: int = 7, text: str = "B") -> Reply:
    return read_reply(
        {
            "choices": [{"message": {"content": text}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": prompt, "completion_tokens": completion},
        }
    )


class Simulated:
    """A server: ``serve`` answers a call or raises FailedError; ``asked`` is when it was asked."""

    def __init__(self, loop: VirtualLoop, serve: Callable[[Simulated], Awaitable[Reply]]) -> None:
        self.loop = loop
        self.serve = serve
        self.asked: list[float] = []
        self.at_once = 0
        self.most_at_once = 0
        self.on_headers: Any = None

    async def ask(self) -> Reply:
        self.asked.append(self.loop.time())
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return await self.serve(self)
        finally:
            self.at_once -= 1


class _Tariff:
    """A dollar a token."""

    prices = Prices(input=1e6, output=1e6)

    def __init__(self, budget: Budget | None = None) -> None:
        self.budget = budget

    def most(self, load: Load) -> float:
        return self.prices.most(load)

    def cost(self, reply: Reply, load: Load) -> float | None:
        return reply.cost(self.prices, load.pictures)


class Clients:
    """Calls as the engine makes them: ``workers`` at a time, each to its end."""

    def __init__(
        self, loop: VirtualLoop, servers: Sequence[Simulated], budget: Budget | None = None, **settings: Any
    ) -> None:
        self.settings = ServerSettings(model="m", **settings)
        chances = random.Random(5)
        self.traffic = Traffic(servers, self.settings, _Tariff(budget), loop.clock, chances)  # type: ignore[arg-type]
        self.persistence = Persistence(self.settings.attempts, self.settings.patience_s, loop.clock, chances)
        self.failures: list[Failure] = []
        self.requests: list[int] = []
        self.done = 0

    async def call(self, load: Load = LOAD) -> None:
        errand = Errand(load)
        try:
            _, requests = await self.persistence.run(lambda: self.traffic.carry(errand, lambda server: server.ask()))  # type: ignore[attr-defined]
        except FailedError as error:
            self.requests.append(error.requests)
            self.failures.append(error.failure)
            if error.failure.fatal:
                raise
        else:
            self.requests.append(requests)
            self.done += 1

    async def calls(self, count: int, workers: int, load: Load = LOAD) -> None:
        """Stops at a failure that stops a run."""
        numbers = iter(range(count))

        async def work(waiting: Iterable[int]) -> None:
            for _ in waiting:
                await self.call(load)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(workers):
                    group.create_task(work(numbers))
        except* FailedError:
            pass
