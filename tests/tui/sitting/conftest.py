"""Keys count from the first paint on; that they do not count for a while is tested where it is meant."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from sessions.store import Store
from tests.tui.sitting.stage import opened


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No grace, and no key is taken for a held one."""
    for name in ("GRACE_S", "REPEAT_DELAY_S", "REPEAT_GAP_S"):
        monkeypatch.setattr(sys.modules["tui.sitting.state.guard"], name, 0.0)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], Awaitable[None]]:
    """``await later(seconds)``: so much time has gone by, for the event loop and its timers too. It takes none."""
    clock, ahead = time.monotonic, 0.0

    def now() -> float:
        return clock() + ahead

    rooms = [f"tui.sitting.{room}" for room in ("app", "overseeing", "pages", "pictures", "stamping", "trial")]
    for place in ("time.monotonic", *(f"{room}.get_time" for room in ("textual._time", *rooms))):
        monkeypatch.setattr(place, now)

    async def gone_by(seconds: float) -> None:
        nonlocal ahead
        ahead += seconds
        await asyncio.sleep(0.02)  # for what is due by now

    return gone_by


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path) as made:
        yield made
