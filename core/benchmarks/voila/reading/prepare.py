"""Answer text folded for reading, with the way back to the original's characters.

Typography is folded (compatibility forms, accents, quotes, dashes, case), reasoning blocks are blanked, and of a
very long answer only the beginning and the end are kept.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from core.reasoning import Tag, spoken_parts

HEAD: Final = 10_000
TAIL: Final = 20_000
"""Of an answer that is longer than both together, only its first and last characters are read (reasoning aside)."""

_FOLD: Final = {
    "‘": "'", "’": "'", "‛": "'", "′": "'", "`": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
    "‐": "-", "‑": "-", "‒": "-", "–": "-", "−": "-", "—": ",", "―": ",",
    "⇒": "→", "➜": "→", "⟶": "→", "➔": "→", "➡": "→", "⟹": "→", "⮕": "→", "↦": "→", "►": "→", "▶": "→",
    "。": ".", "、": ",", "•": "*", "·": "*", "▪": "*", "●": "*", "≠": "≠", "\u2028": "\n", "\u2029": "\n",
    "\u00ad": "", "\u200b": "", "\u200c": "", "\u200d": "", "\u2060": "", "\ufeff": "", "\ufe0f": "",
}  # fmt: skip
_NEW_LINES: Final = str.maketrans("\r\v\f\x1c\x1d\x1e\x85", " \n\n\n\n\n\n")

_SPECIAL: Final = re.compile(r"<\|[a-z0-9_ ]{1,30}\|>")
_REASONING: Final = re.compile(
    r"<(/?)\s*(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)\s*>"
    r"|\[(/?)think\]|◁(/?)think▷|<\|(begin|end)_of_thought\|>"
)


@dataclass(frozen=True, slots=True)
class Prepared:
    """``text`` is what is read; ``origin`` tells where it comes from."""

    text: str
    starts: tuple[int, ...]
    shifts: tuple[tuple[int, int], ...]
    folded: tuple[int, ...] | None = None

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The span in the original text of ``text[start:end]``, which is not empty."""
        if self.shifts:
            shift = self.shifts[bisect_right(self.starts, start) - 1][1]
            start, end = start + shift, end + shift
        if self.folded is not None:
            start, end = self.folded[start], self.folded[end - 1] + 1
        return start, end


def prepare(text: str) -> Prepared:
    """Fold, blank the reasoning, cut. Linear in the text's length."""
    folded: tuple[int, ...] | None = None
    if text.isascii():
        out = text.lower().translate(_NEW_LINES) if "\r" in text else text.lower()
    else:
        out, folded = _fold(text)
    if "think" in out or "<" in out or "thought" in out:
        out = _without_reasoning(out)
    if "<|" in out:
        out = _SPECIAL.sub(lambda match: " " * len(match[0]), out)
    if len(out) <= HEAD + TAIL:
        return Prepared(out, (), (), folded)
    spoken = out.strip()
    lead = out.index(spoken) if spoken else 0
    if len(spoken) <= HEAD + TAIL:
        return Prepared(spoken, (0,), ((0, lead),), folded)
    head, tail = spoken[:HEAD], spoken[-TAIL:]
    # A word or a line cut in two would read as something else: both cuts go to a blank.
    head = head[: max(head.rfind(" "), head.rfind("\n"), 0)]
    blank = re.search(r"\s", tail)
    tail = tail[blank.end() if blank else 0 :]
    at = len(head) + 2
    return Prepared(f"{head}\n\n{tail}", (0, at), ((0, lead), (at, lead + len(spoken) - len(tail) - at)), folded)


def _fold(text: str) -> tuple[str, tuple[int, ...]]:
    chars: list[str] = []
    origins: list[int] = []
    for index, char in enumerate(text):
        if char < "\x80":
            chars.append(char.lower() if char != "\r" else " ")
            origins.append(index)
            continue
        known = _FOLD.get(char)
        if known is None:
            known = "".join(c for c in unicodedata.normalize("NFKD", char) if not unicodedata.combining(c)).lower()
            known = "".join(_FOLD.get(c, c) for c in known)
        chars.extend(known)
        origins.extend([index] * len(known))
    return "".join(chars), tuple(origins)


def _without_reasoning(text: str) -> str:
    """Reasoning blocks turned into blanks of the same length."""
    pieces: list[str] = []
    at = 0
    for start, end in spoken_parts(len(text), map(_tag, _REASONING.finditer(text))):
        pieces += (" " * (start - at), text[start:end])
        at = end
    return "".join((*pieces, " " * (len(text) - at)))


def _tag(tag: re.Match[str]) -> tuple[int, int, Tag]:
    closes = "/" in tag.groups() or tag[4] == "end"
    return tag.start(), tag.end(), Tag.CLOSES if closes else Tag.OPENS
