"""What is wanted of the list of items, as it is typed: words, and ``name=value`` for a group or how an item came out.

One line of text is the whole filter, so that it can be typed, edited by the list of values, and shown as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

STATUS: Final = "status"
WRONG_AT: Final = "wrong"
TAG: Final = "tag"
NOTE: Final = "note"
DISPUTED: Final = "disputed"
GRADED: Final = "graded"
OWN: Final = (STATUS, WRONG_AT, TAG, NOTE, DISPUTED, GRADED)
"""What items can be told apart by beside the benchmark's groups: how they came out, the first wrong step, tags, and
whether somebody wrote a note, disputed the gold, scored a step."""
YES: Final = "yes"
NO: Final = "no"
NOTE_SIGN: Final = "✎"
DISPUTED_SIGN: Final = "!"
GRADED_SIGN: Final = "±"
SIGNS: Final[Mapping[str, str]] = MappingProxyType({NOTE_SIGN: NOTE, DISPUTED_SIGN: DISPUTED, GRADED_SIGN: GRADED})
"""In the list of items; alone in a filter each stands for the items that have it."""

_PART: Final = re.compile(r'(?P<name>[^\s="]+)="(?P<quoted>[^"]*)"?|(?P<word>\S+)')


@dataclass(frozen=True, slots=True)
class Wanted:
    """``words`` an item's line must all hold; ``values`` it must have one of, for each name."""

    words: tuple[str, ...] = ()
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.words or self.values)

    @property
    def text(self) -> str:
        """As it would be typed."""
        return " ".join(
            [*(told(name, value) for name, values in self.values.items() for value in values), *self.words]
        )


def told(name: str, value: str) -> str:
    """One value of a filter as it is typed; quoted where it would not be read back else."""
    return f'{name}="{value}"' if not value or re.search(r"[\s,]", value) else f"{name}={value}"


def parse(text: str, names: Iterable[str]) -> Wanted:
    """The filter behind a text. ``names`` are the groups there are; ``x=y`` of any other name is a word.

    Several values of one name, repeated or with commas, mean any of them; everything else must hold together.
    """
    known = {name.casefold(): name for name in (*names, *OWN)}
    words: list[str] = []
    values: dict[str, dict[str, None]] = {}
    for part in _PART.finditer(text):
        if part["name"] is not None and (name := known.get(part["name"].casefold())):
            values.setdefault(name, {})[part["quoted"]] = None
            continue
        word = part["word"] if part["word"] is not None else part[0]
        if sign := SIGNS.get(word):
            values.setdefault(sign, {})[YES] = None
            continue
        head, equals, value = word.partition("=")
        if not equals and head.partition(":")[0].casefold() in OWN:  # ids may hold colons, these names are no ids
            head, equals, value = word.partition(":")
        if equals and (name := known.get(head.casefold())):
            for each in value.split(","):
                if each:
                    values.setdefault(name, {})[each] = None
        else:
            words.append(word)
    return Wanted(tuple(words), {name: tuple(found) for name, found in values.items()})


def toggled(wanted: Wanted, name: str, value: str) -> Wanted:
    """With that value in, or out where it was in."""
    values = dict(wanted.values)
    before = values.pop(name, ())
    after = tuple(v for v in before if v != value) if value in before else (*before, value)
    return Wanted(wanted.words, {**values, name: after} if after else values)
