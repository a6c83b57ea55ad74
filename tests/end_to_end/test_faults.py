"""A batch against a server that fails in every way there is: all ends right or named, nothing counts twice."""

from __future__ import annotations

import json
import random
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from core.config import Config
from core.errors import CallError
from core.planning import Request, prepare
from core.records import Progress
from core.respondents.settings import ServerSettings
from core.selection import Filter
from core.totals import Totals
from sessions import reading
from sessions.opening import OpenRun, open_prepared
from sessions.runs import runs
from sessions.store import Store
from tests.servers import FaultServer, Received, Reply, fails, says, streamed
from tests.virtual_time import virtual_time
from tests.voila_data import small_voila_file

ITEMS = 300
STEPS = 2
ATTEMPTS = 5
HARNESS = "harness text"
DROPPED = Reply("{", headers={"Content-Length": "500"}, drop_after=0)
FAULTS = {
    "429 with a wait": fails(429, HARNESS, retry_after="3"),
    "429": fails(429, HARNESS),
    "500": fails(500, HARNESS),
    "503": fails(503, HARNESS),
    "dropped": DROPPED,
    "garbage": Reply(f"{{{HARNESS}"),
    "no choices": Reply({"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}),
    "hang": Reply(hang=True),
}
"""What is asked again. Slow first bytes, empty contents and answers out of order come as answers do."""


def answer_to(messages: Any) -> str:
    """Every request has an answer of its own: a mix-up shows."""
    return f"answer {zlib.crc32(json.dumps(messages, sort_keys=True).encode())}"


class Faulty:
    """One request in five meets a fault; ``doomed`` texts always do. ``mixed`` are histories that are not its own."""

    def __init__(self, share: float, doomed: tuple[str, ...] = (), stream: bool = False) -> None:
        self.chances = random.Random(8)
        self.share = share
        self.doomed = doomed
        self.faults: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self.busy: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()
        self.mixed: list[Any] = []

    def __call__(self, received: Received) -> Reply:
        messages = received.messages
        key = answer_to(messages)
        for place, message in enumerate(messages):
            if message["role"] == "assistant" and message["content"] != answer_to(messages[:place]):
                self.mixed.append(messages)
        if messages[0]["content"] in self.doomed and len(messages) == 3:
            self.failed[key] += 1
            return FAULTS["500"]
        if self.chances.random() < self.share:
            name = self.chances.choice(list(FAULTS))
            self.faults[name] += 1
            (self.busy if name.startswith("429") else self.failed)[key] += 1
            return FAULTS[name]
        self.answered[key] += 1
        reply = says(key)
        return streamed(reply, delay=self.chances.choice((0.0, 0.0, 0.05, 2.0, 20.0)))


def opened(store: Store, data: Path, url: str, **settings: Any) -> OpenRun:
    server = ServerSettings(
        model="m", base_url=(url,), looks=False, concurrency=32, attempts=ATTEMPTS, timeout_s=60.0, **settings
    )
    request = Request(
        "voila:ND",
        data=data,
        options={"input": "text"},
        respondent="faulty",
        filter=Filter({}),
    )
    return open_prepared(store, prepare(request, Config(respondents={"faulty": server})))


async def run(run_: OpenRun) -> Totals:
    engine = run_.engine()
    try:
        return await engine.run(run_.prepared.selection)
    finally:
        await run_.prepared.close()


def test_a_fifth_of_all_requests_fails_and_all_trajectories_end_right_or_named(tmp_path: Path) -> None:
    data = small_voila_file(tmp_path, ITEMS, "ND")

    async def work(store: Store) -> None:
        async with FaultServer(Faulty(0.0)) as server:
            items = list(opened(store, data, server.url).prepared.selection)
            protocol = opened(store, data, server.url).prepared.protocol
            doomed = [protocol.next_turn(item, ()) for item in items[7::100]]
            script = server.script = Faulty(0.2, tuple(turn.text for turn in doomed if turn is not None))
            broken = opened(store, data, server.url)
            totals = await run(broken)
            print(dict(script.faults), f"{len(server.received)} requests")
            assert set(script.faults) == set(FAULTS)
            assert not script.mixed
            named = totals.failed
            assert 3 <= named <= 12
            assert totals.finished == ITEMS - named
            whole = totals.finished * STEPS  # which step a failed one reached depends on the order of arrival
            assert whole <= totals.steps <= whole + named * (STEPS - 1)
            assert totals.steps == store.reader().execute("SELECT count(*) FROM steps").fetchone()[0]
            assert max(script.failed.values()) == ATTEMPTS
            assert totals.reasons.most_common(1)[0][0].count(HARNESS) == 1
            assert totals.prompt_tokens == 11 * totals.steps
            assert totals.completion_tokens == 7 * totals.steps
            assert not any(HARNESS in str(body["messages"]) for body in server.bodies)

            script.share, script.doomed = 0.0, ()
            asked = len(server.received)
            healed = opened(store, data, server.url)
            assert healed.resumption.failed == named
            totals = await run(healed)
            assert (totals.before, totals.finished, totals.failed) == (ITEMS - named, named, 0)
            assert len(server.received) - asked <= STEPS * named
            assert set(script.answered.values()) <= {1, 2}  # a hung or dropped one may have been answered too
            for item in healed.prepared.selection:
                ((_, trajectory),) = reading.trajectories_on(store, item.id, calls=True)
                assert trajectory.progress is Progress.DONE
                assert [step.turn.step for step in trajectory.steps] == ["relate", "apply"]
                for step in trajectory.steps:
                    assert step.answer.call is not None
                    assert step.answer.text == answer_to(step.answer.call.request["messages"])

    with Store.open(tmp_path / "p.db") as store, virtual_time() as loop:
        loop.run_until_complete(work(store))
        (summary,) = runs(store)
        assert (summary.done, summary.failed, summary.open) == (ITEMS, 0, 0)
        db = store.reader()
        assert db.execute("SELECT count(*), count(DISTINCT trajectory || '/' || name) FROM steps").fetchone() == (
            ITEMS * STEPS,
            ITEMS * STEPS,
        )
        ledger = db.execute("SELECT sum(prompt_tokens), count(*) FILTER (WHERE error <> '') FROM calls").fetchone()
        assert ledger[0] == 11 * ITEMS * STEPS
        print(f"{loop.time():.0f} s of the server's time")


@pytest.mark.parametrize("reply", [fails(401, "Incorrect API key"), fails(404, "The model does not exist")])
def test_what_every_call_would_meet_stops_the_run_and_a_rerun_completes_it(tmp_path: Path, reply: Reply) -> None:
    data = small_voila_file(tmp_path, 30, "ND")

    async def work(store: Store) -> None:
        async with FaultServer(lambda _: reply) as server:
            with pytest.raises(CallError, match=r"HTTP 40[14]: (Incorrect API key|The model does not exist)"):
                await run(opened(store, data, server.url))
            assert len(server.received) <= 32
            server.script = Faulty(0.0)
            totals = await run(opened(store, data, server.url))
            assert (totals.finished, totals.failed) == (30, 0)

    with Store.open(tmp_path / "p.db") as store, virtual_time() as loop:
        loop.run_until_complete(work(store))


def test_nothing_but_empty_answers_ends_every_trajectory(tmp_path: Path) -> None:
    """rp02: null contents are answers without words, stored and scored as such."""
    data = small_voila_file(tmp_path, 30, "ND")

    async def work(store: Store) -> None:
        async with FaultServer(lambda _: says(None)) as server:
            totals = await run(opened(store, data, server.url))
            assert (totals.finished, totals.failed, totals.steps) == (30, 0, 30 * STEPS)

    with Store.open(tmp_path / "p.db") as store, virtual_time() as loop:
        loop.run_until_complete(work(store))
