"""Windows of programs: frames, fields, buttons, ticks and lists."""

from __future__ import annotations

from typing import Final

from core.drawing.canvas import INK, Colour
from core.drawing.palette import WHITE
from core.drawing.sheet import Sheet

BAR: Final[Colour] = (70, 90, 130)
FACE: Final[Colour] = (238, 240, 244)
PALE: Final[Colour] = (150, 154, 162)
BLUE: Final[Colour] = (50, 110, 210)


def window(s: Sheet, x0: float, y0: float, x1: float, y1: float, title: str) -> None:
    """A window with its title and three buttons."""
    s.panel(x0, y0, x1, y1, FACE)
    s.panel(x0, y0, x1, y0 + 30, BAR)
    s.pen.box(x0, y0 + 20, x1, y0 + 30, BAR, None)
    s.text(x0 + 14, y0 + 15, title, 16, WHITE, "lm")
    for k, colour in enumerate(((250, 200, 70), (110, 200, 110), (230, 90, 80))):
        s.pen.oval(x1 - 54 + k * 20, y0 + 15, 6, 6, colour)


def field(s: Sheet, x: float, y: float, width: float, label: str, value: str) -> None:
    """A labelled line to write in, its label at the left."""
    s.text(x, y, label, 16, anchor="lm")
    s.pen.box(x + 170, y - 14, x + 170 + width, y + 14, WHITE, PALE)
    s.text(x + 180, y, value, 16, anchor="lm")


def tick(s: Sheet, x: float, y: float, label: str, on: bool) -> None:
    """A box to tick."""
    s.pen.box(x, y - 9, x + 18, y + 9, WHITE, INK)
    if on:
        s.pen.line(((x + 3, y), (x + 8, y + 6), (x + 16, y - 7)), 3, BLUE)
    s.text(x + 28, y, label, 16, anchor="lm")


def button(s: Sheet, x: float, y: float, label: str, on: bool = True, width: float = 100) -> None:
    """A button, its middle at (x, y); a dead one is grey."""
    s.panel(x - width / 2, y - 16, x + width / 2, y + 16, BLUE if on else (214, 216, 222), INK if on else PALE, 6)
    s.text(x, y, label, 16, WHITE if on else PALE)
