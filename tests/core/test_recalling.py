"""The engine's side of the cache: who may be answered by whom, and the same asked twice at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from core.benchmarks import registry
from core.engine import SHAM_REPEATS, Engine
from core.errors import CallError
from core.events import Event, Spared, Spent
from core.forking import ForkingEngine
from core.interventions import Intervention, as_sham, asks_anew, what_if
from core.plan import Plan
from core.prompts import prompts_for
from core.records import Answer, Call, Item, Status, Step, Trajectory, Usage, digest
from core.respondents.base import OnDelta, Request
from core.scoring import scorers_of
from tests.core.questions import change_of_all
from tests.memory_journal import MemoryJournal

VOILA = registry.get("voila")


class Sender:
    """A respondent that sends what the turn and its history say, and consults what is recalled before."""

    name = "sender"
    kind = "model"
    looks = False
    draws = False
    in_flight = 8
    identity = {"sender": 1}  # noqa: RUF012

    def __init__(self, say: Callable[[Request], str] | None = None) -> None:
        self.say = say or (lambda request: request.turn.gold_text)
        self.asked: list[tuple[str, int]] = []

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        sent = digest([[exchange.answer for exchange in request.history], request.turn.text, len(request.turn.shows)])
        known = await request.recalled(sent, ())
        if known is not None:
            return known
        self.asked.append((request.turn.step, request.repeat))
        await asyncio.sleep(0)
        return Answer(self.say(request), call=Call("answer", sent, {}, {}, usage=Usage(10, 1, 0.5)))

    async def preview(self, request: Request) -> None:
        pass

    async def close(self) -> None:
        pass


def plan_of(respondent: Sender, protocol: str = "l2m", **options: object) -> Plan:
    return Plan(
        VOILA,
        VOILA.protocols[protocol]("ND", {}, prompts_for("voila")),
        respondent,  # type: ignore[arg-type]
        scorers_of(VOILA),
        **options,  # type: ignore[arg-type]
    )


def again(item: Item, number: int) -> Item:
    """Another item that asks and shows the same."""
    return replace(item, id=f"{item.id}-{number}")


async def run(journal: MemoryJournal, respondent: Sender, *items: Item, **options: object) -> Engine:
    engine = Engine(plan_of(respondent, **options), journal)
    await engine.run(items)
    return engine


def steps_of(journal: MemoryJournal, item: Item) -> list[tuple[str, bool, bool]]:
    (found,) = [t for t in journal.trajectories.values() if t.item.id == item.id and t.parent is None]
    return [(s.turn.step, s.answer.call is not None, s.answer.recalled is not None) for s in found.steps]


async def test_what_was_asked_before_is_recalled_and_costs_nothing() -> None:
    journal, first, second = MemoryJournal(), Sender(), Sender(lambda request: "something else")
    item = change_of_all()
    await run(journal, first, item)
    events: list[Event] = []
    engine = Engine(plan_of(second), journal, events.append)
    totals = await engine.run([again(item, 2)])
    assert second.asked == []
    assert (totals.steps, totals.recalled, totals.prompt_tokens, totals.cost) == (3, 3, 0, None)
    assert sum(isinstance(event, Spared) for event in events) == 3
    assert not any(isinstance(event, Spent) for event in events)
    assert steps_of(journal, again(item, 2)) == [(step, False, True) for step in ("describe", "relate", "apply")]
    (done,) = [t for t in journal.trajectories.values() if t.item.id == again(item, 2).id]
    assert all(step.scores[0].correct for step in done.steps)


async def test_another_history_and_another_repeat_ask_anew() -> None:
    journal, sender = MemoryJournal(), Sender()
    item = change_of_all()
    await run(journal, sender, item)
    await run(journal, sender, again(item, 2), repeats=2)
    assert sender.asked[3:] == [(step, 1) for step in ("describe", "relate", "apply")]
    other = Sender(lambda request: "no idea")
    engine = Engine(plan_of(other), MemoryJournal())
    await engine.run([item])
    assert len(other.asked) == 3


async def test_the_same_asked_at_once_is_asked_once() -> None:
    journal, sender = MemoryJournal(), Sender()
    engine = await run(journal, sender, *(again(change_of_all(), number) for number in range(8)))
    assert sender.asked == [(step, 0) for step in ("describe", "relate", "apply")]
    assert (engine.totals.recalled, engine.totals.steps) == (21, 24)
    assert engine.totals.prompt_tokens == 30


async def test_who_waits_asks_where_the_first_one_failed() -> None:
    failed: list[str] = []

    def say(request: Request) -> str:
        if not failed:
            failed.append(request.item.id)
            raise CallError("503", call=Call("answer", "h", {}, None, error="503"))
        return request.turn.gold_text

    journal, sender = MemoryJournal(), Sender(say)
    engine = await run(journal, sender, *(again(change_of_all(), number) for number in range(3)))
    assert (engine.totals.failed, engine.totals.finished) == (1, 2)
    assert [step for step, _ in sender.asked] == ["describe", "describe", "relate", "apply"]


async def test_who_waits_asks_where_the_first_one_was_cancelled() -> None:
    under_way = asyncio.Event()

    class Hanging(Sender):
        async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
            answer = await super().answer(request, on_delta)
            if not under_way.is_set():
                under_way.set()
                await asyncio.sleep(3600)
            return answer

    journal, sender = MemoryJournal(), Hanging()
    engine = Engine(plan_of(sender, "direct"), journal)
    first, second = (
        asyncio.create_task(engine.run([again(change_of_all(), number)], in_flight=1)) for number in range(2)
    )
    await under_way.wait()
    await asyncio.sleep(0)
    assert len(sender.asked) == 1
    first.cancel()
    await second
    assert len(sender.asked) == 2
    assert steps_of(journal, again(change_of_all(), 1)) == [("apply", True, False)]


async def test_failed_calls_and_refusals_by_an_error_are_never_recalled() -> None:
    class Refusing(Sender):
        async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
            answer = await super().answer(request, on_delta)
            assert answer.call is not None
            return Answer("", Status.REFUSAL, call=replace(answer.call, error="content_filter"))

    journal, refusing = MemoryJournal(), Refusing()
    await run(journal, refusing, change_of_all(), again(change_of_all(), 2), protocol="direct")
    assert len(refusing.asked) == 2


@pytest.mark.parametrize("kind", ["gold", "sham", "prompt"])
async def test_behind_an_intervention_nothing_plain_is_recalled(kind: str) -> None:
    """An answer equal to the gold, or one that comes again in a sham, must not bring the plain answers after it."""
    journal, sender, item = MemoryJournal(), Sender(), change_of_all()
    await run(journal, sender, item)
    del sender.asked[:]
    intervention = Intervention("describe", kind, text="What do you see?" if kind == "prompt" else "")  # type: ignore[arg-type]
    chosen = as_sham((intervention,)) if kind == "sham" else (intervention,)
    await run(journal, sender, again(item, 2), interventions=chosen)
    after = [("relate", 0), ("apply", 0)]
    assert (
        sender.asked == {"gold": [], "sham": [("describe", SHAM_REPEATS)], "prompt": [("describe", 0)]}[kind] + after
    )
    del sender.asked[:]
    await run(journal, sender, again(item, 3), interventions=chosen)
    assert sender.asked == ([("describe", SHAM_REPEATS), *after] if kind == "sham" else [])
    await run(journal, sender, again(item, 4))
    assert sender.asked == ([("describe", SHAM_REPEATS), *after] if kind == "sham" else [])


async def test_the_respondents_own_answer_under_an_intervention_is_the_plain_one() -> None:
    journal, sender, item = MemoryJournal(), Sender(), change_of_all()
    await run(journal, sender, item, protocol="direct")
    await run(
        journal, sender, again(item, 2), protocol="direct", interventions=(Intervention("apply", "wrong", "action"),)
    )
    assert sender.asked == [("apply", 0)]


async def test_asking_again_asks() -> None:
    journal, sender, item = MemoryJournal(), Sender(), change_of_all()

    async def asked_again(number: int) -> Trajectory:
        engine = ForkingEngine(plan_of(sender), journal)
        return await engine.ask_again(await engine.to_end(await journal.take_up(again(item, number), 0)), 1, repeat=1)

    await asked_again(1)
    del sender.asked[:]
    forked = await asked_again(2)
    assert sender.asked == [("relate", 1)]
    await Engine(plan_of(sender), journal).to_end(forked)
    assert sender.asked == [("relate", 1), ("apply", 0)]


@pytest.mark.parametrize(
    ("lane", "behind", "anew"),
    [
        ("", "", False),
        ("describe=gold", "describe=gold", False),
        ("describe=@other+relate=wrong:action", "relate=wrong:action", False),
        ("describe=@other", "", False),
        ("describe=sham", "describe=sham", True),
        ("describe=gold+relate=again", "describe=gold+relate=again", True),
    ],
)
def test_what_stands_in_a_lane(lane: str, behind: str, anew: bool) -> None:
    assert (what_if(lane), asks_anew(lane)) == (behind, anew)


class Slow(MemoryJournal):
    """Counts answers that were paid for and are not stored; storing takes a while."""

    def __init__(self) -> None:
        super().__init__()
        self.unstored = self.most = 0

    async def add_step(self, trajectory: Trajectory, step: Step, *, last: bool = False) -> Trajectory:
        longer = await super().add_step(trajectory, step, last=last)
        await self._stored(step)
        return longer

    async def add_sibling(self, trajectory: Trajectory, step: Step) -> Step:
        stored = await super().add_sibling(trajectory, step)
        await self._stored(step)
        return stored

    async def _stored(self, step: Step) -> None:
        for _ in range(7):
            await asyncio.sleep(0)
        self.unstored -= step.answer.call is not None


class Watched(Sender):
    """Every item asks something of its own; counts requests made ready at once, and calls that are not stored."""

    def __init__(self, journal: Slow) -> None:
        super().__init__()
        self.journal = journal
        self.ready = self.most_ready = 0

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        self.ready += 1
        self.most_ready = max(self.most_ready, self.ready)
        sent = digest([request.item.id, request.turn.step])
        known = await request.recalled(sent, ())
        if known is None:
            self.journal.unstored += 1
            self.journal.most = max(self.journal.most, self.journal.unstored)
            await asyncio.sleep(0)
            known = Answer(request.turn.gold_text, call=Call("answer", sent, {}, {}))
        self.ready -= 1
        return known


@pytest.mark.parametrize("sham", [False, True])
async def test_a_call_has_its_place_until_it_is_stored_however_many_requests_are_made_ahead(sham: bool) -> None:
    """What a killed process pays for twice: never more than ``in_flight`` calls are without a stored answer."""
    journal = Slow()
    respondent = Watched(journal)
    put_in = as_sham((Intervention("relate", "gold"),)) if sham else ()
    engine = Engine(plan_of(respondent, interventions=put_in), journal)
    totals = await engine.run([change_of_all(number) for number in range(1, 31)], in_flight=3, ahead=4)
    assert (totals.finished, journal.unstored) == (30, 0)
    assert journal.most == 3
    assert respondent.most_ready == 7


async def test_a_place_is_given_back_by_a_call_that_fails_or_is_cancelled() -> None:
    failed = CallError("no", fatal=False)

    def fails(request: Request) -> str:
        raise failed

    journal, respondent = MemoryJournal(), Sender(fails)
    engine = Engine(plan_of(respondent), journal)
    totals = await engine.run([change_of_all(number) for number in range(1, 9)], in_flight=1, ahead=2)
    assert (totals.failed, len(respondent.asked)) == (8, 8)
