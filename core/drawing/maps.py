"""Maps: a grid of squares with names at its edges, and lines of a railway with their stations."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase
from typing import Final

from core.drawing.canvas import INK, Colour, Point
from core.drawing.palette import WHITE
from core.drawing.sheet import Sheet

LAND: Final[Colour] = (226, 238, 206)


def grid(s: Sheet, x: float, y: float, side: float, columns: int, rows: int) -> None:
    """Squares with letters above and numbers at the left."""
    s.pen.box(x, y, x + columns * side, y + rows * side, LAND)
    for k in range(columns + 1):
        s.pen.line(((x + k * side, y), (x + k * side, y + rows * side)), 1.2, (150, 170, 130))
    for k in range(rows + 1):
        s.pen.line(((x, y + k * side), (x + columns * side, y + k * side)), 1.2, (150, 170, 130))
    for k in range(columns):
        s.text(x + (k + 0.5) * side, y - 12, ascii_uppercase[k], 16)
    for k in range(rows):
        s.text(x - 12, y + (k + 0.5) * side, str(k + 1), 16)


def rail(s: Sheet, points: Sequence[Point], colour: Colour) -> None:
    """A line of a railway."""
    s.pen.line(points, 8, colour)


def station(s: Sheet, x: float, y: float, name: str, dx: float, dy: float, anchor: str = "mm") -> None:
    """A station; its name is (dx, dy) away from it."""
    s.pen.oval(x, y, 8, 8, WHITE, INK)
    s.text(x + dx, y + dy, name, 15, anchor=anchor)
