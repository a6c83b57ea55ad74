"""What leaves the program: data to stdout, messages to stderr."""

from __future__ import annotations

import json
import shutil
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

WIDE = 200
"""Width of tables where stdout is no terminal: nothing is folded that a program may read."""


def say(message: str) -> None:
    """One message for a person, on stderr."""
    print(inert(message, keep="\n\t"), file=sys.stderr, flush=True)


def put(text: str) -> None:
    """Data, on stdout."""
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def put_json(document: Any) -> None:
    """One JSON document on stdout; readable where a person looks at it."""
    indent = 2 if sys.stdout.isatty() else None
    put(json.dumps(document, ensure_ascii=False, indent=indent, default=str))


def inert(text: str, keep: str = "") -> str:
    """Text with its control characters made visible, so that data can never steer the terminal.

    ``keep`` are control characters left as they are.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else _visible(c) for c in text)


def _visible(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0x80 <= code < 0xA0 or 0xD800 <= code <= 0xDFFF or code in _BIDI:
        return "\ufffd"
    return character


_BIDI = frozenset({0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)})


def console() -> Console:
    """A rich console on stdout for tables; no markup is ever read from data."""
    from rich.console import Console

    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDE
    return Console(file=sys.stdout, width=width, markup=False, highlight=False, emoji=False)
