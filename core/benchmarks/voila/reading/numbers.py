"""Words and digits that say how many."""

from __future__ import annotations

from typing import Final

from core.benchmarks.voila.reading.kinds import listed
from core.benchmarks.voila.vocabulary import NUMBERS

ONE, TWO, THREE, FOUR = NUMBERS

_OUTSIDE = listed(
    "zero none five six seven eight nine ten eleven twelve dozen several many multiple numerous few some various"
)

COUNTS: Final[dict[str, str]] = {
    **{word: word for word in NUMBERS},
    "single": ONE,
    "lone": ONE,
    "solitary": ONE,
    "sole": ONE,
    "a single": ONE,
    "a lone": ONE,
    "a solitary": ONE,
    "only one": ONE,
    "just one": ONE,
    "a pair of": TWO,
    "the pair of": TWO,
    "pair of": TWO,
    "a pair": TWO,
    "a couple of": TWO,
    "couple of": TWO,
    "a duo of": TWO,
    "duo of": TWO,
    "duo": TWO,
    "a trio of": THREE,
    "trio of": THREE,
    "trio": THREE,
    "a threesome of": THREE,
    "triplet": THREE,
    "a quartet of": FOUR,
    "quartet of": FOUR,
    "quartet": FOUR,
    "a foursome of": FOUR,
    **{word: word for word in _OUTSIDE},
    "a few": "few",
    "a lot of": "many",
    "lots of": "many",
    "a number of": "several",
    "a dozen": "dozen",
    "a couple": "couple",
    **{
        f"{article}{noun} of": noun
        for noun in ("group", "pack", "bunch", "family", "crowd", "litter", "team", "herd", "set", "collection")
        for article in ("a ", "the ", "")
    },
    **{f"two {noun} of": f"two {noun}" for noun in ("pairs", "groups", "couples")},
}
"""Phrase to value: a vocabulary word, or what was said where it is none ("five", "group")."""

DIGITS: Final = {str(count): word for count, word in enumerate(NUMBERS, start=1)}

ORDINALS: Final = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "forth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4,
}  # fmt: skip

CARDINALS: Final = {"one": 1, "two": 2, "three": 3, "four": 4, "1": 1, "2": 2, "3": 3, "4": 4,
                    "i": 1, "ii": 2, "iii": 3, "iv": 4}  # fmt: skip
