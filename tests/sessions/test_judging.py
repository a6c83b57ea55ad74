"""A judge's pass over a run: what it is asked, what is kept, what comes of failures, kills and asking again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from core.benchmarks import registry
from core.engine import Engine
from core.errors import BudgetError, CallError, UsageError
from core.events import Event, Judged, Loading, Waiting, WaitOver
from core.judging.judge import Judge
from core.plan import Plan
from core.prompts import prompts_for
from core.records import Answer, Call, Origin, SentPicture, Status, Step, Text, Turn, Usage
from core.respondents.base import OnDelta, Request
from core.respondents.baselines import make_baseline
from core.scoring import scorers_of
from sessions import doctor, reading
from sessions.agreement import agreement_of
from sessions.cells import cells_of
from sessions.grading import grade
from sessions.identity import RunConfig
from sessions.journal import StoreJournal
from sessions.judging import Judging
from sessions.runs import Run, delete_run, open_run
from sessions.spending import budget_of, spent_by
from sessions.store import Store
from tests.core.questions import change_of_all
from tests.stored import outcomes_of

VOILA = registry.get("voila")
CONFIG = RunConfig("voila", "ND", "l2m", "oracle", "baseline")
Say = Callable[[Request], Any]


class Model:
    """A judge's model: replies what a function says, each with a call of 10 and 2 tokens."""

    name = "gpt"
    kind = "model"
    looks = True
    draws = False
    identity = {"model": "m"}  # noqa: RUF012

    def __init__(self, say: Say, in_flight: int = 3) -> None:
        self.say = say
        self.in_flight = in_flight
        self.asked: list[Request] = []
        self.at_once = self.most_at_once = 0

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        self.asked.append(request)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            said = self.say(request)
            said = await said if isinstance(said, Awaitable) else said
            await asyncio.sleep(0)
        finally:
            self.at_once -= 1
        if isinstance(said, Exception):
            raise said
        call = Call("judge", f"h{len(self.asked)}", {"asked": len(self.asked)}, {}, usage=Usage(10, 2, 0.25))
        return Answer(said, call=call)

    async def preview(self, request: Request) -> None:
        pass

    async def close(self) -> None:
        pass


def right(request: Request) -> str:
    assert request.schema is not None
    return json.dumps(dict.fromkeys(request.schema.schema["properties"], 1))


def wrong_in_all(request: Request) -> str:
    assert request.schema is not None
    return json.dumps(dict.fromkeys(request.schema.schema["properties"], 0))


def a_judge(say: Say = right, in_flight: int = 3) -> tuple[Judge, Model]:
    model = Model(say, in_flight)
    return Judge(model, VOILA, prompts_for("judge")), model  # type: ignore[arg-type]


def a_plan(respondent: Any = None, **options: str) -> Plan:
    protocol = VOILA.protocols["l2m"]("ND", options, prompts_for("voila"))
    return Plan(VOILA, protocol, respondent or make_baseline("noisy:0.3"), scorers_of(VOILA))


async def a_finished_run(store: Store, items: int = 4, **options: str) -> Run:
    run = open_run(store, replace(CONFIG, options=options))[0]
    engine = Engine(a_plan(**options), StoreJournal(store, run))
    await engine.run(change_of_all(number) for number in range(items))
    return run


def judge_scores(store: Store) -> list[tuple[int, str, int]]:
    return (
        store.reader()
        .execute(
            "SELECT scores.step, scorers.version, scores.right FROM scores JOIN scorers ON scorers.id = scores.scorer"
            " WHERE scorers.name = 'gpt' ORDER BY scores.step, scorers.id"
        )
        .fetchall()
    )


async def test_every_answer_is_judged_once_beside_the_rule_and_its_cost_stands_apart(store: Store) -> None:
    run = await a_finished_run(store)
    before = store.reader().execute("SELECT * FROM scores ORDER BY step, scorer").fetchall()
    judge, model = a_judge()
    totals = await Judging(store, run, judge).run()
    assert (totals.judged, totals.errors, len(model.asked)) == (12, 0, 12)
    assert (totals.prompt_tokens, totals.completion_tokens, totals.cost) == (120, 24, 3.0)
    assert model.most_at_once == 3
    after = store.reader().execute("SELECT * FROM scores ORDER BY step, scorer").fetchall()
    assert set(before) < set(after)
    calls = store.reader().execute("SELECT DISTINCT purpose, run FROM calls").fetchall()
    assert calls == [("judge", run.id)]
    cells = {(c.scorer, c.step): c.accuracy for c in cells_of(store, [run]) if c.property == "all"}
    assert cells["gpt", "apply"] == 1.0
    assert cells["rule", "apply"] is not None
    assert cells["rule", "apply"] < 1.0
    again, silent = a_judge()
    totals = await Judging(store, run, again).run()
    assert (totals.judged, silent.asked) == (0, [])
    assert [finding for finding in doctor.examine(store.path) if finding.state is doctor.State.BAD] == []


async def test_a_budget_that_pays_the_judge_counts_what_it_was_paid_before(store: Store) -> None:
    run = await a_finished_run(store)
    await Judging(store, run, a_judge()[0]).run()
    assert budget_of(store, run, 10.0, [], judged=True).spent == 3.0
    assert budget_of(store, run, 10.0, []).spent == 0.0  # a run whose budget pays no judge
    assert spent_by(store, run) == (0.0, 0.0)


async def test_a_judge_works_while_the_run_goes_and_does_not_hold_it_up(store: Store) -> None:
    """The judge answers nothing until the run has ended: it ends all the same, and all is judged then."""
    gate = asyncio.Event()

    async def wait(request: Request) -> str:
        await gate.wait()
        return right(request)

    run = open_run(store, CONFIG)[0]
    judge, model = a_judge(wait)
    judging = Judging(store, run, judge)
    engine = Engine(a_plan(), StoreJournal(store, run), judging.heard)

    async def work() -> None:
        await engine.run(change_of_all(number) for number in range(30))
        assert 0 < len(model.asked) <= model.in_flight
        gate.set()

    await judging.alongside(work())
    assert (engine.totals.finished, judging.totals.judged) == (30, 90)
    assert len({request.turn.step + request.item.id for request in model.asked}) == 90


async def test_the_first_answer_is_judged_before_the_last_one_is_given(store: Store) -> None:
    run = open_run(store, CONFIG)[0]
    judge, model = a_judge()
    judging = Judging(store, run, judge)
    judged = asyncio.Event()
    judging.listener = lambda event: judged.set()

    class Waits:
        name, kind, looks, draws, in_flight = "waits", "model", False, False, 1
        identity: dict[str, str] = {}  # noqa: RUF012

        async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
            if request.turn.step == "apply":
                await judged.wait()
            return Answer(request.turn.gold_text)

    engine = Engine(a_plan(Waits()), StoreJournal(store, run), judging.heard)
    await asyncio.wait_for(judging.alongside(engine.run([change_of_all()])), 30)
    assert judging.totals.judged == len(model.asked) == 3


async def test_failed_judgements_are_named_counted_and_asked_again(store: Store) -> None:
    run = await a_finished_run(store)
    down = [True]

    def say(request: Request) -> Any:
        if not down[0] or request.turn.step != "apply":
            return right(request)
        if request.item.id == "voila-0":
            return CallError("HTTP 503", call=Call("judge", "h", {}, None, error="HTTP 503"))
        return "It is right, I would say."

    judge, model = a_judge(say)
    totals = await Judging(store, run, judge).run()
    assert (totals.judged, totals.errors) == (8, 4)
    assert ("voila-0", "apply", "HTTP 503") in totals.failed
    assert ("voila-1", "apply", "the judge's reply holds no JSON object") in totals.failed
    cells = [c for c in cells_of(store, [run]) if c.property == "all" and c.step == "apply"]
    assert {(c.scorer, c.n, c.judge_errors) for c in cells} == {("rule", 4, 0), ("gpt", 0, 4)}
    by_rule = [c for c in cells_of(store, [run], group_by="rule") if c.scorer == "gpt" and c.step == "apply"]
    assert {(c.group, c.judge_errors) for c in by_rule} == {("19", 4)}
    errors = store.reader().execute("SELECT error FROM calls WHERE error <> '' ORDER BY error").fetchall()
    assert errors == [("HTTP 503",)] + [("judge_error: the judge's reply holds no JSON object",)] * 3
    assert list(outcomes_of(store, run, "gpt")) == []  # no chain is whole under it
    assert len(outcomes_of(store, run, "rule")) == 4
    down[0] = False
    asked = len(model.asked)
    totals = await Judging(store, run, judge).run()
    assert (totals.judged, totals.errors, len(model.asked) - asked) == (4, 0, 4)
    assert all(c.judge_errors == 0 for c in cells_of(store, [run]))
    assert len(outcomes_of(store, run, "gpt")) == 4


async def test_a_fatal_failure_stops_the_judge_and_not_the_run(store: Store) -> None:
    """The judge has long stopped when the run stores its last answers: they are counted as not asked about too."""
    run = open_run(store, CONFIG)[0]
    judge, model = a_judge(lambda _: CallError("HTTP 401", fatal=True, call=Call("judge", "h", {}, {}, error="401")))
    judging = Judging(store, run, judge)
    engine = Engine(a_plan(), StoreJournal(store, run), judging.heard)

    async def work() -> None:
        await engine.run(change_of_all(number) for number in range(3))
        await asyncio.sleep(0.2)
        await engine.run(change_of_all(number) for number in range(10))

    await judging.alongside(work())
    assert engine.totals.finished == 10
    assert str(judging.totals.stopped_by) == "HTTP 401"
    assert len(model.asked) <= model.in_flight
    assert judging.totals.left == 30
    assert judge_scores(store) == []


async def test_a_judge_that_meets_the_budget_stops_judging_and_not_the_run(store: Store) -> None:
    run = open_run(store, CONFIG)[0]
    judge, model = a_judge(lambda _: BudgetError("the budget of $1.00 is reached"))
    judging = Judging(store, run, judge)
    engine = Engine(a_plan(), StoreJournal(store, run), judging.heard)
    await judging.alongside(engine.run(change_of_all(number) for number in range(10)))
    assert engine.totals.finished == 10
    assert str(judging.totals.stopped_by) == "the budget of $1.00 is reached"
    assert (judging.totals.left, judging.totals.errors) == (30, 0)
    assert len(model.asked) <= model.in_flight


async def test_a_graders_pseudonym_is_no_name_for_a_judge(store: Store) -> None:
    run = await a_finished_run(store, 1)
    (step,) = store.reader().execute("SELECT max(id) FROM steps").fetchone()
    grade(store, step, "gpt", 1, 1)
    judge, model = a_judge()
    with pytest.raises(UsageError, match="gpt is the pseudonym of somebody"):
        Judging(store, run, judge)
    assert model.asked == []


async def test_a_cancelled_pass_loses_nothing_that_was_judged(store: Store) -> None:
    run = await a_finished_run(store, 10)
    reached = asyncio.Event()

    async def slow(request: Request) -> str:
        if len(model.asked) > 12:
            reached.set()
            await asyncio.sleep(3600)
        return right(request)

    judge, model = a_judge(slow)
    task = asyncio.create_task(Judging(store, run, judge).run())
    await asyncio.wait_for(reached.wait(), 30)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    kept = judge_scores(store)
    assert 0 < len(kept) < 30
    judge, model = a_judge()
    assert (await Judging(store, run, judge).run()).judged == 30 - len(kept) == len(model.asked)
    assert set(kept) < set(judge_scores(store))


async def test_a_run_that_is_interrupted_interrupts_its_judge(store: Store) -> None:
    run = await a_finished_run(store, 2)
    judge, _ = a_judge(lambda _: asyncio.sleep(3600, ""))
    judging = Judging(store, run, judge)
    task = asyncio.create_task(judging.alongside(asyncio.sleep(3600)))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, 10)


async def test_asking_again_puts_a_later_version_beside_and_goes_on_where_it_was_broken_off(store: Store) -> None:
    run = await a_finished_run(store)
    judge, _ = a_judge()
    await Judging(store, run, judge, again=True).run()  # nothing was asked before: the first asking
    assert {version for _, version, _ in judge_scores(store)} == {judge.version}
    first = judge_scores(store)
    other, changing = a_judge(wrong_in_all)
    changing.in_flight = 1

    async def until_five() -> None:
        judging = Judging(store, run, other, again=True)
        judging.listener = lambda _: task.cancel() if len(changing.asked) == 5 else None
        await judging.run()

    task = asyncio.create_task(until_five())
    with pytest.raises(asyncio.CancelledError):
        await task
    judging = Judging(store, run, other, again=True)
    assert judging.version == f"{judge.version}.2"
    await judging.run()
    assert {request.repeat for request in changing.asked} == {1}
    assert len(changing.asked) <= 12 + 1
    assert set(first) < set(judge_scores(store))
    counts = {c.right for c in cells_of(store, [run]) if c.scorer == "gpt"}
    assert counts == {0}  # the newest version counts
    assert Judging(store, run, judge, again=True).version == f"{judge.version}.3"
    assert (await Judging(store, run, judge).run()).judged == 0  # unasked, nothing is judged twice


async def test_what_nobody_answered_is_not_judged(store: Store) -> None:
    run = open_run(store, CONFIG)[0]
    journal = StoreJournal(store, run)
    trajectory = await journal.take_up(change_of_all(), 0)
    turn = Turn("apply", (Text("?"),), gold_text="two cats running")
    for origin in Origin:
        trajectory = await journal.add_step(trajectory, Step(turn, Answer(origin.value), origin=origin))
    refused = Step(turn, Answer("no", Status.REFUSAL), repeat=1)
    await journal.add_step(trajectory, refused)
    judge, model = a_judge()
    totals = await Judging(store, run, judge).run()
    said = {request.turn.text.split("-----")[1].strip() for request in model.asked}
    assert said == {"respondent", "person", "other"}
    assert (totals.judged, totals.unasked) == (4, 1)


async def test_a_made_picture_reaches_the_judge_as_it_was_stored(store: Store) -> None:
    run = open_run(store, replace(CONFIG, options={"generate": "yes"}))[0]
    data = b"\x89PNG made"
    sent = SentPicture("f" * 64, "image/png", (4, 4), (4, 4), "made", data)
    journal = StoreJournal(store, run)
    turn = Turn("generate", (Text("Make it."),), gold_text="two cats running", makes="picture")
    rule = scorers_of(VOILA)[0]
    answer = Answer("", picture=sent)
    item = change_of_all()
    step = Step(turn, answer, (rule.score(item, turn, answer),))
    await journal.add_step(await journal.take_up(item, 0), step)
    judge, model = a_judge(lambda _: '{"number": 1, "subject": 1, "action": 0}')
    assert (await Judging(store, run, judge).run()).judged == 1
    assert model.asked[0].item.pictures[0].data == data
    found = [c for c in cells_of(store, [run]) if c.step == "generate" and c.scorer == "gpt"]
    assert [(c.property, c.right, c.n) for c in found] == [
        ("number", 1, 1),
        ("subject", 1, 1),
        ("action", 0, 1),
        ("all", 0, 1),
    ]
    assert agreement_of(store, [run], "gpt", "rule") == []  # the rule scores nothing of a picture


async def test_agreement_is_counted_by_step_and_property_and_parts_as_their_whole(store: Store) -> None:
    run = await a_finished_run(store, 30, subprompts="yes")
    judge, _ = a_judge()
    await Judging(store, run, judge).run()
    rows = {(row.step, row.property): row for row in agreement_of(store, [run], "gpt", "rule")}
    assert list(dict.fromkeys(step for step, _ in rows)) == [
        "describe",
        "relate.number",
        "relate.subject",
        "relate.action",
        "relate",
        "apply",
    ]
    cells = {(c.step, c.property): c for c in cells_of(store, [run], scorer="rule")}
    for key, row in rows.items():
        assert (row.n, row.fn, row.tn) == (cells[key].n, 0, 0)  # the judge holds all right
        assert row.tp == cells[key].right
        assert row.fp == cells[key].n - cells[key].right
    swapped = {(row.step, row.property): row for row in agreement_of(store, [run], "rule", "gpt")}
    assert all(swapped[key].fn == row.fp for key, row in rows.items())


async def test_a_deleted_run_takes_its_judgements_along(store: Store) -> None:
    run = await a_finished_run(store)
    judge, _ = a_judge()
    await Judging(store, run, judge).run()
    delete_run(store, run.name)
    for table in ("judgements", "scores", "calls", "texts"):
        assert store.reader().execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


async def test_steps_that_another_run_stands_on_keep_what_judges_said(store: Store) -> None:
    base = await a_finished_run(store, 1)
    judge, _ = a_judge()
    await Judging(store, base, judge).run()
    later = open_run(store, replace(CONFIG, base_run=base.uid))[0]
    journal = StoreJournal(store, later, base=base)
    item = change_of_all(0)
    steps = await journal.base_steps(item, 0, "apply")
    trajectory = replace(await journal.take_up(item, 0), steps=steps)
    await journal.add_step(trajectory, Step(Turn("apply", (Text("?"),)), Answer("two")))
    delete_run(store, base.name)
    assert len(judge_scores(store)) == 2
    assert store.reader().execute("SELECT count(*), count(call) FROM judgements").fetchone() == (2, 0)
    assert store.reader().execute("PRAGMA foreign_key_check").fetchall() == []


async def test_a_run_deleted_meanwhile_ends_its_judging(store: Store) -> None:
    run = await a_finished_run(store, 1)

    def delete(request: Request) -> str:
        if request.turn.step == "describe":
            delete_run(store, run.name)
        return right(request)

    judge, _ = a_judge(delete, in_flight=1)
    totals = await Judging(store, run, judge).run()
    assert totals.judged == 0
    assert store.reader().execute("SELECT count(*) FROM judgements").fetchone() == (0,)


async def test_events_tell_each_judgement(store: Store) -> None:
    run = await a_finished_run(store, 1)
    told: list[Judged] = []

    def listen(event: Any) -> None:
        told.append(event)

    judge, _ = a_judge(lambda r: right(r) if r.turn.step == "describe" else "?")
    await Judging(store, run, judge, listen).run()
    assert {(event.step.turn.step, event.score is None, bool(event.error)) for event in told} == {
        ("describe", False, False),
        ("relate", True, True),
        ("apply", True, True),
    }
    (_, trajectory) = reading.trajectory(store, told[0].trajectory or 0) or (0, None)
    assert trajectory is not None
    assert [score.scorer for score in trajectory.steps[0].scores] == ["rule", "gpt"]


async def test_that_a_judge_is_waited_for_is_told_and_when_it_is_over(store: Store) -> None:
    run = await a_finished_run(store, items=1)

    def busy_once(request: Request) -> Any:
        if request.turn.step == "relate":
            assert request.on_wait is not None
            request.on_wait("HTTP 429: slow", 5.0, 2)
        return CallError("gone", where="gpt", fatal=True) if request.turn.step == "apply" else right(request)

    heard: list[Event] = []
    await Judging(store, run, a_judge(busy_once, in_flight=1)[0], heard.append).run()
    (waiting,) = [event for event in heard if isinstance(event, Waiting)]
    assert waiting.words == "judge gpt: HTTP 429, waits 5 s, asked 2 times: slow"
    assert [type(event) for event in heard] == [Judged, Waiting, WaitOver, Judged]
    assert heard[2] == WaitOver(waiting.whose, waiting.place)


async def test_that_a_judges_model_is_loaded_is_told_as_the_judges(store: Store) -> None:
    run = await a_finished_run(store, items=1)

    def loads_first(request: Request) -> Any:
        if request.turn.step == "describe":
            assert request.on_loading is not None
            request.on_loading("loading the weights (3.2 GB) for cpu")
            request.on_loading("")
        return right(request)

    heard: list[Event] = []
    await Judging(store, run, a_judge(loads_first, in_flight=1)[0], heard.append).run()
    assert [event for event in heard if isinstance(event, Loading)] == [
        Loading(None, "describe", what, "judge gpt") for what in ("loading the weights (3.2 GB) for cpu", "")
    ]
