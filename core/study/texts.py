"""What a participant reads, in the study's language; what is stored stays canonical in any."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from core.study.definition import Question, Study, Texts

UI: Final[Mapping[str, str]] = MappingProxyType(
    {
        "continue": "Press Enter to go on",
        "agree": "I agree",
        "decline": "I do not agree",
        "back": "Back",
        "next": "Next",
        "done": "Done",
        "skip": "Skip",
        "yes": "Yes",
        "no": "No",
        "answer": "Your answer",
        "optional": "You may leave this open.",
        "choose": "Choose one",
        "type": "Type, or press its letter",
        "missing": "Something is still open: {what}",
        "example": "Example",
        "picture": "Picture",
        "zoom": "Larger",
        "practice": "Practice",
        "right": "That is right.",
        "wrong": "That is not right. Right would be: {answer}",
        "gate_wrong": "Not quite. Please read the instructions again.",
        "gate_failed": "Thank you. Please call the experimenter.",
        "confidence": "How sure are you?",
        "confidence_low": "a guess",
        "confidence_high": "certain",
        "why": "Why did you answer so?",
        "time_up": "Time is up for this one.",
        "time_left": "{seconds} s left",
        "break": "A break. Rest your eyes; press Enter when you are ready.",
        "break_wait": "A break. You can go on in {seconds} s.",
        "paused": "Paused. Press {key} to go on.",
        "pause": "Pause",
        "problem": "Something is wrong with this item",
        "report": "Problem",
        "problem_what": "What is wrong?",
        "welcome_back": "Welcome back. Here are the instructions once more.",
        "progress": "{done} of {total}",
        "saved": "Your answers are saved.",
        "stopped": "Please call the experimenter.",
        "end": "That was all. Thank you.",
        "code": "Your code, as you were given it",
        "code_unknown": "This code is not known. Please look again, or call the experimenter.",
        "code_other": "Then please use the code that was given to you.",
        "same_person": "{code} has sat here before. Are you the same person?",
        "practice_over": "The practice is over. From now on it counts.",
        "part": "Another part begins.",
        "card": "Hold a bank card against the screen and make the bar as wide as the card with ← and →.",
        "gone_on": "The session is over. Thank you.",
        "next_value": "another value",
        "send": "Take the answer",
        "page": "Read on",
        "unsaved": "Nothing can be saved, so nothing more is asked. What was answered before is kept.",
        "preparing": "One moment …",
        "locked": "Experimenter's key",
        "locked_wrong": "That is not the key.",
    }
)
"""The screen's own words by name, in English; ``[text.LANGUAGE.ui]`` replaces them. ``{...}`` is filled in."""


class Wording:
    """The texts of one study in one language. Labels that the language's table lacks are shown as they are."""

    def __init__(self, study: Study, language: str = "") -> None:
        self.language = language or study.language
        self.texts = study.text.get(self.language, Texts())

    def ui(self, name: str, **values: object) -> str:
        """The screen's words of that name, filled in."""
        words = self.texts.ui.get(name, UI[name])
        for key, value in values.items():
            words = words.replace(f"{{{key}}}", str(value))
        return words

    def label(self, canonical: str) -> str:
        """What is shown for a value or the name of a property."""
        return self.texts.labels.get(canonical, canonical)

    def labels(self, canonical: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.label(value) for value in canonical)

    def question(self, question: Question) -> str:
        """The words of a question of the gate or a questionnaire."""
        return self.texts.questions.get(question.id, question.text)

    def option(self, question: Question, option: str) -> str:
        """The words of one of its options; what is stored is the option as the study's file has it."""
        return self.texts.questions.get(f"{question.id}.{option}", self.label(option))


def fold(text: str) -> str:
    """Case and spaces levelled, so that what was typed can be compared."""
    return " ".join(text.casefold().split())
