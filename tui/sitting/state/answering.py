"""An answer being given: values picked by a key, typed with completion, or turned through; every change noted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from core.benchmarks.voila.vocabulary import ANY
from core.records import Field
from core.study.texts import Wording, fold

MOST_KEYED: Final = 9
MOST_INITIALS: Final = 3


@dataclass(frozen=True, slots=True)
class Choice:
    """One value that can be chosen: its ``key`` ("" where it has none), the value itself, and what is shown."""

    key: str
    value: str
    label: str
    text: str = ""


@dataclass(slots=True)
class Asked:
    """One property to be answered, with what was typed for it and which choice stands. ``unit`` is the picture that
    it belongs to and ``short`` its own name, "" where there is only one."""

    name: str
    label: str
    choices: tuple[Choice, ...]
    typed: str = ""
    chosen: int | None = None
    unit: str = ""
    short: str = ""

    @property
    def value(self) -> str:
        return "" if self.chosen is None else self.choices[self.chosen].value

    @property
    def texts(self) -> bool:
        """Whether its choices are letters that stand for words."""
        return any(choice.text for choice in self.choices)

    @property
    def keyed(self) -> tuple[Choice, ...]:
        """Those that have a key of their own."""
        return tuple(choice for choice in self.choices if choice.key)

    @property
    def shown(self) -> str:
        return "" if self.chosen is None else self.choices[self.chosen].label

    def matching(self, typed: str) -> list[int]:
        """The choices whose words begin with what was typed, else those that hold it; all where nothing was."""
        folded, last = fold(typed), " " if typed.endswith(" ") and typed.strip() else ""
        if not folded:
            return list(range(len(self.choices)))
        labels = [fold(choice.label) for choice in self.choices]
        starts = [at for at, label in enumerate(labels) if label.startswith(folded + last)]
        return starts or [at for at, label in enumerate(labels) if f" {folded}{last}" in f" {label}"]

    def by_key(self, char: str) -> int | None:
        """The choice that this character stands for; where the keys are letters, its number does as well."""
        keys = [choice.key.casefold() for choice in self.choices]
        if char and char.casefold() in keys:
            return keys.index(char.casefold())
        numbers = [str(at + 1) for at in range(len(keys))] if all(map(str.isalpha, keys)) else []
        return numbers.index(char) if char in numbers else None


def asked(fields: Sequence[Field], wording: Wording, texts: Mapping[str, str] | None = None) -> tuple[Asked, ...]:
    """The fields of a turn's form. ``texts`` are what a letter stands for, where it is a choice of letters."""
    return tuple(_asked(one, choices_of(one.options, wording.labels(one.options), texts), wording) for one in fields)


def _asked(one: Field, choices: tuple[Choice, ...], wording: Wording) -> Asked:
    unit, dot, name = one.name.rpartition(".")
    own = wording.label(name)
    if not dot:
        return Asked(one.name, own.capitalize() if own != name or not one.label else one.label, choices)
    picture = f"{wording.ui('picture')} {unit}"
    return Asked(one.name, f"{picture} {own}", choices, unit=picture, short=own)


def choices_of(
    options: Sequence[str], labels: Sequence[str], texts: Mapping[str, str] | None = None
) -> tuple[Choice, ...]:
    """Letters have themselves as keys, two or three values their first letter, few their number (``any`` has 0);
    many are typed."""
    initials = [label[:1].casefold() for label in labels]
    made = []
    for number, (option, label) in enumerate(zip(options, labels, strict=True), 1):
        if all(len(each) == 1 for each in options):
            key = option
        elif len(options) <= MOST_INITIALS and len(set(initials)) == len(options) and all(map(str.isalpha, initials)):
            key = initials[number - 1]
        else:
            key = "" if len(options) > MOST_KEYED else "0" if option == ANY else str(number)
        made.append(Choice(key, option, label, (texts or {}).get(option, "")))
    return tuple(made)


@dataclass(slots=True)
class Answering:
    """A form being filled in. ``revisions`` holds every change: when (seconds), of what, to what ("": to nothing)."""

    fields: tuple[Asked, ...]
    at: int = 0
    revisions: list[tuple[float, str, str]] = field(default_factory=list)

    @property
    def here(self) -> Asked:
        """The property that keys go to."""
        return self.fields[self.at]

    @property
    def values(self) -> dict[str, str]:
        """What has been chosen, by property."""
        return {one.name: one.value for one in self.fields if one.chosen is not None}

    @property
    def missing(self) -> tuple[str, ...]:
        """Names, as shown, of what is still open."""
        return tuple(one.label for one in self.fields if one.chosen is None)

    @property
    def typed(self) -> str:
        """All that stands there, finished or not, in words."""
        said = ((one.name, one.value or one.typed) for one in self.fields)
        return "; ".join(f"{name}: {words}" for name, words in said if words)

    # -- what keys do

    def type(self, char: str, now: float) -> None:
        """A character: a choice's own key, else one more letter of what is typed. One that fits nothing is left out,
        but begins anew where something was chosen already."""
        here = self.here
        keyed = here.by_key(char) if not here.typed else None
        if keyed is not None:
            self._choose(here, keyed, now)
            self.at = min(self.at + 1, len(self.fields) - 1)
            return
        found = here.matching(here.typed + char)
        typed = here.typed + char
        if not found and here.chosen is not None:
            typed, found = char, here.matching(char)
        if found and typed.strip():
            here.typed = typed
            self._complete(here, found, now)

    def erase(self, now: float) -> None:
        """The last character back, or where none was typed, the choice."""
        here = self.here
        if not here.typed:
            self._choose(here, None, now)
            return
        here.typed = here.typed[:-1].rstrip()
        self._complete(here, here.matching(here.typed) if here.typed else [], now)

    def turn(self, by: int, now: float) -> None:
        """To the next choice of those that fit what was typed (-1: the one before), round and round."""
        here = self.here
        among = here.matching(here.typed)
        if here.chosen in among and len(among) == 1:
            here.typed, among = "", list(range(len(here.choices)))
        if here.chosen in among:
            place = (among.index(here.chosen) + by) % len(among)
        else:
            place = 0 if by > 0 else len(among) - 1
        self._choose(here, among[place], now)

    def point(self, by: int) -> None:
        """To another property, round and round."""
        self.at = (self.at + by) % len(self.fields)

    def pick(self, field_at: int, choice: int, now: float) -> None:
        """That choice of that property, as by a click."""
        self.at = field_at
        self.here.typed = ""
        self._choose(self.here, choice, now)

    def enter(self) -> bool:
        """On to the next property; True where all is answered and this was the last one."""
        if self.here.chosen is None:
            return False
        if self.at < len(self.fields) - 1:
            self.at += 1
            return False
        for place, one in enumerate(self.fields):
            if one.chosen is None:
                self.at = place
                return False
        return True

    # -- parts

    def _complete(self, here: Asked, found: Sequence[int], now: float) -> None:
        """Take the one choice that fits, or the one that was typed whole."""
        whole = [at for at in found if fold(here.choices[at].label) == fold(here.typed)]
        only = found[0] if len(found) == 1 else whole[0] if whole else None
        self._choose(here, only, now)

    def _choose(self, here: Asked, choice: int | None, now: float) -> None:
        if here.chosen != choice:
            here.chosen = choice
            self.revisions.append((now, here.name, here.value))
