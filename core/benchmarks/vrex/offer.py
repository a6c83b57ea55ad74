"""What a V-REX turn offers: options as it turned them, in planning each with its kind and what would be told."""

from __future__ import annotations

from typing import Final

from core.benchmarks.offers import Offer, Option
from core.benchmarks.vrex.lettering import options_of, place_of, shown
from core.benchmarks.vrex.question import FINAL, PLAN, question
from core.records import Item, Turn

PLANNING: Final = "Most helpful question on the way to"


def offer(item: Item, turn: Turn) -> Offer:
    """Every turn is a choice; that of a planning step is made among questions."""
    view = question(item)
    name, index = place_of(turn.step)
    if name == PLAN:
        planning = view.steps[index].planning
        assert planning is not None
        picks = shown(planning.options, planning.answer, turn)
        options = {letter: Option(pick.question, pick.answer, pick.kind) for letter, pick in picks.items()}
        return Offer(view.question, options, PLANNING)
    asked = view.question if name == FINAL else view.steps[index].question
    return Offer(asked, {letter: Option(text) for letter, text in options_of(view, turn).items()})
