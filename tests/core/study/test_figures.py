from __future__ import annotations

from core.benchmarks import registry
from core.repeats import Said
from core.study.figures import Scheme, Trial, together_cells

MMRA = registry.get("mmra")


def trial(person: str, right: bool | None) -> Trial:
    """One answer to the only step; None: the item was found fault with instead."""
    said = Said(int(right), 1, {1: "A" if right else "B"}) if right is not None else None
    return Trial(
        person, "i", "", {}, {} if said is None else {"answer": said}, unasked=() if said is not None else ("answer",)
    )


def test_of_more_answers_than_were_wanted_the_first_valid_ones_are_taken_together() -> None:
    """Who found fault with the item takes nobody's place."""
    trials = [trial("P1", None), trial("P2", True), trial("P3", True), trial("P4", False)]
    cells = together_cells(trials, Scheme(MMRA.layout, MMRA.pooled, 2), "rule")
    assert {cell.group: (cell.n, cell.accuracy) for cell in cells} == {
        "majority of 2": (1, 1.0), "best of 2": (1, 1.0), "all of 2": (1, 1.0),
    }  # fmt: skip
    assert together_cells(trials[:2], Scheme(MMRA.layout, MMRA.pooled, 2), "rule") == []
