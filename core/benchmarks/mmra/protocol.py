"""What MMRA asks: the four input settings of section 3.1, sequence perception (4.4), and controls.

``iq`` image and question, ``dq`` description and question, ``idq`` all three, ``qo`` the question alone.
"""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Final, TypeVar

from core.benchmarks.base import ProtocolMaker
from core.benchmarks.mmra.question import (
    ALL_WRONG,
    ANSWER,
    CHOICE,
    DESCRIBE,
    SEQUENCE_SUBTASKS,
    YES_NO,
    Question,
    answer_text,
    question,
)
from core.benchmarks.options import settled
from core.errors import UsageError
from core.prompts import filled
from core.records import Field, Item, Part, Score, Show, Step, Text, Turn

_T = TypeVar("_T")

DESCRIPTIONS: Final = (f"{DESCRIBE}.1", f"{DESCRIBE}.2")

_COUNTS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

_SWAP: Final[Mapping[str, Sequence[str]]] = {"swap": ("no", "yes")}
_PICTURES: Final[Mapping[str, Sequence[str]]] = {"pictures": ("shown", "none", "blank", "swapped")}
_GIVEN: Final[Mapping[str, Sequence[str]]] = {"descriptions": ("given", "asked")}


def asked(view: Question, *, swap: bool) -> Question:
    """The question as it is put: under sequence perception with the further option, which is then right."""
    if not swap:
        return view
    letter = string.ascii_uppercase[len(view.options)]
    return replace(view, answer=letter, options={**view.options, letter: ALL_WRONG})


class _Asking:
    """One setting. A trajectory is at most two descriptions, each in a conversation of its own, and the answer.

    ``swap=yes`` exchanges the two images and adds the option "All of the above options are incorrect", which is
    right: it covers choice questions of the four subtasks that hang on the order. Controls: ``pictures=none`` shows
    none, ``blank`` grey ones of the same size, ``swapped`` the two exchanged and nothing else. Where the order is
    exchanged the descriptions go with their images. ``descriptions=given`` takes those the data holds and asks for
    the rest; ``asked`` asks for all.
    """

    name: ClassVar[str]
    OPTIONS: ClassVar[Mapping[str, Sequence[str]]]
    shows: ClassVar[bool]
    describes: ClassVar[bool]
    draws: ClassVar[tuple[str, ...]] = ()

    def __init__(self, subset: str, options: Mapping[str, str], prompts: Mapping[str, str]) -> None:
        self.options: Mapping[str, str] = settled(self.name, self.OPTIONS, options)
        self.prompts = prompts
        self.steps: tuple[str, ...] = (*DESCRIPTIONS, ANSWER) if self.describes else (ANSWER,)
        self._swap = self.options.get("swap") == "yes"
        self._exchanged = self._swap or self.options.get("pictures") == "swapped"
        if self._swap and self.options.get("pictures") == "swapped":
            raise UsageError(
                "swap=yes exchanges the images already",
                where="--set pictures=swapped",
                remedy="Leave one of the two out",
            )

    @property
    def partial(self) -> bool:
        """Sequence perception asks nothing of most subtasks."""
        return self._swap

    def covers(self, item: Item) -> bool:
        """Whether anything is asked of the item."""
        view = question(item)
        return not self._swap or (view.kind == CHOICE and view.subtask in SEQUENCE_SUBTASKS)

    def choice(self, item: Item, turn: Turn, score: Score | None) -> str | None:
        """MMRA's turns never depend on an option picked before."""
        return None

    def next_turn(self, item: Item, steps: Sequence[Step]) -> Turn | None:
        done = {step.turn.step: step.answer.text for step in steps}
        if ANSWER in done or not self.covers(item):
            return None
        view = question(item)
        told = list(view.descriptions)
        for place, step in enumerate(DESCRIPTIONS if self.describes else ()):
            if not told[place] or self.options["descriptions"] == "asked":
                if step not in done:
                    return self._describe(place, step, told[place])
                told[place] = done[step].strip()
        return self._answer(asked(view, swap=self._swap), told)

    def _describe(self, place: int, step: str, given: str) -> Turn:
        """One picture alone; the same words for every picture, so that it is asked once for all items."""
        content = (Show((place,)), Text(self.prompts["describe"]))
        return Turn(step, content, gold_text=given, afresh=True, shared=True)

    def _answer(self, view: Question, told: Sequence[str]) -> Turn:
        parts = [*self._shown()]
        if self.describes:
            first, second = (words or self.prompts["no_description"] for words in self._ordered(told))
            parts.append(Text(filled(self.prompts["descriptions"], description1=first, description2=second)))
        parts.append(Text(self._words(view)))
        return Turn(
            ANSWER,
            tuple(parts),
            form=(Field(ANSWER, view.answers, "Answer"),),
            gold={ANSWER: view.answer},
            gold_text=answer_text(view.answer),
            afresh=True,
        )

    def _shown(self) -> tuple[Part, ...]:
        how = self.options.get("pictures", "shown")
        if not self.shows or how == "none":
            return ()
        return tuple(Show((place,), blank=how == "blank") for place in self._ordered((0, 1)))

    def _ordered(self, both: Sequence[_T]) -> Sequence[_T]:
        return both[::-1] if self._exchanged else both

    def _words(self, view: Question) -> str:
        if view.answers == YES_NO:
            return filled(self.prompts["true_false"], question=view.text)
        if len(view.options) == 4:
            return filled(self.prompts["choice"], Question=view.text, **view.options)
        return filled(
            self.prompts["choice_other"],
            Question=view.text,
            count=_COUNTS[len(view.options)] if len(view.options) < len(_COUNTS) else str(len(view.options)),
            options=", ".join(f"{letter}: {words}" for letter, words in view.options.items()),
            letters=_or([f"[{letter}]" for letter in view.options]),
        )


def _or(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


class ImageQuestion(_Asking):
    """Image and question (IQ): what table 2 gives of models that see."""

    name = "iq"
    OPTIONS: ClassVar = {**_SWAP, **_PICTURES}
    shows, describes = True, False


class DescriptionQuestion(_Asking):
    """Description and question (DQ): table 3 for models of language alone."""

    name = "dq"
    OPTIONS: ClassVar = {**_SWAP, **_GIVEN}
    shows, describes = False, True


class ImageDescriptionQuestion(_Asking):
    """Image, description and question (IDQ): table 3 for models that see."""

    name = "idq"
    OPTIONS: ClassVar = {**_SWAP, **_PICTURES, **_GIVEN}
    shows, describes = True, True


class QuestionOnly(_Asking):
    """Question and options alone (QO): what leaks from the words (section 2.4), the baseline of figure 5."""

    name = "qo"
    OPTIONS: ClassVar = {}
    shows, describes = False, False


PROTOCOLS: dict[str, ProtocolMaker] = {
    "iq": ImageQuestion,
    "dq": DescriptionQuestion,
    "idq": ImageDescriptionQuestion,
    "qo": QuestionOnly,
}
