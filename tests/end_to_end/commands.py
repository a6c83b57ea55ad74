"""The ``phoropter`` command as tests run it: a fresh process with a data folder of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

COMMAND = (sys.executable, "-m", "tui.cli")
ROOT = Path(__file__).parents[2]


def environment(home: Path, **more: str) -> dict[str, str]:
    """The user's folders are in ``home``; no colours, no terminal, no configuration of whoever runs the tests."""
    kept = {key: value for key, value in os.environ.items() if key not in ("PHOROPTER_IMAGES", "COLUMNS", "LINES")}
    return kept | {
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "PYTHONPATH": str(ROOT),
        **more,
    }


def phoropter(home: Path, *arguments: object, stdin: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """Run one command to its end in ``home``."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        cwd=home,
        env=environment(home, **more),
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def told(home: Path, *arguments: object) -> Any:
    """The JSON document a successful command puts on stdout."""
    done = phoropter(home, *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def cells(document: Any, **wanted: object) -> list[Any]:
    """The cells of a document that have these values."""
    return [cell for cell in document["cells"] if all(cell[key] == value for key, value in wanted.items())]
