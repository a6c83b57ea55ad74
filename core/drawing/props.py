"""The things that tell an action: ball, car, ice, water, desk, book, box, spade, plate."""

from __future__ import annotations

import math

from core.drawing.canvas import INK, Colour, Pen, arc, curve
from core.drawing.figure import GROUND
from core.drawing.palette import (
    EARTH,
    FOAM,
    GRASS,
    ICE,
    PAPER,
    PINK,
    PIT,
    RED,
    STEEL,
    WATER,
    WHITE,
    WOOD,
    YELLOW,
    darker,
)


def strip(pen: Pen, colour: Colour, top: float = GROUND, left: float = -0.5, right: float = 0.5) -> None:
    """A strip of ground under one figure."""
    pen.box(left, top, right, 0.5, colour)


def goal(pen: Pen) -> None:
    """A goal that stands behind the ball."""
    pale = (206, 212, 220)
    for k in range(4):
        pen.line(((0.1 + k * 0.11, -0.26), (0.1 + k * 0.11, GROUND)), 0.008, pale)
        pen.line(((0.0, -0.14 + k * 0.13), (0.47, -0.14 + k * 0.13)), 0.008, pale)
    pen.line(((0.0, 0.42), (0.0, -0.27), (0.46, -0.27), (0.46, 0.42)), 0.035, WHITE, INK)


def ball(pen: Pen, x: float, y: float, r: float) -> None:
    """A football: white, with black patches."""
    pen.oval(x, y, r, r, WHITE)
    pen.polygon(
        [(x + r * 0.42 * math.sin(k * 1.2566), y - r * 0.42 * math.cos(k * 1.2566)) for k in range(5)],
        INK,
        None,
    )
    for k in range(5):
        s, c = math.sin(k * 1.2566), -math.cos(k * 1.2566)
        pen.line(((x + r * 0.4 * s, y + r * 0.4 * c), (x + r * 0.8 * s, y + r * 0.8 * c)), r * 0.1, INK)
        pen.oval(x + r * 0.82 * s, y + r * 0.82 * c, r * 0.2, r * 0.2, INK, None)


def car(pen: Pen, colour: Colour) -> None:
    """The side of an open car, its nose to the right."""
    pen.line(((0.2, 0.1), (0.12, -0.12)), 0.03, INK)
    pen.polygon(
        [
            (-0.48, 0.14),
            (-0.42, 0.08),
            (-0.3, 0.1),
            (0.2, 0.1),
            (0.3, 0.15),
            (0.46, 0.19),
            (0.49, 0.27),
            (0.49, 0.37),
            (-0.48, 0.37),
        ],
        colour,
    )
    pen.line(((-0.27, 0.14), (-0.27, 0.3), (0.12, 0.3), (0.12, 0.14)), 0.012, darker(colour, 0.6))
    pen.line(((0.02, 0.18), (0.08, 0.18)), 0.02, INK)
    pen.oval(0.45, 0.24, 0.035, 0.035, (255, 240, 130))
    for x in (-0.28, 0.29):
        pen.oval(x, 0.38, 0.105, 0.105, INK)
        pen.oval(x, 0.38, 0.05, 0.05, STEEL, None)


def wheel(pen: Pen) -> None:
    """A steering wheel seen from its side."""
    pen.oval(0.12, 0.02, 0.03, 0.09, INK, turn=-20)


def ice(pen: Pen) -> None:
    """A rink with scratches."""
    pen.oval(0, 0.42, 0.49, 0.08, ICE, (96, 160, 204))
    for x in (-0.34, -0.1, 0.24):
        pen.line(((x, 0.44), (x + 0.12, 0.41)), 0.012, WHITE)


def flake(pen: Pen, x: float, y: float, r: float) -> None:
    """A snowflake."""
    for k in range(3):
        dx, dy = r * math.cos(k * math.pi / 3 + 0.52), r * math.sin(k * math.pi / 3 + 0.52)
        pen.line(((x - dx, y - dy), (x + dx, y + dy)), r * 0.28, (96, 168, 222))


def blade(pen: Pen, x: float, y: float, turn: float) -> None:
    """A skate's blade under a foot at (x, y)."""
    p = pen.frame(x, y, turn=turn)
    p.line(((-0.03, 0.0), (-0.03, 0.06)), 0.02, INK)
    p.line(((0.07, 0.0), (0.07, 0.06)), 0.02, INK)
    p.line(((-0.12, 0.065), (0.15, 0.065), (0.19, 0.03)), 0.03, (130, 146, 166), INK)


def water(pen: Pen, top: float) -> None:
    """Waves from ``top`` down to the cell's foot."""
    crest = [(-0.49 + 0.98 * i / 28, top + 0.028 * math.sin(i * math.pi / 3.5)) for i in range(29)]
    pen.polygon([*crest, (0.49, 0.46), (-0.49, 0.46)], WATER)
    pen.line([(x, y + 0.03) for x, y in crest], 0.026, FOAM)
    for y, shift in ((0.28, 2.0), (0.38, 4.0)):
        pen.line(
            [(-0.4 + 0.8 * i / 24, y + 0.022 * math.sin(i * math.pi / 3 + shift)) for i in range(25)],
            0.022,
            FOAM,
        )


def speed_lines(pen: Pen, top: float, bottom: float) -> None:
    """Lines that a fast figure leaves behind."""
    for k in range(4):
        y = top + (bottom - top) * k / 3
        pen.line(((-0.49, y), (-0.27 - 0.05 * (k % 2), y)), 0.026, (70, 76, 92))


def dust(pen: Pen, x: float, y: float) -> None:
    """A cloud behind a running foot."""
    for dx, dy, r in ((0.0, 0.0, 0.055), (-0.08, 0.015, 0.04), (0.06, 0.025, 0.035)):
        pen.oval(x + dx, y + dy, r, r * 0.85, (232, 214, 184), (176, 146, 108))


def footprints(pen: Pen) -> None:
    """A path with the steps behind a walker."""
    pen.box(-0.49, 0.39, 0.49, 0.49, (240, 218, 166), (168, 132, 78))
    for k, x in enumerate((-0.4, -0.25, -0.1, 0.05)):
        pen.oval(x, 0.425 + 0.038 * (k % 2), 0.05, 0.02, (128, 92, 50), None)


def desk(pen: Pen, left: float, right: float, top: float) -> None:
    """A desk with a closed front."""
    pen.box(left + 0.03, top, right - 0.03, 0.47, darker(WOOD, 0.82))
    pen.box(left, top, right, top + 0.055, WOOD)


def computer(pen: Pen) -> None:
    """A screen and a keyboard on a desk."""
    pen.box(0.24, 0.1, 0.3, 0.2, (70, 74, 84))
    pen.box(0.16, 0.17, 0.4, 0.2, (70, 74, 84))
    pen.box(0.07, -0.2, 0.49, 0.11, (54, 58, 68))
    pen.box(0.105, -0.165, 0.455, 0.075, (150, 216, 250), None)
    for k, width in enumerate((0.22, 0.28, 0.17)):
        pen.line(((0.14, -0.11 + k * 0.07), (0.14 + width, -0.11 + k * 0.07)), 0.022, (20, 60, 120))


def keyboard(pen: Pen) -> None:
    """A keyboard in front of its typist."""
    pen.polygon([(-0.3, 0.13), (0.06, 0.13), (0.1, 0.24), (-0.34, 0.24)], (236, 238, 242))
    for row in range(3):
        for k in range(6):
            x = -0.285 - row * 0.012 + k * (0.062 + row * 0.004)
            pen.box(x, 0.148 + row * 0.03, x + 0.036, 0.164 + row * 0.03, (70, 76, 90), None)


def sheet(pen: Pen) -> None:
    """A written page, tipped towards the viewer."""
    pen.polygon([(0.06, 0.0), (0.46, 0.0), (0.49, 0.27), (0.02, 0.27)], PAPER)
    for k in range(4):
        y = 0.05 + k * 0.055
        pen.line(((0.1 - k * 0.008, y), ((0.4, 0.42, 0.25, 0.14)[k], y)), 0.016, (50, 80, 170))


def pencil(pen: Pen, x: float, y: float) -> None:
    """A big pencil whose point is at (x, y)."""
    p = pen.frame(x, y, turn=32)
    p.polygon([(0, 0), (-0.045, -0.1), (0.045, -0.1)], (248, 216, 170))
    p.polygon([(0, 0), (-0.018, -0.045), (0.018, -0.045)], INK, None)
    p.box(-0.045, -0.42, 0.045, -0.1, YELLOW)
    p.line(((0, -0.42), (0, -0.1)), 0.012, (214, 150, 20))
    p.box(-0.045, -0.5, 0.045, -0.43, PINK)


def book(pen: Pen, x: float, y: float, cover: Colour) -> None:
    """An open book, its pages towards the viewer."""
    p = pen.frame(x, y)
    p.polygon([(-0.26, -0.13), (0, -0.07), (0.26, -0.13), (0.26, 0.15), (0, 0.21), (-0.26, 0.15)], cover)
    for side in (-1, 1):
        top = curve((0, -0.08), (side * 0.1, -0.18), (side * 0.23, -0.14), 6)
        foot = curve((side * 0.23, 0.11), (side * 0.1, 0.08), (0, 0.16), 6)
        p.polygon([*top, *foot], PAPER)
        for k in range(4):
            p.line(((side * 0.05, -0.06 + k * 0.05), (side * 0.19, -0.09 + k * 0.05)), 0.014, (96, 96, 110))


def parcel(pen: Pen, x: float, y: float, half: float) -> None:
    """A box with tape."""
    pen.box(x - half, y - half * 0.9, x + half, y + half * 0.9, (206, 150, 88))
    pen.box(x - half * 0.18, y - half * 0.9, x + half * 0.18, y + half * 0.9, (244, 218, 160), None)
    pen.line(((x + half * 0.4, y + half * 0.55), (x + half * 0.78, y + half * 0.55)), 0.02, (120, 76, 40))


def pit(pen: Pen) -> None:
    """Ground cut open: a hole in it and a heap beside."""
    pen.polygon([(0.28, 0.3), *curve((0.29, 0.3), (0.4, -0.14), (0.49, 0.3))], (190, 134, 80))
    pen.polygon(
        [
            (-0.49, 0.29),
            (0.0, 0.29),
            (0.04, 0.44),
            (0.24, 0.44),
            (0.28, 0.29),
            (0.49, 0.29),
            (0.49, 0.49),
            (-0.49, 0.49),
        ],
        EARTH,
    )
    pen.polygon([(0.0, 0.29), (0.28, 0.29), (0.24, 0.44), (0.04, 0.44)], PIT)
    pen.line(((-0.48, 0.3), (-0.01, 0.3)), 0.045, GRASS)
    pen.line(((0.3, 0.3), (0.48, 0.3)), 0.045, GRASS)


def spade(pen: Pen, x: float, y: float, turn: float) -> None:
    """A spade whose blade ends at (x, y)."""
    p = pen.frame(x, y, turn=turn)
    p.line(((0, -0.2), (0, -0.66)), 0.035, (232, 178, 90), INK)
    p.line(((-0.06, -0.67), (0.06, -0.67)), 0.04, (232, 178, 90), INK)
    p.polygon([(-0.1, -0.24), (0.1, -0.24), (0.1, -0.08), *arc(0, -0.08, 0.1, 0.09, 0, 180, 6)], (206, 214, 224))


def dinner_table(pen: Pen, top: float) -> None:
    """A table under a checked cloth."""
    pen.box(-0.46, top, 0.46, 0.48, WHITE)
    size = 0.92 / 8
    for row in range(3):
        for k in range(8):
            if (row + k) % 2 == 0:
                y = top + row * size
                pen.box(-0.46 + k * size, y, -0.46 + (k + 1) * size, min(0.48, y + size), RED, None)


def burger(pen: Pen, x: float, y: float) -> None:
    """A burger on a plate."""
    pen.oval(x, y + 0.05, 0.25, 0.05, WHITE)
    pen.box(x - 0.14, y - 0.02, x + 0.14, y + 0.05, (222, 150, 70))
    pen.box(x - 0.16, y - 0.05, x + 0.16, y - 0.005, (96, 48, 26))
    pen.line([(x - 0.16 + 0.04 * k, y - 0.055 + 0.015 * (k % 2)) for k in range(9)], 0.028, (70, 170, 50))
    pen.polygon(arc(x, y - 0.07, 0.155, 0.12, 180, 360), (232, 162, 78))


def fork(pen: Pen, x: float, y: float) -> None:
    """A fork held upright at (x, y)."""
    pen.line(((x, y + 0.06), (x, y - 0.12)), 0.03, STEEL, INK)
    pen.polygon([(x - 0.055, y - 0.24), (x + 0.055, y - 0.24), (x + 0.04, y - 0.11), (x - 0.04, y - 0.11)], STEEL)
    for dx in (-0.02, 0.02):
        pen.line(((x + dx, y - 0.25), (x + dx, y - 0.17)), 0.014, INK)


def knife(pen: Pen, x: float, y: float) -> None:
    """A knife held upright at (x, y)."""
    pen.line(((x, y + 0.06), (x, y - 0.06)), 0.035, (90, 60, 40), INK)
    pen.polygon([(x - 0.025, y - 0.08), (x - 0.025, y - 0.27), (x + 0.04, y - 0.2), (x + 0.035, y - 0.08)], STEEL)
