"""The same colours and pictures on every machine."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _same_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "PHOROPTER_IMAGES", "TEXTUAL_THEME", "TEXTUAL_ANIMATIONS", "TEXTUAL_DRIVER"):
        monkeypatch.delenv(name, raising=False)
