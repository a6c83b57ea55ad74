"""What may be done with a run: whether anybody may be asked, whether anything may be stored, and why not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from core.records import Item


def _nothing_against(item: Item) -> str:
    return ""


@dataclass(slots=True)
class Gate:
    """``writing`` says why nothing can be stored, ``asking`` (of an item) why nobody can be asked; "" where nothing
    stands against it. ``missing`` is what the screen says all the time of what is not there."""

    missing: str = ""
    writing: str = ""
    asking: Callable[[Item], str] = field(default=_nothing_against)

    def against(self, item: Item, *, asks: bool) -> str:
        """Why a command cannot do anything here, "" where it can."""
        return self.writing or (self.asking(item) if asks else "")
