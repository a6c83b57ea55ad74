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

_Key: TypeAlias = tuple[str, int, str | None]
"""The request's hash, the repeat, and what stands behind it (None: it does not matter)."""


class Recalling:
    """What one engine recalls. Two who ask the same at once: the second waits, and has the first one's answer.

    ``places`` are those of calls that are under way or not stored yet; None: any number.
    """

    def __init__(self, journal: Journal) -> None:
        self.places: asyncio.Semaphore | None = None
        self._journal = journal
        self._under_way: dict[_Key, asyncio.Event] = {}

    @asynccontextmanager
    async def asking(self, turn: Turn, lane: str, repeat: int, *, anew: bool = False) -> AsyncIterator[Recall | None]:
        """What the respondent is to consult before it asks; None where it must ask. Leave it when the answer is
        stored. ``anew``: somebody asks the same again on purpose.

        A turn that items share is told nothing of what stands before it: it does not matter what does.
        """
        always = anew or (asks_anew(lane) and not turn.shared)
        behind = None if turn.shared else what_if(lane)
        held: list[_Key] = []
        places, taken = self.places, False

        async def take_a_place() -> None:
            nonlocal taken
            if places is not None and not taken:
                await places.acquire()
                taken = True

        async def recall(request_hash: str) -> Answer | None:
            key = (request_hash, repeat, behind)
            while key not in held:
                before = self._under_way.get(key)
                if before is None:
                    self._under_way[key] = asyncio.Event()
                    held.append(key)
                else:
                    await before.wait()
            known = await self._journal.recall(*key)
            if known is None:
                await take_a_place()
            return known

        try:
            if always:
                await take_a_place()
            yield None if always else recall
        finally:
            for key in held:
                self._under_way.pop(key).set()
            if places is not None and taken:
                places.release()
