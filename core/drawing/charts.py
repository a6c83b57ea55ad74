"""Charts: axes, lines and bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.drawing.canvas import INK, Colour
from core.drawing.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Axes:
    """Where a chart's field lies on the sheet and what its upright axis holds."""

    left: float
    top: float
    right: float
    foot: float
    most: float
    labels: tuple[str, ...]

    def x(self, k: float) -> float:
        """Where the ``k``-th label's middle is."""
        return self.left + (self.right - self.left) * (k + 0.5) / len(self.labels)

    def y(self, value: float) -> float:
        """How high ``value`` is."""
        return self.foot - (self.foot - self.top) * value / self.most


def draw_axes(s: Sheet, axes: Axes, every: int, unit: str) -> None:
    """Both axes, with a line across and a number at each ``every``."""
    for value in range(0, int(axes.most) + 1, every):
        y = axes.y(value)
        s.pen.line(((axes.left, y), (axes.right, y)), 1, (210, 214, 222))
        s.text(axes.left - 8, y, str(value), 14, anchor="rm")
    for k, label in enumerate(axes.labels):
        s.text(axes.x(k), axes.foot + 16, label, 14)
    s.pen.line(((axes.left, axes.top - 8), (axes.left, axes.foot), (axes.right, axes.foot)), 2.5, INK)
    s.text(axes.left, axes.top - 22, unit, 14, anchor="lm")


def draw_line(s: Sheet, axes: Axes, values: Sequence[float], colour: Colour, square: bool = False) -> None:
    """A line through ``values`` with a mark at each."""
    points = [(axes.x(k), axes.y(value)) for k, value in enumerate(values)]
    s.pen.line(points, 3, colour)
    for x, y in points:
        if square:
            s.pen.box(x - 5, y - 5, x + 5, y + 5, colour)
        else:
            s.pen.oval(x, y, 5.5, 5.5, colour)


def draw_bars(s: Sheet, axes: Axes, values: Sequence[float], colour: Colour) -> None:
    """A bar for each of ``values``, its number above it."""
    half = (axes.right - axes.left) / len(axes.labels) * 0.32
    for k, value in enumerate(values):
        s.pen.box(axes.x(k) - half, axes.y(value), axes.x(k) + half, axes.foot, colour)
