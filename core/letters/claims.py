"""What a sketch claims to be the answer, in order, and what it rules out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from core.letters.folding import Folded
from core.letters.marks import MARK, Form, form_of, letter_of
from core.letters.pages import Claim, Page
from core.letters.placing import by_place
from core.letters.saying import by_heads, called_right
from core.letters.texts import OptionTexts

_MARK: Final = re.compile(MARK)


@dataclass(frozen=True, slots=True)
class Claims:
    made: tuple[Claim, ...]
    refuted: tuple[tuple[str, int], ...]


def claims(sketch: Folded, original: str, texts: OptionTexts, *, words: bool = False) -> Claims:
    """Everything in order of its place. ``words``: the marks are words of yes or no, not letters."""
    page = Page(sketch, original, texts, words=words)
    gone = {at for _, at in page.refuted}
    found = [*by_heads(page), *called_right(page), *by_place(page)]
    standing = {letter_of(m[0]) for m in _MARK.finditer(page.text) if form_of(m[0]) is not Form.LOWER}
    standing -= {letter for letter, _ in page.refuted}
    made = [claim for claim in found if claim.start not in gone and (claim.rank > -2 or standing <= {claim.letter})]
    made.sort(key=lambda claim: (claim.start, claim.rank))
    return Claims(tuple(made), tuple(page.refuted))
