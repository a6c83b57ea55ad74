"""The kinds of tokens, and what is read: values with their place."""

from __future__ import annotations

from typing import Final, NamedTuple

NUM: Final = "num"
ARTICLE: Final = "article"
SUBJ: Final = "subj"
OTHER: Final = "other"
GENERIC: Final = "generic"
ACT: Final = "act"
VERB: Final = "verb"
DOING: Final = "doing"
ANY: Final = "any"
LABEL: Final = "label"
IMG: Final = "img"
LIST: Final = "list"
SAME: Final = "same"
CHANGE: Final = "change"
UP: Final = "up"
DOWN: Final = "down"
FACTOR: Final = "factor"
NOT: Final = "not"
INSTEAD: Final = "instead"
BUT: Final = "but"
WHILE: Final = "while"
AND: Final = "and"
OR: Final = "or"
FROM: Final = "from"
TO: Final = "to"
ARROW: Final = "arrow"
MARK: Final = "mark"
WEAK: Final = "weak"
BECAUSE: Final = "because"
EXPLAIN: Final = "explain"
ALL: Final = "all"
ELSE: Final = "else"
EXCEPT: Final = "except"
ONLY: Final = "only"
YES: Final = "yes"
NOTHING: Final = "nothing"
BOTH: Final = "both"
AGE: Final = "age"
COLON: Final = "colon"
COMMA: Final = "comma"
STOP: Final = "stop"
LINE: Final = "line"
OPEN: Final = "open"
CLOSE: Final = "close"
SIGN: Final = "sign"
WORD: Final = "word"


class Token(NamedTuple):
    """A meaning and where it stands in the folded text. ``units`` are the pictures of an ``img`` token."""

    kind: str
    value: str
    start: int
    end: int
    units: tuple[int, ...] = ()


def listed(words: str) -> tuple[str, ...]:
    """The words of a table's line."""
    return tuple(words.split())


class Found(NamedTuple):
    """A value and where it stands in the folded text."""

    value: str
    start: int
    end: int


class Said(NamedTuple):
    """What was read of one picture: the clear values, and the properties that contradict themselves."""

    values: dict[str, Found]
    unclear: frozenset[str]


SILENT: Final = Said({}, frozenset())
