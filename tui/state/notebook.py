"""The notebook as the screen has it: who writes into it, and what there is on the item looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TypeVar

from core.disputes import Corrected
from core.records import Item
from sessions import disputes, grading, notebook
from sessions.grading import Reason
from sessions.notebook import Note, Page, TagCount, Target
from sessions.runs import runs
from sessions.store import Store

T = TypeVar("T")


class Notebook:
    """What ``author`` writes about the items of ``store``. Everything that writes waits for the disk in a thread and
    may raise a PhoropterError, the words of which are for the user."""

    def __init__(self, store: Store, author: str) -> None:
        self._store = store
        self.author = author

    def page(self, item: Item) -> Page:
        """Everything that people wrote about the item and its steps, whatever the run."""
        return notebook.page_of(self._store, item)

    def tags(self) -> list[str]:
        """The tags offered."""
        return notebook.known_tags(self._store)

    def counts(self) -> list[TagCount]:
        """How often each tag stands at each step, of all runs."""
        return notebook.tag_counts(self._store, [summary.run.id for summary in reversed(runs(self._store))])

    def own_note(self, page: Page, target: Target) -> Note | None:
        return next((note for note in page.notes_on(target) if note.author == self.author), None)

    async def write(self, item: Item, target: Target, text: str) -> None:
        await self._done(lambda: notebook.write(self._store, item, target, self.author, text))

    async def toggle(self, step: int, tag: str) -> bool:
        return await self._done(lambda: notebook.toggle(self._store, step, self.author, tag))

    async def grade(self, step: int, bits: tuple[int, int], reason: Reason, note: str) -> None:
        await self._done(lambda: grading.grade(self._store, step, self.author, *bits, reason, note))

    async def dispute(self, item: Item, step: str, reason: str, corrected: Mapping[str, Corrected]) -> None:
        await self._done(lambda: disputes.dispute(self._store, item, self.author, reason, step, corrected))

    async def withdraw(self, item: Item, step: str) -> bool:
        return await self._done(lambda: disputes.withdraw(self._store, item, self.author, step))

    @staticmethod
    async def _done(change: Callable[[], T]) -> T:
        return await asyncio.to_thread(change)
