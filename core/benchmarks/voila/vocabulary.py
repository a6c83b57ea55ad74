"""VOILA's closed world: 4 numbers x 14 subjects x 13 actions = 728 contents (paper section 3.1, appendix A.1)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final

ANY: Final = "any"
"""The value of a property that no rule fixes (the Distraction rule)."""

NUMBERS: Final = ("one", "two", "three", "four")

PLURALS: Final[dict[str, str]] = {
    "cat": "cats",
    "dog": "dogs",
    "fox": "foxes",
    "hamster": "hamsters",
    "rabbit": "rabbits",
    "wolf": "wolves",
    "bear": "bears",
    "monkey": "monkeys",
    "male child": "male children",
    "female child": "female children",
    "man": "men",
    "woman": "women",
    "senior man": "senior men",
    "senior woman": "senior women",
}

SUBJECTS: Final = tuple(PLURALS)

ACTIONS: Final = (
    "playing soccer",
    "driving a car",
    "ice-skating",
    "walking",
    "swimming",
    "jumping",
    "typing",
    "writing",
    "digging a hole",
    "carrying something",
    "reading",
    "running",
    "eating food",
)

PROPERTIES: Final = ("number", "subject", "action")


@dataclass(frozen=True, slots=True)
class Content:
    """What one picture shows, or what the fourth must show: each value from the lists above, or ``any``.

    ``number`` is a word ("two"), ``subject`` is singular ("senior man").
    """

    number: str
    subject: str
    action: str

    def value(self, property_name: str) -> str:
        """The value of ``number``, ``subject`` or ``action``."""
        value: str = getattr(self, property_name)
        return value

    def text(self) -> str:
        """The form of the published file: ``two senior men digging a hole``; ``any`` where any value fits."""
        subject = self.subject if self.subject == ANY or self.number == "one" else PLURALS[self.subject]
        return f"{self.number} {subject} {self.action}"


def all_contents() -> tuple[Content, ...]:
    """The 728 contents a picture can have, in a fixed order."""
    return tuple(Content(n, s, a) for s, a, n in product(SUBJECTS, ACTIONS, NUMBERS))
