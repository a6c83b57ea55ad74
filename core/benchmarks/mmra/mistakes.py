"""Kinds of wrong answers (section 4.5): an entity that is in neither image, or that there is no relation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from core.benchmarks.mmra.question import ALL_WRONG, ANSWER, NO_RELATION, YES_NO, question
from core.records import Item

OTHER: Final = "another option"

_NOTHING: Final = re.compile(
    r"(there (is|are|was|were) (no|not|n't)|there isn't|there aren't|no\b(?!\.)|none\b|neither\b|nothing\b"
    r"|not (related|similar|the same)|unrelated|without (any )?relation)",
    re.IGNORECASE,
)


def mistake(item: Item, step: str, values: Mapping[str, str]) -> str:
    """Of what kind a wrong choice is: as its option is marked, else ``no relation`` where its words begin by saying
    so, else another option. "" for yes or no, and where nothing was read."""
    letter = values.get(ANSWER, "")
    if step != ANSWER or not letter or letter in YES_NO:
        return ""
    view = question(item)
    if letter in view.marks:
        return view.marks[letter]
    return NO_RELATION if says_nothing(view.options.get(letter, ALL_WRONG)) else OTHER


def says_nothing(words: str) -> bool:
    """Whether an option says that the images have nothing to do with each other, in the paper's example "there are no
    entities of the same material in fig1 and fig2"."""
    return _NOTHING.match(words.strip()) is not None
