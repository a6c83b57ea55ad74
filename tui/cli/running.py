"""``phoropter run``: prepare, say what will happen, run, say what happened."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack, closing, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.config import Config, load_config
from core.engine import Engine
from core.errors import BatchError, BudgetError, CallError, UsageError
from core.events import Event
from core.judging.judge import Judge, make_judge
from core.planning import Prepared, Request, prepare
from core.respondents.base import Readied, Respondent
from core.respondents.budget import Budget, refuse_unpriced
from sessions.extents import ask_for, part_of
from sessions.judging import Judging, check_name
from sessions.opening import OpenRun, open_prepared
from sessions.running import the_only_batch, the_only_judging
from sessions.runs import Run
from sessions.served import changes, served
from sessions.spending import budget_of
from sessions.store import Store, default_path
from tui.cli.batches import LIVE, Via, tell_batches
from tui.cli.elsewhere import HERE, On
from tui.cli.ending import BrokenOff, Interrupted
from tui.cli.interrupting import run_until_done
from tui.cli.judging import tell_judged
from tui.cli.meanwhile import import_when_idle
from tui.cli.output import put, say
from tui.cli.places import chosen_store
from tui.cli.progress import BatchProgress
from tui.cli.run_documents import incomplete, put_documents, put_so_far, run_document
from tui.cli.run_words import (
    Stop,
    end_document,
    summarise,
    tell_base,
    tell_left_out,
    tell_uncovered,
    tell_unplaced,
)
from tui.counting import counted

if TYPE_CHECKING:
    from core.workers.crew import Crew
    from sessions.carrying import Carrier
    from tui.cli.event_log import EventLog


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
    log: Path | None = None,
    estimate: bool = False,
    on: On = HERE,
    unnamed: bool = False,
) -> int:
    """One run for each request, one after the other, judged on the way where a ``judge`` is named. Returns the exit
    status of the contract.

    ``budget`` is what a run may cost in USD, its judge's calls included; None where it may cost anything. What
    happens is written to ``log`` too. An ``estimate`` asks a few trajectories, and says what the rest will take.
    ``unnamed``: nobody said who is to answer.
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
    if estimate:
        from tui.cli.estimate import refuse_others

        refuse_others(via, on, dry_run=dry_run, as_many=len(requests))
    settings = replace(load_config(config), concurrency=concurrency)
    prepared = [prepare(request, settings) for request in requests]
    via.refuse_others(prepared)
    on.refuse_others(batched=via.batch)
    judges = [_judge_of(one, judge, replace(settings, concurrency=0)) for one in prepared]
    if unnamed:
        who = prepared[0].plan.respondent.name
        say(f"nobody is named: gold is answered, by {who}; --respondent NAME (`phoropter respondents` lists them)")
    for one, its_judge in zip(prepared, judges, strict=True):
        if budget:
            refuse_unpriced(_asked(one, its_judge))
        tell_left_out(one)
        tell_uncovered(one)
        tell_unplaced(one)
    if dry_run:
        from tui.cli.dry_run import first_request

        documents = [asyncio.run(first_request(one)) for one in prepared if not one.selection.empty_part]
        if as_json:
            put_documents(documents)
        elif documents:
            put("\n\n".join(document["first"] for document in documents))
        return 0
    documents, done = [], []
    with ExitStack() as held:
        place = chosen_store(store, settings)
        written = held.enter_context(closing(_log_at(log, place or default_path()))) if log is not None else None
        held.enter_context(on.connected())
        based = any(request.base_run for request in requests)
        opened = held.enter_context(Store.open(place, create=not based))
        try:
            for one, its_judge in zip(prepared, judges, strict=True):
                document, run = run_one(
                    *(opened, one, name, its_judge, via, written),
                    fresh=fresh,
                    concurrency=concurrency,
                    budget=budget,
                    estimate=estimate,
                    as_json=as_json,
                    on=on,
                    settings=settings,
                )
                documents.append(document)
                done.append(run)
        except (Interrupted, KeyboardInterrupt) as ended:
            interrupted = ended if isinstance(ended, Interrupted) else Interrupted(signal.SIGINT)
            if as_json:
                put_so_far(documents, interrupted, whole=len(prepared) == 1)
            again = "the same command, without --fresh," if fresh else "the same command"
            if interrupted.waits:
                say(f"the last that was waited for: {interrupted.waits}")
            say(f"interrupted; everything so far is kept, and {again} goes on from there")
            return 128 + interrupted.number
        except Exception as error:  # noqa: BLE001  (it is raised again where it has been said how far this came)
            if as_json:
                put_so_far(documents, error, whole=len(prepared) == 1)
            raise error.error if isinstance(error, BrokenOff) else error from None
        if as_json:
            put_documents(documents)
        elif not estimate:
            from tui.cli.run_report import show_runs

            show_runs(opened, done)
    return 1 if any(incomplete(document) for document in documents) else 0


def _log_at(path: Path, store: Path) -> EventLog:
    from tui.cli.event_log import EventLog

    beside = [store.with_name(store.name + suffix) for suffix in ("", "-wal", "-shm", "-journal", ".lock")]
    if path.resolve() in {each.resolve() for each in beside} or (
        path.exists() and store.exists() and path.samefile(store)
    ):
        raise UsageError("the store is there", where=f"--log {path}", remedy="Name another file")
    return EventLog(path)


def _asked(prepared: Prepared, judge: Judge | None) -> tuple[Respondent, ...]:
    """Everybody whose calls a run may have to pay for."""
    return (*prepared.respondents, *((judge.respondent,) if judge is not None else ()))


def _judge_of(prepared: Prepared, judge: str, settings: Config) -> Judge | None:
    if not judge:
        return None
    return make_judge(judge, settings, prepared.benchmark, prepared.protocol.steps, prepared.request.prompts)


def run_one(
    store: Store,
    prepared: Prepared,
    name: str,
    judge: Judge | None,
    via: Via,
    log: EventLog | None = None,
    *,
    fresh: bool,
    concurrency: int,
    budget: float | None,
    estimate: bool = False,
    as_json: bool = False,
    on: On = HERE,
    settings: Config | None = None,
) -> tuple[dict[str, Any], Run]:
    """One prepared run to its end, or as far as it comes, with its judge: what `run --json` says of it, and the run.
    ``settings`` are those that it was prepared with, for workers ``on`` somewhere else.

    An ``estimate`` is put on stdout, unless that is to hold a document. Raises Interrupted and, where an error
    ended it once it had begun, BrokenOff, both with the document.
    """
    if judge is not None:
        check_name(store, judge)  # before a run is made
    opened = open_prepared(store, prepared, name or None, fresh=fresh)
    wanted = len(prepared.selection) * prepared.plan.repeats
    before = opened.done_before()
    found = opened.resumption
    say((replace(found, done=before) if found.done <= wanted else found).line(opened.run.name, wanted))
    tell_base(opened)
    with ExitStack() as held:
        held.enter_context(the_only_batch(store, opened.run))
        judging = None
        if judge is not None:
            held.enter_context(the_only_judging(store, opened.run, judge.name))
            judging = Judging(store, opened.run, judge)
        payers = _asked(prepared, judge)
        ledger = budget_of(store, opened.run, budget, payers, judged=judge is not None) if budget else None
        carrier = via.carrier(opened)
        probe = None
        if estimate:
            from sessions.estimating import Probe
            from tui.cli.estimate import refuse_carried

            refuse_carried(carrier, opened.run.name)
            probe = Probe(opened)
            opened, wanted = probe.opened, before + len(probe.opened.prepared.selection)
        else:
            chosen = prepared.request.filter
            some = [item.hash for item in prepared.selection] if chosen.limit and not chosen.shard else None
            store.write(lambda db: ask_for(db, opened.run.id, part_of(chosen), wanted, some))
        crew = on.crew(opened, settings or Config(), concurrency, ledger, carried=carrier is not None)
        timed = probe.clock.heard if probe is not None else None
        at_once, ahead = concurrency, _ahead(opened)
        if probe is not None:  # nothing is made ready ahead of the time in which it is timed
            at_once, ahead = min(concurrency or prepared.plan.respondent.in_flight, probe.in_flight) or 1, 0
        told = [each for each in (log, timed) if each is not None]
        engine, ended_by = _drive(
            *(opened, carrier, crew, via, (before, wanted), (at_once, ahead), judging, ledger), log, told
        )
    totals = engine.totals
    to_its_end = not isinstance(ended_by, Interrupted | BrokenOff)
    summarise(opened, wanted, totals, None if isinstance(ended_by, Interrupted | BrokenOff) else ended_by, ledger)
    batches: list[dict[str, Any]] = []
    if not isinstance(ended_by, BrokenOff):  # what is read here may be what broke
        batches = tell_batches(opened, engine, fresh=fresh) if carrier is not None else []
        for line in changes(served(store, opened.run.id)):
            say(f"{opened.run.name}: {line}")
    if judging is not None:
        tell_judged(opened.run.name, judging)
    document: dict[str, Any] = {}
    if probe is not None and to_its_end:
        from tui.cli.estimate import document as estimate_document
        from tui.cli.estimate import lines as estimate_lines

        judged_by = (judge.name, judge.respondent) if judge is not None else None
        came_to = probe.spent(totals.seconds), probe.estimate(totals.seconds, concurrency, judged_by)
        document["estimate"] = estimate_document(*came_to)
        if not as_json:
            put("\n".join(estimate_lines(opened.run.name, *came_to, ledger)))
    document |= run_document(
        *(opened, engine, wanted, ended_by), ledger=ledger, batches=batches, judging=judging, crew=crew
    )
    if isinstance(ended_by, Interrupted | BrokenOff):
        ended_by.document = document
        raise ended_by
    return document, opened.run


def _drive(
    opened: OpenRun,
    carrier: Carrier | None,
    crew: Crew | None,
    via: Via,
    counts: tuple[int, int],
    room: tuple[int, int],
    judging: Judging | None,
    ledger: Budget | None,
    log: EventLog | None,
    listeners: Sequence[Callable[[Event], None]],
) -> tuple[Engine, Stop | Interrupted | BrokenOff | None]:
    """Run to the end, or as far as batches have come, and judge to the end. What ends it before, a fatal failure, the
    end of the budget, a batch's trouble, a signal or an error, is returned, not raised. ``counts``: trajectories that
    were done before, of those that are asked for; ``room``: how many at once, and made ready ahead."""
    (before, wanted), (concurrency, ahead_of_them) = counts, room
    progress = BatchProgress(opened.run.name, before, wanted)

    def told(event: Event) -> None:
        progress(event)
        for listener in listeners:
            listener(event)

    def heard(event: Event) -> None:
        told(event)
        if judging is not None:
            judging.heard(event)

    engine = opened.engine(heard, plan=carrier.plan if carrier is not None else None, elsewhere=crew)
    if judging is not None:
        judging.listener = told
    if carrier is not None:
        carrier.listen(told)
    if log is not None:
        log.begin(opened.run.name, opened.prepared.benchmark, trajectories=wanted, before=before)

    async def work() -> None:
        readying = asyncio.create_task(import_when_idle("tui.cli.run_report"))
        if carrier is None:
            in_flight, ahead = (concurrency, ahead_of_them) if crew is None else (0, 0)
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

    ended_by: Stop | Interrupted | BrokenOff | None = None
    with progress:
        progress.totals = engine.totals
        try:
            run_until_done(work())
        except (CallError, BudgetError, BatchError) as error:
            ended_by = error
        except Interrupted as interrupted:
            interrupted.waits = progress.waits()
            ended_by = interrupted
        except Exception as error:  # noqa: BLE001  (how far it came is said first)
            ended_by = BrokenOff(error)
    # those that an interrupted run had not come to yet are done all the same
    engine.totals.before = max(engine.totals.before, before)
    if log is not None:
        log.tell("end", **end_document(engine.totals, wanted, ended_by))
    return engine, ended_by


def _ahead(opened: OpenRun) -> int:
    """How many trajectories beyond those that are asked something have their next request made ready."""
    respondent = opened.prepared.plan.respondent
    return respondent.ahead if isinstance(respondent, Readied) else 0
