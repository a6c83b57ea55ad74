"""Asked once: where exactly this was asked before, as the same repeat, that answer stands in for a call.

An answer asked plainly stands in for plain ones only, one asked behind an intervention for those behind the same:
what an intervention changes, and what its sham does, is compared by asking. At and behind a sham, and where somebody
asks again, nothing is recalled.
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
    """What one engine recalls. Two who ask the same at once: the second waits, and has the first one's answer."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._under_way: dict[_Key, asyncio.Event] = {}

    @asynccontextmanager
    async def asking(self, turn: Turn, lane: str, repeat: int, *, anew: bool = False) -> AsyncIterator[Recall | None]:
        """What the respondent is to consult before it asks; None where it must ask. Leave it when the answer is
        stored. ``anew``: somebody asks the same again on purpose.

        A turn that items share is told nothing of what stands before it: it does not matter what does.
        """
        if anew or (asks_anew(lane) and not turn.shared):
            yield None
            return
        behind = None if turn.shared else what_if(lane)
        held: list[_Key] = []

        async def recall(request_hash: str) -> Answer | None:
            key = (request_hash, repeat, behind)
            while key not in held:
                before = self._under_way.get(key)
                if before is None:
                    self._under_way[key] = asyncio.Event()
                    held.append(key)
                else:
                    await before.wait()
            return await self._journal.recall(*key)

        try:
            yield recall
        finally:
            for key in held:
                self._under_way.pop(key).set()
