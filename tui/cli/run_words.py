"""What ``phoropter run`` says on stderr: before a run what it leaves out, after it what came of it."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import suppress
from typing import Any, TypeAlias

from core.errors import BatchError, BudgetError, CallError, PhoropterError, StoreError
from core.planning import Prepared, unplaced_pictures
from core.prices import usd
from core.records import Status
from core.respondents.budget import Budget
from core.totals import Totals
from sessions.opening import OpenRun
from sessions.reading import repeats_of
from sessions.statuses import not_whole
from tui.answer_words import not_whole_document, not_whole_words
from tui.cli.ending import BrokenOff, Interrupted
from tui.cli.flips import some_repeats
from tui.cli.output import say
from tui.counting import counted, more_than
from tui.inert import one_line

Stop: TypeAlias = CallError | BudgetError | BatchError
"""What ends a run before its end."""

LEFT_OUT_SHOWN = 20
REASONS_SHOWN = 10


def summarise(opened: OpenRun, wanted: int, totals: Totals, stopped_by: Stop | None, ledger: Budget | None) -> None:
    """What came of a run, what it cost, and why calls failed."""
    if stopped_by is not None:
        say(f"phoropter: the run {opened.run.name} stopped: {stopped_by}")
    elif ledger is not None and ledger.overrun:
        say(f"phoropter: {ledger.overrun}")
    done = totals.before + totals.finished
    parts = [f"{done} finished"]
    if totals.before:
        parts.append(f"{totals.before} of them before")
    if totals.failed:
        parts.append(f"{totals.failed} failed")
    if left := wanted - done - totals.failed:
        parts.append(f"{left} left open")
    parts.append(f"{counted(totals.steps, 'step')} in {totals.seconds:.1f} s")
    if totals.recalled:
        parts.append(f"{counted(totals.recalled, 'answer')} recalled, not asked again")
    if ledger is not None:
        parts.append(f"{ledger.told()} of {usd(ledger.limit)}")
    elif totals.cost is not None:
        parts.append(f"{usd(totals.cost)} spent")
    say(f"{opened.run.name}: {', '.join(parts)}")
    with suppress(sqlite3.Error, StoreError):  # a store that fails must not hide why the run ended
        if words := not_whole_words(_statuses(opened)):
            say(f"  {words}")
    for reason, count in totals.reasons.most_common(REASONS_SHOWN):
        say(f"  {count} x {one_line(reason)}  (first: {one_line(totals.first[reason])})")
    if more := more_than(REASONS_SHOWN, len(totals.reasons), "reason"):
        say(f"  {more}")
    if totals.failed:
        say("  the same command again takes up just those")


def statuses(opened: OpenRun) -> dict[str, int]:
    """How many of the run's answers are no whole ones, for ``--json``."""
    return not_whole_document(_statuses(opened))


def _statuses(opened: OpenRun) -> Counter[Status]:
    """Of all that is stored, as the tables below it are."""
    return not_whole(opened.store, [opened.run]).get(opened.run.id, Counter())


def failures(totals: Totals) -> list[dict[str, Any]]:
    """Why trajectories failed, the commonest reason first: how many, and the first item and step."""
    return [
        {"reason": reason, "count": count, "first": totals.first[reason]}
        for reason, count in totals.reasons.most_common()
    ]


def end_document(totals: Totals, wanted: int, ended_by: BaseException | None) -> dict[str, Any]:
    """How a run ended, for its log; ``ended_by``: a signal, or what stopped it before its end."""
    finished = totals.before + totals.finished
    return {
        "finished": finished,
        "before": totals.before,
        "failed": totals.failed,
        "open": wanted - finished - totals.failed,
        "steps": totals.steps,
        "recalled": totals.recalled,
        "took": round(totals.seconds, 3),
        "tokens": {"prompt": totals.prompt_tokens, "completion": totals.completion_tokens},
        "cost": totals.cost,
        "failures": failures(totals),
        "signal": ended_by.number if isinstance(ended_by, Interrupted) else None,
        "stopped": stopped_words(ended_by),
    }


def stopped_words(ended_by: BaseException | None) -> str:
    """What ended a run before its end, in a line; "" where nothing or a signal did."""
    error = ended_by.error if isinstance(ended_by, BrokenOff) else ended_by
    if isinstance(error, PhoropterError):
        return str(error)
    if not isinstance(error, Exception):
        return ""
    from tui.crashing import told

    return told(error)


def tell_base(opened: OpenRun) -> None:
    """Which of the repeats of the run of ``--from`` are taken over, where it has more than this run asks."""
    base = opened.journal.base
    there = repeats_of(opened.store, base.id) if base is not None else 1
    if base is not None and there > (taken := opened.prepared.plan.repeats):
        say(one_line(f"--from {base.name}: {some_repeats(taken, there)} taken over (--repeats {there} takes all)"))


def tell_uncovered(prepared: Prepared) -> None:
    """Items that the protocol asks nothing of, by the benchmark's first group."""
    group = next(iter(prepared.benchmark.groups), "")
    counts = Counter(item.groups.get(group, "") for item in prepared.selection.uncovered())
    if not counts:
        return
    said = ", ".join(f"{value} {count}" for value, count in counts.items())
    options = " ".join(f"{key}={value}" for key, value in prepared.request.options.items())
    items = counted(counts.total(), "item")
    say(f"left out, since {prepared.protocol.name} {options} asks nothing of them: {items} ({said})")


def tell_unplaced(prepared: Prepared) -> None:
    """Pictures that another prompt has no line for: they move, which is no longer the prompt alone."""
    for line in unplaced_pictures(prepared):
        say(line)


def tell_left_out(prepared: Prepared) -> None:
    """Bad rows and pictures, which ``--skip-bad`` leaves out; and all items, for a part that has none."""
    if prepared.selection.empty_part:
        part, parts = prepared.selection.filter.shard or (1, 1)
        say(f"--shard {part}/{parts}: there are fewer items than parts, and none for this one; nothing is to be done")
    if not prepared.left_out:
        return
    say(f"left out, {counted(len(prepared.left_out), 'problem')} in the data:")
    for problem in prepared.left_out[:LEFT_OUT_SHOWN]:
        say(f"  {problem}")
    if len(prepared.left_out) > LEFT_OUT_SHOWN:
        say(f"  ... and {len(prepared.left_out) - LEFT_OUT_SHOWN} more")
