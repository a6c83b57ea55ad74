"""A pen that draws outlined shapes in nested frames: a head or a ball is described once, in its own units.

Every corner is rounded to a whole pixel before it reaches the rasteriser: the same call gives the same pixels
on any machine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from PIL import ImageDraw

Point = tuple[float, float]
Colour = tuple[int, int, int]

INK: Final[Colour] = (34, 28, 32)
_BIG: Final = 60  # a radius in pixels above which a round needs more corners


def _circle(corners: int) -> tuple[Point, ...]:
    steps = (2 * math.pi * i / corners for i in range(corners))
    return tuple((math.cos(a), math.sin(a)) for a in steps)


_COARSE: Final = _circle(24)
_FINE: Final = _circle(72)


def curve(start: Point, bend: Point, end: Point, steps: int = 10) -> list[Point]:
    """The points of a smooth line from ``start`` to ``end``, pulled towards ``bend``."""
    points: list[Point] = []
    for i in range(steps + 1):
        t = i / steps
        u = 1 - t
        points.append(
            (
                u * u * start[0] + 2 * u * t * bend[0] + t * t * end[0],
                u * u * start[1] + 2 * u * t * bend[1] + t * t * end[1],
            )
        )
    return points


def mirrored(half: Sequence[Point]) -> list[Point]:
    """A shape alike on both sides, from the points of its right half, top to bottom."""
    return [*half, *((-x, y) for x, y in reversed(half) if x)]


def arc(x: float, y: float, rx: float, ry: float, first: float, last: float, steps: int = 14) -> list[Point]:
    """Points along an ellipse from angle ``first`` to ``last`` in degrees, clockwise from the right."""
    angles = (math.radians(first + (last - first) * i / steps) for i in range(steps + 1))
    return [(x + rx * math.cos(a), y + ry * math.sin(a)) for a in angles]


class Pen:
    """Draws in a frame: an origin, a scale, a mirror and a turn over the picture's pixels.

    ``ink`` is the width of outlines in pixels and does not change in nested frames.
    """

    def __init__(
        self, target: ImageDraw.ImageDraw, matrix: tuple[float, float, float, float, float, float], ink: int
    ) -> None:
        self._target = target
        self._matrix = matrix
        self.ink = ink
        a, b, c, d, _, _ = matrix
        self.scale = math.sqrt(abs(a * d - b * c))

    @classmethod
    def over(cls, target: ImageDraw.ImageDraw, x: float, y: float, scale: float, ink: int) -> Pen:
        """A pen whose origin is the pixel (x, y) and whose unit is ``scale`` pixels."""
        return cls(target, (scale, 0.0, 0.0, scale, x, y), ink)

    def frame(self, x: float, y: float, scale: float = 1.0, turn: float = 0.0, flip: bool = False) -> Pen:
        """The same pen in a frame at (x, y), turned clockwise by ``turn`` degrees, mirrored if ``flip``."""
        a, b, c, d, e, f = self._matrix
        angle = math.radians(turn)
        cos, sin = math.cos(angle) * scale, math.sin(angle) * scale
        side = -1.0 if flip else 1.0
        p, q, r, s = cos * side, sin * side, -sin, cos
        matrix = (
            a * p + c * q,
            b * p + d * q,
            a * r + c * s,
            b * r + d * s,
            a * x + c * y + e,
            b * x + d * y + f,
        )
        return Pen(self._target, matrix, self.ink)

    def _place(self, points: Sequence[Point]) -> list[tuple[int, int]]:
        a, b, c, d, e, f = self._matrix
        return [(round(a * x + c * y + e), round(b * x + d * y + f)) for x, y in points]

    def _stroke(self, placed: Sequence[tuple[int, int]], width: int, colour: Colour) -> None:
        half = width / 2
        for (x0, y0), (x1, y1) in pairwise(placed):
            length = math.hypot(x1 - x0, y1 - y0)
            if length:
                dx, dy = (y1 - y0) * half / length, (x0 - x1) * half / length
                corners = ((x0 + dx, y0 + dy), (x1 + dx, y1 + dy), (x1 - dx, y1 - dy), (x0 - dx, y0 - dy))
                self._target.polygon([(round(x), round(y)) for x, y in corners], fill=colour)
        if width > 2:
            r = int(half)
            for x, y in placed:
                self._target.ellipse((x - r, y - r, x + r, y + r), fill=colour)

    def polygon(self, points: Sequence[Point], fill: Colour, edge: Colour | None = INK) -> None:
        """A filled shape, with an outline unless ``edge`` is None."""
        placed = self._place(points)
        if edge is not None:
            self._stroke([*placed, placed[0]], self.ink * 2, edge)
        self._target.polygon(placed, fill=fill)

    def box(self, x0: float, y0: float, x1: float, y1: float, fill: Colour, edge: Colour | None = INK) -> None:
        """A rectangle in this frame."""
        self.polygon(((x0, y0), (x1, y0), (x1, y1), (x0, y1)), fill, edge)

    def oval(
        self,
        x: float,
        y: float,
        rx: float,
        ry: float,
        fill: Colour,
        edge: Colour | None = INK,
        turn: float = 0.0,
    ) -> None:
        """An ellipse, turned clockwise by ``turn`` degrees."""
        angle = math.radians(turn)
        cos, sin = math.cos(angle), math.sin(angle)
        circle = _FINE if max(rx, ry) * self.scale > _BIG else _COARSE
        rings = [(0.0, fill)] if edge is None else [(self.ink / self.scale, edge), (0.0, fill)]
        for extra, colour in rings:
            ex, ey = rx + extra, ry + extra
            points = [(x + u * ex * cos - v * ey * sin, y + u * ex * sin + v * ey * cos) for u, v in circle]
            self._target.polygon(self._place(points), fill=colour)

    def line(self, points: Sequence[Point], width: float, colour: Colour, edge: Colour | None = None) -> None:
        """A line with round joints and ends; never thinner than an outline."""
        placed = self._place(points)
        pixels = max(self.ink, round(width * self.scale))
        if edge is not None:
            self._stroke(placed, pixels + 2 * self.ink, edge)
        self._stroke(placed, pixels, colour)
