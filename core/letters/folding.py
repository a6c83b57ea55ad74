"""Text that remembers where each of its characters stood in the original."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

HEAD: Final = 6_000
TAIL: Final = 18_000
"""Of a reply that is longer than both together, only its first and last characters are read (reasoning aside)."""

Replacement: TypeAlias = str | Callable[[re.Match[str]], tuple[str, int] | None]
"""What stands for a match: a text, or a function that gives the text and the index it comes from (None: leave it)."""

_TYPOGRAPHY: Final = {
    "‘": "'", "’": "'", "‛": "'", "ʼ": "'", "′": "'", "´": "'", "“": '"', "”": '"', "„": '"',
    "‟": '"', "«": '"', "»": '"',
    "「": '"', "」": '"', "『": '"', "』": '"', "《": '"', "》": '"', "〈": '"', "〉": '"',
    "【": "[", "】": "]", "〔": "[",
    "〕": "]", "❨": "(", "❩": ")", "﹙": "(", "﹚": ")", "⟨": '"', "⟩": '"',
    "‐": "-", "‑": "-", "‒": "-", "–": "-", "−": "-", "—": "-", "―": "-",
    "⇒": "→", "➜": "→", "⟶": "→", "➔": "→", "➡": "→", "⟹": "→", "↦": "→", "👉": "→", "⮕": "→",
    "。": ".", "、": ",", "،": ",", "।": ".", "؟": "?", "•": "*", "·": "*", "▪": "*", "●": "*", "◦": "*",
    "\u2028": "\n", "\u2029": "\n", "\r": "\n", "\v": "\n", "\f": "\n", "\x1c": "\n", "\x1d": "\n", "\x1e": "\n",
    "\x85": "\n", "\t": " ", "\u00ad": "", "\u200b": "", "\u200c": "", "\u200d": "", "\u200e": "", "\u200f": "",
    "\u2060": "", "\ufeff": "", "\ufe0e": "", "\ufe0f": "", "\u20e3": "", "\u202a": "", "\u202b": "", "\u202c": "",
    "\u2066": "", "\u2067": "", "\u2068": "", "\u2069": "",
}  # fmt: skip
_CIRCLED: Final = {
    chr(first + offset): f"({chr(65 + offset)})"
    for first in (0x24B6, 0x1F110, 0x1F130, 0x1F150, 0x1F170)
    for offset in range(26)
}
_KNOWN: Final = _TYPOGRAPHY | _CIRCLED
_FLAG_LETTERS: Final = range(0x1F1E6, 0x1F200)
_REASONING: Final = re.compile(
    r"<(/?)\s*(?:[a-z]{1,12}:)?(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis)\s*>"
    r"|\[(/?)think\]|◁(/?)think▷|<\|(begin|end)_of_thought\|>|<\|channel\|>(final)<\|message\|>",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Folded:
    """``text`` is what is read; ``at[i]`` is the index in the original of its character ``i``."""

    text: str
    at: Sequence[int]

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The span in the original of ``text[start:end]``, which is not empty."""
        return self.at[start], self.at[end - 1] + 1

    def cut(self, start: int, end: int) -> Folded:
        return Folded(self.text[start:end], self.at[start:end])

    def sub(self, pattern: re.Pattern[str], replacement: Replacement) -> Folded:
        """Every match replaced."""
        pieces: list[str] = []
        at: list[int] = []
        done = 0
        for match in pattern.finditer(self.text):
            new = (replacement, match.start()) if isinstance(replacement, str) else replacement(match)
            if new is None:
                continue
            pieces += (self.text[done : match.start()], new[0])
            at += self.at[done : match.start()]
            if new[0]:
                at += [self.at[new[1]]] * len(new[0])
            done = match.end()
        if not done:
            return self
        pieces.append(self.text[done:])
        at += self.at[done:]
        return Folded("".join(pieces), at)

    def lowered(self) -> Folded:
        """In lower case, one character for one."""
        text = self.text.lower()
        if len(text) != len(self.text):
            text = "".join(low if len(low := char.lower()) == 1 else char for char in self.text)
        return Folded(text, self.at)


def fold(text: str) -> Folded:
    """Compatibility forms, quotes, dashes and line ends folded; case kept.

    Of what is left when reasoning is taken out, at most ``HEAD + TAIL`` characters are kept.
    """
    return _capped(_spoken(_unified(text)))


def _unified(text: str) -> Folded:
    if text.isascii() and not _ODD_ASCII.search(text):
        return Folded(text, range(len(text)))
    chars: list[str] = []
    at: list[int] = []
    length = len(text)
    index = 0
    while index < length:
        char = text[index]
        end = index + 1
        while end < length and text[end] >= "\u0300" and unicodedata.combining(text[end]) and end - index < 8:
            end += 1
        known = _KNOWN.get(char)
        if known is None:
            known = char if char < "\x80" and end == index + 1 else _compatible(text, index, end)
        elif char == "\r" and text[end : end + 1] == "\n":
            known = ""
        chars.append(known)
        at.extend([index] * len(known))
        index = end
    return Folded("".join(chars), at)


def _compatible(text: str, index: int, end: int) -> str:
    code = ord(text[index])
    if code in _FLAG_LETTERS:
        alone = ord(text[index - 1 : index] or "a") not in _FLAG_LETTERS
        return (
            f"({chr(code - 0x1F1E6 + 65)})" if alone and ord(text[end : end + 1] or "a") not in _FLAG_LETTERS else " "
        )
    if 0xE000 <= code <= 0xF8FF or 0xD800 <= code <= 0xDFFF:
        return " "
    out = unicodedata.normalize("NFKC", text[index:end])
    return "".join(_TYPOGRAPHY.get(char, char) for char in out)


_ODD_ASCII: Final = re.compile(r"[\r\v\f\t\x1c-\x1e]")


def _spoken(folded: Folded) -> Folded:
    """Without reasoning blocks.

    A block that is never closed takes all that follows; one that is only closed (its opening tag stood in the
    prompt) takes all that goes before.
    """
    keep: list[tuple[int, int]] = []
    since = 0
    depth = 0
    for tag in _REASONING.finditer(folded.text):
        closing = "/" in tag.groups() or (tag[4] is not None and tag[4].lower() == "end")
        if tag[5]:
            keep, since, depth = [], tag.end(), 0
        elif not closing:
            if depth == 0:
                keep.append((since, tag.start()))
            depth += 1
        elif depth == 0:
            keep, since = [], tag.end()
        else:
            depth -= 1
            since = tag.end()
    if not depth:
        if since == 0:
            return folded
        keep.append((since, len(folded.text)))
    return _joined(folded, keep)


def _capped(folded: Folded) -> Folded:
    text = folded.text
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    if end - start <= HEAD + TAIL:
        return folded.cut(start, max(start, end))
    # A word cut in two would read as something else: both cuts go to a blank.
    first = max(text.rfind(" ", start, start + HEAD), text.rfind("\n", start, start + HEAD))
    blank = re.compile(r"\s").search(text, end - TAIL, end)
    return _joined(folded, [(start, max(first, start)), (blank.end() if blank else end, end)])


def _joined(folded: Folded, parts: Sequence[tuple[int, int]]) -> Folded:
    """The parts, each on lines of its own."""
    pieces: list[str] = []
    at: list[int] = []
    for start, end in parts:
        if start >= end:
            continue
        if pieces:
            pieces.append("\n\n")
            at += [folded.at[start]] * 2
        pieces.append(folded.text[start:end])
        at += folded.at[start:end]
    return Folded("".join(pieces), at)
