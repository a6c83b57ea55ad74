"""A store that is open, and keys as fast as a test presses them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sessions.store import Store


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open(path) as opened:
        yield opened


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.grading.state.HELD_S", 0.0)
