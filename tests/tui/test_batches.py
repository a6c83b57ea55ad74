"""Batches from the screen: begun, watched, paused, cancelled, retried; asked about before the app is closed."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.errors import CallError
from core.events import Loading
from core.prices import Prices
from core.records import Answer
from core.respondents.base import OnDelta
from core.respondents.base import Request as Asking
from core.respondents.budget import Budget
from core.respondents.settings import ServerSettings
from sessions.background import State
from sessions.running import the_only_batch
from tests.tui.batching import Gate, bench_on, until
from tests.tui.pilots import app_on, idle, notices, press, words
from tui.screens.batches import BatchesScreen
from tui.screens.begin import BeginScreen, ChoiceLines
from tui.screens.closing import ClosingScreen
from tui.screens.stepping import SteppingScreen
from tui.state import batch_words
from tui.state.beginning import typed


async def test_a_batch_is_begun_watched_and_goes_on_when_the_page_is_left(path: Path) -> None:
    gate = Gate(held=True)
    with bench_on(path, gate, limit=4) as bench:
        async with app_on(bench.stepping, bench=bench).run_test(size=(120, 40)) as pilot:
            await press(pilot, "B")
            assert "n starts one on 4 items" in words(pilot)
            await press(pilot, "n")
            assert isinstance(pilot.app.screen, BeginScreen)
            await press(pilot, "enter")
            await until(lambda: bench.manager.live and bench.batches[0].under_way == 2)
            await press(pilot, "escape")
            await until(lambda: "▶ running 0/4" in words(pilot))
            gate.let_through()
            await bench.batches[0].wait()
            await until(lambda: "✓ done 4/4" in words(pilot))
            await until(lambda: "apply" in words(pilot) and "n4" in words(pilot))
            assert f"{bench.batches[0].name}: done" in notices(pilot)


async def test_what_the_batch_brings_is_shown_on_the_item_looked_at(path: Path) -> None:
    with bench_on(path, limit=2) as bench:
        async with app_on(bench.stepping, bench=bench).run_test(size=(120, 40)) as pilot:
            await idle(pilot)
            assert not bench.stepping.current.steps
            await bench.begin_here().wait()
            await idle(pilot)
            assert len(bench.stepping.current.steps) == 3
            assert bench.stepping.roster.standing(bench.stepping.items[1].id).word != "not run"


async def test_pause_go_on_cancel_start_again_and_retry(path: Path) -> None:
    gate = Gate(held=True, fails={"voila-1": CallError("busy", where="told")})
    with bench_on(path, gate) as bench:
        async with app_on(bench.stepping, bench=bench).run_test(size=(80, 24)) as pilot:
            batch = bench.begin_here()
            await until(lambda: batch.under_way == 2)
            await press(pilot, "B", "space")
            assert batch.state is State.PAUSED
            assert "‖ paused" in words(pilot)
            await press(pilot, "f")
            assert "still running" in notices(pilot)
            await press(pilot, "space", "x")
            await batch.wait()
            assert batch.state is State.CANCELLED
            gate.held = False
            await press(pilot, "s")
            await batch.wait()
            await until(lambda: "1 x told: busy  (first: voila-1 at describe)" in words(pilot))
            await until(lambda: "! done 13/14" in words(pilot))  # no tick where calls failed
            gate.fails.clear()
            await press(pilot, "f")
            await batch.wait()
            await until(lambda: "✓ done 14/14" in words(pilot))
            await press(pilot, "f")
            assert "nothing has failed" in notices(pilot)


def test_a_batch_that_only_its_judge_is_still_at_says_so() -> None:
    judging = SimpleNamespace(totals=SimpleNamespace(judged=5))
    asked = {"state": State.RUNNING, "total": 38, "failed": 0, "under_way": 0, "judging": judging}
    batch: Any = SimpleNamespace(**asked, finished=38, left=0)
    assert batch_words.progress(batch) == "▶ asked 38/38, judging"
    assert batch_words.speed(batch) == "5 answers judged so far"
    still: Any = SimpleNamespace(**asked, finished=37, left=1)
    assert batch_words.progress(still) == "▶ running 37/38"


async def test_what_was_typed_asks_somebody_else_or_intervenes(path: Path) -> None:
    assert typed(" gpt-4o ") == ("respondent", "gpt-4o")
    assert typed("relate=wrong:number") == ("intervention", "relate=wrong:number")
    with bench_on(path, limit=2) as bench:
        await bench.begin_here().wait()
        async with app_on(bench.stepping, bench=bench).run_test(size=(120, 40)) as pilot:
            await press(pilot, "B", "n", "tab", *"describe=gold", "enter")
            await until(lambda: len(bench.batches) == 3)
            await press(pilot, "n", "tab", *"nobody", "enter")
            await until(lambda: "nobody" in notices(pilot))
            for batch in bench.batches:
                await batch.wait()
            await press(pilot, "n")
            lines = pilot.app.screen.query_one(ChoiceLines)
            lines.cursor = [value for _, value, _ in lines.offered].index("relate=@")
            await press(pilot, "enter", "enter")
            assert "say whom that step is to be asked of: relate=@NAME" in notices(pilot)
            await press(pilot, *"oracle")
            assert "--respondent-at relate=oracle" in " ".join(words(pilot).split())
            await press(pilot, "enter")
            await until(lambda: len(bench.batches) == 5)
            assert [dict(b.asked.run.config.respondents_at).keys() for b in bench.batches[3:]] == [{"relate"}, set()]
            await press(pilot, "n", "tab", "tab", "tab", *"nan", "enter")
            assert "a budget is a sum of USD above 0" in notices(pilot)
            assert isinstance(pilot.app.screen, BeginScreen)
            await press(pilot, "escape")
            for batch in bench.batches:
                await batch.wait()
            assert sorted(b.asked.run.config.respondent for b in bench.batches) == ["noisy:0.6"] * 5


async def test_a_judge_is_named_judges_beside_the_batch_and_what_it_says_is_shown(path: Path) -> None:
    with bench_on(path, limit=2) as bench:
        async with app_on(bench.stepping, bench=bench).run_test(size=(120, 40)) as pilot:
            await press(pilot, "B", "n", "tab", "tab", *"nobody-there", "enter")
            await until(lambda: "nobody-there" in notices(pilot))
            assert not bench.batches
            await press(pilot, "n", *["tab"] * 4, *"batch", "enter")
            await until(lambda: "via batch: noisy:0.6 is behind no server" in notices(pilot))
            assert "--" not in notices(pilot), "nothing on the screen has that name"
            assert not bench.batches
            await press(pilot, "n", "tab", "tab", *"random", "enter")
            await until(lambda: bench.batches and not bench.batches[0].live)
            await until(lambda: "judge random: 6 answers judged" in words(pilot))
            await press(pilot, "escape")
            await until(lambda: "random" in words(pilot))
            assert [score.scorer for score in bench.stepping.current.steps[0].scores] == ["rule", "random"]
        judged = "SELECT count(*) FROM scores JOIN scorers ON scorers.id = scorer WHERE scorers.name = 'random'"
        assert bench.asked.store.reader().execute(judged).fetchone() == (6,)


async def test_a_paused_batch_judges_nothing_and_its_judge_is_in_its_budget(path: Path) -> None:
    gate = Gate(held=True)
    with bench_on(path, limit=2) as bench:
        judge = await bench.judge("random", bench.asked.plan)
        judge.respondent = gate  # type: ignore[assignment]
        batch = bench.begin_here(judge=judge)
        await until(lambda: gate.waiting)
        batch.pause()
        gate.let_through()
        before = gate.asked
        for _ in range(50):
            await asyncio.sleep(0)
        assert gate.asked <= before + gate.in_flight, "those under way come to their end, no other begins"
        batch.go_on()
        await batch.wait()
        assert batch.judging is not None
        assert batch.judging.totals.judged + batch.judging.totals.errors == 6
        assert gate in batch._payers


async def test_the_same_as_a_command_is_shown_and_copied(path: Path) -> None:
    with bench_on(path, limit=2) as bench:
        settings = ServerSettings(model="big", base_url=("http://localhost:1/v1",))
        bench.config = replace(bench.config, respondents={"big": settings})
        app = app_on(bench.stepping, bench=bench)
        async with app.run_test(size=(120, 40)) as pilot:
            await press(pilot, "B", "n")
            assert "--respondent noisy:0.6" in words(pilot)
            assert "--via batch" not in words(pilot), "nobody's server is asked"
            await press(pilot, "end", "up", "up", "up", "ctrl+y")
            shown = app.clipboard
            assert "--respondent big" in shown
            assert "--via" not in shown, "live, where nothing else is said"
            await press(pilot, *["tab"] * 4, *"batch", "ctrl+y")
            assert "--via batch" in app.clipboard
            await press(pilot, *["backspace"] * 5, *["shift+tab"] * 3)
            await press(pilot, *"describe=gold", "tab", "tab", *"2.5", "ctrl+y")
            both = app.clipboard.splitlines()
            assert [("--sham" in line, "--intervene describe=gold" in line) for line in both] == [
                (False, True),
                (True, True),
            ]
            assert all("--budget 2.5" in line and "--from" in line for line in both)


async def test_a_run_of_another_process_is_refused_in_words(path: Path) -> None:
    with bench_on(path, limit=2) as bench, the_only_batch(bench.asked.store, bench.asked.run):
        async with app_on(bench.stepping, bench=bench).run_test(size=(80, 24)) as pilot:
            await press(pilot, "B", "n", "enter")
            await until(lambda: "another process is running this run" in notices(pilot))
            assert isinstance(pilot.app.screen, BatchesScreen)


async def test_closing_the_app_asks_where_batches_run(path: Path) -> None:
    gate = Gate(held=True)
    with bench_on(path, gate, limit=4) as bench:
        app = app_on(bench.stepping, bench=bench)
        async with app.run_test(size=(80, 24)) as pilot:
            batch = bench.begin_here()
            await until(lambda: batch.under_way == 2)
            await press(pilot, "q")
            assert isinstance(pilot.app.screen, ClosingScreen)
            assert "2 calls are under way: closing at once drops what has not come back." in words(pilot)
            await press(pilot, "n")
            assert isinstance(pilot.app.screen, SteppingScreen)
            assert batch.state is State.RUNNING
            await press(pilot, "ctrl+q", "w")
            gate.let_through()
            await batch.wait()
        assert app.return_code == 0
        assert (batch.state, batch.totals.steps) == (State.CANCELLED, 2)


class Paid(Gate):
    """Has prices, as a server does."""

    def __init__(self, prices: Prices) -> None:
        super().__init__(held=True)
        self.prices = prices

    def charge(self, budget: Budget | None) -> None:
        """Nothing is counted here."""


@pytest.mark.parametrize(
    ("prices", "charged"),
    [
        (Prices(), True),
        (Prices(input=0.0, output=1.0), True),
        (Prices(input=0.0, output=0.0, picture=0.1), True),
        (Prices(input=0.0, output=0.0), False),
    ],
)
async def test_that_a_call_may_be_charged_is_said_of_those_that_may_cost_something(
    path: Path, prices: Prices, charged: bool
) -> None:
    gate = Paid(prices)
    with bench_on(path, gate, limit=4) as bench:
        async with app_on(bench.stepping, bench=bench).run_test(size=(120, 40)) as pilot:
            batch = bench.begin_here()
            await until(lambda: batch.under_way == 2)
            await press(pilot, "q")
            assert "drops what has not come back" in words(pilot)
            assert ("(it may be charged)" in words(pilot)) is charged
            gate.let_through()
            await press(pilot, "n")
            await batch.wait()


async def test_closing_at_once_keeps_what_came_and_frees_the_run(path: Path) -> None:
    gate = Gate(held=True)
    with bench_on(path, gate, limit=4) as bench:
        app = app_on(bench.stepping, bench=bench)
        async with app.run_test(size=(80, 24)) as pilot:
            batch = bench.begin_here()
            await until(lambda: batch.under_way == 2)
            await press(pilot, "q")
            await pilot.press("y")
        assert app.return_code == 0
        assert batch.state is State.CANCELLED
        with the_only_batch(bench.asked.store, bench.asked.run):
            pass


async def test_without_a_batch_the_app_closes_at_once(path: Path) -> None:
    with bench_on(path, limit=2) as bench:
        await bench.begin_here().wait()
        app = app_on(bench.stepping, bench=bench)
        async with app.run_test(size=(80, 24)) as pilot:
            await idle(pilot)
            await pilot.press("q")
        assert app.return_code == 0


class Busy(Gate):
    """Is held where a server asks for patience, which it says in words that would hurt a terminal."""

    async def answer(self, request: Asking, on_delta: OnDelta | None = None) -> Answer:
        if self.held and request.on_wait is not None:
            request.on_wait("HTTP 429: slow\x1b[2J down", 5.0, 3)
        return await super().answer(request, on_delta)


async def test_why_a_batch_waits_is_on_its_line_and_its_page_until_it_is_answered(path: Path) -> None:
    gate = Busy(held=True)
    with bench_on(path, gate, limit=4) as bench:
        async with app_on(bench.stepping, bench=bench).run_test(size=(120, 40)) as pilot:
            await idle(pilot)
            batch = bench.begin_here()
            await until(lambda: "HTTP 429, waits 5 s, asked 3 times" in words(pilot))
            await press(pilot, "B")
            await until(lambda: "waiting: HTTP 429, waits 5 s, asked 3 times: slow␛[2J down" in words(pilot))
            gate.let_through()
            await batch.wait()
            await until(lambda: "✓ done 4/4" in words(pilot))
            assert "HTTP 429" not in words(pilot)


async def test_a_single_step_says_why_it_is_waited_for(path: Path) -> None:
    gate = Busy(held=True)
    with bench_on(path, gate, limit=4) as bench:
        async with app_on(bench.stepping, bench=bench).run_test(size=(120, 40)) as pilot:
            await idle(pilot)
            asking = asyncio.create_task(bench.stepping.next())
            await until(lambda: "ctrl+c stops it · HTTP 429, waits 5 s, asked 3 times" in words(pilot))
            await until(lambda: "… HTTP 429, waits 5 s, asked 3 times" in words(pilot))  # the title may be too narrow
            gate.let_through()
            await asking
            assert bench.stepping.current.steps


class Heavy(Gate):
    """Has to be loaded first, and is held in the middle of that."""

    async def answer(self, request: Asking, on_delta: OnDelta | None = None) -> Answer:
        assert request.on_loading is not None
        held = self.held
        if held:
            request.on_loading("loading the weights (3.2 GB) for cpu")
        answer = await super().answer(request, on_delta)
        if held:
            request.on_loading("")
        return answer


async def test_a_step_says_that_its_model_is_being_loaded_and_the_stop_key_ends_the_wait(path: Path) -> None:
    gate = Heavy(held=True)
    with bench_on(path, gate, limit=4) as bench:
        async with app_on(bench.stepping, bench=bench).run_test(size=(120, 40)) as pilot:
            await idle(pilot)
            await pilot.press("space")
            await until(lambda: "loading told 0." in words(pilot))
            assert "ctrl+c stops it · loading the weights (3.2 GB) for cpu" in words(pilot)
            await pilot.press("ctrl+c")
            await until(lambda: "stopped" in words(pilot))
            assert bench.stepping.running is None
            asking = asyncio.create_task(bench.stepping.next())
            await until(lambda: "loading told 0." in words(pilot))
            gate.let_through()
            await asking
            assert bench.stepping.current.steps


async def test_a_batch_says_that_its_model_is_being_loaded_until_it_is(path: Path) -> None:
    gate = Heavy(held=True)
    with bench_on(path, gate, limit=4) as bench:
        async with app_on(bench.stepping, bench=bench).run_test(size=(140, 40)) as pilot:
            await idle(pilot)
            batch = bench.begin_here()
            await until(lambda: "loading told: loading the weights (3.2 GB) for cpu" in words(pilot))
            gate.let_through()
            await batch.wait()
            await until(lambda: "✓ done 4/4" in words(pilot))
            assert "loading" not in words(pilot)


async def test_each_model_that_is_being_loaded_is_named_until_it_is(path: Path) -> None:
    gate, other = Gate(held=True), Gate()
    other.name = "other"
    with bench_on(path, gate, limit=1) as bench:
        bench.asked = replace(bench.asked, plan=replace(bench.asked.plan, respondents_at={"relate": other}))
        batch = bench.begin_here()
        await until(lambda: gate.waiting)
        trajectory = bench.stepping.current
        for step, what in (("describe", "importing"), ("relate", "weights"), ("relate", ""), ("relate", "rest")):
            batch._hear(Loading(trajectory, step, what))
        assert batch_words.loading(batch) == ["loading other: rest", "loading told: importing"]
        batch._hear(Loading(trajectory, "relate", ""))
        assert batch_words.loading(batch) == ["loading told: importing"]
        assert "loading told: importing" in batch_words.details(batch)
        batch._hear(Loading(trajectory, "describe", ""))
        assert batch_words.loading(batch) == []
        gate.let_through()
        await batch.wait()


async def test_a_batch_says_that_its_judges_model_is_being_loaded_until_it_is(path: Path) -> None:
    gate = Heavy(held=True)
    with bench_on(path, limit=1) as bench:
        async with app_on(bench.stepping, bench=bench).run_test(size=(140, 40)) as pilot:
            await idle(pilot)
            judge = await bench.judge("random", bench.asked.plan)
            judge.respondent = gate  # type: ignore[assignment]
            batch = bench.begin_here(judge=judge)
            await until(lambda: "loading judge random: loading the weights (3.2 GB) for cpu" in words(pilot))
            gate.let_through()
            await batch.wait()
            await until(lambda: "✓ done 1/1" in words(pilot))
            assert "loading" not in words(pilot)
