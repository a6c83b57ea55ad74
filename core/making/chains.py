"""How a V-REX item is written down in a table, and the record of the pack that is made of it.

In a table ``Question? = answer`` is a question with its answer, and ``right / wrong / wrong`` are options, the right
one first. Letters are dealt later.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PIL import Image

from core.making.dealing import Dealer

Json = dict[str, object]

CATEGORIES: Final[dict[str, tuple[str, ...]]] = {
    "Deduction": ("Flowchart", "Pattern", "Property", "Relationship"),
    "Guessing": ("Responsibility", "Intention", "Location", "Time", "Topic"),
    "Navigation": ("Map", "GUI", "Traffic", "Trend"),
    "Retrieval": ("Counting", "Word Puzzle"),
}


@dataclass(frozen=True, slots=True)
class Step:
    """A step before the final question."""

    question: str
    options: str
    aside: tuple[str, ...]
    """Questions with answers that lead away at this step."""
    astray: tuple[str, ...]
    """The questions that the misleading chains ask at this step."""


@dataclass(frozen=True, slots=True)
class Chain:
    """An item: a picture, a final question, and the steps that lead to its answer."""

    name: str
    scenario: str
    paint: Callable[[], Image.Image]
    question: str
    options: str
    steps: tuple[Step, ...]


def _options(written: str) -> list[str]:
    return [option.strip() for option in written.split(" / ")]


def _asked(written: str, kind: str) -> Json:
    question, answer = written.split(" = ")
    return {"question": question.strip(), "answer": answer.strip(), "kind": kind}


def _step(step: Step, dealer: Dealer) -> Json:
    right, *wrong = _options(step.options)
    following, answer = dealer.deal("following", right, wrong)
    gold: Json = {"question": step.question, "answer": right, "kind": "gold"}
    others = [_asked(text, "step") for text in step.aside] + [_asked(text, "chain") for text in step.astray]
    planning, pick = dealer.deal("planning", gold, others)
    return {
        "question": step.question,
        "answer": right,
        "following": {"options": following, "answer": answer},
        "planning": {"options": planning, "answer": pick},
    }


def record(chain: Chain, dealer: Dealer) -> Json:
    """The line of the pack for ``chain``."""
    category = next(name for name, scenarios in CATEGORIES.items() if chain.scenario in scenarios)
    right, *wrong = _options(chain.options)
    options, answer = dealer.deal("final", right, wrong)
    return {
        "id": chain.name,
        "image": f"images/{chain.name}.png",
        "category": category,
        "scenario": chain.scenario,
        "question": chain.question,
        "options": options,
        "answer": answer,
        "steps": [_step(step, dealer) for step in chain.steps],
    }
