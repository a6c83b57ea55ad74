"""What a batch is doing, in words: one line for the main screen, and the parts of a page of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len

from core.prices import usd
from sessions.background import Batch, State
from sessions.judging import Judging
from sessions.runs import RunSummary
from tui.answer_words import not_whole_words
from tui.counting import counted, duration, more_than
from tui.inert import one_line
from tui.key_names import key
from tui.state.own_ways import on_screen

SIGNS: Final = {
    State.RUNNING: "▶",
    State.PAUSED: "‖",
    State.DONE: "✓",
    State.OUT: "⇡",
    State.STOPPED: "!",
    State.CANCELLED: "□",
}
"""Told apart without colour; the word stands beside it."""


BROKEN_OFF: Final = "◌"
"""Of a run that a batch was to ask more of, where none does any more."""


def progress(batch: Batch) -> str:
    """``▶ running 120/340``; nothing is ticked off where calls failed."""
    sign = "!" if batch.state is State.DONE and batch.failed else SIGNS[batch.state]
    count = f"{batch.finished:,}/{batch.total:,}"
    return f"{sign} asked {count}, judging" if _judges_on(batch) else f"{sign} {batch.state} {count}"


def _judges_on(batch: Batch) -> bool:
    """Whether nothing is left to be asked and its judge is still at work."""
    return batch.state is State.RUNNING and batch.judging is not None and not batch.left and not batch.under_way


def broken_off(run: RunSummary) -> str:
    """``◌ broken off 12/38``."""
    return f"{BROKEN_OFF} broken off {run.done:,}/{run.done + run.failed + run.open:,}"


def broken_off_details(run: RunSummary) -> list[str]:
    """What is known of a run that was broken off, a line each."""
    config = run.run.config
    counts = f"{run.done:,} finished, {run.failed:,} failed, {run.open:,} left of those that it was asked for"
    return [
        one_line(run.run.name),
        f"{config.protocol} of {one_line(config.respondent)}",
        counts,
        f"{key('batches.start')} goes on with it here, without a judge and without a budget; "
        f"{key('list.choose')} opens it",
    ]


def speed(batch: Batch) -> str:
    """``12.3 steps/s, 4 min left``; how long it took where it has ended."""
    if _judges_on(batch) and batch.judging is not None:
        return f"{counted(batch.judging.totals.judged, 'answer')} judged so far"
    if batch.state is State.RUNNING:
        left = batch.seconds_left()
        rate = f"{batch.pace.steps_per_second():.1f} steps/s"
        return f"{rate}, {duration(left)} left" if left is not None else rate
    return f"{counted(batch.totals.steps, 'step')} in {duration(batch.pace.seconds)}"


def waits(batch: Batch, *, brief: bool = False) -> str:
    """What the call told of last is waited for; "" where none is, or nothing runs."""
    latest = batch.waits.latest if batch.live else None
    return "" if latest is None else one_line(latest.brief if brief else latest.words)


def loading(batch: Batch) -> list[str]:
    """Each model that is being loaded, and how far that is, the one told of last first."""
    stages = batch.loading if batch.live else {}
    return [f"loading {one_line(who)}: {one_line(stage)}" for who, stage in reversed(stages.items())]


def spent(batch: Batch) -> str:
    """Tokens and money, as far as they are known; "" where nothing was counted."""
    totals, parts = batch.totals, []
    if totals.prompt_tokens or totals.completion_tokens:
        parts.append(f"{totals.prompt_tokens:,} + {totals.completion_tokens:,} tokens")
    if batch.ledger is not None:
        parts.append(f"{batch.ledger.told()} of {usd(batch.ledger.limit)}")
    elif totals.cost is not None:
        parts.append(f"{usd(totals.cost)} spent")
    if totals.recalled:
        parts.append(f"{totals.recalled:,} recalled, not asked")
    return ", ".join(parts)


def line(batches: Sequence[Batch], width: int) -> str:
    """All batches in one line: the live one that began last, and how many more; "" where there are none.

    What matters less is left out where there is no room: progress and the key stay.
    """
    if not batches:
        return ""
    shown = next((batch for batch in reversed(batches) if batch.live), batches[-1])
    more = sum(batch.live for batch in batches) - shown.live
    said, where = progress(shown), f"{key('run.batches')} batches"
    for part in (
        f"{shown.failed:,} failed" if shown.failed else "",
        one_line(on_screen(shown.stopped)),
        not_whole_words(shown.totals.statuses),
        waits(shown, brief=True),
        *loading(shown),
        speed(shown),
        f"+{more} more" if more else "",
        one_line(shown.name),
        spent(shown),
    ):
        if part and cell_len(said) + cell_len(part) + cell_len(where) + 6 <= width:
            said += f"   {part}"
    return f"{said}   {where}"


def details(batch: Batch) -> list[str]:
    """All that is to be said of one batch, a line each."""
    plan = batch.asked.plan
    asked = counted(len(batch.items), "item") + (
        f", {counted(plan.repeats, 'repeat')} each" if plan.repeats > 1 else ""
    )
    counts = f"{batch.failed:,} failed, {batch.left:,} left, {batch.under_way} under way"
    out = [
        f"trajectories: {progress(batch)} ({counts})",
        f"{asked}; {plan.protocol.name} of {one_line(plan.respondent.name)}",
        speed(batch),
    ]
    if words := waits(batch):
        out.append(f"waiting: {words}")
    out += loading(batch)
    if words := not_whole_words(batch.totals.statuses):
        out.append(words)
    if words := spent(batch):
        out.append(words)
    if batch.judging is not None:
        out.append(judged(batch.judging))
    out += [one_line(on_screen(words)) for words in batch.said]
    if batch.state is State.OUT:
        out.append(
            f"submitted: you may leave; {key('batches.start')} collects what has come and submits what is next"
        )
    if batch.stopped:
        out.append(f"stopped: {one_line(on_screen(batch.stopped))}")
    return out


def judged(judging: Judging) -> str:
    """How far its judge has come, and what that cost."""
    totals = judging.totals
    parts = [f"judge {one_line(judging.judge.name)}: {counted(totals.judged, 'answer')} judged"]
    parts += [f"{totals.errors:,} without a judgement"] if totals.errors else []
    parts += [f"{totals.left:,} not asked about"] if totals.left else []
    if tokens := totals.prompt_tokens + totals.completion_tokens:
        parts.append(counted(tokens, "token"))
    parts += [usd(totals.cost)] if totals.cost is not None else []
    said = ", ".join(parts)
    return f"{said}; stopped: {one_line(on_screen(totals.stopped_by))}" if totals.stopped_by is not None else said


def failures(batch: Batch, shown: int) -> list[str]:
    """Why calls failed, the commonest reason first, each with an item to look at."""
    counts: Counter[str] = Counter()
    first: dict[str, str] = {}
    for failure in batch.failures.values():
        reason = one_line(failure.reason)
        counts[reason] += 1
        first.setdefault(reason, f"{one_line(failure.item)} at {failure.step}")
    lines = [f"{count:,} x {reason}  (first: {first[reason]})" for reason, count in counts.most_common(shown)]
    if more := more_than(shown, len(counts), "reason"):
        lines.append(f"... {more}")
    return lines
