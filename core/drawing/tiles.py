"""Tiles with regular shapes and dots, for patterns and codes."""

from __future__ import annotations

import math
from typing import Final

from core.drawing.canvas import INK, Colour, Pen
from core.drawing.outdoors import moon, star

SHAPES: Final = ("circle", "square", "triangle", "star", "moon", "hexagon", "cross", "heart")


def _regular(corners: int, r: float, turn: float = 0.0) -> list[tuple[float, float]]:
    angles = (math.radians(turn) + k * 2 * math.pi / corners for k in range(corners))
    return [(r * math.sin(a), -r * math.cos(a)) for a in angles]


def shape(pen: Pen, name: str, colour: Colour) -> None:
    """One of SHAPES, filling its cell. Raises ValueError for another."""
    if name == "circle":
        pen.oval(0, 0, 0.4, 0.4, colour)
    elif name == "square":
        pen.box(-0.36, -0.36, 0.36, 0.36, colour)
    elif name == "triangle":
        pen.polygon(_regular(3, 0.46), colour)
    elif name == "hexagon":
        pen.polygon(_regular(6, 0.44), colour)
    elif name == "star":
        star(pen, colour)
    elif name == "moon":
        moon(pen, colour)
    elif name == "cross":
        a, b = 0.14, 0.42
        half = [(a, -b), (a, -a), (b, -a), (b, a), (a, a), (a, b)]
        pen.polygon([*half, *((-x, -y) for x, y in half)], colour)
    elif name == "heart":
        points = []
        for k in range(40):
            t = k * 2 * math.pi / 40
            x = 16 * math.sin(t) ** 3
            y = 13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)
            points.append((x * 0.026, -y * 0.026))
        pen.polygon(points, colour)
    else:
        raise ValueError(f"unknown shape {name!r}; known: {', '.join(SHAPES)}")


def dots(pen: Pen, number: int, y: float = 0.0, r: float = 0.06) -> None:
    """A row of ``number`` dots."""
    for k in range(number):
        pen.oval((k - (number - 1) / 2) * r * 3, y, r, r, INK, None)


def stack(pen: Pen, rows: tuple[int, ...], side: float, colour: Colour) -> None:
    """Squares in rows from the left, the last row on the ground at y = 0."""
    for k, number in enumerate(reversed(rows)):
        for j in range(number):
            pen.box(j * side, -(k + 1) * side, (j + 1) * side, -k * side, colour)
