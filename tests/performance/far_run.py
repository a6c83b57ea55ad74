"""One run whose trajectories are elsewhere, as a process: its figures as JSON on stdout, a step, start-up left out.

python -m tests.performance.far_run STORE DATA --on WHERE [--respondent NAME] [--config FILE] [--limit N]
[--repeats N] [--kill-workers N --kill-every STEPS] [--kill-self-after STEPS]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import signal
import time
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path

from core.config import load_config
from core.events import Event, StepDone
from core.planning import Request, prepare
from core.selection import Filter
from core.workers.crew import Crew
from sessions.opening import OpenRun, open_prepared
from sessions.running import the_only_batch
from sessions.store import Store
from tui.cli.elsewhere import On
from tui.collecting import COLLECTING


class Watch:
    """Takes the time from when every worker has made a step, and so has loaded its model; kills one worker after the
    other, evenly over the steps that are to come, then the driver."""

    def __init__(self, crew: Crew | None, workers: int, every: int, own: int) -> None:
        self._crew = crew
        self._left = workers
        self._every = every
        self._own = own
        self._worked: set[int] = set()
        self.steps = self.before = 0
        self.began = self.cpu = 0.0

    def __call__(self, event: Event) -> None:
        if not isinstance(event, StepDone):
            return
        self.steps += 1
        if not self.before:
            self._worked |= self._whose(event.trajectory.item.id, event.trajectory.repeat)
            if self._crew is None or len(self._worked) == len(self._crew.terms):
                self.before, self.began, self.cpu = self.steps, time.perf_counter(), time.process_time()
        if self._crew is not None and self._left and self.steps % self._every == 0:
            ready = [hand.ready for hand in self._crew.hands.values() if hand.ready is not None]
            if ready:
                self._left -= 1
                with suppress(ProcessLookupError):  # killed a moment ago, and not missed yet
                    os.kill(ready[self._left % len(ready)].pid, signal.SIGKILL)
        if self.steps == self._own:
            os.kill(os.getpid(), signal.SIGKILL)

    def _whose(self, item: str, repeat: int) -> set[int]:
        hands = self._crew.hands.values() if self._crew is not None else ()
        return {
            hand.number
            for hand in hands
            for errand in hand.errands.values()
            if (errand.trajectory.item.id, errand.trajectory.repeat) == (item, repeat)
        }

    def a_step(self) -> dict[str, float | str]:
        """Wall and CPU seconds of the driver for a step since then; where there is no such step, ``unmeasured`` says
        why."""
        if why := self._unmeasured():
            return {"unmeasured": why}
        steps = self.steps - self.before
        wall, cpu = time.perf_counter() - self.began, time.process_time() - self.cpu
        return {"wall": wall / steps, "cpu": cpu / steps}

    def _unmeasured(self) -> str:
        if not self.steps:
            return "no step was made: all was there before"
        if self.steps == self.before:
            return f"no step came after the first one of every worker ({self.steps} in all)"
        if self.before:
            return ""
        count = len(self._crew.terms) if self._crew is not None else 0
        idle = [f"worker {number + 1}" for number in range(count) if number not in self._worked]
        return f"{' and '.join(idle)} of {count} made no step ({self.steps} in all)"


async def run(opened: OpenRun, crew: Crew | None, watch: Watch) -> dict[str, float | str]:
    """The figures of the run."""
    engine = opened.engine(watch, elsewhere=crew)
    async with crew or nullcontext():
        while crew is not None and sum(hand.ready is not None for hand in crew.hands.values()) < len(crew.terms):
            await asyncio.sleep(0.02)
        await engine.run(opened.prepared.selection)
        taken = watch.a_step()
    await opened.prepared.close()
    totals = engine.totals
    counts = {"finished": totals.finished + totals.before, "failed": totals.failed, "steps": totals.steps}
    more = {"replaced": crew.restarts, "again": crew.again} if crew is not None else {}
    return {**taken, **counts, **more}


def main() -> None:
    """As the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("store", type=Path)
    parser.add_argument("data", type=Path)
    for name in ("on", "respondent", "config", "protocol"):
        parser.add_argument(f"--{name}", default="")
    for name in ("limit", "repeats", "workers", "kill-workers", "kill-every", "kill-self-after"):
        parser.add_argument(f"--{name}", type=int, default=0)
    given = parser.parse_args()
    gc.set_threshold(*COLLECTING)
    settings = load_config(Path(given.config) if given.config else None)
    request = Request(
        "voila:ND",
        given.data,
        "drawn",
        given.protocol,
        respondent=given.respondent or "seeing:0.8",
        repeats=given.repeats or 1,
        filter=Filter({}, limit=given.limit),
    )
    on = On.of(given.on, given.workers)
    prepared = prepare(replace(request), settings)
    with on.connected(), Store.open(given.store) as store:
        opened = open_prepared(store, prepared)
        with the_only_batch(store, opened.run):
            crew = on.crew(opened, settings, 0, None, carried=False)
            watch = Watch(crew, given.kill_workers, given.kill_every, given.kill_self_after)
            print(json.dumps(asyncio.run(run(opened, crew, watch))))


if __name__ == "__main__":
    main()
