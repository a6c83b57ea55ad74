"""Simulated people: answers right with a given probability, times and changes of mind as people have them, seeded."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from core.records import Turn
from core.respondents.baselines import noisy_values
from core.study.definition import Question, Study

LOOK_S: Final = 4.0
"""Median seconds until the first key of a turn."""

FIELD_S: Final = 1.2
"""Median seconds for each further field."""

SPREAD: Final = 0.5
"""Standard deviation of the logarithm of both."""

MIND_CHANGED: Final = 0.1
"""Share of turns in which one field is set to something else first."""

NO_ANSWER: Final = "I do not know."
NO_GOLD: Final = "This is what a simulated person sees."
"""Typed where a turn asks for words and no answer is the right one."""


@dataclass(frozen=True, slots=True)
class Said:
    """A simulated reply. ``changes`` holds (seconds after onset, field, value); without fields ``text`` was typed."""

    values: dict[str, str]
    text: str
    first_s: float
    final_s: float
    changes: tuple[tuple[float, str, str], ...]
    confidence: float | None
    why: str


class Simulated:
    """One simulated person of a study. ``skill`` is the probability that a value is right; the same ``seed`` gives
    the same person."""

    def __init__(self, study: Study, skill: float, seed: str) -> None:
        self.study = study
        self.skill = skill
        self.seed = seed

    def says(self, item: str, turn: Turn) -> Said:
        """The reply to a turn about the item of that id."""
        chances = random.Random(f"{self.seed}/{item}/{turn.step}")
        values = noisy_values(turn, self.skill, chances)
        text = ""
        if not values:
            text = (turn.gold_text or NO_GOLD) if chances.random() < self.skill else NO_ANSWER
        ms = first = self._seconds(LOOK_S, chances)
        changes: list[tuple[float, str, str]] = []
        doubted = chances.choice(list(values)) if values and chances.random() < MIND_CHANGED else ""
        for form_field in turn.form:
            if form_field.name == doubted:
                other = chances.choice(form_field.options)
                changes.append((ms, form_field.name, other))
                ms += self._seconds(FIELD_S, chances)
            changes.append((ms, form_field.name, values[form_field.name]))
            ms += self._seconds(FIELD_S, chances)
        final = changes[-1][0] if changes else first + self._seconds(FIELD_S, chances)
        answers = self.study.answers
        confidence = float(chances.randint(1, answers.confidence)) if answers.confidence else None
        why = "simulated" if answers.why == "required" else ""
        return Said(values, text, first, final, tuple(changes), confidence, why)

    def replies(self, part: str, question: Question) -> str:
        """The reply to a question of the gate (always right) or a questionnaire."""
        chances = random.Random(f"{self.seed}/{part}/{question.id}")
        if question.answer:
            return question.answer
        if question.kind == "choice":
            return chances.choice(question.options)
        return str(chances.randint(1, question.points)) if question.kind == "scale" else str(chances.randint(18, 80))

    @staticmethod
    def _seconds(median: float, chances: random.Random) -> float:
        return median * chances.lognormvariate(0.0, SPREAD)
