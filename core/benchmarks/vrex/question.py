"""A V-REX item's typed view: the final question, and the gold chain with the options of its steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.records import Item, Json, Layout

PLAN: Final = "plan"
FOLLOW: Final = "follow"
FINAL: Final = "final"
ANSWER: Final = "answer"

GOLD: Final = "gold"
KINDS: Final = (GOLD, "step", "chain")
"""What a planning option is: the gold question, a step-level distractor, a chain-level one (section 4.2.2)."""

TAXONOMY: Final[Mapping[str, tuple[str, ...]]] = {
    "Deduction": ("Flowchart", "Pattern", "Property", "Relationship"),
    "Guessing": ("Responsibility", "Intention", "Location", "Time", "Topic"),
    "Navigation": ("Map", "GUI", "Traffic", "Trend"),
    "Retrieval": ("Counting", "Word Puzzle"),
}
"""Category to its scenarios (section 4.1)."""

LONGEST: Final = 9
"""Steps before the final question that a chain may have here; the paper's have at most five."""

LAYOUT: Final = Layout((ANSWER,))


@dataclass(frozen=True, slots=True)
class Choice:
    """Options by letter, and the letter of the right one."""

    options: Mapping[str, str]
    answer: str


@dataclass(frozen=True, slots=True)
class PlanOption:
    """A question that can be picked, and the short answer that is told when it is. ``kind`` is "" where unknown."""

    question: str
    answer: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class PlanChoice:
    """Questions by letter, and the letter of the gold one."""

    options: Mapping[str, PlanOption]
    answer: str

    @property
    def questions(self) -> dict[str, str]:
        return {letter: option.question for letter, option in self.options.items()}


@dataclass(frozen=True, slots=True)
class ChainStep:
    """A gold question with its short answer, the options to answer it and those to plan it (None: none)."""

    question: str
    answer: str
    following: Choice | None
    planning: PlanChoice | None


@dataclass(frozen=True, slots=True)
class Question:
    """The final question with its options, and the steps before it."""

    question: str
    final: Choice
    steps: tuple[ChainStep, ...]

    def to_facts(self) -> dict[str, Json]:
        """As an item's ``facts``, in the words of the documented file."""
        return {
            "question": self.question,
            "options": dict(self.final.options),
            "answer": self.final.answer,
            "steps": [_step_facts(step) for step in self.steps],
        }


def _step_facts(step: ChainStep) -> dict[str, Json]:
    facts: dict[str, Json] = {"question": step.question, "answer": step.answer}
    if step.following is not None:
        facts["following"] = {"options": dict(step.following.options), "answer": step.following.answer}
    if step.planning is not None:
        options = {
            letter: {"question": option.question, "answer": option.answer, "kind": option.kind}
            for letter, option in step.planning.options.items()
        }
        facts["planning"] = {"options": options, "answer": step.planning.answer}
    return facts


def question(item: Item) -> Question:
    """The item's typed view."""
    facts = item.facts
    return Question(
        facts["question"], Choice(facts["options"], facts["answer"]), tuple(_step(step) for step in facts["steps"])
    )


def _step(facts: Mapping[str, Json]) -> ChainStep:
    following, planning = facts.get("following"), facts.get("planning")
    return ChainStep(
        facts["question"],
        facts["answer"],
        Choice(following["options"], following["answer"]) if following else None,
        PlanChoice(
            {letter: PlanOption(**option) for letter, option in planning["options"].items()}, planning["answer"]
        )
        if planning
        else None,
    )


def title(item: Item) -> str:
    """The final question and how long the way to it is."""
    steps = len(item.facts["steps"])
    return f"{item.facts['question']} ({steps} step{'' if steps == 1 else 's'} before it)"


def layout(step: str) -> Layout:
    """Each step is one choice."""
    return LAYOUT
