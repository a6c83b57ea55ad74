"""Goes on with a run of a baseline, so many steps a second: what another process does to a store that is looked at.

``python -m tests.performance.steady_batch STORE RUN RATE``: until stdin ends, then says what the rate was.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

from core.config import Config
from core.events import Event, StepDone
from sessions.manager import open_request
from sessions.reopening import request_of
from sessions.runs import find_run
from sessions.store import Store

AT_ONCE = 8
"""Trajectories under way: each waits for the disk, and none of them for the others."""


class Steady:
    """Begins a step whenever one is due, never more to catch up than what one second holds."""

    def __init__(self, rate: float) -> None:
        self._apart = 1 / rate
        self._due = time.perf_counter()
        self.started = self._due
        self.done = 0

    async def turn(self) -> None:
        now = time.perf_counter()
        self._due = max(self._due + self._apart, now - 1)
        await asyncio.sleep(max(self._due - now, 0))

    def hear(self, event: Event) -> None:
        self.done += isinstance(event, StepDone)

    @property
    def rate(self) -> float:
        return self.done / (time.perf_counter() - self.started)


async def main(path: Path, run: str, rate: float) -> None:
    with Store.open(path, create=False) as store:
        opened = open_request(store, request_of(find_run(store, run)), Config())
        pace = Steady(rate)
        asked = asyncio.create_task(opened.asked.engine(pace.hear, pace.turn).run(opened.items, in_flight=AT_ONCE))
        print("begun", flush=True)
        ended = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        await asyncio.wait([asked, ended], return_when=asyncio.FIRST_COMPLETED)
        print(f"{pace.rate:.0f}", flush=True)
        asked.cancel()
        await asyncio.wait([asked])


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])))
