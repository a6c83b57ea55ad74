"""Roads and vehicles from above, and the signs that stand beside them."""

from __future__ import annotations

import math
from typing import Final

from core.drawing.canvas import INK, Colour, Pen, Point, arc
from core.drawing.palette import RED, WHITE, YELLOW, darker
from core.drawing.scenery import ASPHALT, LAWN_GREEN
from core.drawing.sheet import Sheet

_PANE: Final[Colour] = (190, 228, 250)
DARK: Final[Colour] = (60, 64, 72)


def _rounded(half_long: float, half_wide: float, r: float) -> list[Point]:
    a, b = half_long - r, half_wide - r
    return [
        *arc(a, -b, r, r, -90, 0, 4),
        *arc(a, b, r, r, 0, 90, 4),
        *arc(-a, b, r, r, 90, 180, 4),
        *arc(-a, -b, r, r, 180, 270, 4),
    ]


def car(pen: Pen, colour: Colour) -> None:
    """A car from above, its nose to the right."""
    for x in (-0.26, 0.26):
        for y in (-0.22, 0.22):
            pen.box(x - 0.08, y - 0.03, x + 0.08, y + 0.03, INK)
    pen.polygon(_rounded(0.46, 0.21, 0.1), colour)
    pen.polygon([(0.12, -0.16), (0.22, -0.18), (0.22, 0.18), (0.12, 0.16)], _PANE)
    pen.polygon([(-0.24, -0.15), (-0.32, -0.17), (-0.32, 0.17), (-0.24, 0.15)], _PANE)
    for y in (-0.14, 0.14):
        pen.oval(0.43, y, 0.03, 0.04, (255, 244, 150))


def bus(pen: Pen, colour: Colour) -> None:
    """A bus from above, its nose to the right."""
    pen.polygon(_rounded(0.62, 0.2, 0.05), colour)
    pen.box(0.5, -0.17, 0.57, 0.17, _PANE)
    for x in (-0.3, 0.1):
        pen.box(x - 0.12, -0.1, x + 0.12, 0.1, darker(colour, 0.85))


def lorry(pen: Pen, colour: Colour) -> None:
    """A lorry from above, its nose to the right."""
    pen.box(-0.6, -0.22, 0.22, 0.22, (236, 236, 230))
    pen.box(0.26, -0.2, 0.56, 0.2, colour)
    pen.box(0.42, -0.16, 0.5, 0.16, _PANE)


def crossing(s: Sheet, x: float, y: float, road: float) -> None:
    """Two roads that cross at (x, y), each ``road`` pixels wide, on lawn."""
    s.pen.box(0, 0, s.width, s.height, LAWN_GREEN, None)
    half = road / 2
    s.pen.box(0, y - half, s.width, y + half, ASPHALT, None)
    s.pen.box(x - half, 0, x + half, s.height, ASPHALT, None)
    dash = 14
    for k in range(0, s.width, 28):
        if abs(k + 7 - x) > half + 6:
            s.pen.box(k, y - 1.5, k + dash, y + 1.5, WHITE, None)
    for k in range(0, s.height, 28):
        if abs(k + 7 - y) > half + 6:
            s.pen.box(x - 1.5, k, x + 1.5, k + dash, WHITE, None)


def lights(pen: Pen, shown: str) -> None:
    """Traffic lights; ``shown`` is red or green."""
    pen.polygon(_rounded(0.24, 0.5, 0.1), (40, 42, 48))
    for y, name, colour in ((-0.28, "red", (240, 50, 40)), (0.0, "amber", YELLOW), (0.28, "green", (60, 220, 100))):
        pen.oval(0, y, 0.13, 0.13, colour if name == shown else (84, 86, 90))


def give_way(pen: Pen) -> None:
    """The triangle on its point."""
    pen.polygon([(-0.46, -0.38), (0.46, -0.38), (0, 0.42)], RED)
    pen.polygon([(-0.27, -0.27), (0.27, -0.27), (0, 0.2)], WHITE, None)


def priority(pen: Pen) -> None:
    """The yellow diamond of a road that goes first."""
    pen.polygon([(0, -0.48), (0.48, 0), (0, 0.48), (-0.48, 0)], WHITE)
    pen.polygon([(0, -0.34), (0.34, 0), (0, 0.34), (-0.34, 0)], YELLOW)


def stop(s: Sheet, x: float, y: float, size: float) -> None:
    """The stop sign, with its word."""
    pen = s.at(x, y, size)
    points = [
        (0.46 * math.cos(math.pi / 8 + k * math.pi / 4), 0.46 * math.sin(math.pi / 8 + k * math.pi / 4))
        for k in range(8)
    ]
    pen.polygon(points, RED)
    s.text(x, y, "STOP", size * 0.3, WHITE)


def no_entry(pen: Pen) -> None:
    """The red disc with a bar."""
    pen.oval(0, 0, 0.46, 0.46, RED)
    pen.box(-0.3, -0.08, 0.3, 0.08, WHITE, None)


def barrier(pen: Pen) -> None:
    """A striped barrier across a road."""
    for x in (-0.4, 0.4):
        pen.line(((x, -0.05), (x, 0.22)), 0.05, DARK)
    pen.box(-0.5, -0.14, 0.5, 0.06, WHITE)
    for k in range(5):
        x = -0.46 + k * 0.2
        pen.polygon([(x, 0.06), (x + 0.1, 0.06), (x + 0.16, -0.14), (x + 0.06, -0.14)], RED, None)


def crash(pen: Pen) -> None:
    """The burst where two have hit each other."""
    points = []
    for k in range(16):
        r = 0.5 if k % 2 == 0 else 0.26
        points.append((r * math.sin(k * math.pi / 8), -r * math.cos(k * math.pi / 8)))
    pen.polygon(points, (255, 150, 40))
    pen.polygon([(x * 0.5, y * 0.5) for x, y in points], YELLOW, None)
