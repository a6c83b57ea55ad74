"""Your own score of a step while it is being made: property by property, with a reason and a note."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from core.records import Layout, Score
from sessions.grading import REASONS, Grading, Reason
from tui.inert import one_line
from tui.state.reading import Reading

Verdict: TypeAlias = bool | None
"""Right, wrong, or (None) unscored."""
ORDER: Final[tuple[Verdict, ...]] = (True, False, None)


@dataclass(slots=True)
class Line:
    """One property of one unit: what the other scorer made of it, and what you do. ``unit`` counts from 1."""

    unit: int
    property_name: str
    other: Verdict
    yours: Verdict
    told: str = ""
    """What was read in the answer, and what is right: ``read one, gold three``."""


class GradeForm:
    """Begins with what you said last of this step, else with what the other scorer says. ``read`` is what that
    one made of the answer."""

    def __init__(
        self, layout: Layout, score: Score | None, before: Grading | None = None, read: Sequence[Reading] = ()
    ) -> None:
        told = {layout.bit_of(one.field.name): _told(one) for one in read}
        self._layout = layout
        self.lines: list[Line] = []
        first = before or score
        for unit in range(layout.units):
            for name in layout.properties:
                bit = layout.bit(name, unit)
                self.lines.append(Line(unit + 1, name, _verdict(score, bit), _verdict(first, bit), told.get(bit, "")))
        self.reason: Reason = before.reason if before is not None else ""
        self.note = before.note if before is not None else ""

    @property
    def units(self) -> int:
        return self._layout.units

    def set(self, index: int, verdict: Verdict) -> None:
        """What you say of that line."""
        self.lines[index].yours = verdict

    def turn(self, index: int) -> None:
        """Right, wrong, unscored, and round again."""
        self.set(index, ORDER[(ORDER.index(self.lines[index].yours) + 1) % len(ORDER)])

    def set_all(self, verdict: Verdict) -> None:
        for line in self.lines:
            line.yours = verdict

    def next_reason(self) -> None:
        self.reason = REASONS[(REASONS.index(self.reason) + 1) % len(REASONS)]

    @property
    def bits(self) -> tuple[int, int]:
        """``right`` and ``scored`` in the step's layout."""
        right = scored = 0
        for line in self.lines:
            bit = self._layout.bit(line.property_name, line.unit - 1)
            scored |= bit if line.yours is not None else 0
            right |= bit if line.yours else 0
        return right, scored


def _told(reading: Reading) -> str:
    read = "not read" if reading.read is None else f"read {one_line(reading.read)}"
    return f"{read}, gold {one_line(reading.gold)}" if reading.gold else read


def _verdict(score: Score | Grading | None, bit: int) -> Verdict:
    if score is None or not score.scored & bit:
        return None
    return bool(score.right & bit)
