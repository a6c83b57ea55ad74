"""The same colours and pictures on every machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pytest_textual_snapshot import SVGImageExtension
from textual.pilot import Pilot

from tests.tui.settling import wait_for_screen
from tests.tui.snapping import SnapSizes
from tui import stillness


@pytest.fixture(autouse=True)
def _same_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "PHOROPTER_IMAGES", "TEXTUAL_THEME", "TEXTUAL_ANIMATIONS", "TEXTUAL_DRIVER"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def _still_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for the keyboard; what that is for has tests of its own."""
    monkeypatch.setattr(stillness, "STILL_S", 0.0)


@pytest.fixture(autouse=True)
def _only_for_the_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pilot, "_wait_for_screen", wait_for_screen)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Of a store."""
    return tmp_path / "phoropter.db"


@pytest.fixture
def snap_sizes(snapshot: Any) -> SnapSizes:
    """Pictures of one app's screen at all sizes."""
    return SnapSizes(snapshot.use_extension(SVGImageExtension))
