"""Text that others wrote, made harmless for a terminal, one character for one: spans keep their places."""

from __future__ import annotations

import unicodedata
from typing import Final, NamedTuple

from tui.counting import counted

SHOWN_CHARS: Final = 20_000
SHOWN_LINES: Final = 600

_KEPT: Final = "\n\t"
_JOINERS: Final = "\u200c\u200d"  # scripts and emoji are written with them
_REPLACED: Final = "\N{REPLACEMENT CHARACTER}"
_LINE_ENDS: Final = {"\u2028": "↵", "\u2029": "↵"}


def inert(text: str) -> str:
    """The text with every control character as a visible sign.

    C0 controls become their Unicode pictures (escape is ␛), C1 controls, lone surrogates and characters that turn
    the direction of the line or hide become �. Newlines and tabs stay.
    """
    return text if text.isprintable() else text.translate(_SIGNS).replace("␍\n", " \n")


class _Signs(dict[int, str]):
    """What stands for a character, by its code: worked out where it first comes."""

    def __missing__(self, code: int) -> str:
        self[code] = _shown(chr(code))
        return self[code]


_SIGNS: Final = _Signs()


def _shown(char: str) -> str:
    code = ord(char)
    if 32 <= code < 127 or char in _KEPT or char in _JOINERS:
        return char
    if code < 32:
        return chr(0x2400 + code)
    if code == 127:
        return "␡"
    if char in _LINE_ENDS:
        return _LINE_ENDS[char]
    return _REPLACED if unicodedata.category(char) in ("Cc", "Cf", "Cs") else char


def one_line(text: str) -> str:
    """Inert, and without line breaks: for lists, titles and captions."""
    return " ".join(inert(text).split())


class Pruned(NamedTuple):
    """The head of a text, inert, and what to say of the rest ("" where all of it is shown)."""

    text: str
    note: str


def pruned(text: str, chars: int = SHOWN_CHARS, lines: int = SHOWN_LINES) -> Pruned:
    """As much of a text as a screen can lay out at once."""
    head = text[:chars]
    ends = [at for at, char in enumerate(head) if char == "\n"][:lines]
    if len(ends) == lines:
        head = head[: ends[-1]]
    if len(head) == len(text):
        return Pruned(inert(head), "")
    return Pruned(inert(head), f"the first {len(head):,} of {counted(len(text), 'character')}; all of it is stored")
