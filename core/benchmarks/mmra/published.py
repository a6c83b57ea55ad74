"""The authors' matching rule (paper appendix A), as it is: its faults are part of what it measures.

Choice: letters in parentheses; else capital letters that stand alone as words anywhere, so that the A of "A cat" is
one; of several the most frequent. Else the option whose text occurs. True/false: yes or no as words, the most
frequent. The paper leaves ties open; the authors' script breaks them in favour of the answer that came up last, by
where each first stands, and so does this. Letters reach as far as the item's options do.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from core.benchmarks.mmra.question import YES_NO


class Match(NamedTuple):
    """The answer matched and where it first stands."""

    answer: str
    span: tuple[int, int]


def match_choice(text: str, options: Mapping[str, str]) -> Match | None:
    """The option's letter, None where nothing matches. ``options`` maps A, B, C ... to their texts."""
    letters = f"[A-{max(options)}]"
    for pattern in (rf"\(({letters})\)", rf"\b({letters})\b"):
        found = _most_frequent((match[1], match.span(1)) for match in re.finditer(pattern, text))
        if found is not None:
            return found
    said = [(letter, text.find(words.strip()), len(words.strip())) for letter, words in options.items()]
    return _most_frequent((letter, (at, at + length)) for letter, at, length in said if at >= 0)


def match_yes_no(text: str) -> Match | None:
    """Yes or No, None where neither is said."""
    by_fold = {answer.casefold(): answer for answer in YES_NO}
    found = re.finditer(r"\b(yes|no)\b", text, re.IGNORECASE)
    return _most_frequent((by_fold[match[1].casefold()], match.span(1)) for match in found)


def _most_frequent(found: Iterable[tuple[str, tuple[int, int]]]) -> Match | None:
    """Of equally frequent ones the one whose first place comes last."""
    counts: Counter[str] = Counter()
    places: dict[str, tuple[int, int]] = {}
    for answer, span in found:
        counts[answer] += 1
        places.setdefault(answer, span)
    if not counts:
        return None
    most = max(counts.values())
    answer = [answer for answer, count in counts.items() if count == most][-1]
    return Match(answer, places[answer])
