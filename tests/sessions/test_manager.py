"""Batches beside other work: paused, gone on with, cancelled, retried, refused, taken up by another process."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from core.config import Config
from core.errors import BudgetError, CallError, RespondentError, UsageError
from core.events import StepDone
from core.records import Answer, Progress, Status
from core.respondents.base import OnDelta
from core.respondents.base import Request as Asking
from sessions import reading
from sessions.background import State
from sessions.cells import cells_of
from sessions.extents import asked_for
from sessions.manager import Manager, open_request
from sessions.pace import Pace
from sessions.reopening import request_of
from sessions.running import the_only_batch
from sessions.runs import runs
from sessions.store import Store
from tests.tui.batching import Gate, bench_on, until
from tui.state.batch_words import details, failures, line
from tui.state.beginning import Beginning, commands
from tui.state.live import Live

STEPS = 4


def done(store: Store, run: int) -> int:
    return sum(1 for _ in reading.finished(store, run))


async def test_a_batch_asks_every_item_and_tells_what_it_does(path: Path) -> None:
    with bench_on(path, limit=5) as bench:
        heard: Counter[type] = Counter()
        bench.manager.listeners.append(lambda batch, event: heard.update([type(event)]))
        batch = bench.begin_here()
        assert (batch.state, batch.total, batch.left) == (State.RUNNING, 5, 5)
        await batch.wait()
        assert (batch.state, batch.finished, batch.failed, batch.left) == (State.DONE, 5, 0, 0)
        assert done(bench.asked.store, bench.asked.run.id) == 5
        assert heard[StepDone] == batch.totals.steps == 5 * len(bench.asked.plan.protocol.steps)
        again = bench.begin_here()
        await again.wait()
        assert (again.finished, again.totals.steps) == (5, 0)
        assert bench.manager.batches == [again]


class CutOff(Gate):
    """Comes to its token limit in every answer."""

    async def answer(self, request: Asking, on_delta: OnDelta | None = None) -> Answer:
        return replace(await super().answer(request, on_delta), status=Status.TRUNCATED)


async def test_a_batch_tells_how_many_answers_were_cut_off(path: Path) -> None:
    with bench_on(path, CutOff(), limit=2) as bench:
        batch = bench.begin_here()
        await batch.wait()
        steps = 2 * len(bench.asked.plan.protocol.steps)
        words = f"{steps} answers cut off at the token limit (raise max_tokens)"
        assert words in details(batch)
        assert words in line([batch], 200)
        assert words not in line([batch], 60), "less is said where there is no room"
    with bench_on(path.with_name("whole.db"), limit=2) as bench:
        batch = bench.begin_here()
        await batch.wait()
        assert "cut off" not in line([batch], 200) + "".join(details(batch))


async def test_the_live_tally_is_what_the_store_counts(path: Path) -> None:
    with bench_on(path, limit=6) as bench:
        await bench.begin_here().wait()
        stored = cells_of(bench.asked.store, [bench.asked.run])
        live = {(c.step, c.property): (c.right, c.n, c.low, c.high) for c in bench.stepping.tally.cells()}
        assert live == {(c.step, c.property): (c.right, c.n, c.low, c.high) for c in stored}


async def test_a_pause_lets_calls_come_back_begins_none_and_goes_on(path: Path) -> None:
    gate = Gate(held=True)
    with bench_on(path, gate, limit=4) as bench:
        batch = bench.begin_here()
        await until(lambda: batch.under_way == 2)
        batch.pause()
        gate.let_through()
        await until(lambda: batch.under_way == 0)
        await asyncio.sleep(0.02)
        assert (batch.state, gate.asked, batch.totals.steps) == (State.PAUSED, 2, 2)
        assert batch.seconds_left() is None
        batch.go_on()
        await batch.wait()
        assert (batch.state, batch.finished) == (State.DONE, 4)


async def test_a_cancelled_batch_keeps_what_came_and_starts_again_without_asking_it_twice(path: Path) -> None:
    gate = Gate()
    with bench_on(path, gate, limit=4) as bench:
        batch = bench.begin_here()
        await until(lambda: batch.totals.steps >= 3)
        await batch.end()
        assert bench.newly_ended() == [batch]
        kept = batch.totals.steps
        assert batch.state is State.CANCELLED
        assert 3 <= kept < 4 * len(bench.asked.plan.protocol.steps)
        assert asked_for(bench.asked.store.reader()) == {bench.asked.run.id: 4}
        batch.start()
        await batch.wait()
        assert (batch.state, batch.finished) == (State.DONE, 4)
        assert done(bench.asked.store, bench.asked.run.id) == 4
        assert gate.asked <= 4 * len(bench.asked.plan.protocol.steps) + gate.in_flight
        assert bench.stepping.to_recount
        await Live(bench.asked.store, bench.asked.run, bench.stepping).refresh()
        live = {(c.step, c.property, c.right, c.n) for c in bench.stepping.tally.cells()}
        assert live == {(c.step, c.property, c.right, c.n) for c in cells_of(bench.asked.store, [bench.asked.run])}


async def test_the_failed_alone_are_asked_again_and_their_reasons_are_told(path: Path) -> None:
    gate = Gate(fails={"voila-2": CallError("too [many] requests", where="told")})
    with bench_on(path, gate) as bench:
        items = list(bench.items())[:3]
        batch = bench.manager.start(bench.asked, items)
        await batch.wait()
        assert (batch.state, batch.finished, batch.failed) == (State.DONE, 2, 1)
        assert failures(batch, 5) == ["1 x told: too [many] requests  (first: voila-2 at describe)"]
        gate.fails.clear()
        gate.items.clear()
        batch.retry_failed()
        await batch.wait()
        assert set(gate.items) == {"voila-2"}
        assert (batch.finished, batch.failed, batch.left) == (3, 0, 0)


async def test_a_fatal_failure_stops_the_batch_with_its_reason_and_frees_the_run(path: Path) -> None:
    gate = Gate(fails={"voila-1": CallError("the key is wrong", where="told", fatal=True)})
    with bench_on(path, gate) as bench:
        batch = bench.begin_here()
        await batch.wait()
        assert (batch.state, batch.stopped) == (State.STOPPED, "told: the key is wrong")
        assert "stopped: told: the key is wrong" in details(batch)
        with the_only_batch(bench.asked.store, bench.asked.run):
            pass


async def test_a_bug_in_a_respondent_stops_the_batch_and_frees_the_run(path: Path) -> None:
    with bench_on(path, Gate(fails={"voila-1": RuntimeError("a bug")})) as bench:
        batch = bench.begin_here()
        await batch.wait()
        assert (batch.state, batch.stopped) == (State.STOPPED, "RuntimeError: a bug")
        batch.start()
        await batch.wait()


async def test_a_run_that_another_process_runs_is_refused_in_words(path: Path) -> None:
    with bench_on(path, limit=2) as bench:
        with the_only_batch(bench.asked.store, bench.asked.run):
            with pytest.raises(UsageError, match="another process is running this run"):
                bench.begin_here()
            assert not bench.manager.live
        gate = bench.begin_here()
        with pytest.raises(UsageError, match="a batch of this run is going already"):
            bench.begin_here()
        held = pytest.raises(UsageError, match="another process is running this run")
        with held, the_only_batch(bench.asked.store, bench.asked.run):
            pass
        await gate.wait()


async def test_a_run_that_is_out_in_a_batch_of_the_server_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sessions.background.anything_out", lambda store, run: True)
    with bench_on(path, limit=2) as bench:
        with pytest.raises(UsageError, match="out in a batch of the server's"):
            bench.begin_here()
        with the_only_batch(bench.asked.store, bench.asked.run):
            pass


async def test_several_at_once_and_an_intervention_with_its_sham(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    all_begun = asyncio.Event()
    with bench_on(path, limit=4) as bench:
        await bench.begin_here().wait()
        monkeypatch.setattr(bench.manager, "_turn", all_begun.wait)  # or the first may be done before the last begins
        found = await bench.begin_intervened("describe=gold")
        other = await bench.begin_with("oracle")
        assert len(bench.manager.live) == 3
        all_begun.set()
        for batch in (*found, *other):
            await batch.wait()
        assert [batch.state for batch in bench.batches] == [State.DONE] * 4
        cells = cells_of(bench.asked.store, [s.run for s in runs(bench.asked.store)])
        lanes = {cell.interventions for cell in cells}
        assert lanes == {"", "describe=gold", "describe=sham"}
        assert line(bench.batches, 200).startswith("✓ done 4/4")


async def test_an_intervention_is_begun_where_this_run_has_finished_and_nowhere_else(path: Path) -> None:
    with bench_on(path, limit=4) as bench:
        with pytest.raises(UsageError, match="none of these items is finished yet"):
            await bench.begin_intervened("describe=gold")
        await bench.manager.start(bench.asked, [bench.items()[0], bench.items()[1]]).wait()
        for batch in await bench.begin_intervened("describe=gold"):
            await batch.wait()
            assert (batch.finished, batch.failed, batch.total) == (2, 0, 2)
        bench.stepping.take_view(bench.stepping.roster.match("no-such-word", "as in the data"))
        with pytest.raises(UsageError, match="none of these items is finished yet"):
            await bench.begin_intervened("relate=gold")


async def test_items_that_fail_alike_are_told_once_with_the_first_of_them(path: Path) -> None:
    with bench_on(path, limit=4, name="plain") as bench:
        await bench.manager.start(bench.asked, [bench.items()[0]]).wait()
        request = replace(request_of(bench.asked.run), interventions=("describe=gold",), base_run="plain")
        opening = open_request(bench.asked.store, request, Config())
        batch = bench.manager.start(opening.asked, opening.items)
        await batch.wait()
        (told,) = failures(batch, 5)
        assert told.startswith("3 x the run it starts from has no plain step of this item.")
        assert told.endswith(f"(first: {bench.items()[1].id} at describe)")
        assert list(batch.totals.first.values()) == [f"{bench.items()[1].id} at describe"]


async def test_somebody_else_is_asked_every_step_and_from_no_other_run(path: Path) -> None:
    with bench_on(path, limit=2, name="plain") as bench:
        await bench.begin_here().wait()
        plain = request_of(bench.asked.run)
        request = replace(plain, respondents_at={"describe": "random"}, base_run="plain")
        bench.asked = open_request(bench.asked.store, request, Config()).asked
        (line_to_copy,) = commands(bench, Beginning("here"))
        assert "--from plain " in line_to_copy, "by its name, not by its uid"
        (other,) = await bench.begin_with("oracle")
        await other.wait()
        config = other.asked.run.config
        assert (config.respondent, config.respondents_at, config.base_run) == ("oracle", {}, "")
        assert request_of(other.asked.run) == replace(plain, respondent="oracle")
        assert (other.state, other.failed, other.finished) == (State.DONE, 0, 2)


async def test_only_the_items_in_the_filter_are_asked(path: Path) -> None:
    with bench_on(path) as bench:
        state = bench.stepping
        state.take_view(state.roster.match("structure=CSS", "as in the data"))
        wanted = {item.id for item in bench.items()}
        assert bench.chosen() == wanted
        assert 0 < len(wanted) < len(state.items)
        await bench.begin_here().wait()
        assert {t.item.id for t in reading.finished(bench.asked.store, bench.asked.run.id)} == wanted
        (other,) = await bench.begin_with("oracle")
        await other.wait()
        assert {t.item.id for t in reading.finished(bench.asked.store, other.asked.run.id)} == wanted
        with pytest.raises(UsageError, match="no items"):
            bench.manager.start(bench.asked, [])


async def test_nobody_is_asked_where_the_gate_is_closed_or_items_are_still_read(path: Path) -> None:
    with bench_on(path, limit=2) as bench:
        bench.stepping.roster.complete = False
        with pytest.raises(UsageError, match="still being read"):
            bench.begin_here()
        bench.stepping.roster.complete = True
        bench.stepping.gate.asking = lambda item: "nobody can be asked in this run: the data has changed"
        with pytest.raises(UsageError, match="the data has changed"):
            bench.begin_here()


async def test_an_unpriced_respondent_refuses_a_budget_and_leaves_the_run_free(path: Path) -> None:
    from core.prices import Prices

    class Priced(Gate):
        prices = Prices()

        def charge(self, budget: object) -> None:
            """Counts nothing."""

    with bench_on(path, Priced(), limit=2) as bench:
        with pytest.raises(RespondentError, match="a budget needs to know its prices"):
            bench.begin_here(budget=1.0)
        await bench.begin_here().wait()


async def test_what_was_killed_is_taken_up_by_the_next_process(path: Path) -> None:
    """Nothing is closed: the loop's tasks are dropped as a kill drops them, and another store goes on."""
    gate = Gate()
    with bench_on(path, gate, limit=4, name="killed") as bench:
        batch = bench.begin_here()
        await until(lambda: batch.totals.steps >= 5)
        await batch.end()
    before = gate.asked
    with bench_on(path, gate, limit=4, name="killed") as bench:
        batch = bench.begin_here()
        await batch.wait()
        assert batch.finished == 4
        assert gate.asked <= 4 * len(bench.asked.plan.protocol.steps) + gate.in_flight
        assert before + batch.totals.steps >= 4 * len(bench.asked.plan.protocol.steps)


async def test_closing_settled_waits_for_the_calls_under_way(path: Path) -> None:
    gate = Gate(held=True)
    with bench_on(path, gate, limit=4) as bench:
        batch = bench.begin_here()
        await until(lambda: batch.under_way == 2)
        closing = asyncio.create_task(bench.manager.close(settle=True))
        await asyncio.sleep(0.01)
        assert not closing.done()
        gate.let_through()
        await closing
        assert (batch.state, batch.totals.steps) == (State.CANCELLED, 2)
        stored = [t for item in bench.items() for t in await bench.asked.journal.all_on(item)]
        assert sorted(len(t.steps) for t in stored) == [1, 1]
        assert {t.progress for t in stored} == {Progress.OPEN}


async def test_closing_settled_does_not_wait_for_what_the_budget_stopped(path: Path) -> None:
    """The one that the budget stops tells no event; the other is held at its next step by the pause."""
    gate = Gate(held=True, fails={"voila-1": BudgetError("the budget is spent")})
    with bench_on(path, gate) as bench:
        batch = bench.begin_here()
        await until(lambda: batch.under_way == 2)
        closing = asyncio.create_task(batch.settle())
        await until(lambda: batch.state is State.PAUSED)
        gate.let_through()
        await asyncio.wait_for(closing, 20)
        assert (batch.live, batch.under_way, batch.totals.steps) == (False, 0, 1)


async def test_steps_of_many_batches_begin_one_in_a_turn_of_the_loop() -> None:
    manager, log, turns = Manager(), [], 0

    async def step() -> None:
        await manager._turn()
        log.append(turns)

    async def count() -> None:
        nonlocal turns
        while len(log) < 20:
            turns += 1
            await asyncio.sleep(0)

    await asyncio.gather(count(), *(step() for _ in range(20)))
    assert max(Counter(log).values()) == 1


async def test_no_step_begins_while_a_key_is_answered() -> None:
    manager, loop = Manager(), asyncio.get_running_loop()
    manager.give_way(0.05)
    pressed = loop.time()
    await asyncio.gather(manager._turn(), manager._turn())
    assert loop.time() - pressed >= 0.05
    pressed = loop.time()
    waiting = asyncio.ensure_future(manager._turn())
    manager.give_way(0.02)
    await asyncio.sleep(0)
    manager.give_way(0.05)  # one more, meanwhile
    await waiting
    assert loop.time() - pressed >= 0.05


def test_pace_leaves_pauses_out_and_forgets_what_was_long_ago() -> None:
    now = 0.0
    pace = Pace(lambda: now)
    pace.go()
    for _ in range(10):
        now += 1
        pace.count(steps=2, settled=1)
    assert (pace.steps_per_second(), pace.seconds_for(30)) == (2.0, 30.0)
    pace.hold()
    now += 1000
    assert pace.seconds == 10
    pace.go()
    for _ in range(60):
        now += 1
        pace.count(steps=1)
    assert pace.steps_per_second() == pytest.approx(1.0)
    assert pace.seconds_for(30) is None
    assert pace.seconds == 70
