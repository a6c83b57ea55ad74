"""Prints the store's figures: size a step, tallies over a million steps, one more step, the journal's CPU a step.

python tests/performance/bench_store.py [STEPS]
"""

from __future__ import annotations

import asyncio
import hashlib
import resource
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.records import Answer, Call, Item, Parse, Progress, Score, Step, Turn, Usage
from sessions import encoding, reading
from sessions.flips import flips_of
from sessions.identity import RunConfig
from sessions.journal import StoreJournal
from sessions.runs import delete_run, open_run, runs
from sessions.store import Store
from tests.performance.figures import figure
from tests.performance.many_steps import ITEMS, STEPS, fill, simulated_item, simulated_turn


def timed(what: str, act: Callable[[], object], times: int = 3) -> None:
    figure(what, min(_seconds(act) for _ in range(times)) * 1000, "ms")


def _seconds(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


async def answer_all(
    journal: StoreJournal, items: list[Item], turns: list[list[Turn]], in_flight: int = 32, *, calls: bool = False
) -> None:
    """What the engine does with an oracle (with ``calls``: a model behind a server), without the engine."""
    jobs = iter(zip(items, turns, strict=True))

    async def work() -> None:
        for item, its_turns in jobs:
            trajectory = await journal.take_up(item, 0)
            if trajectory.progress is Progress.DONE:
                continue
            history: list[Any] = []
            for turn in its_turns[len(trajectory.steps) :]:
                bits = (1 << len(turn.form)) - 1
                score = Score("rule", "1", Parse.OK, bits, bits, turn.gold, dict.fromkeys(turn.gold, (3, 7)))
                call = a_call(item, turn, history) if calls else None
                trajectory = await journal.add_step(
                    trajectory, Step(turn, Answer(turn.gold_text, call=call), (score,))
                )
            await journal.finish(trajectory, Progress.DONE)

    await asyncio.gather(*(work() for _ in range(in_flight)))


def a_call(item: Item, turn: Turn, history: list[Any]) -> Call:
    """A raw request with the conversation so far, and its reply, as servers want and give them."""

    def digest(what: object) -> str:
        return hashlib.sha256(f"{item.id}/{what}".encode()).hexdigest()

    pictures = [{"type": "image_url", "image_url": {"url": f"sha256:{digest(show)}"}} for show in turn.shows]
    history.append({"role": "user", "content": [*pictures, {"type": "text", "text": turn.text}]})
    request = {"model": "some-model", "messages": list(history), "temperature": 0.0, "max_tokens": 2048}
    message = {"role": "assistant", "content": turn.gold_text, "refusal": None}
    reply = {
        "id": f"chatcmpl-{digest(turn.step)[:29]}",
        "object": "chat.completion",
        "created": 1_700_000_000 + len(turn.text),
        "model": "some-model-2025-01-01",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1234, "completion_tokens": 56, "total_tokens": 1290},
    }
    history.append({"role": "assistant", "content": turn.gold_text})
    return Call(
        turn.step, digest((turn.step, "r")), request, reply, "some-model-2025-01-01", 1, 1.25, Usage(1234, 56, 0.01)
    )


def journal_figures(folder: Path) -> None:
    items = [simulated_item(number) for number in range(ITEMS)]
    turns = [[simulated_turn(item, step) for step in STEPS] for item in items]
    steps = ITEMS * len(STEPS)
    with Store.open(folder / "oracle.db") as store:
        config = RunConfig("voila", "nd", "l2m", "oracle", "baseline")
        run, _ = open_run(store, config)
        wall, cpu = time.perf_counter(), time.process_time()
        asyncio.run(answer_all(StoreJournal(store, run), items, turns))
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        figure(f"{steps:,} steps through the journal, 32 at once", wall, "s")
        plain = figure("CPU a step (finish, thread switches and hashing in it)", cpu / steps * 1000, "ms").value

        def resume() -> None:
            again, _ = open_run(store, config)
            asyncio.run(answer_all(StoreJournal(store, again), items, turns))

        size = _whole(folder / "oracle.db")
        for respondent in ("model", "second model"):
            run, _ = open_run(store, RunConfig("voila", "nd", "l2m", respondent, "model"))
            cpu = time.process_time()
            asyncio.run(answer_all(StoreJournal(store, run), items, turns, calls=True))
            cpu, before = time.process_time() - cpu, size
            size = _whole(folder / "oracle.db")
        figure("with raw requests and replies, CPU a step", cpu / steps * 1000, "ms", against="without", base=plain)
        figure("with raw requests and replies, size of one more step", (size - before) / steps, "bytes")
        timed(f"a finished run of {ITEMS:,} items resumed", resume)


def _whole(path: Path) -> int:
    """Size with the log folded in."""
    db = sqlite3.connect(path)
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    db.close()
    return path.stat().st_size


def large_figures(folder: Path, steps: int) -> None:
    path = folder / "large.db"
    with Store.open(path) as store:
        start = time.perf_counter()
        filled = fill(store, steps)
        figure(f"filled with {steps:,} steps", time.perf_counter() - start, "s")
    size = path.stat().st_size
    figure("size of a step", size / steps, "bytes")
    timed("opened (up to date), a first row read", lambda: _open_and_read(path))
    with Store.open(path) as store:
        timed("tallies of all runs", lambda: list(reading.tallies(store, filled)))
        timed("tallies of one run item by item", lambda: list(reading.tallies(store, filled[:1], by_item=True)))
        timed("list of runs", lambda: runs(store))
        first = runs(store)[-1].run
        timed("a page of 100 items with their outcome", lambda: reading.items(store, first, limit=100))
        timed("all items of a run that are wrong", lambda: reading.items(store, first, labels=["wrong"]))
        timed("an item's trajectories in all runs, replayed", lambda: reading.trajectories_of(store, 17))
        steps_of_run = min(steps, ITEMS * len(STEPS))
        config = replace(first.config, base_run=first.uid)  # the second run as if it were made from the first
        store.write(
            lambda db: db.execute(
                "UPDATE runs SET configuration = ? WHERE id = ?", (encoding.to_json(config.to_json()), filled[-1])
            )
        )
        other = [summary.run for summary in runs(store) if summary.run.id == filled[-1]]
        timed(f"flips of a run against another of {steps_of_run:,} steps", lambda: flips_of(store, other))
        run, _ = open_run(store, RunConfig("voila", "nd", "l2m", "one more", "baseline"))
        journal = StoreJournal(store, run)
        items = iter([simulated_item(number) for number in range(100)])

        async def one_more() -> None:
            item = next(items)
            turn = simulated_turn(item, "describe")
            score = Score("rule", "1", Parse.OK, 511, 511, turn.gold)
            trajectory = await journal.take_up(item, 0)
            start = time.perf_counter()
            await journal.add_step(trajectory, Step(turn, Answer(turn.gold_text), (score,)))
            seconds.append(time.perf_counter() - start)

        seconds: list[float] = []
        for _ in range(50):
            asyncio.run(one_more())
        seconds.sort()
        figure("one more step stored, median of 50", seconds[25] * 1000, "ms")
        timed("a run of 3,689 items deleted", lambda: delete_run(store, runs(store)[-1].run.name), times=1)
    figure("peak memory of all this", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "MB")


def _open_and_read(path: Path) -> None:
    with Store.open(path) as store:
        store.reader().execute("SELECT name FROM runs LIMIT 1").fetchone()


def main() -> None:
    alone = sys.argv[0].endswith("bench_store.py") and len(sys.argv) > 1
    steps = int(sys.argv[1].replace("_", "")) if alone else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        journal_figures(Path(folder))
        large_figures(Path(folder), steps)


if __name__ == "__main__":
    main()
