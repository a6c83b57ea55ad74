"""Stores of a million simulated steps of each benchmark: reports, an open panel, one more step stored and counted.

Each benchmark has as many items as VOILA, and as many as its own paper: fewer of them are more runs.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

from core.records import Answer, Parse, Score, Step
from sessions.cells import run_tally
from sessions.journal import StoreJournal
from sessions.runs import runs
from sessions.store import Store
from tests.end_to_end.commands import COMMAND
from tests.performance.bench_commands import cost, median
from tests.performance.figures import figure
from tests.performance.many_steps import ITEMS, MAKERS, OF_PAPERS, fill, simulated_item, simulated_turn

STEPS = 1_000_000


async def one_more(store: Store, times: int = 60) -> list[float]:
    """Milliseconds to store one step of a new trajectory, add it to the open panel and read the panel's cells."""
    run = runs(store)[-1].run
    journal, tally = StoreJournal(store, run), run_tally(store, run)
    taken = []
    for number in range(times):
        item = simulated_item(1_000_000 + number)
        turn = simulated_turn(item, "describe")
        trajectory = await journal.take_up(item, 0)
        started = time.perf_counter()
        step = Step(turn, Answer(turn.gold_text), (Score("rule", "1", Parse.OK, 511, 511),))
        trajectory = await journal.add_step(trajectory, step)
        tally.add_last(trajectory.steps)
        list(tally.cells())
        taken.append((time.perf_counter() - started) * 1e3)
    return taken


def reports(home: Path, benchmark: str, steps: int, items: int) -> None:
    """A report as it is, and with all groups."""
    path = home / f"{benchmark}-{steps}-{items}.db"
    with Store.open(path) as store:
        count = len(fill(store, steps, benchmark=benchmark, items=items))
    for by in ((), ("--by", "all")):
        rounds = 3 if items == ITEMS else 1  # the papers' own sizes make a thousand runs, which take long
        report = median([cost([*COMMAND, "report", "--store", str(path), *by], home) for _ in range(rounds)])
        what = f"{benchmark}: {' '.join(('report', *by))} over {steps:,} steps in {count} runs of {items} items"
        figure(f"{what}, wall clock", report.wall, "s")
        figure(f"{what}, CPU", report.cpu, "s")
        figure(f"{what}, peak memory", report.peak, "MB")


def main(steps: int = STEPS) -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for benchmark in MAKERS:
            for items in sorted({ITEMS, OF_PAPERS[benchmark]}, reverse=True):
                for size in (steps // 10, steps):
                    reports(home, benchmark, size, items)
        path = home / f"voila-{steps}-{ITEMS}.db"
        with Store.open(path) as store:
            run = runs(store)[-1].run
            opened = []
            for _ in range(5):
                started = time.perf_counter()
                list(run_tally(store, run).cells())
                opened.append((time.perf_counter() - started) * 1e3)
            figure("an open panel's numbers", statistics.median(opened), "ms")
            taken = asyncio.run(one_more(store))
            figure("one more step stored and counted", statistics.median(taken), "ms")
            figure("the slowest of 60", max(taken), "ms", against="the median", base=statistics.median(taken))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STEPS)
