"""Which pictures belong to a turn, and how many rows words take: for the screen, and to check a station."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from core.records import Step, Turn


def rows_of(text: str, width: int) -> int:
    """About how many rows a text takes, wrapped to that width."""
    width = max(width, 1)
    return sum(max(-(-cell_len(line) // width), 1) for line in text.split("\n"))


def picturing(turn: Turn, steps: Sequence[Step]) -> Turn | None:
    """The turn whose pictures stand beside this one: itself, else the last that showed some in the same
    conversation."""
    earlier = () if turn.afresh else tuple(step.turn for step in reversed(steps))
    for each in (turn, *earlier):
        if each.shows:
            return each
        if each.afresh:
            break
    return None
