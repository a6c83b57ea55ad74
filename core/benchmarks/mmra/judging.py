"""What a judge is asked of MMRA's answers: whether the option they choose is the right one.

The paper matches words by rule (appendix A) and uses no judge; one may stand beside it, under its own name.
Descriptions have no gold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.benchmarks.mmra.question import ANSWER, LAYOUT, offer
from core.benchmarks.rubrics import Rubric, choice_filling
from core.records import Item, Turn


def _filling(item: Item, turn: Turn) -> Mapping[str, str]:
    offered = offer(item, turn)
    assert offered is not None
    return choice_filling(offered, turn.gold[ANSWER])


RUBRICS: Final[Mapping[str, Rubric]] = {ANSWER: Rubric("choice", {ANSWER: LAYOUT.mask}, _filling)}
