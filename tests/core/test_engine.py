"""The engine: one loop for run, resume and replay; interventions put in; failures kept apart from answers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import pytest

from core.engine import SHAM_REPEATS, Engine
from core.errors import CallError, UsageError
from core.events import Delta, Event, Failed, StepDone, Waiting, Waits
from core.forking import ForkingEngine
from core.interventions import Intervention, as_sham
from core.plan import Plan
from core.records import (
    Answer,
    Call,
    Item,
    Origin,
    Progress,
    Score,
    Status,
    Step,
    Text,
    Trajectory,
    Turn,
)
from core.respondents.base import OnDelta, Request
from core.respondents.baselines import make_baseline
from core.totals import Totals
from tests.core.questions import change_of_all
from tests.core.scripted import VOILA, Maker, Scripted, done, gold, plan_of
from tests.memory_journal import MemoryJournal


async def test_a_trajectory_asks_each_step_with_the_answers_before_it_and_never_the_reasoning() -> None:
    respondent = Scripted(gold)
    trajectory = await done(plan_of(respondent), MemoryJournal())
    assert [step.turn.step for step in trajectory.steps] == ["describe", "relate", "apply"]
    assert all(step.scores[0].correct for step in trajectory.steps)
    history = respondent.asked[2].history
    assert [exchange.answer for exchange in history] == [step.answer.text for step in trajectory.steps[:2]]
    assert "private thoughts" not in repr(history)


async def test_a_finished_run_asks_nothing_again() -> None:
    journal = MemoryJournal()
    await done(plan_of(Scripted(gold)), journal)
    again = Scripted(gold)
    engine = Engine(plan_of(again), journal)
    totals = await engine.run([change_of_all()])
    assert again.asked == []
    assert (totals.before, totals.finished, totals.steps) == (1, 0, 0)


async def test_a_failed_call_ends_the_trajectory_there_and_a_rerun_takes_it_up_at_that_step() -> None:
    def fails_at_relate(request: Request) -> str:
        if request.turn.step == "relate":
            raise CallError("the server is away", call=Call("step", "h", {}, {}, error="503"))
        return gold(request)

    journal = MemoryJournal()
    events: list[Event] = []
    failed = await done(plan_of(Scripted(fails_at_relate)), journal, events.append)
    assert failed.progress is Progress.FAILED
    assert [step.turn.step for step in failed.steps] == ["describe"]
    assert any(isinstance(event, Failed) and event.step == "relate" for event in events)

    respondent = Scripted(gold)
    await done(plan_of(respondent), journal)
    assert [request.turn.step for request in respondent.asked] == ["relate", "apply"]
    assert "away" not in repr(respondent.asked)
    assert journal.trajectories[failed.id].progress is Progress.DONE


async def test_a_fatal_failure_stops_the_run() -> None:
    def refused(request: Request) -> str:
        raise CallError("no such key", fatal=True)

    with pytest.raises(CallError, match="no such key"):
        await Engine(plan_of(Scripted(refused)), MemoryJournal()).run([change_of_all(n) for n in range(1, 20)])


async def test_gold_at_a_step_is_not_asked_for_and_stands_in_the_history() -> None:
    respondent = Scripted(gold)
    plan = plan_of(respondent, interventions=(Intervention("describe", "gold"),))
    trajectory = await done(plan, MemoryJournal())
    assert [request.turn.step for request in respondent.asked] == ["relate", "apply"]
    assert trajectory.steps[0].origin is Origin.GOLD
    assert {step.lane for step in trajectory.steps} == {"describe=gold"}
    assert respondent.asked[0].history[0].answer == trajectory.steps[0].turn.gold_text


async def test_gold_for_one_property_changes_that_property_in_the_respondents_own_answer() -> None:
    wrong = "The answer is number = four, subject = foxes, action = reading"
    plan = plan_of(
        Scripted(lambda request: wrong), "direct", interventions=(Intervention("apply", "gold", "number"),)
    )
    journal = MemoryJournal()
    step = (await done(plan, journal)).steps[0]
    assert step.answer.text == "The answer is number = two, subject = foxes, action = reading"
    assert journal.siblings[0].answer.text == wrong
    assert journal.siblings[0].lane == ""


async def test_a_wrong_value_on_purpose_is_wrong_in_that_property_alone() -> None:
    plan = plan_of(Scripted(gold), "direct", interventions=(Intervention("apply", "wrong", "action"),))
    step = (await done(plan, MemoryJournal())).steps[0]
    layout = VOILA.layout("apply")
    assert step.scores[0].right == layout.bit("number") | layout.bit("subject")
    assert step.origin is Origin.WRONG


async def test_a_sham_asks_the_same_step_again_as_the_next_repeat() -> None:
    respondent = Scripted(gold)
    interventions = as_sham((Intervention("describe", "gold"),))
    journal = MemoryJournal()
    trajectory = await done(plan_of(respondent, interventions=interventions), journal)
    first, second = [request for request in respondent.asked if request.turn.step == "describe"]
    assert (first.repeat, second.repeat) == (0, SHAM_REPEATS)
    assert first.turn == second.turn
    assert trajectory.lane == "describe=sham"


async def test_another_prompt_keeps_the_pictures_and_is_marked_as_a_persons() -> None:
    respondent = Scripted(gold)
    plan = plan_of(respondent, interventions=(Intervention("describe", "prompt", text="What do you see?"),))
    trajectory = await done(plan, MemoryJournal())
    asked = respondent.asked[0].turn
    assert (asked.text, asked.made_by, len(asked.shows)) == ("What do you see?", "person", 3)
    assert trajectory.steps[0].lane == "describe=prompt"


async def test_exchanged_pictures_are_asked_with_the_words_and_the_gold_of_the_question() -> None:
    respondent, journal = Scripted(gold), MemoryJournal()
    plan = plan_of(respondent, interventions=(Intervention("describe", "pictures", text="2,1,3"),))
    trajectory = await done(plan, journal)
    asked, plain = respondent.asked[0].turn, plan.protocol.next_turn(change_of_all(), ())
    assert plain is not None
    assert [show.of for show in asked.shows] == [(1,), (0,), (2,)]
    assert (asked.text, asked.gold, asked.made_by) == (plain.text, plain.gold, "person")
    assert {step.lane for step in trajectory.steps} == {"describe=pictures:2,1,3"}
    assert [step.origin for step in trajectory.steps] == [Origin.RESPONDENT] * 3


async def test_an_order_that_an_item_does_not_have_fails_it_and_says_why() -> None:
    respondent, journal = Scripted(gold), MemoryJournal()
    plan = plan_of(respondent, interventions=(Intervention("describe", "pictures", text="2,1"),))
    trajectory = await done(plan, journal)
    assert trajectory.progress is Progress.FAILED
    assert "shows 3 pictures" in trajectory.reason
    assert respondent.asked == []


async def test_steps_of_another_run_are_taken_over_up_to_the_first_difference() -> None:
    first = MemoryJournal()
    stored = await done(plan_of(Scripted(gold)), first)

    async def base(item: object, repeat: int) -> tuple[object, ...]:
        return stored.steps

    respondent = Scripted(gold)
    engine = Engine(plan_of(respondent, options={"cot": "yes"}), MemoryJournal(), base=base)  # type: ignore[arg-type]
    await engine.run([change_of_all()])
    assert [request.turn.step for request in respondent.asked] == ["apply"]


@pytest.mark.parametrize("sham", [False, True])
async def test_what_is_changed_or_repeated_is_the_base_runs_own_answer(sham: bool) -> None:
    """A server says something else each time: meant is the answer that the base run's later steps stand on."""
    said = "Image 1: two foxes reading.\nImage 2: two dogs running.\nImage 3: three cats walking."
    stored = await done(plan_of(Scripted(lambda request: said)), MemoryJournal())

    async def base(item: object, repeat: int) -> tuple[object, ...]:
        return stored.steps

    wrong: tuple[Intervention, ...] = (Intervention("describe", "wrong", "number"),)
    respondent = Scripted(lambda request: "something else")
    journal = MemoryJournal()
    plan = plan_of(respondent, interventions=as_sham(wrong) if sham else wrong)
    await Engine(plan, journal, base=base).run([change_of_all()])  # type: ignore[arg-type]
    first = next(iter(journal.trajectories.values())).steps[0]
    asked = [(request.turn.step, request.repeat) for request in respondent.asked]
    assert journal.siblings == []
    if sham:
        assert asked == [("describe", SHAM_REPEATS), ("relate", 0), ("apply", 0)]
    else:
        assert asked == [("relate", 0), ("apply", 0)]
        assert all(words in first.answer.text for words in ("foxes reading", "dogs running", "cats walking"))


async def test_nothing_different_from_the_run_it_starts_from_is_said() -> None:
    stored = await done(plan_of(Scripted(gold)), MemoryJournal())

    async def base(item: object, repeat: int) -> tuple[object, ...]:
        return stored.steps

    respondent = Scripted(gold)
    engine = Engine(plan_of(respondent), MemoryJournal(), base=base)  # type: ignore[arg-type]
    totals = await engine.run([change_of_all()])
    assert respondent.asked == []
    assert "nothing differs" in next(iter(totals.reasons))


async def test_text_streams_where_it_is_wanted() -> None:
    events: list[Event] = []
    engine = Engine(plan_of(Scripted(gold), "direct"), MemoryJournal(), events.append, stream=True)
    await engine.run([change_of_all()])
    assert [event.text for event in events if isinstance(event, Delta)]
    assert sum(isinstance(event, StepDone) for event in events) == 1


async def test_cancelling_keeps_what_was_stored() -> None:
    journal = MemoryJournal()
    gate = asyncio.Event()

    class Slow(Scripted):
        async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
            if request.turn.step == "relate":
                gate.set()
                await asyncio.sleep(3600)
            return await super().answer(request, on_delta)

    task = asyncio.create_task(Engine(plan_of(Slow(gold)), journal).run([change_of_all()]))
    await gate.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    (kept,) = journal.trajectories.values()
    assert [step.turn.step for step in kept.steps] == ["describe"]
    assert kept.progress is Progress.OPEN


async def test_no_more_than_asked_for_run_at_once() -> None:
    running = most = 0

    class Counted(Scripted):
        async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
            nonlocal running, most
            running += 1
            most = max(most, running)
            await asyncio.sleep(0.001)
            running -= 1
            return Answer(request.turn.gold_text)

    await Engine(plan_of(Counted(gold)), MemoryJournal()).run([change_of_all(n) for n in range(1, 41)], in_flight=3)
    assert most == 3


def test_a_step_that_makes_a_picture_needs_somebody_who_can() -> None:
    plan = plan_of(Scripted(gold), options={"generate": "yes"})
    with pytest.raises(UsageError, match=r"scripted cannot make pictures.*--respondent-at generate=NAME"):
        plan.check()


def test_who_makes_pictures_alone_is_sent_no_step_that_asks_for_words() -> None:
    alone = plan_of(Maker(gold), options={"generate": "yes"})
    with pytest.raises(UsageError, match=r"step describe asks for words.*--respondent-at generate=maker"):
        alone.check()
    with pytest.raises(UsageError, match=r"asks for no picture.*generate=yes"):
        plan_of(Scripted(gold), respondents_at={"relate": Maker(gold)}).check()
    plan_of(Scripted(gold), respondents_at={"generate": Maker(gold)}, options={"generate": "yes"}).check()


async def test_a_made_picture_counts_as_the_respondents_own_in_a_lane_that_names_the_maker() -> None:
    maker = Maker(gold)
    plan = plan_of(Scripted(gold), respondents_at={"generate": maker}, options={"generate": "yes"})
    last = (await done(plan, MemoryJournal())).steps[-1]
    assert (last.turn.step, last.origin, last.lane) == ("generate", Origin.RESPONDENT, "generate=@maker")
    assert last.answer.picture is not None
    assert last.scores[0].scored == 0
    assert maker.asked[0].turn.text.endswith("two cats running")


async def test_gold_at_a_picture_is_a_drawing_of_it() -> None:
    plan = plan_of(
        make_baseline("noisy:0"), options={"generate": "yes"}, interventions=(Intervention("generate", "gold"),)
    )
    plan.check()
    last = (await done(plan, MemoryJournal())).steps[-1]
    assert (last.origin, last.lane) == (Origin.GOLD, "generate=gold")
    assert last.answer.picture is not None
    gold_drawn = (await done(plan_of(make_baseline("oracle"), options={"generate": "yes"}), MemoryJournal())).steps[
        -1
    ]
    assert gold_drawn.answer.picture == last.answer.picture


@pytest.mark.parametrize(
    "intervention",
    [
        Intervention("generate", "wrong", "number"),
        Intervention("generate", "gold", "number"),
        Intervention("generate", "text", text="two dogs"),
    ],
)
async def test_words_cannot_be_put_in_for_a_picture(intervention: Intervention) -> None:
    plan = plan_of(make_baseline("oracle"), options={"generate": "yes"}, interventions=(intervention,))
    with pytest.raises(UsageError, match="answered with a picture"):
        plan.check()
    engine = ForkingEngine(plan_of(make_baseline("oracle"), options={"generate": "yes"}), MemoryJournal())
    trajectory = await engine.to_end(Trajectory(change_of_all()))
    with pytest.raises(UsageError, match="answered with a picture"):
        await engine.intervene(trajectory, 3, intervention)


async def test_the_sham_of_a_picture_has_another_made() -> None:
    plan = plan_of(
        make_baseline("oracle"),
        options={"generate": "yes"},
        interventions=as_sham([Intervention("generate", "gold")]),
    )
    journal = MemoryJournal()
    last = (await done(plan, journal)).steps[-1]
    (plain,) = journal.siblings
    assert plain.answer.picture is not None
    assert last.answer.picture is not None
    assert (plain.lane, last.lane) == ("", "generate=sham")
    assert plain.answer.picture.name != last.answer.picture.name


@pytest.mark.parametrize("status", [Status.REFUSAL, Status.EMPTY])
async def test_a_refusal_is_wrong_and_its_words_are_never_read_for_an_answer(status: Status) -> None:
    class Refusing(Scripted):
        async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
            return Answer(request.turn.gold_text if status is Status.REFUSAL else "", status)

    step = (await done(plan_of(Refusing(gold), "direct"), MemoryJournal())).steps[0]
    assert step.scores[0].status == ("refusal" if status is Status.REFUSAL else "no_answer")
    assert (step.scores[0].right, step.scores[0].scored) == (0, 7)


async def test_what_depends_on_its_pictures_alone_is_asked_once_for_all_items() -> None:
    """A description made once serves every item, also a later run; an answer's call is paid once."""

    class Described:
        name = "described"
        options: ClassVar[dict[str, str]] = {}
        prompts: ClassVar[dict[str, str]] = {}
        steps = ("describe",)
        draws = ()

        def next_turn(self, item: Item, steps: Sequence[Step]) -> Turn | None:
            return None if steps else Turn("describe", (Text("What is this?"),), afresh=True, shared=True)

        def choice(self, item: Item, turn: Turn, score: Score | None) -> None:
            return None

    class Captioner(Scripted):
        async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
            known = await request.recalled(request.turn.text, ())
            if known is not None:
                return known
            answer = await super().answer(request, on_delta)
            return replace(answer, call=Call("answer", request.turn.text, {}, {}))

    captioner, journal = Captioner(lambda request: "two dogs"), MemoryJournal()
    plan = Plan(VOILA, Described(), captioner, ())
    await Engine(plan, journal).run([change_of_all(n) for n in range(1, 9)])
    assert len(captioner.asked) == 1
    assert {t.steps[0].answer.text for t in journal.trajectories.values()} == {"two dogs"}
    assert sum(t.steps[0].answer.call is not None for t in journal.trajectories.values()) == 1
    await Engine(plan, journal).run([change_of_all(9)])
    assert len(captioner.asked) == 1


async def test_what_a_call_waits_for_is_told_and_forgotten_once_it_is_answered() -> None:
    class Busy(Scripted):
        async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
            assert request.on_wait is not None
            request.on_wait("HTTP 429: slow down", 4.6, 1)
            request.on_wait("HTTP 429: slow down", 9.2, 2)
            return await super().answer(request, on_delta)

    waits, seen = Waits(), []

    def heard(event: Event) -> None:
        waits.hear(event)
        seen.append((type(event), waits.latest.words if waits.latest is not None else ""))

    await Engine(plan_of(Busy(gold), "direct"), MemoryJournal(), heard).run([change_of_all(1)])
    once = "HTTP 429, waits 5 s, asked once: slow down"
    assert seen[1:3] == [(Waiting, once), (Waiting, "HTTP 429, waits 9 s, asked 2 times: slow down")]
    assert seen[3] == (StepDone, "")


def test_a_million_reasons_fill_no_memory() -> None:
    totals, trajectory = Totals(), Trajectory(Item("voila", "ND", "voila-1", (), {}, {}))
    for number in range(1500):
        totals.count(Failed(trajectory, "describe", f"HTTP 500: request {number}"))
    assert (totals.failed, totals.reasons.total(), len(totals.reasons)) == (1500, 1500, 1001)
    assert totals.reasons.most_common(1) == [("other reasons", 500)]
