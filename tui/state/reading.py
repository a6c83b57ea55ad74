"""What was read in an answer beside what was right, field by field."""

from __future__ import annotations

from dataclasses import dataclass

from core.records import Field, Layout, Score, Turn


@dataclass(frozen=True, slots=True)
class Reading:
    """One field of a turn's form. ``read`` is None where nothing was; ``right`` None where it is not scored."""

    field: Field
    read: str | None
    gold: str
    right: bool | None

    @property
    def label(self) -> str:
        return self.field.label or self.field.name


def readings(layout: Layout, turn: Turn, score: Score | None) -> tuple[Reading, ...]:
    """The turn's fields in order, with what the scorer made of each."""
    return tuple(
        Reading(field, score.parsed.get(field.name) if score else None, turn.gold.get(field.name, ""), right)
        for field in turn.form
        for right in (_right(layout, field.name, score),)
    )


def _right(layout: Layout, name: str, score: Score | None) -> bool | None:
    bit = layout.bit_of(name)
    if score is None or bit is None:
        return None
    return bool(score.right & bit) if score.scored & bit else None
