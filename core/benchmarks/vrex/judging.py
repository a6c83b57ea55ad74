"""What a judge is asked of V-REX's answers: whether the option they choose is the right one.

The paper matches letters by rule and uses no judge; one may stand beside it, under its own name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.benchmarks.rubrics import Rubric, choice_filling
from core.benchmarks.vrex.offer import offer
from core.benchmarks.vrex.question import ANSWER, FINAL, FOLLOW, LAYOUT, PLAN
from core.records import Item, Turn


def _filling(item: Item, turn: Turn) -> Mapping[str, str]:
    return choice_filling(offer(item, turn), turn.gold[ANSWER])


RUBRICS: Final[Mapping[str, Rubric]] = dict.fromkeys(
    (PLAN, FOLLOW, FINAL), Rubric("choice", {ANSWER: LAYOUT.mask}, _filling)
)
