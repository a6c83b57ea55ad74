"""Workers in the event loop of the test: everything but the bytes' way is real, and they can be made to die."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NoReturn

from core.config import Config
from core.engine import Engine
from core.errors import RespondentError
from core.events import Event
from core.plan import Plan
from core.planning import Prepared, Request, prepare
from core.records import Item, Step, Trajectory
from core.respondents.budget import Budget
from core.selection import Filter
from core.workers import worker as workers
from core.workers.crew import Crew
from core.workers.links import Hiring, LinkLostError
from core.workers.terms import staff_of, terms_of
from core.workers.words import Word, pack, unpack
from tests.memory_journal import MemoryJournal

Dies = Callable[[int, Word], bool]
"""Whether the worker of that turn (from 1, in the order in which they were hired) dies over a word it would say."""


class LoopLink:
    """A worker of this loop. It dies when it says a word that ``dies`` is true of: that one still arrives."""

    def __init__(self, terms: bytes, dies: Callable[[Word], bool]) -> None:
        self._said: asyncio.Queue[bytes] = asyncio.Queue()
        self._dies = dies
        self.dead = False
        self.worker = workers.Worker(self._say)
        self.worker.begin(terms)

    def _say(self, data: bytes) -> None:
        words = [] if self.dead else unpack(data)
        for count, word in enumerate(words, 1):
            if self._dies(word):
                self._said.put_nowait(pack(words[:count]))
                self.die()
                return
        if words:
            self._said.put_nowait(data)

    def die(self) -> None:
        self.dead = True
        for task in self.worker._tasks.values():
            task.cancel()
        self._said.put_nowait(b"")

    async def send(self, data: bytes) -> None:
        if self.dead:
            raise LinkLostError("killed by the test")
        self.worker.hear(data)

    async def receive(self) -> bytes:
        ended = asyncio.ensure_future(self.worker.ended.wait())
        said = asyncio.ensure_future(self._said.get())
        await asyncio.wait((ended, said), return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
        if not said.done():
            said.cancel()
        elif said.result():
            return said.result()
        raise LinkLostError("killed by the test" if self.dead else "it ended")

    async def end(self) -> None:
        if not self.dead:
            self.die()


class Loops:
    """Hires them."""

    def __init__(self, count: int = 2, dies: Dies = lambda turn, word: False) -> None:
        self.count = count
        self.words = f"{count} loops"
        self.links: list[LoopLink] = []
        self._dies = dies
        self._lost: asyncio.Future[None] = asyncio.get_event_loop().create_future()

    async def hire(self, number: int, terms: bytes) -> LoopLink:
        turn = len(self.links) + 1
        link = LoopLink(terms, lambda word: self._dies(turn, word))
        self.links.append(link)
        return link

    async def watch(self) -> NoReturn:
        await self._lost
        raise RespondentError("lost by the test")

    def lose(self) -> None:
        """None can be hired any more."""
        self._lost.set_result(None)

    def explained(self, error: Exception, number: int, host: str) -> Exception:
        return error

    async def close(self) -> None:
        pass


def prepared(**asked: object) -> Prepared:
    """A request for VOILA's pack."""
    limit = asked.pop("limit", 6)
    return prepare(
        Request("voila:ND", **{"respondent": "seeing:0.7", "filter": Filter({}, limit=limit), **asked}),  # type: ignore[arg-type]
        Config(),
    )


class Ran:
    """A run, here or elsewhere, and all that was heard of it."""

    def __init__(self) -> None:
        self.journal = MemoryJournal()
        self.events: list[Event] = []
        self.lines: list[str] = []
        self.crew: Crew | None = None
        self.engine: Engine | None = None

    async def go(
        self,
        ready: Prepared,
        hiring: Hiring | None = None,
        *,
        plan: Plan | None = None,
        config: Config | None = None,
        budget: Budget | None = None,
        base: Callable[[Item, int], object] | None = None,
        items: Sequence[Item] | None = None,
        journal: MemoryJournal | None = None,
    ) -> Ran:
        """Through the crew of ``hiring``; without one by the engine itself."""
        self.journal = journal or self.journal
        if hiring is not None:
            staff = staff_of(ready, config or Config())

            def terms(number: int) -> object:
                made = terms_of(ready, config or Config(), staff, hiring.count, number, charged=budget is not None)
                return replace(made, based=base is not None)

            self.crew = Crew(hiring, terms, self.lines.append, budget=budget, pause_s=0.0)  # type: ignore[arg-type]
        self.engine = Engine(
            plan or ready.plan,
            self.journal,
            self.events.append,
            base=base,  # type: ignore[arg-type]
            elsewhere=self.crew,
        )
        asked = list(ready.selection) if items is None else items
        if self.crew is None:
            await self.engine.run(asked)
        else:
            async with self.crew:
                await self.engine.run(asked)
        return self

    def steps(self) -> dict[tuple[str, int, int], tuple[Step, ...]]:
        """What is kept of each trajectory, by item, repeat and fork; the store's numbers left out."""
        found = {}
        for trajectory in self.journal.trajectories.values():
            key = (trajectory.item.id, trajectory.repeat, trajectory.fork)
            assert key not in found
            found[key] = tuple(replace(step, id=0) for step in trajectory.steps)
        return found

    def told(self, item: str) -> list[tuple[str, str]]:
        """The kinds of events about an item, with their step, in their order."""
        out = []
        for event in self.events:
            trajectory = getattr(event, "trajectory", None)
            if isinstance(trajectory, Trajectory) and trajectory.item.id == item:
                step = getattr(event, "step", "")
                out.append((type(event).__name__, step if isinstance(step, str) else step.turn.step))
        return out
