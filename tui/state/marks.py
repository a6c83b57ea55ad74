"""A step's score as letters and signs: N✓ S✗ A· and, where a step scores several pictures, 8/9."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.records import Layout, Score, Step
from core.scoring import RULE
from sessions.grading import Grading

RIGHT: Final = "✓"
WRONG: Final = "✗"
UNSCORED: Final = "·"


@dataclass(frozen=True, slots=True)
class Mark:
    """One property: its letter, and whether it is right in every unit (None: not scored)."""

    letter: str
    right: bool | None

    @property
    def sign(self) -> str:
        return UNSCORED if self.right is None else RIGHT if self.right else WRONG


def letters(properties: Sequence[str]) -> dict[str, str]:
    """A letter for each property; two where the first would not tell them apart."""
    firsts = [name[:1].upper() for name in properties]
    return {
        name: first if firsts.count(first) == 1 else name[:2].capitalize()
        for name, first in zip(properties, firsts, strict=True)
    }


def marks(layout: Layout, score: Score | Grading, unit: int | None = None, expected: int = 0) -> tuple[Mark, ...]:
    """A mark for each scored property, of one unit or (None) of all together; unscored ones where all are.

    What is not scored of the bits that are ``expected`` keeps its property from being right, and has its mark.
    """
    out = []
    for name, letter in letters(layout.properties).items():
        units = range(layout.units) if unit is None else (unit,)
        bits = [layout.bit(name, each) for each in units]
        scored = [bit for bit in bits if score.scored & bit]
        lacking = any(expected & ~score.scored & bit for bit in bits)
        right = all(score.right & bit for bit in scored) if scored else None
        out.append((Mark(letter, None if lacking and right else right), lacking))
    known = tuple(mark for mark, lacking in out if lacking or mark.right is not None)
    return known or tuple(mark for mark, _ in out)


def expected_of(step: Step) -> int:
    """What a person is to score of a step: all that the rule does."""
    rule = step.score(RULE)
    return rule.scored if rule is not None else 0


def fraction(score: Score) -> tuple[int, int]:
    """How many values are right, of how many that are scored."""
    return score.right.bit_count(), score.scored.bit_count()
