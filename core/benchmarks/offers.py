"""What a turn offers to choose from, as a person reads it: the question and its options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Option:
    """One answer that can be picked. ``text`` is "" where the answer says itself, as Yes does.

    ``told`` is what the next turn tells where this one is picked, ``kind`` what sort of option it is; both "" where
    there is no such thing.
    """

    text: str
    told: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """The question of a turn and its options, by the letters that the turn shows them under.

    ``task`` says what is to be done where it is something else than answering the question.
    """

    question: str
    options: Mapping[str, Option]
    task: str = ""

    @property
    def told(self) -> bool:
        """Whether the next turn tells something of the option that is picked."""
        return any(option.told for option in self.options.values())
