"""Keys count from the first paint on; that they do not count for a while is tested where it is meant."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sessions.store import Store
from tests.tui.sitting.stage import opened


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No grace, and no key is taken for a held one."""
    for name in ("GRACE_S", "REPEAT_DELAY_S", "REPEAT_GAP_S"):
        monkeypatch.setattr(sys.modules["tui.sitting.state_guard"], name, 0.0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with opened(tmp_path) as made:
        yield made
