"""Runs through a server's Batch API: what is out, what comes back in whatever state, and what a crash leaves."""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from core.batching import Waits
from core.benchmarks.voila.drawn import draw_depicted
from core.config import Config
from core.errors import BatchError, BudgetError, UsageError
from core.events import Event, Waiting, WaitOver
from core.pictures import Pictures
from core.planning import Request, prepare
from core.records import Status
from core.respondents.batched import Mode
from core.respondents.openai_server import make_server
from core.respondents.patience import Clock
from core.respondents.settings import ServerSettings
from core.selection import Filter
from core.totals import Totals
from sessions import reading
from sessions.background import State as Going
from sessions.batches import anything_out, batches_out, release_batches
from sessions.carrying import Carrier
from sessions.cells import cells_of
from sessions.doctor import State, examine
from sessions.manager import Manager, open_request
from sessions.opening import open_prepared
from sessions.replay import Replay
from sessions.runs import delete_run, find_run, runs
from sessions.spending import budget_of, spent_by
from sessions.store import Store
from tests.batch_server import BatchServer, Lines, unanswered
from tests.servers import Received, Reply, fails, says
from tests.voila_data import small_voila_file

ITEMS = 6
DRAWN = Pictures(drawer=draw_depicted)
"""Drawn once for all commands."""


def by_words(body: Any) -> Reply:
    """Right, wrong or unreadable, as the words have it; never the same for all."""
    number = sum(str(body["messages"]).encode()) % 3
    answers = ("The answer is number = two, subject = dogs, action = walking", "two dogs walking", "no idea")
    return says(answers[number])


@dataclass
class Outcome:
    """What one command did."""

    totals: Totals
    awaited: int
    heard: list[str]
    error: BatchError | BudgetError | None
    run: str
    cells: list[Any]

    @property
    def said(self) -> str:
        return "\n".join(self.heard)


class Bench:
    """A store, a server and the command between them, as often as it is given."""

    def __init__(self, store: Store, server: BatchServer, data: Path) -> None:
        self.store = store
        self.server = server
        self.data = data
        self.settings: dict[str, Any] = {"max_pixels": 4096, "price_in": 1.0, "price_out": 2.0}
        self.asking: dict[str, Any] = {"benchmark": "voila:ND", "pictures": "drawn"}
        self.pictures = DRAWN
        self.environment: dict[str, str] = {}
        self.respondents_at: dict[str, str] = {}
        self.waited: list[Event] = []

    async def command(
        self,
        mode: Mode = Mode.BATCH,
        *,
        waits: Waits | None = None,
        limit: int = 0,
        url: str = "",
        budget: float = 0,
        **more: Any,
    ) -> Outcome:
        settings = ServerSettings(**{"model": "m", "base_url": (url or self.server.url,), **self.settings})
        config = Config(respondents={"served": settings})
        more.setdefault("respondents_at", self.respondents_at)
        more = {**self.asking, "data": self.data, "respondent": "served", "filter": Filter({}, limit=limit), **more}
        request = Request(**more)
        prepared = prepare(request, config)

        async def no_sleep(seconds: float) -> None:
            return None

        respondent = make_server(
            "served",
            settings,
            self.pictures,
            environment=self.environment,
            clock=Clock(sleep=no_sleep),
            chances=random.Random(0),
        )
        prepared = replace(prepared, plan=replace(prepared.plan, respondent=respondent))
        opened = open_prepared(self.store, prepared)
        ledger = None
        if budget:
            ledger = budget_of(self.store, opened.run, budget, [prepared.plan.respondent])
        heard: list[str] = []
        error: BatchError | BudgetError | None = None
        if mode is Mode.BATCH or anything_out(self.store, opened.run):
            carrier = Carrier(opened.store, opened.run, opened.prepared.plan, mode, heard.append)
            carrier.listen(self.waited.append)
            engine = opened.engine(plan=carrier.plan)
            try:
                await carrier.run(engine, prepared.selection, waits=waits)
            except (BatchError, BudgetError) as caught:
                error = caught
            finally:
                await carrier.close()
        else:
            engine = opened.engine()
            await engine.run(prepared.selection)
        await prepared.close()
        if ledger is not None:
            await ledger.close()
        cells = [cell.to_json() for cell in cells_of(self.store, [opened.run])]
        for cell in cells:
            del cell["run"]
        return Outcome(engine.totals, len(engine.awaited), heard, error, opened.run.name, cells)

    async def to_end(self, **more: Any) -> list[Outcome]:
        """The command until nothing is awaited."""
        outcomes = [await self.command(**more)]
        while outcomes[-1].awaited:
            assert len(outcomes) < 12, outcomes[-1].said
            outcomes.append(await self.command(**more))
        return outcomes

    def calls(self, what: str = "count(*)", where: str = "1") -> list[Any]:
        return self.store.reader().execute(f"SELECT {what} FROM calls WHERE {where}").fetchall()

    def store_reply(self, row: int) -> Any:
        call = Replay(self.store.reader()).call(row)
        return call.reply if call is not None else None

    def asked_once(self) -> bool:
        return set(self.server.asked.values()) == {1}


@pytest.fixture
async def server() -> AsyncIterator[BatchServer]:
    async with BatchServer() as running:
        running.answer = by_words
        yield running


@pytest.fixture
def bench(store: Store, server: BatchServer, tmp_path: Path) -> Bench:
    return Bench(store, server, small_voila_file(tmp_path, ITEMS, "ND"))


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "elsewhere.db") as opened:
        yield opened


def stirred(done: Lines, failed: Lines) -> tuple[Lines, Lines]:
    """In another order, an answer with line separators in it, one line twice, one of a stranger, one torn."""
    mixed = list(reversed(done))
    random.Random(3).shuffle(mixed)
    stranger = {**mixed[0], "custom_id": "somebody-elses"}
    return [mixed[1], stranger, *mixed, '{"custom_id": "torn', ""], failed


# -- the plain way


async def test_one_batch_a_step_in_any_order_gives_what_a_live_run_gives(
    bench: Bench, server: BatchServer, elsewhere: Store
) -> None:
    server.shape = stirred
    first, *_, last = outcomes = await bench.to_end()
    assert (first.awaited, first.totals.steps, first.totals.failed) == (ITEMS, 0, 0)
    assert "submitted batch batch_1: 6 requests to served" in first.said
    assert [outcome.totals.steps for outcome in outcomes] == [0, ITEMS, ITEMS, ITEMS]
    assert (last.totals.finished, last.awaited) == (ITEMS, 0)
    assert len(server.batches) == 3
    assert "1 of its lines came twice" in outcomes[1].said
    assert "1 of its lines are of no request of ours" in outcomes[1].said
    assert "1 of its lines cannot be read" in outcomes[1].said
    assert server.live == 0

    live = await Bench(elsewhere, server, bench.data).command(Mode.LIVE)
    assert live.cells == last.cells
    assert len({cell["right"] for cell in last.cells}) > 1
    again = await bench.command()
    assert (again.totals.before, again.totals.steps, len(server.batches)) == (ITEMS, 0, 3)


async def test_what_is_sent_is_what_a_live_call_sends_and_names_are_unique(bench: Bench, server: BatchServer) -> None:
    await bench.to_end(repeats=2)
    lines = [line for batch in range(3) for line in server.requests(batch)]
    names = [line["custom_id"] for line in lines]
    assert len(set(names)) == len(names) == 3 * ITEMS * 2
    assert {(line["method"], line["url"]) for line in lines} == {("POST", "/v1/chat/completions")}
    bodies = lines[0]["body"]
    assert (bodies["model"], bodies["temperature"], bodies["max_tokens"]) == ("m", 0.0, 2048)
    assert "stream" not in bodies
    assert [message["role"] for message in lines[-1]["body"]["messages"]] == ["user", "assistant"] * 2 + ["user"]


async def test_tokens_and_half_the_price_are_counted_once(bench: Bench, store: Store) -> None:
    *_, last = outcomes = await bench.to_end()
    count = 3 * ITEMS
    assert sum(outcome.totals.prompt_tokens for outcome in outcomes) == 11 * count
    spent = sum(outcome.totals.cost or 0.0 for outcome in outcomes)
    assert spent == pytest.approx(count * (11 * 1.0 + 7 * 2.0) / 1_000_000 / 2)
    assert bench.calls("count(*), sum(cost), sum(pending), min(attempts), max(attempts)") == [
        (count, pytest.approx(spent), 0, 1, 1)
    ]
    assert bench.calls("count(*)", "trajectory IS NULL OR batch_id IS NULL OR served_model <> 'served'") == [(0,)]
    assert all(finding.state is not State.WARN for finding in examine(store.path)), last.run


async def test_refusal_truncation_and_emptiness_keep_their_status(bench: Bench, server: BatchServer) -> None:
    replies = iter(
        [
            says("two dogs", "length"),
            says(None),
            says(None, refusal="I cannot help with that."),
            fails(400, "blocked", "content_filter"),
            says("<think>hm</think>two dogs walking"),
            says("two dogs walking"),
        ]
    )
    server.answer = lambda body: next(replies, says("two dogs walking"))
    *_, last = await bench.to_end()
    steps = [trajectory.steps[0] for trajectory in reading.finished(bench.store, find_run(bench.store, last.run).id)]
    assert Counter(step.answer.status for step in steps) == {
        Status.TRUNCATED: 1,
        Status.EMPTY: 1,
        Status.REFUSAL: 2,
        Status.OK: 2,
    }
    assert {step.answer.reasoning for step in steps} == {"", "hm"}
    assert last.totals.failed == 0


async def test_waiting_stays_until_all_is_done(bench: Bench, server: BatchServer) -> None:
    looks: list[float] = []

    async def sleep(seconds: float) -> None:
        looks.append(seconds)
        server.status = "completed" if len(looks) % 2 else "in_progress"

    server.status = "in_progress"
    done = await bench.command(waits=Waits(7.0, sleep))
    assert (done.totals.finished, done.awaited, done.error) == (ITEMS, 0, None)
    assert looks == [7.0] * 5
    assert len(server.batches) == 3


async def test_a_budget_counts_what_is_out_at_its_worst_and_is_never_passed(
    bench: Bench, server: BatchServer, store: Store
) -> None:
    server.status = "in_progress"
    first = await bench.command(budget=0.12)
    run = find_run(store, first.run)
    (out,) = server.batches
    count = len(server.requests())
    assert 0 < count < ITEMS
    assert "the budget of $0.12 is reached" in str(first.error)
    most, _ = spent_by(store, run)
    assert most == pytest.approx(sum(cost for (cost,) in bench.calls("cost")))
    assert 0.12 / (count + 1) < most / count < 0.12 / count
    assert runs(store)[0].spent == pytest.approx(0.0)
    assert (await bench.command(budget=0.12)).totals.steps == 0
    assert list(server.batches) == [out]

    server.status = "completed"
    outcomes = [first]
    while outcomes[-1].totals.finished + outcomes[-1].totals.before != ITEMS:
        assert len(outcomes) < 15
        outcomes.append(await bench.command(budget=0.12))
        assert spent_by(store, run)[0] <= 0.12
    real = 3 * ITEMS * (11 * 1.0 + 7 * 2.0) / 1_000_000 / 2
    assert spent_by(store, run) == (pytest.approx(real), 0.0)
    assert runs(store)[0].spent == pytest.approx(real)
    assert bench.asked_once()


async def test_given_up_batches_may_have_cost_something(bench: Bench, server: BatchServer, store: Store) -> None:
    server.status = "in_progress"
    first = await bench.command(budget=1.0)
    run = find_run(store, first.run)
    most, uncertain = spent_by(store, run)
    assert uncertain == 0.0
    release_batches(store, run)
    assert spent_by(store, run) == (0.0, pytest.approx(most))


async def test_what_was_given_up_is_out_no_more_and_its_lines_are_filled_by_who_asks_it_at_once(
    bench: Bench, server: BatchServer, store: Store
) -> None:
    server.status = "in_progress"
    run = find_run(store, (await bench.command()).run)
    assert anything_out(store, run)
    release_batches(store, run)
    assert not anything_out(store, run)
    done = await bench.command(Mode.LIVE)
    assert (done.totals.finished, server.live) == (ITEMS, 3 * ITEMS)
    assert bench.calls("count(*), count(DISTINCT request_hash), sum(pending)") == [(3 * ITEMS, 3 * ITEMS, 0)]
    assert bench.calls("count(*)", "trajectory IS NULL OR batch_id IS NOT NULL") == [(0,)]


@pytest.mark.parametrize("mode", [Mode.LIVE, Mode.BATCH])
async def test_what_was_given_up_and_is_recalled_from_another_run_is_settled(
    bench: Bench, server: BatchServer, store: Store, mode: Mode
) -> None:
    server.status = "in_progress"
    run = find_run(store, (await bench.command()).run)
    release_batches(store, run)
    await bench.command(Mode.LIVE, interventions=("apply=gold",))
    server.status = "completed"
    for _ in range(2):
        done = await bench.command(mode)
    assert done.totals.finished + done.totals.before == ITEMS
    given_up = bench.calls("pending, batch_id, error", f"run = {run.id} AND attempts = 0")
    assert given_up == [(0, None, "not asked again: recalled")] * ITEMS
    assert all(finding.state is not State.WARN for finding in examine(store.path))


# -- what comes back otherwise


async def test_an_error_of_one_request_fails_that_trajectory_and_is_asked_again_by_the_next_command(
    bench: Bench, server: BatchServer
) -> None:
    broken = {"batch": True}

    def answer(body: Any) -> Reply:
        ill = broken["batch"] and "dogs" in by_words(body).body["choices"][0]["message"]["content"]
        return fails(400, "this image cannot be parsed") if ill else by_words(body)

    server.answer = answer
    await bench.command()
    ill = sum(answer(line["body"]).status == 400 for line in server.requests())
    assert 0 < ill < ITEMS
    second = await bench.command()
    assert (second.totals.failed, second.awaited) == (ill, ITEMS - ill)
    reason = f"served at {bench.server.url[7:]}: HTTP 400: this image cannot be parsed"
    assert dict(second.totals.reasons) == {reason: ill}
    assert len(server.requests()) == ITEMS - ill
    broken["batch"] = False
    third = await bench.command()
    assert (third.totals.failed, len(server.requests())) == (0, ITEMS)
    *_, last = await bench.to_end()
    assert (last.totals.finished + last.totals.before, last.totals.failed) == (ITEMS, 0)


async def test_an_expired_batch_keeps_what_was_done_and_sends_the_rest_again(
    bench: Bench, server: BatchServer
) -> None:
    server.shape = lambda done, failed: (done[:2], unanswered(done[2:], "batch_expired"))
    server.status = "expired"
    await bench.command()
    second = await bench.command()
    assert second.totals.steps == 2
    assert "batch batch_1 expired: 2 answered, 4 to be sent again" in second.said
    assert len(server.requests()) == ITEMS
    server.shape = lambda done, failed: (done, failed)
    server.status = "completed"
    *_, last = await bench.to_end()
    assert last.totals.finished + last.totals.before == ITEMS
    assert bench.asked_once()


async def test_missing_results_and_passing_errors_are_sent_again_but_not_for_ever(
    bench: Bench, server: BatchServer
) -> None:
    bench.settings["attempts"] = 2
    down = {"left": 1}

    def shape(done: Lines, failed: Lines) -> tuple[Lines, Lines]:
        down["left"] -= 1
        if down["left"] < 0:
            return done, failed
        error = {"status_code": 500, "body": {"error": {"message": "overloaded"}}}
        return done[2:], [{**done[1], "response": error}]  # the first has no line at all

    server.shape = shape
    await bench.command()
    second = await bench.command()
    assert (second.totals.steps, second.totals.failed) == (4, 0)
    assert "4 answered, 2 to be sent again" in second.said
    *_, last = await bench.to_end()
    assert last.totals.failed == 0
    assert bench.calls("count(*)", "attempts = 2") == [(2,)]

    server.shape = lambda done, failed: ([], [])
    fresh = Bench(bench.store, server, bench.data)
    fresh.settings |= {"attempts": 2, "max_tokens": 5}
    outcomes = await fresh.to_end()
    assert [outcome.totals.failed for outcome in outcomes] == [0, 0, ITEMS]
    assert "holds no result for this request" in str(outcomes[-1].totals.reasons)
    assert "Check base_url" not in str(outcomes[-1].totals.reasons)


async def test_a_refused_batch_says_why_costs_nothing_and_is_submitted_again_by_the_next_command(
    bench: Bench, server: BatchServer
) -> None:
    server.status = "failed"
    server.refusals = [
        {"code": "invalid_json_line", "line": 3, "message": "This line is not parseable as valid JSON."}
    ]
    await bench.command()
    refused = await bench.command()
    assert refused.error is not None
    assert "refused batch batch_1 (6 requests) whole: line 3: This line is not parseable" in str(refused.error)
    assert (len(server.batches), refused.totals.failed, refused.awaited) == (1, 0, ITEMS)
    assert batches_out(bench.store.reader()) == []
    server.status = "completed"
    *_, last = await bench.to_end()
    assert last.totals.finished == ITEMS
    assert bench.calls("count(*), count(DISTINCT request_hash)") == [(3 * ITEMS, 3 * ITEMS)]


async def test_a_full_queue_waits_for_other_batches(bench: Bench, server: BatchServer) -> None:
    bench.settings["batch_requests"] = 4
    await bench.command()
    one, two = server.batches.values()
    full = [{"code": "token_limit_exceeded", "message": "Enqueued token limit reached for m."}]
    two |= {"status": "failed", "errors": {"data": full}}
    server.status = "in_progress"
    second = await bench.command()
    assert second.error is None
    assert "has to wait until others have ended: Enqueued token limit reached" in second.said
    assert len(server.batches) == 2
    server.status = "completed"
    *_, last = await bench.to_end()
    assert (last.totals.finished + last.totals.before, one["status"]) == (ITEMS, "completed")
    assert bench.asked_once()


async def test_a_queue_that_others_fill_ends_the_command(bench: Bench, server: BatchServer) -> None:
    bench.settings["batch_requests"] = 4
    server.status = "failed"
    server.refusals = [{"code": "token_limit_exceeded", "message": "Enqueued token limit reached for m."}]
    await bench.command()
    full = await bench.command(waits=Waits(1.0))
    assert "Enqueued token limit reached" in full.said
    assert "lower batch_requests" in str(full.error)
    assert len(server.batches) == 2


async def test_a_cancelled_batch_is_taken_in_and_nothing_goes_out_until_the_next_command(
    bench: Bench, server: BatchServer
) -> None:
    server.shape = lambda done, failed: (done[:1], unanswered(done[1:], "batch_cancelled"))
    server.status = "cancelled"
    await bench.command()
    second = await bench.command(waits=Waits(1.0))
    assert "batch_1 was cancelled at the server, 5 of its requests are unanswered" in str(second.error)
    assert (second.totals.steps, len(server.batches)) == (1, 1)
    server.shape, server.status = (lambda done, failed: (done, failed)), "completed"
    *_, last = await bench.to_end()
    assert last.totals.finished + last.totals.before == ITEMS
    assert bench.asked_once()


async def test_batches_are_split_by_count_and_by_size(bench: Bench, server: BatchServer) -> None:
    bench.settings["batch_requests"] = 4
    await bench.command()
    assert [len(server.requests(n)) for n in range(2)] == [4, 2]
    small = Bench(bench.store, server, bench.data)
    length = max(map(len, server.uploads[0].splitlines()))
    small.settings |= {"batch_megabytes": 2.5 * length / 1e6, "max_tokens": 2047}
    *_, last = await small.to_end()
    assert last.totals.failed == 0
    assert all(len(upload) <= 2.5 * length for upload in server.uploads[2:])
    assert max(len(upload.splitlines()) for upload in server.uploads[2:]) >= 2
    tiny = Bench(bench.store, server, bench.data)
    tiny.settings |= {"batch_megabytes": 0.0001, "max_tokens": 2046}
    outcome = await tiny.command()
    assert outcome.totals.failed == ITEMS
    assert "more than a batch may hold (100)" in str(outcome.totals.reasons)


async def test_a_server_that_wants_the_limit_under_another_name_is_asked_again_with_it(
    bench: Bench, server: BatchServer
) -> None:
    def answer(body: Any) -> Reply:
        if "max_tokens" in body:
            return fails(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        return by_words(body)

    server.answer = answer
    *_, last = outcomes = await bench.to_end()
    assert (last.totals.finished, len(server.batches)) == (ITEMS, 4)
    assert "6 to be sent again" in outcomes[1].said
    assert all("max_completion_tokens" in line["body"] for n in (1, 2, 3) for line in server.requests(n))


async def test_no_key_is_stored_or_told(
    bench: Bench, server: BatchServer, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "sk-very-secret-1234567890"
    bench.settings["api_key_env"], bench.environment = "SERVED_KEY", {"SERVED_KEY": key}
    monkeypatch.setenv("SERVED_KEY", key)
    server.answer = lambda body: says(f"You sent {key}, two dogs walking")
    echo = {"status_code": 400, "body": {"error": {"message": f"bad key {key}"}}}
    server.shape = lambda done, failed: (done[1:], [{**done[0], "response": echo}])
    outcomes = [await bench.command() for _ in range(3)]
    assert outcomes[1].totals.failed == 1
    assert server.server.received[0].headers["authorization"] == f"Bearer {key}"
    told = [(outcome.heard, dict(outcome.totals.reasons), str(outcome.error)) for outcome in outcomes]
    assert "bad key ***" in str(told)
    assert key not in str(told)
    replies = [bench.store_reply(row) for (row,) in bench.calls("id")]
    assert "You sent ***" in str(replies)
    assert key not in str(replies)
    assert key.encode() not in path.read_bytes() + path.with_name(path.name + "-wal").read_bytes()


# -- interventions, others, shared turns


async def test_gold_steps_need_no_request_and_shams_are_asked_after_their_plain_answer(
    bench: Bench, server: BatchServer
) -> None:
    *_, last = outcomes = await bench.to_end(interventions=("describe=gold",))
    assert [outcome.totals.steps for outcome in outcomes] == [ITEMS, ITEMS, ITEMS]
    assert (last.totals.finished, len(server.batches)) == (ITEMS, 2)
    shams = await bench.to_end(interventions=("relate=gold",), sham=True)
    assert shams[-1].totals.finished == ITEMS
    assert len(server.batches) == 2 + 4  # describe, relate, relate again, apply
    assert {line["custom_id"].rpartition(".")[2] for line in server.requests(4)} == {"1000000"}
    assert bench.asked_once()


async def test_from_another_run_only_what_differs_is_asked(bench: Bench, server: BatchServer) -> None:
    plain = (await bench.to_end())[-1].run
    *_, last = await bench.to_end(interventions=("describe=gold",), base_run=plain)
    assert last.totals.finished == ITEMS
    assert len(server.batches) == 3 + 2
    await bench.to_end(interventions=("relate=gold:number",), base_run=plain)
    assert len(server.batches) == 3 + 2 + 1  # that run's own relating is what the gold number is put into


async def test_somebody_who_is_no_server_is_asked_at_once(bench: Bench, server: BatchServer) -> None:
    bench.respondents_at = {"describe": "oracle"}
    first, *_ = outcomes = await bench.to_end()
    assert [outcome.totals.steps for outcome in outcomes] == [ITEMS, ITEMS, ITEMS]
    assert first.awaited == ITEMS


async def test_a_shared_description_is_one_request_for_all(store: Store, server: BatchServer, tmp_path: Path) -> None:
    from tests.mmra_data import pack

    bench = Bench(store, server, pack(tmp_path, 3))
    bench.asking, bench.pictures = {"benchmark": "mmra", "protocol": "dq"}, Pictures()
    server.answer = lambda body: says("ANSWER: A" if "ANSWER" in str(body) else f"Seen {sum(str(body).encode())}.")
    outcomes = await bench.to_end()
    total = outcomes[-1].totals
    names = [line["custom_id"] for n in range(len(server.batches)) for line in server.requests(n)]
    assert len(names) == len(set(names))
    steps = store.reader().execute("SELECT count(*) FROM steps").fetchone()[0]
    assert total.finished + total.before == 33
    assert len(names) < steps
    assert bench.asked_once()


# -- other ways of asking the same run


async def test_a_run_goes_from_live_to_batch_and_back(bench: Bench, server: BatchServer, elsewhere: Store) -> None:
    await bench.command(Mode.LIVE, limit=2)
    assert server.live == 6
    await bench.command()
    assert len(server.requests()) == ITEMS - 2
    server.status = "in_progress"
    meanwhile = await bench.command(Mode.LIVE)
    assert (meanwhile.awaited, server.live, meanwhile.totals.failed) == (ITEMS - 2, 6, 0)
    server.status = "completed"
    back = await bench.command(Mode.LIVE)
    assert (back.totals.finished, back.awaited, len(server.batches)) == (ITEMS - 2, 0, 1)
    assert server.live == 6 + 2 * (ITEMS - 2)
    assert bench.asked_once()
    live = await Bench(elsewhere, server, bench.data).command(Mode.LIVE)
    assert live.cells == back.cells


async def test_what_came_back_unanswered_is_asked_live_in_its_own_line_of_the_ledger(
    bench: Bench, server: BatchServer
) -> None:
    server.shape = lambda done, failed: (done[:2], unanswered(done[2:], "batch_expired"))
    server.status = "expired"
    await bench.command()
    live = await bench.command(Mode.LIVE)
    assert (live.totals.finished, server.live) == (ITEMS, 4 + 2 * ITEMS)
    assert bench.calls("count(*), sum(pending), sum(batch_id IS NOT NULL)") == [(3 * ITEMS, 0, 2)]


async def test_with_a_limit_the_rest_of_what_came_waits_for_its_turn(bench: Bench, server: BatchServer) -> None:
    await bench.command()
    some = await bench.command(limit=2)
    assert (some.totals.steps, len(server.requests())) == (2, 2)
    assert bench.calls("count(*)", "pending = 2") == [(ITEMS - 2,)]
    await bench.to_end()
    assert bench.asked_once()
    assert bench.calls("count(*)", "pending <> 0") == [(0,)]


# -- crashes


class KilledError(BaseException):
    """Stands in for the end of the process."""


@pytest.mark.parametrize(
    "where", ["before upload", "before create", "after create", "while collecting", "before steps"]
)
async def test_killed_anywhere_nothing_is_lost_and_nothing_asked_twice(
    bench: Bench, server: BatchServer, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    from core.respondents.batch_service import BatchService
    from sessions.batches import StoreBook
    from sessions.journal import StoreJournal

    async def die(*_: Any, **__: Any) -> Any:
        raise KilledError

    create = BatchService.create

    async def create_and_die(self: BatchService, *given: Any) -> Any:
        await create(self, *given)
        raise KilledError

    if where in ("while collecting", "before steps"):
        await bench.command()
    with monkeypatch.context() as patch:
        match where:
            case "before upload":
                patch.setattr(BatchService, "upload", die)
            case "before create":
                patch.setattr(BatchService, "create", die)
            case "after create":
                patch.setattr(BatchService, "create", create_and_die)
            case "while collecting":
                patch.setattr(StoreBook, "collected", die)
            case "before steps":
                patch.setattr(StoreJournal, "add_step", die)
        with pytest.raises(KilledError):
            await bench.command()
    made = len(server.batches)
    assert made == (0 if where in ("before upload", "before create") else 1)
    *_, last = await bench.to_end()
    assert (last.totals.finished, len(server.batches)) == (ITEMS, 3)
    assert bench.asked_once()
    assert bench.calls("count(*), sum(pending)") == [(3 * ITEMS, 0)]


async def test_a_lost_answer_to_the_creation_is_looked_for_before_it_is_repeated(
    bench: Bench, server: BatchServer
) -> None:
    def lose(received: Received) -> Reply | None:
        if received.path == "/v1/batches" and received.method == "POST" and len(server.batches) < 1:
            made = server.plainly(received)
            return replace(made, drop_after=0, body="")
        return None

    server.hook = lose
    await bench.command()
    assert len(server.batches) == 1
    server.hook = lambda received: None
    await bench.to_end()
    assert (len(server.batches), bench.asked_once()) == (3, True)


async def test_our_batch_is_found_behind_many_others(bench: Bench, server: BatchServer) -> None:
    def unreachable(received: Received) -> Reply | None:
        if received.path == "/v1/batches" and received.method == "POST":
            server.plainly(received)
            return fails(503, "try later")
        return fails(503, "try later") if received.path.startswith("/v1/batches?") else None

    server.hook = unreachable
    first = await bench.command()
    assert isinstance(first.error, BatchError)
    assert first.error.passing
    assert [batch.remote for batch in batches_out(bench.store.reader())] == [""]
    made = len(server.batches)
    ours = server.batches["batch_1"]
    for number in range(2, 9):
        server.batches[f"batch_{number}"] = {**ours, "id": f"batch_{number}", "metadata": None, "input_file_id": "x"}
    server.hook = lambda received: None
    await bench.command()
    assert [batch.remote for batch in batches_out(bench.store.reader())] == ["batch_1"]
    second = await bench.command()
    assert (made, second.totals.steps) == (1, ITEMS)
    assert bench.asked_once()


# -- what a server may say


@pytest.mark.parametrize(
    ("door", "said", "remedy"),
    [
        ("/v1/files", fails(404, "nothing here"), "leave out --via batch"),
        ("/v1/files", fails(401, "bad key"), "Name the environment variable"),
        ("/v1/batches", fails(400, "Billing hard limit has been reached"), ""),
        ("/v1/batches", Reply("<html>hello</html>"), ""),
    ],
)
async def test_what_refuses_a_submission_is_told_and_leaves_everything_free(
    bench: Bench, server: BatchServer, door: str, said: Reply, remedy: str
) -> None:
    server.hook = lambda received: said if received.path == door and received.method == "POST" else None
    first = await bench.command()
    assert first.error is not None
    assert remedy in str(first.error)
    assert (first.totals.failed, first.awaited, first.totals.steps) == (0, ITEMS, 0)
    server.hook = lambda received: None
    *_, last = await bench.to_end()
    assert last.totals.finished == ITEMS
    assert bench.asked_once()


async def test_a_batch_the_server_does_not_know_is_never_paid_twice_unasked(
    bench: Bench, server: BatchServer
) -> None:
    await bench.command()
    kept = server.batches.pop("batch_1")
    lost = await bench.command()
    assert "runs release RUN" in str(lost.error)
    assert len(server.batches) == 0
    run = find_run(bench.store, lost.run)
    assert [batch.remote for batch in release_batches(bench.store, run)] == ["batch_1"]
    assert batches_out(bench.store.reader()) == []
    again = await bench.command()
    assert (again.error, len(server.requests())) == (None, ITEMS)
    assert kept["id"] == "batch_1"


async def test_another_address_is_not_asked_for_the_batch(bench: Bench, server: BatchServer) -> None:
    await bench.command()
    async with BatchServer() as other:
        moved = await bench.command(url=other.url)
        assert "not where base_url points first" in str(moved.error)
        assert other.server.received == []


async def test_results_that_are_gone_are_asked_again(bench: Bench, server: BatchServer) -> None:
    await bench.command()
    gone = {"first": True}

    def hook(received: Received) -> Reply | None:
        return fails(404, "No such File") if gone["first"] and received.path.endswith("/content") else None

    server.hook = hook
    second = await bench.command()
    assert "the server no longer has its results" in second.said
    assert "6 to be sent again" in second.said
    gone["first"] = False
    assert (await bench.to_end())[-1].totals.finished == ITEMS


async def test_waiting_outlives_a_server_that_is_away_for_a_while(bench: Bench, server: BatchServer) -> None:
    looks: list[float] = []

    async def sleep(seconds: float) -> None:
        looks.append(seconds)
        away = len(looks) in (1, 2)
        server.hook = lambda received: fails(503, "away") if away else None

    done = await bench.command(waits=Waits(5.0, sleep))
    assert (done.totals.finished, done.error) == (ITEMS, None)
    assert done.said.count("Looking again in 5 s") == 2


async def test_that_requests_about_batches_are_waited_for_is_told(bench: Bench, server: BatchServer) -> None:
    refused = iter([fails(503, "away"), fails(503, "away")])
    server.hook = lambda received: next(refused, None) if received.path.endswith("/batches") else None
    await bench.command()
    first, second, over = bench.waited
    assert isinstance(first, Waiting)
    assert isinstance(second, Waiting)
    assert (first.whose, first.kind, second.count) == ("batches of served", "HTTP 503", 2)
    assert over == WaitOver(first.whose, first.place)


# -- lists


async def test_runs_doctor_and_deletion_know_what_is_out(bench: Bench, store: Store) -> None:
    first = await bench.command()
    (summary,) = runs(store)
    assert (summary.out, summary.done) == (ITEMS, 0)
    (batch,) = batches_out(store.reader())
    assert (batch.run, batch.respondent, batch.remote, batch.requests) == (first.run, "served", "batch_1", ITEMS)
    found = {finding.check: finding for finding in examine(store.path)}
    assert (found["batches"].state, "calls" in found) == (State.OK, False)
    store.write(lambda db: db.execute("UPDATE batches SET created = created - 90000000"))
    assert {f.check: f for f in examine(store.path)}["batches"].state is State.WARN
    delete_run(store, first.run)
    for table in ("calls", "batches", "runs", "texts"):
        assert store.reader().execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


def test_a_store_of_the_first_schema_gets_the_batch_book(path: Path) -> None:
    from sessions import migrations

    with Store.open(path, schema=migrations.MIGRATIONS[:1]):
        pass
    with Store.open(path) as store:
        assert batches_out(store.reader()) == []
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (len(migrations.MIGRATIONS),)


# -- beside a screen


async def test_a_batch_of_the_screen_is_submitted_left_and_collected_round_by_round(
    store: Store, server: BatchServer, bench: Bench
) -> None:
    settings = ServerSettings(model="m", base_url=(server.url,), max_pixels=4096)
    request = Request("voila:ND", data=bench.data, pictures="drawn", respondent="served")
    opening = open_request(store, request, Config(respondents={"served": settings}))
    server.status = "in_progress"
    manager = Manager()
    batch = manager.start(opening.asked, opening.items, own=True, carried=True)
    await batch.wait()
    assert (batch.state, batch.live, batch.finished, batch.stopped) == (Going.OUT, False, 0, "")
    assert len(batches_out(store.reader(), opening.asked.run.id)) == 1
    with pytest.raises(UsageError, match="paid for twice"):
        manager.start(opening.asked, opening.items)
    batch.start()
    await batch.wait()
    assert (batch.state, server.live) == (Going.OUT, 0), "nothing has come yet, and nothing is asked twice"
    server.status = "completed"
    for _ in range(6):
        if batch.state is Going.OUT:
            batch.start()
            await batch.wait()
    assert (batch.state, batch.finished, server.live) == (Going.DONE, ITEMS, 0)
    assert not anything_out(store, opening.asked.run)
    await manager.close()
    with pytest.raises(UsageError, match="no Batch API"):
        manager.start(open_request(store, replace(request, respondent="oracle"), Config()).asked, opening.items,
                      carried=True)  # fmt: skip
