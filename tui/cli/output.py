"""What leaves the program: data to stdout, messages to stderr."""

from __future__ import annotations

import json
import shutil
import sys
from typing import TYPE_CHECKING, Any

from tui.inert import inert

if TYPE_CHECKING:
    from rich.console import Console

WIDE = 200
"""Width of tables where stdout is no terminal: nothing is folded that a program may read."""


def say(message: str) -> None:
    """One message for a person, on stderr."""
    print(inert(message), file=sys.stderr, flush=True)


def put(text: str) -> None:
    """Data, on stdout."""
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def put_json(document: Any) -> None:
    """One JSON document on stdout; readable where a person looks at it."""
    indent = 2 if sys.stdout.isatty() else None
    put(json.dumps(document, ensure_ascii=False, indent=indent, default=str))


def console() -> Console:
    """A rich console on stdout for tables; no markup is ever read from data."""
    from rich.console import Console

    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDE
    return Console(file=sys.stdout, width=width, markup=False, highlight=False, emoji=False)
