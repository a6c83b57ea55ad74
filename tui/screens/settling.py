"""Keys in their order: a key of the screen waits until those typed before it have arrived in their field."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from textual.message_pump import MessagePump
from textual.screen import Screen

LONGEST_S = 2.0


async def settled(screen: Screen[Any]) -> None:
    """Returns when the focused widget, and after it the screen, have taken what was typed so far: a priority key
    overtakes it otherwise."""
    for node in (screen.focused or screen).ancestors_with_self:
        if node is not screen.app:
            await _taken(node)


async def acted_on(screen: Screen[Any]) -> None:
    """The same also for keys that are bound to actions, which rise to the application. To be awaited in a worker:
    the application must be free."""
    await settled(screen)
    await _taken(screen.app)


async def _taken(pump: MessagePump) -> None:
    taken = asyncio.Event()
    pump.call_later(taken.set)
    with suppress(TimeoutError):
        await asyncio.wait_for(taken.wait(), LONGEST_S)
