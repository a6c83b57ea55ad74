"""Requests and tokens a minute: both limits hold in every minute, and no time is given away."""

from __future__ import annotations

import asyncio
import random
from itertools import pairwise

import pytest

from core.prices import Load
from core.respondents.failures import FailedError, Failure
from core.respondents.replies import Reply
from tests.core.respondents.traffic import BUSY, Clients, Simulated, reply
from tests.virtual_time import virtual_time


class Counting:
    """A server that limits both in any minute, refuses what is over, and remembers what it served."""

    def __init__(self, requests: float, tokens: float, seed: int = 1) -> None:
        self.requests = requests
        self.tokens = tokens
        self.served: list[tuple[float, int]] = []
        self.refused = 0
        self.chances = random.Random(seed)

    async def __call__(self, server: Simulated) -> Reply:
        now = server.loop.time()
        count = self.chances.randrange(100, 900)
        recent = [tokens for moment, tokens in self.served if moment > now - 60]
        if len(recent) >= self.requests or sum(recent) + count > self.tokens:
            self.refused += 1
            raise FailedError(BUSY)
        self.served.append((now, count))
        await asyncio.sleep(0.5)
        return reply(count - 50, 50)

    def most_in_a_minute(self) -> tuple[int, int]:
        ends = [moment for moment, _ in self.served]
        windows = [[tokens for moment, tokens in self.served if end - 60 < moment <= end] for end in ends]
        return max(map(len, windows)), max(map(sum, windows))


@pytest.mark.parametrize(
    ("requests", "tokens"), [(None, 30_000.0), (40.0, None), (40.0, 30_000.0), (600.0, 30_000.0), (1.0, None)]
)
def test_both_limits_hold_and_are_used(requests: float | None, tokens: float | None) -> None:
    """Guesses are wrong either way (100 to 900 tokens where 950 are guessed), and put right by what was counted."""
    with virtual_time() as loop:
        serve = Counting(1e9, 1e9)
        server = Simulated(loop, serve)
        count = 5 if requests == 1 else 200
        clients = Clients(loop, [server], concurrency=8, requests_per_minute=requests, tokens_per_minute=tokens)
        loop.run_until_complete(clients.calls(count, workers=8, load=Load(900, 50, 0, 950)))
        most, most_tokens = serve.most_in_a_minute()
        assert most <= (requests or 1e9)
        assert most_tokens <= (tokens or 1e9)
        fastest = max(
            (count - 1) / requests * 60 if requests else 0.0,
            sum(used for _, used in serve.served) / tokens * 60 if tokens else 0.0,
        )
        print(f"{most} requests, {most_tokens} tokens a minute; {loop.time():.0f} s, the least is {fastest:.0f} s")
        assert loop.time() < 1.25 * fastest + 1


def test_a_server_with_these_limits_refuses_nothing() -> None:
    with virtual_time() as loop:
        serve = Counting(60, 20_000)
        clients = Clients(
            loop, [Simulated(loop, serve)], concurrency=16, requests_per_minute=60.0, tokens_per_minute=20_000.0
        )
        loop.run_until_complete(clients.calls(300, workers=16, load=Load(900, 50, 0, 950)))
        assert (serve.refused, clients.done) == (0, 300)


def test_what_is_larger_than_the_limit_goes_alone() -> None:
    with virtual_time() as loop:
        serve = Counting(1e9, 1e9)
        server = Simulated(loop, serve)
        clients = Clients(loop, [server], concurrency=4, tokens_per_minute=500.0)
        loop.run_until_complete(clients.calls(4, workers=4, load=Load(900, 50, 0, 5000)))
        assert clients.done == 4
        gaps = [later - earlier for earlier, later in pairwise(server.asked)]
        assert min(gaps) > 10


def test_a_failed_request_gives_its_tokens_back() -> None:
    with virtual_time() as loop:

        async def serve(server: Simulated) -> Reply:
            if len(server.asked) < 5:
                raise FailedError(Failure("HTTP 500", retry=True, reply={"status": 500}))
            return reply()

        server = Simulated(loop, serve)
        clients = Clients(loop, [server], tokens_per_minute=1000.0)
        loop.run_until_complete(clients.call(Load(900, 50, 0, 950)))
        assert clients.done == 1
        assert loop.time() < 20  # the waits between attempts alone


def test_a_cancelled_wait_holds_up_nobody() -> None:
    with virtual_time() as loop:
        server = Simulated(loop, Counting(1e9, 1e9))
        clients = Clients(loop, [server], requests_per_minute=60.0)

        async def work() -> None:
            tasks = [asyncio.create_task(clients.call()) for _ in range(5)]
            await asyncio.sleep(0.1)
            tasks[1].cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        loop.run_until_complete(work())
        assert clients.done == 4
        assert server.asked[-1] == pytest.approx(3.0, abs=0.01)
