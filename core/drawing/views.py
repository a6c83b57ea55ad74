"""Things seen from above, from the front and from behind, where their usual picture is from the side."""

from __future__ import annotations

import math
from typing import Final

from core.drawing import traffic
from core.drawing.canvas import INK, Colour, Pen, arc
from core.drawing.palette import PAPER, STEEL, WATER, WHITE, WOOD, YELLOW, darker
from core.drawing.scenery import ASPHALT, LAWN_GREEN, SAND
from core.drawing.sheet import Sheet

_PANE: Final[Colour] = (190, 228, 250)


def car_front(pen: Pen, colour: Colour) -> None:
    """A car that comes towards the viewer."""
    for x in (-0.32, 0.32):
        pen.box(x - 0.08, 0.16, x + 0.08, 0.4, INK)
    pen.polygon([(-0.26, -0.06), (-0.2, -0.34), (0.2, -0.34), (0.26, -0.06)], _PANE)
    pen.line(((-0.27, -0.05), (-0.2, -0.35), (0.2, -0.35), (0.27, -0.05)), 0.045, colour)
    pen.polygon([(-0.36, -0.06), (0.36, -0.06), (0.42, 0.06), (0.42, 0.28), (-0.42, 0.28), (-0.42, 0.06)], colour)
    for x in (-0.3, 0.3):
        pen.oval(x, 0.08, 0.075, 0.075, (255, 244, 170))
    for k in range(3):
        pen.line(((-0.16, 0.04 + k * 0.05), (0.16, 0.04 + k * 0.05)), 0.02, INK)
    pen.box(-0.12, 0.19, 0.12, 0.26, WHITE)


def cup_top(pen: Pen, colour: Colour) -> None:
    """A full cup on its saucer, from above."""
    pen.oval(0, 0, 0.46, 0.46, WHITE)
    pen.line(((0.24, 0.1), (0.38, 0.18)), 0.1, colour, INK)
    pen.oval(0, 0, 0.28, 0.28, colour)
    pen.oval(0, 0, 0.22, 0.22, (110, 66, 36))


def plate_top(pen: Pen, colour: Colour) -> None:
    """A plate with knife and fork, from above."""
    pen.oval(0, 0, 0.3, 0.3, WHITE)
    pen.oval(0, 0, 0.2, 0.2, colour, darker(WHITE, 0.8))
    pen.line(((-0.4, -0.24), (-0.4, 0.24)), 0.04, STEEL, INK)
    pen.line(((0.4, -0.24), (0.4, 0.24)), 0.04, STEEL, INK)


def umbrella_top(pen: Pen, colour: Colour) -> None:
    """An open umbrella from above."""
    points = [(0.46 * math.sin(k * math.pi / 4), -0.46 * math.cos(k * math.pi / 4)) for k in range(8)]
    pen.polygon(points, colour)
    for x, y in points:
        pen.line(((0, 0), (x, y)), 0.015, darker(colour, 0.7))
    pen.oval(0, 0, 0.04, 0.04, INK)


def tree_top(pen: Pen, colour: Colour) -> None:
    """A tree's crown from above."""
    for edge in (INK, None):
        for k in range(7):
            a = k * 2 * math.pi / 7
            pen.oval(0.2 * math.sin(a), 0.2 * math.cos(a), 0.22, 0.22, colour, edge)
    pen.oval(0.04, -0.04, 0.16, 0.16, darker(colour, 0.86), None)


def house_top(pen: Pen, colour: Colour) -> None:
    """A house's roof from above."""
    pen.box(-0.42, -0.32, 0.42, 0.0, colour)
    pen.box(-0.42, 0.0, 0.42, 0.32, darker(colour, 0.8))
    pen.box(0.16, -0.2, 0.28, -0.08, STEEL)


def boat_top(pen: Pen, colour: Colour) -> None:
    """A rowing boat from above, its bow to the right."""
    pen.polygon([*arc(0.06, 0, 0.42, 0.2, -90, 90, 10), (-0.4, 0.16), (-0.4, -0.16)], colour)
    pen.polygon([*arc(0.04, 0, 0.34, 0.14, -90, 90, 10), (-0.34, 0.11), (-0.34, -0.11)], darker(colour, 0.7))
    for x in (-0.2, 0.08):
        pen.box(x - 0.04, -0.13, x + 0.04, 0.13, WOOD)


def swimmer_top(pen: Pen, colour: Colour) -> None:
    """Someone who lies in a rubber ring, from above."""
    pen.oval(0, 0, 0.34, 0.34, colour)
    pen.oval(0, 0, 0.16, 0.16, WATER)
    pen.oval(0, -0.24, 0.12, 0.12, (90, 56, 32))
    pen.line(((-0.1, 0.2), (-0.12, 0.44)), 0.07, (248, 204, 162), INK)
    pen.line(((0.1, 0.2), (0.12, 0.44)), 0.07, (248, 204, 162), INK)


def parking(s: Sheet) -> None:
    """A car park from above."""
    s.pen.box(0, 0, s.width, s.height, ASPHALT, None)
    for k in range(6):
        x = 30 + k * (s.width - 60) / 5
        s.pen.line(((x, 16), (x, 120)), 3, WHITE)
        s.pen.line(((x, s.height - 120), (x, s.height - 16)), 3, WHITE)
    step = (s.width - 60) / 5
    colours = ((214, 60, 56), (60, 120, 210), (250, 206, 60), (240, 240, 240), (60, 160, 90))
    for k, colour in enumerate(colours):
        if k != 3:
            traffic.car(s.at(30 + (k + 0.5) * step, 68, 92, 90), colour)
        if k not in (0, 2):
            traffic.car(s.at(30 + (k + 0.5) * step, s.height - 68, 92, -90), colours[4 - k])


def dinner(s: Sheet) -> None:
    """A laid round table from above."""
    s.pen.box(0, 0, s.width, s.height, (206, 170, 130), None)
    x, y = s.width / 2, s.height / 2
    s.pen.oval(x, y, 146, 146, PAPER)
    for k in range(4):
        a = k * math.pi / 2
        plate_top(s.at(x + 92 * math.sin(a), y - 92 * math.cos(a), 84), ((230, 180, 90), (120, 180, 90))[k % 2])
    cup_top(s.at(x, y, 60), (60, 130, 200))


def village(s: Sheet) -> None:
    """A few houses and trees from above."""
    s.pen.box(0, 0, s.width, s.height, LAWN_GREEN, None)
    s.pen.box(0, s.height * 0.44, s.width, s.height * 0.58, ASPHALT, None)
    for x, y, turn in ((0.16, 0.2, 0), (0.56, 0.22, 0), (0.3, 0.8, 90), (0.78, 0.78, 0)):
        house_top(s.at(s.width * x, s.height * y, 100, turn), (200, 90, 70))
    for x, y in ((0.36, 0.2), (0.84, 0.2), (0.1, 0.78), (0.54, 0.82)):
        tree_top(s.at(s.width * x, s.height * y, 70), (74, 160, 74))
    traffic.car(s.at(s.width * 0.5, s.height * 0.545, 60), YELLOW)


def lagoon(s: Sheet) -> None:
    """Sand, water, boats and umbrellas from above."""
    s.pen.box(0, 0, s.width, s.height, WATER, None)
    s.pen.polygon([(0, s.height * 0.6), (s.width, s.height * 0.7), (s.width, s.height), (0, s.height)], SAND, None)
    for x, y, colour in ((0.2, 0.84, (220, 60, 60)), (0.5, 0.86, YELLOW), (0.8, 0.88, (60, 160, 90))):
        umbrella_top(s.at(s.width * x, s.height * y, 74), colour)
    boat_top(s.at(s.width * 0.3, s.height * 0.24, 110, 16), (240, 236, 220))
    boat_top(s.at(s.width * 0.74, s.height * 0.36, 96, -30), (250, 190, 100))
    swimmer_top(s.at(s.width * 0.5, s.height * 0.5, 60), (240, 110, 150))
