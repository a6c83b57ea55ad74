"""What the tests of whole commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tui.cli import run


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs one command here, in a folder of its own: status, stdout, stderr."""
    monkeypatch.chdir(tmp_path)
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))

    def call(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        status = run(arguments)
        out, err = capsys.readouterr()
        return status, out, err

    return call
