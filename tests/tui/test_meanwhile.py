"""Importing what is needed later while a command waits."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from tui.cli import meanwhile
from tui.cli.meanwhile import import_when_idle


async def test_it_imports_once_the_process_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "needed_later.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    spent = iter([0.0, 1.0, 2.0, 3.0, 4.0, 4.0])  # busy, busy, idle
    looks: list[bool] = []

    def process_time() -> float:
        looks.append("needed_later" in sys.modules)
        return next(spent)

    monkeypatch.setattr(meanwhile.time, "process_time", process_time)
    try:
        await asyncio.wait_for(import_when_idle("needed_later"), 60)
        assert "needed_later" in sys.modules
        assert looks == [False] * 6
    finally:
        sys.modules.pop("needed_later", None)
