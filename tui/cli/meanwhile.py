"""What a command will need later, imported while it has nothing else to do."""

from __future__ import annotations

import asyncio
import time
from importlib import import_module
from typing import Final

_LOOK_S: Final = 0.015
_IDLE: Final = 0.2
"""Of that time, the most CPU that a process spends which waits for answers."""


async def import_when_idle(module: str) -> None:
    """Import it in a thread once the process waits. Where it never does, whoever needs the module imports it."""
    spent = _LOOK_S
    while spent > _IDLE * _LOOK_S:
        before = time.process_time()
        await asyncio.sleep(_LOOK_S)
        spent = time.process_time() - before
    await asyncio.to_thread(import_module, module)
