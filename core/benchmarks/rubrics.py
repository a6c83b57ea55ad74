"""How a judge is asked about the answers to a step: which prompt, what fills it, and which keys its reply has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, TypeAlias

from core.respondents.base import Schema

if TYPE_CHECKING:
    from core.benchmarks.offers import Offer
    from core.records import Item, Turn

Filling: TypeAlias = Callable[["Item", "Turn"], Mapping[str, str]]
"""What stands in the prompt's placeholders, the answer itself apart."""


@dataclass(frozen=True, slots=True)
class Rubric:
    """One step's. ``prompt`` names one of the judge's prompts.

    ``bits`` are the keys of the reply, each 1 or 0, with the bit of the step's layout that they decide. ``looks``:
    the judge is asked about the picture that was made, not about words.
    """

    prompt: str
    bits: Mapping[str, int]
    filling: Filling
    looks: bool = False

    @property
    def scored(self) -> int:
        """All bits that it decides."""
        return reduce(or_, self.bits.values())

    @property
    def schema(self) -> Schema:
        """One 0 or 1 a key, all required, nothing else (paper of VOILA, section 4, "Evaluation")."""
        verdict = {"type": "integer", "enum": [0, 1]}
        return Schema(
            "judgement",
            {
                "type": "object",
                "properties": dict.fromkeys(self.bits, verdict),
                "required": list(self.bits),
                "additionalProperties": False,
            },
        )


def gold_alone(item: Item, turn: Turn) -> Mapping[str, str]:
    """The gold answer in words."""
    return {"gold": turn.gold_text}


def choice_filling(offer: Offer, gold: str) -> Mapping[str, str]:
    """A question, its options a line each, and the right one in full."""
    options = {letter: f"{letter}: {pick.text}" if pick.text else letter for letter, pick in offer.options.items()}
    task = f"{offer.task}: {offer.question}" if offer.task else offer.question
    return {"question": task, "options": "\n".join(options.values()), "gold": options.get(gold, gold)}
