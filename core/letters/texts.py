"""Option texts: compared by what they say, not by how they are set."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_TYPOGRAPHY: Final = {
    ord(char): to
    for to, chars in {
        "'": "‘’‛ʼ′´", '"': "“”„‟«»", "-": "‐‑‒–−—―", " ": "\u00a0\u2007\u202f\u2009\u200a\u2002\u2003\u3000\t\r\n",
        "": "\u00ad\u200b\u200c\u200d\u2060\ufeff\ufe0f\ufe0e", "...": "…",
    }.items()
    for char in chars
}  # fmt: skip
_ENDS: Final = " .,;:!?\"'*_`()[]{}$\\/<>|"
_ARTICLE: Final = re.compile(r"(?:the|an?) (?=\S)")
_NONE: Final = re.compile(
    r"none|none of (?:the|these|them|those)\b.*|neither(?: of .*)?|no(?:ne)? correct (?:answer|option)"
    r"|all (?:of )?(?:the |these )?(?:above |other |previous |given )*(?:options?|choices|answers|statements)?"
    r" ?(?:are|is) (?:all )?(?:incorrect|wrong|false|not correct)"
)


def _typography(text: str) -> str:
    return re.sub(r" +", " ", unicodedata.normalize("NFC", text.translate(_TYPOGRAPHY))).strip()


def text_matches(reply: str, target: str) -> bool:
    """Whether the reply holds the target as whole words.

    Quotes, dashes, spaces and the composition of accents are folded, and case unless the target is an
    abbreviation in capitals. Nothing else is: a number never matches a part of another number.
    """
    said, wanted = _typography(reply), _typography(target).strip(_ENDS)
    if not wanted:
        return False
    if not (wanted.isupper() and wanted.isalpha() and len(wanted) <= 5):
        said, wanted = said.lower(), wanted.lower()
    at = said.find(wanted)
    while at >= 0:
        if _whole(said, at, at + len(wanted)):
            return True
        at = said.find(wanted, at + 1)
    return False


def _whole(text: str, start: int, end: int) -> bool:
    before, first, last, after = text[start - 1 : start], text[start], text[end - 1], text[end : end + 1]
    if _wordy(first) and _wordy(before) and not (_unspaced(first) and _unspaced(before)):
        return False
    if after and (unicodedata.combining(after) or (_wordy(last) and _wordy(after))):
        return _unspaced(last) and _unspaced(after)
    if first.isdigit() and (
        before in ("-", "+", "$", "€", "£")
        or (before in (".", ",", "/", ":") and text[start - 2 : start - 1].isdigit())
    ):
        return False
    return not (
        last.isdigit()
        and (after in ("%", "°") or (after in (".", ",", "/", ":", "-") and text[end + 1 : end + 2].isdigit()))
    )


def _wordy(char: str) -> bool:
    return bool(char) and (char.isalnum() or char == "_")


def _unspaced(char: str) -> bool:
    """A letter of a script that is written without spaces."""
    return "\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or "\u0e00" <= char <= "\u0e7f"


def key(text: str) -> str:
    """What two statements of the same option have in common."""
    out = _typography(unicodedata.normalize("NFKC", text)).replace("**", "").replace("`", "").casefold().strip(_ENDS)
    return _ARTICLE.sub("", out, count=1) if _ARTICLE.match(out) else out


@dataclass(frozen=True, slots=True)
class OptionTexts:
    """Letters by what their options say. ``none`` is the one that says no other is right, if there is one."""

    keys: Mapping[str, str]
    letters: Mapping[str, tuple[str, ...]]
    none: str | None

    def of(self, text: str) -> tuple[str, ...]:
        """The letters of the options that say just that."""
        return self.letters.get(key(text), ())

    def own(self, letter: str, text: str) -> bool:
        """Whether the text begins with what that letter's option says."""
        wanted = self.keys.get(letter, "")
        if not wanted:
            return False
        said = key(text[: len(wanted) + 60])
        return said == wanted or (said.startswith(wanted) and not said[len(wanted)].isalnum())


def option_texts(options: Mapping[str, str]) -> OptionTexts:
    """Options whose text is a mere letter are known by their label alone."""
    keys = {letter.upper(): said for letter, text in options.items() if len(said := key(text)) > 1 or said.isdigit()}
    letters: dict[str, tuple[str, ...]] = {}
    for letter, said in keys.items():
        letters[said] = (*letters.get(said, ()), letter)
    none = [letter for letter, said in keys.items() if _NONE.fullmatch(said)]
    return OptionTexts(keys, letters, none[0] if len(none) == 1 else None)
