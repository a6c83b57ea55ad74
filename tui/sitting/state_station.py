"""What this terminal shows pictures at: for ``Shown``, and for ``study check --display``."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from core.records import Show, Step, Turn


def rows_of(text: str, width: int) -> int:
    """About how many rows a text takes, wrapped to that width."""
    width = max(width, 1)
    return sum(max(-(-cell_len(line) // width), 1) for line in text.split("\n"))


def shows_of(turn: Turn, steps: Sequence[Step]) -> tuple[Show, ...]:
    """The pictures that belong to a turn: its own, else those that the same conversation showed last."""
    earlier = () if turn.afresh else tuple(step.turn for step in reversed(steps))
    for each in (turn, *earlier):
        if each.shows:
            return each.shows
        if each.afresh:
            break
    return ()
