"""What is being stored is stored, and whoever is to hear of it hears, though the work is called off meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


async def kept(storing: Coroutine[Any, Any, T]) -> T:
    """What ``storing`` returns. Cancelled, this waits for its end before it says so: what a journal was given it
    keeps, and would be missing from the counts of those who are told after it."""
    task = asyncio.ensure_future(storing)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            with suppress(asyncio.CancelledError):  # asked twice
                await asyncio.wait((task,))
        if not task.cancelled():
            task.exception()  # nobody is left to hear of it
        raise
