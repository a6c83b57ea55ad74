"""Keys in their order: a key of the screen waits until those typed before it have arrived in their field."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from textual.screen import Screen

LONGEST_S = 2.0


async def settled(screen: Screen[Any]) -> None:
    """Returns when the focused widget has taken what was typed so far: a priority key overtakes it otherwise."""
    widget = screen.focused
    if widget is not None:
        taken = asyncio.Event()
        widget.call_later(taken.set)
        with suppress(TimeoutError):
            await asyncio.wait_for(taken.wait(), LONGEST_S)
