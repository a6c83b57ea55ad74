"""Where trajectories run. An executor decides only that; the engine does the asking, the journal the keeping."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Protocol, TypeAlias

from core.records import Item

Job: TypeAlias = tuple[Item, int]
"""An item and the repeat to be run on it."""

Work: TypeAlias = Callable[[Item, int], Awaitable[None]]


class Executor(Protocol):
    """Runs ``work`` on every job, at most ``in_flight`` at a time, drawing jobs only as they are needed."""

    async def run(self, jobs: Iterable[Job], work: Work, in_flight: int) -> None:
        """Returns when all are done. The first exception cancels the rest and is raised; so does cancellation."""
        ...


class InProcess:
    """All in this process and event loop."""

    async def run(self, jobs: Iterable[Job], work: Work, in_flight: int) -> None:
        waiting = iter(jobs)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(max(1, in_flight)):
                    group.create_task(_drain(waiting, work))
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None


async def _drain(waiting: Iterator[Job], work: Work) -> None:
    for item, repeat in waiting:
        await work(item, repeat)
