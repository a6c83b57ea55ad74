"""A run through batches: put in what has come, send out what is next, leave or wait. The loop is the engine's own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from core.engine import Engine
from core.errors import BatchError, BudgetError, joined
from core.records import Item
from core.respondents.batch_traffic import Collected
from core.respondents.batched import Batched, Mode

Heard: TypeAlias = Callable[[str], None]
"""Is told, in a line, what happened to a batch."""


@dataclass(frozen=True, slots=True)
class Waits:
    """Stay until all is done, and look again every so many seconds."""

    seconds: float
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


async def run_batches(
    engine: Engine,
    items: Iterable[Item],
    batched: Sequence[Batched],
    *,
    heard: Heard,
    in_flight: int = 0,
    waits: Waits | None = None,
) -> None:
    """One round, or with ``waits`` as many as it takes until nothing is out.

    Raises BatchError where a batch was refused, cancelled or could not be handled, after everything that came has
    been put in; BudgetError, once what the budget allows has been submitted; a fatal CallError.
    """
    modes = [one.mode for one in batched]
    collected = await _collect(batched, heard)
    await _round(engine.run(items, in_flight=in_flight), batched, collected, heard, waits)
    held = collected.trouble is not None
    while waits is not None and engine.awaited:
        await waits.sleep(waits.seconds)
        for one, mode in zip(batched, modes, strict=True):
            one.mode = mode
        collected = await _collect(batched, heard)
        if collected.ended or (held and collected.trouble is None) or not collected.may_wait:
            await _round(engine.go_on(in_flight=in_flight), batched, collected, heard, waits)
            held = collected.trouble is not None
        elif collected.trouble is not None:
            heard(joined(str(collected.trouble), f"Looking again in {waits.seconds:g} s"))


async def _collect(batched: Sequence[Batched], heard: Heard) -> Collected:
    """The looks of all as one."""
    out = Collected()
    for one in batched:
        found = await one.collect()
        for note in found.notes:
            heard(note)
        out.ended += found.ended
        out.stops += found.stops
        out.full = out.full or found.full
        out.trouble = out.trouble or found.trouble
    return out


async def _round(
    going: Awaitable[object], batched: Sequence[Batched], collected: Collected, heard: Heard, waits: Waits | None
) -> None:
    """Answers are put in; where something is wrong no request goes out."""
    if collected.stops or collected.full or collected.trouble is not None:
        for one in batched:
            one.mode = Mode.CLOSED
    reached: BudgetError | None = None
    try:
        try:
            await going
        except BudgetError as error:  # what fitted in goes out
            reached = error
        for one in batched:
            await one.submit()
    finally:
        for one in batched:
            for note in one.notes:
                heard(note)
            one.notes.clear()
    if reached is not None:
        raise reached
    if collected.stops:
        what = "; ".join(collected.stops)
        raise BatchError(what, remedy="The same command submits what is unanswered again; nothing is lost")
    if collected.trouble is not None and not (waits is not None and collected.may_wait):
        raise collected.trouble
