"""Where trajectories run. An executor draws them, and elsewhere they may be gone; the engine does the asking, the
journal the keeping."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeAlias

from core.events import Event
from core.journal import Journal
from core.recalling import Recalling
from core.records import Item, Step, Trajectory

Job: TypeAlias = tuple[Item, int]
"""An item and the repeat to be run on it."""

Base: TypeAlias = Callable[[Item, int], Awaitable[Sequence[Step]]]
"""The plain steps of another run for an item and repeat."""

Work: TypeAlias = Callable[[Item, int], Awaitable[None]]


class Executor(Protocol):
    """Runs ``work`` on every job, at most ``in_flight`` at a time, drawing jobs only as they are needed."""

    async def run(self, jobs: Iterable[Job], work: Work, in_flight: int) -> None:
        """Returns when all are done. The first exception cancels the rest and is raised; so does cancellation."""
        ...


class Home(Protocol):
    """What a trajectory that runs elsewhere needs of the engine that sent it: where it is kept, whose steps it starts
    from, what was asked before, and who is told."""

    @property
    def journal(self) -> Journal: ...
    @property
    def recalling(self) -> Recalling: ...
    @property
    def base(self) -> Base | None: ...
    def tell(self, event: Event) -> None: ...


class Elsewhere(Protocol):
    """Somewhere else that trajectories can be sent to. ``in_flight`` is how many at once."""

    @property
    def in_flight(self) -> int: ...

    async def to_end(self, trajectory: Trajectory, home: Home) -> None:
        """Its steps are kept and told of at ``home`` as they come. Raises what the engine's own ``to_end`` does."""
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
    task = asyncio.current_task()
    for item, repeat in waiting:
        await work(item, repeat)
        if task is not None and task.cancelling():
            await asyncio.sleep(0)  # while its last step was stored: the next is not begun
