"""The ``phoropter`` command as tests run it: a process of its own, with a data folder of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.end_to_end.forking import TIMEOUT_S, Starter

COMMAND = (sys.executable, "-m", "tui.cli")
ROOT = Path(__file__).parents[2]
STARTER = Starter(ROOT)


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
    words = [str(argument) for argument in arguments]
    return STARTER.run(words, home, environment(home, **more), stdin) or started(home, *words, stdin=stdin, **more)


def started(home: Path, *arguments: str, stdin: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """The same in an interpreter of its own, which loads what ``PYTHONPATH`` and its like in ``more`` say."""
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=home,
        env=environment(home, **more),
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=TIMEOUT_S,
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
