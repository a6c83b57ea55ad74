"""Asked once: where exactly this was asked before, as the same repeat, that answer stands in for a call.

An answer asked plainly stands in for plain ones only, one asked behind an intervention for those behind the same:
what an intervention changes, and what its sham does, is compared by asking. At and behind a sham, and where somebody
asks again, nothing is recalled.

What must be asked waits here for a place, and has it until the answer is stored: a killed process pays twice for no
more calls than there are places, however many trajectories are under way.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeAlias

from core.interventions import asks_anew, what_if
from core.journal import Journal
from core.records import Answer, Turn
from core.respondents.base import Recall

Key: TypeAlias = tuple[str, int, str | None]
"""The request's hash, the repeat, and what stands behind it (None: it does not matter)."""


class Recalling:
    """What one engine recalls. Two who ask the same at once: the second waits, and has the first one's answer.

    ``places`` are those of calls that are under way or not stored yet; None: any number.
    """

    def __init__(self, journal: Journal) -> None:
        self.places: asyncio.Semaphore | None = None
        self._journal = journal
        self._under_way: dict[Key, asyncio.Event] = {}

    @asynccontextmanager
    async def asking(self, turn: Turn, lane: str, repeat: int, *, anew: bool = False) -> AsyncIterator[Recall | None]:
        """What the respondent is to consult before it asks; None where it must ask. Leave it when the answer is
        stored. ``anew``: somebody asks the same again on purpose.

        A turn that items share is told nothing of what stands before it: it does not matter what does.
        """
        always = anew or (asks_anew(lane) and not turn.shared)
        behind = None if turn.shared else what_if(lane)
        held: list[Key] = []
        places, taken = self.places, False

        async def take_a_place() -> None:
            nonlocal taken
            if places is not None and not taken:
                await places.acquire()
                taken = True

        async def recall(request_hash: str) -> Answer | None:
            key = (request_hash, repeat, behind)
            if key not in held:
                await self.hold(key)
                held.append(key)
            known = await self.look_up(key)
            if known is None:
                await take_a_place()
            return known

        try:
            if always:
                await take_a_place()
            yield None if always else recall
        finally:
            for key in held:
                self.let_go(key)
            if places is not None and taken:
                places.release()

    async def hold(self, key: Key) -> None:
        """Wait until nobody asks this; from then on others wait, until it is let go."""
        while (before := self._under_way.get(key)) is not None:
            await before.wait()
        self._under_way[key] = asyncio.Event()

    async def look_up(self, key: Key) -> Answer | None:
        """What it was answered before, None where it must be asked."""
        return await self._journal.recall(*key)

    def let_go(self, key: Key) -> None:
        """The answer is stored, or there will be none."""
        self._under_way.pop(key).set()
