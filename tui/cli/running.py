"""``phoropter run``: prepare, say what will happen, run, say what happened."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.config import load_config
from core.engine import Engine, Totals
from core.errors import BatchError, CallError, UsageError
from core.planning import Prepared, Request, gold_steps, prepare
from core.records import named
from core.respondents.base import Request as Asking
from sessions.cells import cells_of
from sessions.opening import OpenRun, open_prepared
from sessions.outcomes import measures_of
from sessions.running import the_only_batch
from sessions.runs import Run
from sessions.store import Store
from tui.cli.batches import LIVE, Via, finished_or_out, tell_batches
from tui.cli.output import put, put_json, say
from tui.cli.places import chosen_store
from tui.cli.progress import BatchProgress
from tui.cli.report import fitting, print_cells

if TYPE_CHECKING:
    from sessions.carrying import Carrier

LEFT_OUT_SHOWN = 20


class Interrupted(BaseException):
    """A signal ended the run; what had been stored is kept."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


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
    via: Via = LIVE,
) -> int:
    """One run for each request, one after the other. Returns the exit status of the contract."""
    if name and len(requests) > 1:
        raise UsageError(
            f"one name cannot stand for {len(requests)} runs",
            where=f"--name {name}",
            remedy="Leave it out, or name one --respondent at a time",
        )
    settings = replace(load_config(config), concurrency=concurrency)
    prepared = [prepare(request, settings) for request in requests]
    via.refuse_others(prepared)
    for one in prepared:
        _tell_left_out(one)
        _tell_uncovered(one)
    if dry_run:
        documents = [asyncio.run(_dry(one)) for one in prepared]
        if as_json:
            _put_documents(documents)
        else:
            put("\n\n".join(document["first"] for document in documents))
        return 0
    documents, done = [], []
    with Store.open(chosen_store(store, settings)) as opened:
        try:
            for one in prepared:
                document, run = _run_one(opened, one, name, via, fresh=fresh, concurrency=concurrency)
                documents.append(document)
                done.append(run)
        except Interrupted as interrupted:
            again = "the same command, without --fresh," if fresh else "the same command"
            say(f"interrupted; everything so far is kept, and {again} goes on from there")
            return 128 + interrupted.number
        if as_json:
            _put_documents(documents)
        else:
            print_cells(cells_of(opened, done), "table", fitting(measures_of(opened, done)))
    return 0 if all(finished_or_out(document) for document in documents) else 1


def _put_documents(documents: list[dict[str, Any]]) -> None:
    put_json(documents[0] if len(documents) == 1 else {"runs": documents})


def _run_one(
    store: Store, prepared: Prepared, name: str, via: Via, *, fresh: bool, concurrency: int
) -> tuple[dict[str, Any], Run]:
    opened = open_prepared(store, prepared, name or None, fresh=fresh)
    wanted = len(prepared.selection) * prepared.plan.repeats
    say(opened.resumption.line(opened.run.name, wanted))
    with the_only_batch(store, opened.run):
        carrier = via.carrier(opened)
        engine, stopped_by = _drive(opened, carrier, via, wanted, concurrency)
    totals = engine.totals
    _summarise(opened, totals, stopped_by)
    batches = tell_batches(opened, engine, fresh=fresh) if carrier is not None else []
    cells = cells_of(store, [opened.run])
    finished = totals.before + totals.finished
    document = {
        "run": opened.run.name,
        "trajectories": wanted,
        "finished": finished,
        "failed": totals.failed,
        "open": wanted - finished - totals.failed,
        "steps": totals.steps,
        "seconds": round(totals.seconds, 3),
        "tokens": {"prompt": totals.prompt_tokens, "completion": totals.completion_tokens},
        "cost": totals.cost,
        "awaited": len(engine.awaited),
        "batches": batches,
        "stopped": stopped_by is not None,
        "cells": [cell.to_json() for cell in cells],
    }
    return document, opened.run


def _drive(
    opened: OpenRun, carrier: Carrier | None, via: Via, wanted: int, concurrency: int
) -> tuple[Engine, CallError | BatchError | None]:
    """Run to the end, or as far as batches have come. What stops the run is returned, not raised."""
    progress = BatchProgress(opened.run.name, min(opened.resumption.done, wanted), wanted)
    engine = opened.engine(progress, plan=carrier.plan if carrier is not None else None)

    async def work() -> None:
        task = asyncio.current_task()
        assert task is not None
        caught: list[int] = []
        loop = asyncio.get_running_loop()

        def stop(number: int) -> None:
            if caught:
                os._exit(128 + number)  # asked twice: the store is safe at any moment
            caught.append(number)
            task.cancel()

        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop, number)
        try:
            if carrier is None:
                await engine.run(opened.prepared.selection, in_flight=concurrency)
            else:
                await carrier.run(engine, in_flight=concurrency, waits=via.waits)
        except asyncio.CancelledError:
            if caught:
                raise Interrupted(caught[0]) from None
            raise
        finally:
            if carrier is not None:
                await carrier.close()
            await opened.prepared.close()

    stopped_by: CallError | BatchError | None = None
    with progress:
        progress.totals = engine.totals
        try:
            asyncio.run(work())
        except (CallError, BatchError) as error:
            stopped_by = error
    return engine, stopped_by


def _summarise(opened: OpenRun, totals: Totals, stopped_by: CallError | BatchError | None) -> None:
    if stopped_by is not None:
        say(f"phoropter: the run {opened.run.name} stopped: {stopped_by}")
    done = totals.before + totals.finished
    parts = [f"{done} finished", f"{totals.steps} steps in {totals.seconds:.1f} s"]
    if totals.before:
        parts.insert(1, f"{totals.before} of them before")
    if totals.failed:
        parts.insert(1, f"{totals.failed} failed")
    say(f"{opened.run.name}: {', '.join(parts)}")
    for reason, count in totals.reasons.most_common(10):
        say(f"  {count} x {reason}")
    if totals.failed:
        say("  the same command again takes up just those")


def _tell_uncovered(prepared: Prepared) -> None:
    """Items that the protocol asks nothing of, by the benchmark's first group."""
    group = next(iter(prepared.benchmark.groups), "")
    counts = Counter(item.groups.get(group, "") for item in prepared.selection.uncovered())
    if not counts:
        return
    said = ", ".join(f"{value} {count}" for value, count in counts.items())
    options = " ".join(f"{key}={value}" for key, value in prepared.request.options.items())
    say(f"left out, since {prepared.protocol.name} {options} asks nothing of them: {counts.total()} items ({said})")


def _tell_left_out(prepared: Prepared) -> None:
    if not prepared.left_out:
        return
    say(f"left out, {len(prepared.left_out)} problems in the data:")
    for problem in prepared.left_out[:LEFT_OUT_SHOWN]:
        say(f"  {problem}")
    if len(prepared.left_out) > LEFT_OUT_SHOWN:
        say(f"  ... and {len(prepared.left_out) - LEFT_OUT_SHOWN} more")


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
            *(
                f"  [picture {', '.join(item.pictures[i].name for i in show.of)}{', blank' if show.blank else ''}]"
                for show in turn.shows
            ),
            turn.text,
            "",
            f"{trajectories} trajectories, {steps} steps: {', '.join(prepared.protocol.steps)}",
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
        "pictures": [[item.pictures[i].name for i in show.of] for show in turn.shows],
        "request": body,
        "trajectories": trajectories,
        "steps": steps,
        "first": shown,
    }
