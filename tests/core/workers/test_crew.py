"""Trajectories that run elsewhere: the same steps and events as here, whoever dies on the way."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import replace

import pytest

from core.errors import BudgetError, CallError, RespondentError, StoreError, UsageError
from core.events import Failed, Loading, Spared, Spent, TrajectoryDone
from core.records import Answer, Item, Progress, Step, Trajectory
from core.respondents.base import OnDelta, Request
from core.respondents.baselines import Seeing
from core.respondents.budget import Budget
from core.workers import terms as terms_module
from core.workers.crew import STRIKES
from core.workers.words import Added, Asks, Ready, Word
from tests.core.workers.loops import Loops, Ran, prepared
from tests.core.workers.senders import sender_plans
from tests.memory_journal import MemoryJournal


async def test_the_same_steps_and_events_as_in_this_process() -> None:
    ready = prepared(repeats=2)
    here = await Ran().go(ready)
    there = await Ran().go(ready, Loops(2))
    assert there.steps() == here.steps()
    assert len(there.steps()) == 12
    for item in ready.selection:
        assert sorted(there.told(item.id)) == sorted(here.told(item.id))
    assert there.engine is not None
    assert here.engine is not None
    for count in ("before", "finished", "failed", "steps", "recalled"):
        assert getattr(there.engine.totals, count) == getattr(here.engine.totals, count)


async def test_in_each_trajectory_events_come_in_their_order() -> None:
    ready = prepared(limit=1)
    here, there = await Ran().go(ready), await Ran().go(ready, Loops(1))
    (item,) = ready.selection
    assert there.told(item.id) == here.told(item.id)


async def test_that_a_model_is_being_loaded_is_heard_here(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = Seeing.answer

    async def loads_first(self: Seeing, request: Request, on_delta: OnDelta | None = None) -> Answer:
        assert request.on_loading is not None
        request.on_loading("loading the weights")
        request.on_loading("")
        return await answers(self, request, on_delta)

    monkeypatch.setattr(Seeing, "answer", loads_first)
    there = await Ran().go(prepared(limit=1), Loops(1))
    heard = [(event.step, event.what) for event in there.events if isinstance(event, Loading)]
    steps = ("describe", "relate", "apply")
    assert heard == [(step, what) for step in steps for what in ("loading the weights", "")]


async def test_a_run_goes_on_from_where_the_journal_has_it() -> None:
    ready = prepared()
    whole = await Ran().go(ready)
    begun = MemoryJournal()
    for trajectory in list(whole.journal.trajectories.values())[:4]:
        steps = trajectory.steps[: trajectory.id % 4]
        if steps:
            begun._keep(Trajectory(trajectory.item, steps=steps))
    there = await Ran().go(ready, Loops(2), journal=begun)
    assert there.steps() == whole.steps()
    again = await Ran().go(ready, Loops(2), journal=begun)
    assert again.engine is not None
    assert (again.engine.totals.before, again.engine.totals.steps) == (6, 0)


@pytest.mark.parametrize("seed", range(3))
async def test_workers_that_die_at_any_word_lose_nothing_and_store_nothing_twice(seed: int) -> None:
    ready = prepared(limit=12, repeats=4)
    here = await Ran().go(ready)
    chances = random.Random(seed)
    deaths = 0

    def dies(_: int, word: Word) -> bool:
        nonlocal deaths
        dead = deaths < 7 and not isinstance(word, Ready) and chances.random() < 0.03
        deaths += dead
        return dead

    there = await Ran().go(ready, Loops(2, dies))
    assert there.steps() == here.steps()
    assert there.crew is not None
    assert there.crew.restarts == deaths > 2
    assert len([line for line in there.lines if "another takes its place" in line]) == deaths
    done = Counter(
        (event.trajectory.item.id, event.trajectory.repeat)
        for event in there.events
        if isinstance(event, TrajectoryDone)
    )
    assert set(done.values()) == {1}


async def test_a_trajectory_that_kills_every_worker_fails_and_the_others_do_not() -> None:
    ready = prepared()
    poison: set[int] = set()

    def dies(_: int, word: Word) -> bool:
        return isinstance(word, Asks) and word.job in poison

    ran = Ran()
    hiring = Loops(1, dies)
    run = asyncio.ensure_future(ran.go(ready, hiring))
    first = next(iter(ready.selection)).id
    while not run.done():
        await asyncio.sleep(0)
        for hand in ran.crew.hands.values() if ran.crew is not None else ():
            poison |= {job for job, errand in hand.errands.items() if errand.trajectory.item.id == first}
    await run
    (failed,) = [event for event in ran.events if isinstance(event, Failed)]
    assert failed.trajectory.item.id == first
    assert failed.reason == f"{STRIKES} workers died while it was asked"
    assert ran.engine is not None
    assert (ran.engine.totals.finished, ran.engine.totals.failed) == (5, 1)
    (kept,) = [t for t in ran.journal.trajectories.values() if t.item.id == first]
    assert (kept.progress, kept.steps) == (Progress.FAILED, ())


async def test_workers_that_die_one_after_the_other_end_the_run() -> None:
    hiring = Loops(2, lambda _, word: isinstance(word, Ready))
    with pytest.raises(RespondentError, match="11 workers died one after the other and answered nothing"):
        await Ran().go(prepared(), hiring)


async def test_where_nobody_can_be_hired_any_more_the_run_ends_and_what_is_stored_stays() -> None:
    ready = prepared(limit=14, repeats=60)
    ran, hiring = Ran(), Loops(2)
    run = asyncio.ensure_future(ran.go(ready, hiring))
    while len(ran.events) < 30:
        await asyncio.sleep(0)
    hiring.lose()
    with pytest.raises(RespondentError, match="lost by the test"):
        await run
    assert 0 < sum(len(t.steps) for t in ran.journal.trajectories.values()) < 14 * 60 * 3
    assert all(link.worker.ended.is_set() or link.dead for link in hiring.links)


async def test_a_worker_that_can_have_no_plan_ends_the_run_with_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terms_module, "own_version", iter(["1", "1", *["2"] * 9]).__next__)
    with pytest.raises(UsageError, match="would ask otherwise than this program"):
        await Ran().go(prepared(), Loops(2))


async def test_a_fault_of_the_journal_ends_the_run_as_it_does_here() -> None:
    class Full(MemoryJournal):
        async def add_step(self, trajectory: Trajectory, step: Step, *, last: bool = False) -> Trajectory:
            raise StoreError("nothing could be written: disk full")

    with pytest.raises(StoreError, match="disk full"):
        await Ran().go(prepared(), Loops(2), journal=Full())


async def test_where_another_process_has_stored_a_step_the_worker_goes_on_from_that() -> None:
    class Shared(MemoryJournal):
        async def add_step(self, trajectory: Trajectory, step: Step, *, last: bool = False) -> Trajectory:
            if step.turn.step == "describe":  # somebody said something else there, and was faster
                step = replace(step, turn=replace(step.turn), answer=Answer("number = one; no idea"))
            return await super().add_step(trajectory, step, last=last)

    ready = prepared(limit=3)
    here = await Ran().go(ready, journal=Shared())
    there = await Ran().go(ready, Loops(1), journal=Shared())
    assert there.steps() == here.steps()
    assert {steps[0].answer.text for steps in there.steps().values()} == {"number = one; no idea"}


async def test_cancelling_leaves_what_is_stored_and_ends_the_workers() -> None:
    ready = prepared(limit=8, repeats=3)
    ran, hiring = Ran(), Loops(2)
    run = asyncio.ensure_future(ran.go(ready, hiring))
    while len(ran.events) < 30:
        await asyncio.sleep(0)
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    assert all(link.worker.ended.is_set() for link in hiring.links)
    kept = len(ran.journal.trajectories)
    await asyncio.sleep(0.05)
    assert len(ran.journal.trajectories) == kept
    whole = await Ran().go(ready)
    rest = await Ran().go(ready, Loops(2), journal=ran.journal)
    assert rest.steps() == whole.steps()


# -- what only the driver has: other runs' steps, answers recalled, the budget


@pytest.mark.parametrize(
    "interventions", [("describe=gold",), ("describe=wrong:subject",), ("relate=gold:number",)], ids=str
)
@pytest.mark.parametrize("sham", [False, True], ids=["", "sham"])
@pytest.mark.parametrize("from_run", [False, True], ids=["", "from"])
async def test_interventions_and_runs_that_start_from_others(
    interventions: tuple[str, ...], sham: bool, from_run: bool
) -> None:
    plain = await Ran().go(prepared())

    async def base(item: Item, repeat: int) -> tuple[Step, ...]:
        return plain.steps()[item.id, repeat, 0]

    ready = prepared(interventions=interventions, sham=sham)
    given = base if from_run else None
    here = await Ran().go(ready, base=given)
    there = await Ran().go(ready, Loops(2), base=given)
    assert there.steps() == here.steps()
    assert Counter(step.answer.text for step in there.journal.siblings) == Counter(
        step.answer.text for step in here.journal.siblings
    )


async def test_a_fatal_failure_of_a_call_ends_the_run() -> None:
    """As the engine raises it, with the trajectory marked failed."""

    async def nothing(item: Item, repeat: int) -> tuple[Step, ...]:
        raise CallError("the run has no plain step", fatal=True)

    for hiring in (None, Loops(1)):
        ran = Ran()
        with pytest.raises(CallError, match="has no plain step"):
            await ran.go(prepared(limit=1), hiring, base=nothing)
        assert [type(event).__name__ for event in ran.events] == ["Failed"]


async def test_a_budget_that_is_reached_stops_the_run_and_leaves_the_rest_open() -> None:
    with sender_plans():
        budget = Budget(1.0)
        ran = Ran()
        with pytest.raises(BudgetError):
            await ran.go(prepared(limit=10), Loops(2), budget=budget)
    assert budget.spent <= 1.0
    assert budget.spent == pytest.approx(1.0)
    assert budget.uncertain == 0
    assert sum(isinstance(event, Spent) for event in ran.events) == 10


async def test_what_a_dead_worker_had_reserved_counts_as_spent() -> None:
    with sender_plans():
        budget = Budget(100.0)
        dead: list[int] = []

        def dies(turn: int, word: Word) -> bool:
            if isinstance(word, Added) and len(dead) < 2:
                dead.append(turn)
                return True
            return False

        ran = await Ran().go(prepared(limit=4), Loops(1, dies), budget=budget)
    assert ran.engine is not None
    assert ran.engine.totals.finished == 4
    assert budget.spent == pytest.approx(0.1 * 12)
    assert budget.uncertain <= 0.1 * 16
    assert budget._outstanding == 0


async def test_two_workers_that_ask_the_same_at_once_ask_it_once() -> None:
    with sender_plans() as asked:
        ready = prepared(limit=3)
        items = [replace(item, id=f"{item.id}-{copy}") for item in ready.selection for copy in range(4)]
        journal = MemoryJournal()
        ran = await Ran().go(ready, Loops(3), items=items, journal=journal)
        assert len(asked) == len(set(asked)) == 9
    assert sum(isinstance(event, Spared) for event in ran.events) == 9 * 3
    assert len(ran.steps()) == 12


async def test_a_worker_that_dies_while_others_wait_for_its_answer_frees_them() -> None:
    with sender_plans() as asked:
        ready = prepared(limit=1)
        items = [replace(item, id=f"{item.id}-{copy}") for item in ready.selection for copy in range(6)]
        hiring = Loops(2, lambda turn, word: turn == 1 and isinstance(word, Asks))
        ran = await asyncio.wait_for(Ran().go(ready, hiring, items=items), 20)
        assert len(set(asked)) == 3
    assert ran.engine is not None
    assert ran.engine.totals.finished == 6
    assert ran.crew is not None
    assert ran.crew.restarts == 1
