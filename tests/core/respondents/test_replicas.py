"""How many calls at once a server bears is found out; a server where nothing succeeds is left alone."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import pairwise

import pytest

from core.respondents import restraint
from core.respondents.failures import FailedError
from core.respondents.replies import Reply
from tests.core.respondents.traffic import BROKEN, BUSY, Clients, Simulated, reply
from tests.virtual_time import virtual_time


class Bearing:
    """A server that serves so many at once and refuses the rest."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.serving = 0
        self.refused: list[float] = []

    async def __call__(self, server: Simulated) -> Reply:
        if self.serving >= self.capacity:
            self.refused.append(server.loop.time())
            raise FailedError(BUSY)
        self.serving += 1
        try:
            await asyncio.sleep(0.1)
        finally:
            self.serving -= 1
        return reply()


def refused_by(capacity: int, **settings: object) -> tuple[Clients, Bearing, Simulated, float]:
    with virtual_time() as loop:
        serve = Bearing(capacity)
        server = Simulated(loop, serve)
        clients = Clients(loop, [server], **settings)
        loop.run_until_complete(clients.calls(2000, workers=64))
        return clients, serve, server, loop.time()


def test_concurrency_follows_what_the_server_bears(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 64 at once it bears 20: few calls are refused, none fails, and three quarters of it are used."""
    clients, serve, server, seconds = refused_by(20, concurrency=64)
    assert (clients.done, clients.failures) == (2000, [])
    assert server.most_at_once <= 64
    assert len(serve.refused) < 100
    assert len([moment for moment in server.asked if moment < 12]) > 0.75 * 12 / 0.1 * 20
    print(f"{len(serve.refused)} of {len(server.asked)} refused, {seconds:.1f} s where 10.0 s is the least")

    monkeypatch.setattr(restraint, "CUT", 1.0)
    _, stubborn, _, longer = refused_by(20, concurrency=64)
    print(f"without adapting: {len(stubborn.refused)} refused, {longer:.1f} s")
    assert len(stubborn.refused) > 3 * len(serve.refused)


def test_a_server_that_bears_all_is_never_held_back() -> None:
    clients, serve, server, seconds = refused_by(100, concurrency=64)
    assert not serve.refused
    assert server.most_at_once == 64
    assert seconds == pytest.approx(2000 / 64 * 0.1, rel=0.03)
    assert clients.done == 2000


def test_the_window_is_cut_once_a_round_and_grows_by_one_a_round() -> None:
    window = restraint.Window(64)
    before = window.round
    for _ in range(40):  # all of them had gone out before the first came back
        window.overloaded(before)
    assert window.size == 32
    for _ in range(33):
        window.succeeded()
    assert window.size == pytest.approx(33, abs=0.1)
    for _ in range(5000):
        window.succeeded()
    assert window.size == 64
    for _ in range(20):
        window.overloaded(window.round)
    assert window.size == 1


# -- where nothing succeeds


def outage(start: float, end: float) -> object:
    async def serve(server: Simulated) -> Reply:
        await asyncio.sleep(0.1)
        if start <= server.loop.time() < end:
            raise FailedError(BROKEN)
        return reply()

    return serve


def test_an_outage_is_waited_for_and_burns_nobodys_attempts() -> None:
    """Two minutes of errors: the calls in flight meet them once, then one call at a time tries."""
    with virtual_time() as loop:
        server = Simulated(loop, outage(5, 125))  # type: ignore[arg-type]
        clients = Clients(loop, [server], concurrency=16)
        loop.run_until_complete(clients.calls(2000, workers=16))
        assert (clients.done, clients.failures) == (2000, [])
        during = [moment for moment in server.asked if 5 <= moment < 125]
        assert len(during) <= 16 + 16 + 8
        assert max(clients.requests) <= 5
        gaps = [later - earlier for earlier, later in pairwise(during)]
        pauses = [gap for gap in gaps if gap > 0.9]
        print("pauses", [round(pause) for pause in pauses])
        assert all(later >= 1.5 * earlier for earlier, later in pairwise(pauses[:-1]))
        assert loop.time() < 125 + 60 + 2000 / 16 * 0.1


def test_an_outage_beyond_the_patience_stops_the_run_with_the_last_failure() -> None:
    with virtual_time() as loop:
        server = Simulated(loop, outage(5, 1e9))  # type: ignore[arg-type]
        clients = Clients(loop, [server], concurrency=16, patience_s=90.0)
        loop.run_until_complete(clients.calls(2000, workers=16))
        last = clients.failures[-1]
        assert last.fatal
        assert "nothing has succeeded for 90 s (HTTP 500)" in last.what
        assert "nothing is asked twice" in last.remedy
        assert clients.failures == [last]
        assert 95 <= loop.time() < 105
        assert len([moment for moment in server.asked if moment > 6]) < 32


def test_one_call_that_always_fails_breaks_nothing() -> None:
    with virtual_time() as loop:
        server = Simulated(loop, outage(0, 1e9))  # type: ignore[arg-type]
        clients = Clients(loop, [server], concurrency=4)
        loop.run_until_complete(clients.call())
        assert clients.requests == [5]
        assert not clients.failures[0].fatal


def test_a_dead_replica_is_left_out_and_tried_again() -> None:
    """One of two is away for a minute: the other one serves everything meanwhile, and no call fails."""
    with virtual_time() as loop:
        dying = Simulated(loop, outage(5, 65))  # type: ignore[arg-type]
        well = Simulated(loop, outage(0, 0))  # type: ignore[arg-type]
        clients = Clients(loop, [dying, well], concurrency=16)
        loop.run_until_complete(clients.calls(12_000, workers=16))
        assert (clients.done, clients.failures) == (12_000, [])
        during = [moment for moment in dying.asked if 6 <= moment < 65]
        after = [moment for moment in dying.asked if 70 <= moment < 74]
        assert len(during) <= 12
        assert len([moment for moment in well.asked if 20 <= moment < 30]) > 0.95 * 10 / 0.1 * 16
        assert len(after) > 0.4 * 4 / 0.1 * 16
        print(f"{len(during)} requests went to the dead one; {len(dying.asked)} and {len(well.asked)} in all")


def test_when_both_are_dead_the_run_stops() -> None:
    with virtual_time() as loop:
        servers = [Simulated(loop, outage(start, 1e9)) for start in (5, 30)]  # type: ignore[arg-type]
        clients = Clients(loop, servers, concurrency=8, patience_s=60.0)
        loop.run_until_complete(clients.calls(100_000, workers=8))
        assert clients.failures[-1].fatal
        assert 90 <= loop.time() < 160


def test_a_call_that_failed_goes_to_the_other_replica_next() -> None:
    with virtual_time() as loop:
        servers = [Simulated(loop, outage(0, 1e9)), Simulated(loop, outage(0, 0))]  # type: ignore[arg-type]
        clients = Clients(loop, servers, concurrency=1)
        loop.run_until_complete(clients.calls(30, workers=1))
        assert clients.failures == []
        assert max(clients.requests) == 2


def test_a_replica_that_asks_for_patience_is_left_alone_and_the_other_is_not() -> None:
    with virtual_time() as loop:

        async def busy_once(server: Simulated) -> Reply:
            if len(server.asked) == 1:
                raise FailedError(replace(BUSY, wait=40.0))
            return reply()

        servers = [Simulated(loop, busy_once), Simulated(loop, outage(0, 0))]  # type: ignore[arg-type]
        clients = Clients(loop, servers, concurrency=2)
        loop.run_until_complete(clients.calls(300, workers=2))
        assert clients.failures == []
        assert not [moment for moment in servers[0].asked[1:] if moment < 40]
        assert len(servers[1].asked) > 250


def test_waiting_callers_survive_that_others_are_cancelled() -> None:
    """A place that a cancelled caller was just given goes to the next."""
    with virtual_time() as loop:
        server = Simulated(loop, outage(0, 0))  # type: ignore[arg-type]
        clients = Clients(loop, [server], concurrency=1)

        async def work() -> None:
            tasks = [asyncio.create_task(clients.call()) for _ in range(6)]
            await asyncio.sleep(0.05)
            tasks[1].cancel()
            await asyncio.sleep(0.05)  # the first is done in this moment, and the second's place is free
            tasks[2].cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        loop.run_until_complete(asyncio.wait_for(work(), 10))
        assert clients.done == 4


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"X-RateLimit-Remaining-Requests": "0", "X-RateLimit-Reset-Requests": "7s"}, 7.0),
        ({"x-ratelimit-remaining-requests": "3", "x-ratelimit-reset-requests": "7s"}, 0.0),
        (
            {
                "x-ratelimit-limit-tokens": "6000",
                "x-ratelimit-remaining-tokens": "0",
                "x-ratelimit-reset-tokens": "1m0s",
            },
            0.18,  # 18 tokens of 6000 a minute
        ),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "20h"}, 60.0),
        ({"x-ratelimit-remaining-tokens": "none", "x-ratelimit-reset-tokens": "soon"}, 0.0),
    ],
)
def test_limits_told_with_a_reply_are_kept(headers: dict[str, str], wait: float) -> None:
    with virtual_time() as loop:

        async def serve(server: Simulated) -> Reply:
            if len(server.asked) == 2:
                server.on_headers(headers)
            return reply()

        server = Simulated(loop, serve)
        clients = Clients(loop, [server], concurrency=1)
        loop.run_until_complete(clients.calls(3, workers=1))
        assert wait <= server.asked[2] - server.asked[1] <= wait * 1.11
