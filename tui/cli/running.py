"""``phoropter run``: prepare, say what will happen, run, say what happened."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Coroutine, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.config import Config, load_config
from core.engine import Engine
from core.errors import BatchError, BudgetError, CallError, UsageError
from core.events import Event
from core.judging.judge import Judge, make_judge
from core.planning import Prepared, Request, gold_steps, prepare
from core.records import named
from core.respondents.base import Readied, Respondent
from core.respondents.base import Request as Asking
from core.respondents.budget import Budget, refuse_unpriced
from sessions.judging import Judging, check_name
from sessions.opening import OpenRun, open_prepared
from sessions.running import the_only_batch, the_only_judging
from sessions.runs import Run
from sessions.served import changes, served
from sessions.spending import budget_of
from sessions.store import Store
from tui.cli.batches import LIVE, Via, finished_or_out, tell_batches
from tui.cli.documents import turn_lines
from tui.cli.elsewhere import HERE, On
from tui.cli.interrupting import Interrupted, run_until_done
from tui.cli.judging import judge_document, tell_judged
from tui.cli.meanwhile import import_when_idle
from tui.cli.output import put, put_json, say
from tui.cli.places import chosen_store
from tui.cli.progress import BatchProgress
from tui.cli.run_words import Stop, summarise, tell_left_out, tell_uncovered
from tui.counting import counted

if TYPE_CHECKING:
    from core.workers.crew import Crew
    from sessions.carrying import Carrier

COLLECTING = (20_000, 20, 20)
"""When to look for circles of garbage: a batch makes hardly any, and looking often took a tenth of its CPU."""


def run_batch(
    requests: Sequence[Request],
    *,
    store: Path | None,
    config: Path | None,
    name: str,
    fresh: bool,
    concurrency: int,
    dry_run: bool,
    as_json: bool,
    judge: str = "",
    budget: float | None = None,
    via: Via = LIVE,
    on: On = HERE,
) -> int:
    """One run for each request, one after the other, judged on the way where a ``judge`` is named. Returns the exit
    status of the contract.

    ``budget`` is what a run may cost in USD, its judge's calls included; None where it may cost anything.
    """
    if name and len(requests) > 1:
        raise UsageError(
            f"one name cannot stand for {counted(len(requests), 'run')}",
            where=f"--name {name}",
            remedy="Leave it out, or name one --respondent at a time",
        )
    if budget and len(requests) > 1:
        raise UsageError(
            f"a budget is for one run, not for {len(requests)}",
            where="--budget",
            remedy="Name one --respondent at a time",
        )
    gc.set_threshold(*COLLECTING)
    settings = replace(load_config(config), concurrency=concurrency)
    prepared = [prepare(request, settings) for request in requests]
    via.refuse_others(prepared)
    on.refuse_others(batched=via.batch)
    judges = [_judge_of(one, judge, replace(settings, concurrency=0)) for one in prepared]
    for one, its_judge in zip(prepared, judges, strict=True):
        if budget:
            refuse_unpriced(_asked(one, its_judge))
        tell_left_out(one)
        tell_uncovered(one)
    if dry_run:
        documents = [asyncio.run(_dry(one)) for one in prepared]
        if as_json:
            _put_documents(documents)
        else:
            put("\n\n".join(document["first"] for document in documents))
        return 0
    documents, done = [], []
    with on.connected(), Store.open(chosen_store(store, settings)) as opened:
        try:
            for one, its_judge in zip(prepared, judges, strict=True):
                document, run = run_one(
                    *(opened, one, name, its_judge, via),
                    fresh=fresh,
                    concurrency=concurrency,
                    budget=budget,
                    on=on,
                    settings=settings,
                )
                documents.append(document)
                done.append(run)
        except Interrupted as interrupted:
            again = "the same command, without --fresh," if fresh else "the same command"
            if interrupted.waits:
                say(f"the last that was waited for: {interrupted.waits}")
            say(f"interrupted; everything so far is kept, and {again} goes on from there")
            return 128 + interrupted.number
        if as_json:
            _put_documents(documents)
        else:
            from tui.cli.run_report import show_runs

            show_runs(opened, done)
    return 1 if any(_incomplete(document) for document in documents) else 0


def _asked(prepared: Prepared, judge: Judge | None) -> tuple[Respondent, ...]:
    """Everybody whose calls a run may have to pay for."""
    return (*prepared.respondents, *((judge.respondent,) if judge is not None else ()))


def _budget_document(ledger: Budget | None, *stopped_by: Exception | None) -> dict[str, Any] | None:
    if ledger is None:
        return None
    reached = any(isinstance(each, BudgetError) for each in stopped_by)
    return {"limit": ledger.limit, "spent": ledger.spent, "uncertain": ledger.uncertain, "reached": reached}


def _incomplete(document: dict[str, Any]) -> bool:
    judged, budget = document.get("judge"), document["budget"]
    lacking = judged is not None and (judged["errors"] or judged["left"] or judged["stopped"])
    reached = budget is not None and budget["reached"]
    return bool(not finished_or_out(document) or lacking or reached)


def _judge_of(prepared: Prepared, judge: str, settings: Config) -> Judge | None:
    if not judge:
        return None
    return make_judge(judge, settings, prepared.benchmark, prepared.protocol.steps, prepared.request.prompts)


def _put_documents(documents: list[dict[str, Any]]) -> None:
    put_json(documents[0] if len(documents) == 1 else {"runs": documents})


def run_one(
    store: Store,
    prepared: Prepared,
    name: str,
    judge: Judge | None,
    via: Via,
    *,
    fresh: bool,
    concurrency: int,
    budget: float | None,
    on: On = HERE,
    settings: Config | None = None,
) -> tuple[dict[str, Any], Run]:
    """One prepared run to its end, or as far as it comes, with its judge: what `run --json` says of it, and the run.
    ``settings`` are those that it was prepared with, for workers ``on`` somewhere else.

    Raises Interrupted.
    """
    if judge is not None:
        check_name(store, judge)  # before a run is made
    opened = open_prepared(store, prepared, name or None, fresh=fresh)
    wanted = len(prepared.selection) * prepared.plan.repeats
    say(opened.resumption.line(opened.run.name, wanted))
    with ExitStack() as held:
        held.enter_context(the_only_batch(store, opened.run))
        judging = None
        if judge is not None:
            held.enter_context(the_only_judging(store, opened.run, judge.name))
            judging = Judging(store, opened.run, judge)
        payers = _asked(prepared, judge)
        ledger = budget_of(store, opened.run, budget, payers, judged=judge is not None) if budget else None
        carrier = via.carrier(opened)
        crew = on.crew(opened, settings or Config(), concurrency, ledger, carried=carrier is not None)
        engine, stopped_by = _drive(opened, carrier, crew, via, wanted, concurrency, judging, ledger)
    totals = engine.totals
    summarise(opened, wanted, totals, stopped_by, ledger)
    batches = tell_batches(opened, engine, fresh=fresh) if carrier is not None else []
    heard = served(store, opened.run.id)
    for line in changes(heard):
        say(f"{opened.run.name}: {line}")
    if judging is not None:
        tell_judged(opened.run.name, judging)
    from tui.cli.run_report import cells_document

    finished = totals.before + totals.finished
    document = {
        "run": opened.run.name,
        "trajectories": wanted,
        "finished": finished,
        "failed": totals.failed,
        "open": wanted - finished - totals.failed,
        "steps": totals.steps,
        "recalled": totals.recalled,
        "seconds": round(totals.seconds, 3),
        "tokens": {"prompt": totals.prompt_tokens, "completion": totals.completion_tokens},
        "cost": totals.cost,
        "awaited": len(engine.awaited),
        "batches": batches,
        "stopped": stopped_by is not None,
        "budget": _budget_document(ledger, stopped_by, judging.totals.stopped_by if judging is not None else None),
        "served": [one.to_json() for one in heard],
        **({"workers": crew.to_json()} if crew is not None else {}),
        **({"judge": judge_document(judging)} if judging is not None else {}),
        "cells": cells_document(store, opened.run),
    }
    return document, opened.run


def _drive(
    opened: OpenRun,
    carrier: Carrier | None,
    crew: Crew | None,
    via: Via,
    wanted: int,
    concurrency: int,
    judging: Judging | None,
    ledger: Budget | None,
) -> tuple[Engine, Stop | None]:
    """Run to the end, or as far as batches have come, and judge to the end. What stops the run, a fatal failure, the
    end of the budget or a batch's trouble, is returned, not raised."""
    progress = BatchProgress(opened.run.name, min(opened.resumption.done, wanted), wanted)

    def heard(event: Event) -> None:
        progress(event)
        if judging is not None:
            judging.heard(event)

    engine = opened.engine(heard, plan=carrier.plan if carrier is not None else None, elsewhere=crew)
    if judging is not None:
        judging.listener = progress
    if carrier is not None:
        carrier.listen(progress)

    async def work() -> None:
        readying = asyncio.create_task(import_when_idle("tui.cli.run_report"))
        if carrier is None:
            in_flight, ahead = (concurrency, _ahead(opened)) if crew is None else (0, 0)
            running: Coroutine[Any, Any, Any] = engine.run(
                opened.prepared.selection, in_flight=in_flight, ahead=ahead
            )
        else:
            running = carrier.run(engine, opened.prepared.selection, in_flight=concurrency, waits=via.waits)
        try:
            async with crew or nullcontext():
                await (running if judging is None else judging.alongside(running))
        finally:
            readying.cancel()
            if carrier is not None:
                await carrier.close()
            await opened.prepared.close()
            if judging is not None:
                await judging.judge.close()
            if ledger is not None:
                await ledger.close()

    stopped_by: Stop | None = None
    with progress:
        progress.totals = engine.totals
        try:
            run_until_done(work())
        except (CallError, BudgetError, BatchError) as error:
            stopped_by = error
        except Interrupted as interrupted:
            interrupted.waits = progress.waits()
            raise
    return engine, stopped_by


def _ahead(opened: OpenRun) -> int:
    """How many trajectories beyond those that are asked something have their next request made ready."""
    respondent = opened.prepared.plan.respondent
    return respondent.ahead if isinstance(respondent, Readied) else 0


def _count_steps(prepared: Prepared) -> int:
    """How many steps all trajectories have: counted item by item where chains differ in length."""
    if not prepared.benchmark.pooled:
        return len(prepared.selection) * prepared.plan.repeats * len(prepared.protocol.steps)
    asked = (gold_steps(prepared.benchmark, prepared.protocol, item) for item in prepared.selection)
    return sum(map(len, asked)) * prepared.plan.repeats


async def _dry(prepared: Prepared) -> dict[str, Any]:
    """The first request whole, and the counts."""
    item = next(iter(prepared.selection))
    turn = prepared.protocol.next_turn(item, ())
    assert turn is not None
    respondent = prepared.plan.respondent_for(turn.step)
    asking = Asking(item, turn, (), 0, prepared.plan.seed)
    body = await respondent.preview(asking)
    trajectories = len(prepared.selection) * prepared.plan.repeats
    steps = _count_steps(prepared)
    shown = "\n".join(
        [
            f"item {item.id} of {named(prepared.benchmark.name, prepared.subset)}, "
            f"protocol {prepared.protocol.name}, respondent {respondent.name}",
            f"step {turn.step}:",
            *turn_lines(item, turn, picture="  "),
            "",
            f"{counted(trajectories, 'trajectory')}, {counted(steps, 'step')}: {', '.join(prepared.protocol.steps)}",
        ]
    )
    if body is not None:
        import json

        shown += "\n\n" + json.dumps(body, ensure_ascii=False, indent=2)
    await prepared.close()
    return {
        "item": item.id,
        "step": turn.step,
        "respondent": respondent.name,
        "text": turn.text,
        "pictures": [[picture.name for picture in show.pictures(item)] for show in turn.shows],
        "request": body,
        "trajectories": trajectories,
        "steps": steps,
        "first": shown,
    }
