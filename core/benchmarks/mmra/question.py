"""An MMRA item's typed view: the question, its options and answer; and the eleven subtasks (paper section 2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from core.benchmarks.offers import Offer, Option
from core.records import EMPTY, Item, Json, Layout, Turn

DESCRIBE: Final = "describe"
ANSWER: Final = "answer"

YES: Final = "Yes"
NO: Final = "No"
YES_NO: Final = (YES, NO)

CHOICE: Final = "choice"
TRUE_FALSE: Final = "true-false"
Kind = Literal["choice", "true-false"]

ENTITY: Final = "entity"
IMAGE: Final = "image"

SUBTASKS: Final[Mapping[str, tuple[str, str]]] = {
    "RP": ("RelativePosition", ENTITY),
    "US": ("UsageSimilarity", ENTITY),
    "MS": ("MentalitySimilarity", ENTITY),
    "SM": ("SimilarMaterial", ENTITY),
    "AS": ("AppearanceSimilarity", ENTITY),
    "NSE": ("NearSameEntity", ENTITY),
    "Env": ("Environment", IMAGE),
    "LO": ("Layout", IMAGE),
    "SimE": ("SimilarEvent", IMAGE),
    "SubE": ("SubEvent", IMAGE),
    "OA": ("ObservationAngle", IMAGE),
}
"""Short name to full name and level, in the order of table 2."""

SEQUENCE_SUBTASKS: Final = ("RP", "SM", "NSE", "OA")
"""Where the order of the two images matters (section 4.4), in the order of table 4."""

ALL_WRONG: Final = "All of the above options are incorrect"
"""The option that section 4.4 adds, and that is right there."""


ABSENT: Final = "absent"
NO_RELATION: Final = "no relation"
MARKS: Final = (ABSENT, NO_RELATION)
"""What an option can be marked as (section 4.5): it names an entity that is in neither image, or says that the images
have nothing to do with each other."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the two images. ``options`` maps letters to texts, empty for true/false questions.

    ``answer`` is a letter, or Yes or No; ``descriptions`` are those the data holds, "" where it holds none. ``marks``
    say of an option's letter what its being picked would mean, as far as the data tell: one of ``MARKS``.
    """

    subtask: str
    kind: Kind
    text: str
    answer: str
    options: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    descriptions: tuple[str, str] = ("", "")
    marks: Mapping[str, str] = field(default_factory=lambda: EMPTY)

    @property
    def level(self) -> str:
        return SUBTASKS[self.subtask][1]

    @property
    def answers(self) -> tuple[str, ...]:
        """Every answer that can be given: the options' letters, or Yes and No."""
        return tuple(self.options) if self.kind == CHOICE else YES_NO

    def to_facts(self) -> dict[str, Json]:
        """As an item's ``facts``."""
        return {
            "subtask": self.subtask,
            "kind": self.kind,
            "question": self.text,
            "options": dict(self.options),
            "answer": self.answer,
            "descriptions": list(self.descriptions),
            **({"marks": dict(self.marks)} if self.marks else {}),
        }

    def groups(self) -> dict[str, str]:
        """What accuracy is broken down by; ``options`` is how many answers there are to choose from."""
        return {
            "subtask": self.subtask,
            "level": self.level,
            "qa": self.kind,
            "options": str(len(self.answers)),
        }


GROUPS: Final = ("subtask", "level", "qa", "options")


def question(item: Item) -> Question:
    """The item's typed view."""
    facts = item.facts
    first, second = facts["descriptions"]
    asked = (facts["subtask"], facts["kind"], facts["question"], facts["answer"], facts["options"])
    return Question(*asked, (first, second), facts.get("marks", EMPTY))


def options_of(item: Item, turn: Turn) -> Mapping[str, str]:
    """Letters to texts as a turn puts them, the added option among them; empty for yes or no."""
    (answers,) = (form_field.options for form_field in turn.form)
    if answers == YES_NO:
        return {}
    known = question(item).options
    return {letter: known.get(letter, ALL_WRONG) for letter in answers}


def offer(item: Item, turn: Turn) -> Offer | None:
    """The question with its options, Yes and No without a text of their own; describing offers nothing."""
    if turn.step != ANSWER:
        return None
    options = options_of(item, turn) or dict.fromkeys(YES_NO, "")
    return Offer(question(item).text, {letter: Option(text) for letter, text in options.items()})


def title(item: Item) -> str:
    """Subtask and question in one line, without the answer."""
    view = question(item)
    return f"{view.subtask}: {' '.join(view.text.split())}"


LAYOUT: Final = Layout((ANSWER,))


def layout(step: str) -> Layout:
    """One value a step. Describing has no gold and is never scored."""
    return LAYOUT


def answer_text(answer: str) -> str:
    """An answer in the form that the printed template asks for: ``[A]``, or Yes or No."""
    return answer if answer in YES_NO else f"[{answer}]"


def write(item: Item, turn: Turn, values: Mapping[str, str]) -> str:
    """Form values of a turn as an answer in words. A value left out stays unsaid."""
    return answer_text(values[ANSWER]) if ANSWER in values else ""
