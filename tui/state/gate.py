"""What may be done with a run: whether anybody may be asked, whether anything may be stored, and why not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from core.records import Item

CHECKING: Final = "the data is still being looked at"

Asking: TypeAlias = Callable[[Item], str]


def _nothing_against(item: Item) -> str:
    return ""


@dataclass(slots=True)
class Gate:
    """``writing`` says why nothing can be stored, ``asking`` (of an item) why nobody can be asked; "" where nothing
    stands against it. ``shut``: it is not known yet whether anybody can be asked, and who asks waits for ``open``.
    ``missing`` is what the screen says all the time of what is not there. Belongs to the event loop's thread."""

    missing: str = ""
    writing: str = ""
    asking: Asking = field(default=_nothing_against)
    shut: bool = False
    _opened: asyncio.Event = field(default_factory=asyncio.Event, init=False, repr=False)

    def against(self, item: Item, *, asks: bool) -> str:
        """Why a command cannot do anything here, "" where it can, and where that is not known yet."""
        return self.writing or (self.asking(item) if asks and not self.shut else "")

    def open(self, asking: Asking) -> None:
        """From now on it is known."""
        self.asking, self.shut = asking, False
        self._opened.set()

    async def known(self, item: Item) -> str:
        """Why nobody can be asked, "" where somebody can, as soon as that is known."""
        if self.shut:
            await self._opened.wait()
        return self.asking(item)
