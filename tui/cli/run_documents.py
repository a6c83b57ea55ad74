"""What ``run --json`` says: a run's document, however the run ended."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from core.engine import Engine
from core.errors import BudgetError, StoreError
from core.respondents.budget import Budget
from sessions.judging import Judging
from sessions.opening import OpenRun
from sessions.served import served
from tui.cli.batches import finished_or_out
from tui.cli.ending import BrokenOff, Interrupted
from tui.cli.judging import judge_document
from tui.cli.output import finish_output, put_json
from tui.cli.run_words import failures, statuses, stopped_words

if TYPE_CHECKING:
    from core.workers.crew import Crew

T = TypeVar("T")


def run_document(
    opened: OpenRun,
    engine: Engine,
    wanted: int,
    ended_by: BaseException | None,
    *,
    ledger: Budget | None,
    batches: Sequence[Mapping[str, Any]],
    judging: Judging | None,
    crew: Crew | None,
) -> dict[str, Any]:
    """How far a run came, and what ``ended_by`` before its end. What an error left unreadable is empty."""
    from tui.cli.run_report import cells_document

    def read(of: Callable[[], T], otherwise: T) -> T:
        try:
            return of()
        except (sqlite3.Error, StoreError):
            if isinstance(ended_by, Exception):
                return otherwise
            raise

    totals = engine.totals
    finished = totals.before + totals.finished
    return {
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
        "statuses": read(lambda: statuses(opened), dict[str, int]()),
        "failures": failures(totals),
        "awaited": len(engine.awaited),
        "batches": batches,
        "stopped": isinstance(ended_by, Exception),
        "stopped_by": stopped_words(ended_by),
        "signal": int(ended_by.number) if isinstance(ended_by, Interrupted) else None,
        "budget": _budget_document(ledger, ended_by, judging.totals.stopped_by if judging is not None else None),
        "served": read(lambda: [one.to_json() for one in served(opened.store, opened.run.id)], []),
        **({"workers": crew.to_json()} if crew is not None else {}),
        **({"judge": judge_document(judging)} if judging is not None else {}),
        "cells": read(lambda: cells_document(opened.store, opened.run), []),
    }


def incomplete(document: Mapping[str, Any]) -> bool:
    """Whether something is lacking of what was asked for."""
    judged, budget = document.get("judge"), document["budget"]
    lacking = judged is not None and (judged["errors"] or judged["left"] or judged["stopped"])
    reached = budget is not None and budget["reached"]
    return bool(not finished_or_out(document) or lacking or reached)


def put_documents(documents: Sequence[Mapping[str, Any]]) -> None:
    """Of runs that came to their end."""
    put_json(documents[0] if len(documents) == 1 else {"runs": documents})


def put_so_far(documents: Sequence[Mapping[str, Any]], ended: BaseException, *, whole: bool) -> None:
    """How far the runs came until ``ended``; on its way before the store is closed, which may take its time.
    ``whole``: there is one run alone."""
    last = ended.document if isinstance(ended, Interrupted | BrokenOff) else None
    if whole and last is not None:
        put_json(last)
    elif isinstance(ended, Interrupted):
        put_json({"runs": [*documents, *([last] if last is not None else [])], "signal": int(ended.number)})
    elif documents or last is not None:
        put_json({"runs": [*documents, *([last] if last is not None else [])], "stopped_by": stopped_words(ended)})
    finish_output()


def _budget_document(ledger: Budget | None, *stopped_by: BaseException | None) -> dict[str, Any] | None:
    if ledger is None:
        return None
    reached = any(isinstance(each, BudgetError) for each in stopped_by)
    return {"limit": ledger.limit, "spent": ledger.spent, "uncertain": ledger.uncertain, "reached": reached}
