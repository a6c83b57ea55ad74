"""When two questions are the same, and when a question gives its own answer away."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_ARTICLES = frozenset({"a", "an", "the"})


@lru_cache(maxsize=8192)
def normal(text: str) -> str:
    """A question as it is compared: case, accents, punctuation, articles and blanks do not matter."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    words = re.findall(r"[^\W_]+", "".join(mark for mark in folded if not unicodedata.combining(mark)))
    return " ".join(word for word in words if word not in _ARTICLES) or " ".join(words)


def tells_itself(question: str, answer: str) -> bool:
    """Whether the answer stands in its question's own words, as a run of whole words."""
    answer_ = normal(answer)
    return bool(answer_) and f" {answer_} " in f" {normal(question)} "
