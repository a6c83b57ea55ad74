"""Things of garden, workshop, street and sky, each in a cell from -0.5 to 0.5."""

from __future__ import annotations

import math
from typing import Final

from core.drawing.canvas import INK, Colour, Pen, arc, curve
from core.drawing.palette import EARTH, RED, STEEL, WHITE, WOOD, YELLOW, darker

LEAVES: Final[Colour] = (74, 160, 74)
_BARK: Final[Colour] = (128, 86, 50)
_PANE: Final[Colour] = (190, 228, 250)


def pencil(pen: Pen, colour: Colour) -> None:
    """A pencil that points to the lower left."""
    p = pen.frame(0, 0, turn=-45)
    p.polygon([(-0.5, 0), (-0.32, -0.09), (-0.32, 0.09)], (248, 216, 170))
    p.polygon([(-0.5, 0), (-0.43, -0.035), (-0.43, 0.035)], INK, None)
    p.box(-0.32, -0.09, 0.34, 0.09, colour)
    p.box(0.34, -0.09, 0.46, 0.09, (246, 158, 170))


def scissors(pen: Pen, colour: Colour) -> None:
    """Open scissors."""
    for side in (-1, 1):
        pen.line(((side * 0.16, 0.3), (-side * 0.16, -0.46)), 0.08, STEEL, INK)
        pen.oval(side * 0.2, 0.33, 0.13, 0.13, colour)
        pen.oval(side * 0.2, 0.33, 0.06, 0.06, WHITE)
    pen.oval(0, 0.03, 0.035, 0.035, INK)


def saw(pen: Pen, colour: Colour) -> None:
    """A handsaw."""
    teeth = [(0.44 - 0.05 * k, 0.12 + (0.06 if k % 2 else 0.0)) for k in range(14)]
    pen.polygon([(-0.2, -0.12), (0.44, 0.02), *teeth], STEEL)
    pen.box(-0.48, -0.18, -0.18, 0.22, colour)
    pen.box(-0.4, -0.06, -0.27, 0.1, WHITE)


def hammer(pen: Pen, colour: Colour) -> None:
    """A hammer."""
    pen.line(((0, -0.2), (0, 0.46)), 0.08, colour, INK)
    pen.polygon([(-0.3, -0.38), (0.16, -0.38), (0.34, -0.26), (0.16, -0.2), (-0.3, -0.2)], (110, 116, 128))


def axe(pen: Pen, colour: Colour) -> None:
    """An axe."""
    pen.line(((0.06, -0.46), (-0.06, 0.46)), 0.07, colour, INK)
    pen.polygon([(0.02, -0.38), (0.34, -0.48), (0.38, -0.08), (0.02, -0.18)], STEEL)


def ladder(pen: Pen, colour: Colour) -> None:
    """A ladder."""
    for x in (-0.18, 0.18):
        pen.line(((x, -0.48), (x * 1.25, 0.48)), 0.05, colour, INK)
    for k in range(6):
        y = -0.38 + k * 0.155
        pen.line(((-0.19, y), (0.19, y)), 0.04, colour, INK)


def broom(pen: Pen, colour: Colour) -> None:
    """A broom."""
    pen.line(((0.2, -0.48), (-0.06, 0.14)), 0.05, colour, INK)
    pen.polygon([(-0.14, 0.1), (0.04, 0.17), (0.06, 0.46), (-0.34, 0.4)], (226, 186, 90))
    for k in range(4):
        pen.line(((-0.08 + k * 0.025, 0.2), (-0.22 + k * 0.08, 0.4)), 0.012, _BARK)


def bucket(pen: Pen, colour: Colour) -> None:
    """A bucket."""
    pen.line(arc(0, -0.14, 0.3, 0.32, 180, 360), 0.025, INK)
    pen.polygon([(-0.32, -0.14), (0.32, -0.14), (0.22, 0.4), (-0.22, 0.4)], colour)
    pen.oval(0, -0.14, 0.32, 0.08, darker(colour, 0.7))


def bicycle(pen: Pen, colour: Colour) -> None:
    """A bicycle that goes to the right."""
    for x in (-0.28, 0.28):
        pen.oval(x, 0.18, 0.2, 0.2, INK)
        pen.oval(x, 0.18, 0.16, 0.16, WHITE, None)
        pen.line(((x - 0.15, 0.18), (x + 0.15, 0.18)), 0.008, STEEL)
        pen.line(((x, 0.03), (x, 0.33)), 0.008, STEEL)
    pen.line(((-0.28, 0.18), (-0.1, -0.12), (0.2, -0.12), (0.0, 0.18), (-0.28, 0.18)), 0.035, colour)
    pen.line(((0.0, 0.18), (-0.14, -0.2)), 0.035, colour)
    pen.line(((0.28, 0.18), (0.18, -0.26), (0.3, -0.3)), 0.035, colour)
    pen.box(-0.24, -0.25, -0.06, -0.19, INK)


def car(pen: Pen, colour: Colour) -> None:
    """A closed car, its nose to the right."""
    pen.polygon([(-0.26, -0.02), (-0.18, -0.2), (0.12, -0.2), (0.24, -0.02)], _PANE)
    pen.line(((-0.02, -0.2), (-0.02, 0.0)), 0.03, colour)
    pen.line(((-0.27, -0.01), (-0.18, -0.21), (0.12, -0.21), (0.25, -0.01)), 0.04, colour)
    pen.polygon([(-0.46, -0.02), (0.28, -0.02), (0.48, 0.06), (0.48, 0.2), (-0.46, 0.2)], colour)
    pen.oval(0.45, 0.08, 0.03, 0.035, (255, 240, 130))
    wheels(pen, (-0.27, 0.27), 0.2, 0.105)


def wheels(pen: Pen, places: tuple[float, ...], y: float, r: float) -> None:
    """Wheels seen from their side."""
    for x in places:
        pen.oval(x, y, r, r, (40, 38, 44))
        pen.oval(x, y, r * 0.45, r * 0.45, STEEL, None)


def bus(pen: Pen, colour: Colour) -> None:
    """A bus, its nose to the right."""
    pen.box(-0.48, -0.3, 0.48, 0.22, colour)
    for k in range(4):
        pen.box(-0.42 + k * 0.17, -0.22, -0.29 + k * 0.17, -0.04, _PANE)
    pen.box(0.28, -0.22, 0.44, 0.18, _PANE)
    pen.box(-0.48, 0.06, 0.26, 0.1, WHITE, None)
    wheels(pen, (-0.28, 0.26), 0.24, 0.1)


def boat(pen: Pen, colour: Colour) -> None:
    """A sailing boat."""
    pen.line(((0, 0.16), (0, -0.48)), 0.03, _BARK)
    pen.polygon([(0.03, -0.46), (0.38, 0.1), (0.03, 0.1)], WHITE)
    pen.polygon([(-0.03, -0.36), (-0.28, 0.1), (-0.03, 0.1)], (250, 236, 210))
    pen.polygon([(-0.46, 0.16), (0.48, 0.16), (0.32, 0.4), (-0.32, 0.4)], colour)


def balloon(pen: Pen, colour: Colour) -> None:
    """A toy balloon on a string."""
    pen.line(curve((0, 0.14), (0.14, 0.3), (-0.02, 0.48)), 0.015, INK)
    pen.polygon([(0, 0.12), (-0.05, 0.19), (0.05, 0.19)], colour)
    pen.oval(0, -0.16, 0.25, 0.3, colour)
    pen.oval(-0.09, -0.27, 0.05, 0.08, WHITE, None)


def airship(pen: Pen, colour: Colour) -> None:
    """A hot-air balloon with its basket."""
    for x in (-0.1, 0.1):
        pen.line(((x * 1.6, 0.1), (x, 0.34)), 0.012, INK)
    pen.polygon([*arc(0, -0.14, 0.34, 0.34, 150, 390), (0.1, 0.2), (-0.1, 0.2)], colour)
    pen.polygon([*arc(0, -0.14, 0.13, 0.34, 180, 360), (0.05, 0.19), (-0.05, 0.19)], WHITE, None)
    pen.box(-0.1, 0.32, 0.1, 0.46, WOOD)


def kite(pen: Pen, colour: Colour) -> None:
    """A kite with its tail."""
    pen.line(curve((0, 0.14), (0.2, 0.3), (-0.06, 0.48)), 0.018, INK)
    for x, y in ((0.07, 0.25), (0.08, 0.36)):
        pen.polygon([(x, y), (x - 0.08, y - 0.04), (x - 0.08, y + 0.04)], RED, None)
        pen.polygon([(x, y), (x + 0.08, y - 0.04), (x + 0.08, y + 0.04)], RED, None)
    pen.polygon([(0, -0.48), (0.28, -0.16), (0, 0.16), (-0.28, -0.16)], colour)
    pen.line(((0, -0.48), (0, 0.16)), 0.015, INK)
    pen.line(((-0.28, -0.16), (0.28, -0.16)), 0.015, INK)


def tent(pen: Pen, colour: Colour) -> None:
    """A tent."""
    pen.polygon([(0, -0.36), (0.48, 0.36), (-0.48, 0.36)], colour)
    pen.polygon([(0, -0.2), (0.16, 0.36), (-0.16, 0.36)], darker(colour, 0.5))


def house(pen: Pen, colour: Colour) -> None:
    """A house."""
    pen.box(0.18, -0.44, 0.28, -0.2, (150, 80, 60))
    pen.box(-0.36, -0.1, 0.36, 0.44, colour)
    pen.polygon([(-0.46, -0.1), (0, -0.48), (0.46, -0.1)], (190, 70, 56))
    pen.box(-0.08, 0.14, 0.1, 0.44, _BARK)
    for x in (-0.29, 0.17):
        pen.box(x, 0.02, x + 0.14, 0.16, _PANE)


def tree(pen: Pen, colour: Colour) -> None:
    """A tree with a round crown."""
    pen.box(-0.06, 0.06, 0.06, 0.48, _BARK)
    blobs = ((-0.2, -0.06, 0.2), (0.2, -0.06, 0.2), (0, -0.24, 0.24), (0, 0.0, 0.2))
    for x, y, r in blobs:
        pen.oval(x, y, r, r, colour)
    for x, y, r in blobs:
        pen.oval(x, y, r, r, colour, None)


def bare(pen: Pen, colour: Colour) -> None:
    """A tree without leaves."""
    pen.line(((0, 0.48), (0, -0.1)), 0.09, colour)
    for side in (-1, 1):
        pen.line(((0, 0.1), (side * 0.22, -0.14), (side * 0.3, -0.4)), 0.045, colour)
        pen.line(((side * 0.22, -0.14), (side * 0.4, -0.2)), 0.03, colour)
        pen.line(((0, -0.08), (side * 0.1, -0.44)), 0.045, colour)


def fir(pen: Pen, colour: Colour) -> None:
    """A fir."""
    pen.box(-0.05, 0.3, 0.05, 0.48, _BARK)
    for k in range(3):
        y = -0.48 + k * 0.24
        pen.polygon([(0, y), (0.18 + k * 0.07, y + 0.34), (-0.18 - k * 0.07, y + 0.34)], colour)


def flower(pen: Pen, colour: Colour) -> None:
    """A flower on its stalk."""
    pen.line(((0, 0.48), (0, -0.1)), 0.04, LEAVES)
    pen.oval(0.11, 0.24, 0.12, 0.05, LEAVES, turn=-30)
    for k in range(6):
        a = k * math.pi / 3
        pen.oval(0.15 * math.sin(a), -0.2 - 0.15 * math.cos(a), 0.1, 0.1, colour)
    pen.oval(0, -0.2, 0.1, 0.1, YELLOW)


def cactus(pen: Pen, colour: Colour) -> None:
    """A cactus with two arms."""
    pen.line(((-0.02, 0.0), (-0.26, 0.0), (-0.26, -0.2)), 0.1, colour, INK)
    pen.line(((0.02, 0.12), (0.26, 0.12), (0.26, -0.1)), 0.1, colour, INK)
    pen.line(((0, 0.46), (0, -0.4)), 0.16, colour, INK)
    for x in (-0.04, 0.04):
        pen.line(((x, 0.4), (x, -0.38)), 0.012, darker(colour))


def palm(pen: Pen, colour: Colour) -> None:
    """A palm tree."""
    pen.line(curve((-0.06, 0.48), (0.04, 0.1), (0.02, -0.2)), 0.08, _BARK)
    for ex, ey, bx, by in (
        (-0.44, -0.1, -0.24, -0.4),
        (0.48, -0.1, 0.28, -0.4),
        (-0.3, -0.4, -0.1, -0.5),
        (0.34, -0.42, 0.14, -0.5),
    ):
        pen.polygon(
            [*curve((0.02, -0.2), (bx, by), (ex, ey)), *curve((ex, ey), (bx, by + 0.16), (0.02, -0.2))], colour
        )
    for x in (-0.04, 0.07):
        pen.oval(x, -0.14, 0.045, 0.045, (110, 66, 30))


def apple(pen: Pen, colour: Colour) -> None:
    """An apple."""
    pen.line(((0, -0.2), (0.05, -0.42)), 0.035, _BARK)
    pen.oval(0.16, -0.36, 0.12, 0.05, LEAVES, turn=-20)
    for fill_edge in (INK, None):
        for x in (-0.13, 0.13):
            pen.oval(x, 0.06, 0.25, 0.31, colour, fill_edge)
    pen.oval(-0.2, -0.06, 0.05, 0.08, WHITE, None)


def pear(pen: Pen, colour: Colour) -> None:
    """A pear."""
    pen.line(((0, -0.32), (0.05, -0.48)), 0.035, _BARK)
    for edge in (INK, None):
        pen.oval(0, 0.14, 0.28, 0.29, colour, edge)
        pen.oval(0, -0.16, 0.16, 0.22, colour, edge)
    pen.oval(-0.12, 0.08, 0.04, 0.08, WHITE, None)


def banana(pen: Pen, colour: Colour) -> None:
    """A banana."""
    low = curve((-0.4, -0.2), (-0.2, 0.46), (0.42, 0.02))
    top = curve((0.4, -0.06), (-0.06, 0.16), (-0.3, -0.24))
    pen.polygon([*low, *top], colour)
    pen.line(((-0.36, -0.22), (-0.4, -0.32)), 0.07, _BARK)


def carrot(pen: Pen, colour: Colour) -> None:
    """A carrot."""
    for x in (-0.12, 0.0, 0.12):
        pen.line(((0, -0.2), (x, -0.46)), 0.05, LEAVES, INK)
    pen.polygon([(-0.15, -0.2), (0.15, -0.2), (0.0, 0.48)], colour)
    for y in (-0.06, 0.1):
        pen.line(((-0.06, y), (0.04, y + 0.01)), 0.015, darker(colour))


def fish(pen: Pen, colour: Colour) -> None:
    """A fish that swims to the right."""
    pen.polygon([(-0.2, 0.0), (-0.46, -0.2), (-0.38, 0.0), (-0.46, 0.2)], darker(colour, 0.85))
    pen.oval(0.06, 0, 0.34, 0.2, colour)
    pen.polygon([(0.0, -0.18), (0.12, -0.34), (0.2, -0.16)], darker(colour, 0.85))
    pen.oval(0.26, -0.05, 0.045, 0.045, WHITE)
    pen.oval(0.27, -0.05, 0.022, 0.022, INK, None)
    pen.line(arc(0.12, 0, 0.06, 0.14, -70, 70, 6), 0.014, darker(colour))


def bird(pen: Pen, colour: Colour) -> None:
    """A bird that looks to the right."""
    pen.polygon([(-0.2, 0.02), (-0.48, -0.08), (-0.44, 0.12)], darker(colour))
    pen.oval(-0.04, 0.06, 0.27, 0.2, colour)
    pen.oval(0.2, -0.14, 0.16, 0.15, colour)
    pen.polygon([(0.34, -0.16), (0.5, -0.1), (0.34, -0.06)], (250, 160, 40))
    pen.oval(0.24, -0.18, 0.03, 0.03, INK, None)
    pen.oval(-0.1, 0.05, 0.15, 0.09, darker(colour), turn=14)
    for x in (-0.06, 0.06):
        pen.line(((x, 0.25), (x, 0.42)), 0.025, (220, 130, 40))


def bench(pen: Pen, colour: Colour) -> None:
    """A garden bench."""
    for x in (-0.38, 0.38):
        pen.line(((x, -0.2), (x, 0.38)), 0.06, (80, 84, 92), INK)
    for y in (-0.18, -0.05, 0.12):
        pen.box(-0.48, y - 0.045, 0.48, y + 0.045, colour)


def log(pen: Pen, colour: Colour) -> None:
    """A sawn trunk."""
    pen.polygon([(-0.4, -0.16), (0.3, -0.16), (0.3, 0.18), (-0.4, 0.18)], colour)
    pen.oval(-0.4, 0.01, 0.08, 0.17, colour)
    pen.oval(0.3, 0.01, 0.12, 0.17, (226, 186, 130))
    pen.oval(0.3, 0.01, 0.06, 0.09, (226, 186, 130), _BARK)
    for y in (-0.06, 0.08):
        pen.line(((-0.34, y), (0.1, y)), 0.014, darker(colour, 0.7))


def rock(pen: Pen, colour: Colour) -> None:
    """A stone."""
    pen.polygon([(-0.44, 0.3), (-0.36, -0.06), (-0.1, -0.28), (0.22, -0.2), (0.42, 0.06), (0.44, 0.3)], colour)
    pen.line(((-0.1, -0.26), (0.0, 0.02), (-0.12, 0.2)), 0.018, darker(colour))
    pen.line(((0.0, 0.02), (0.24, 0.08)), 0.018, darker(colour))


def statue(pen: Pen, colour: Colour) -> None:
    """A head of stone on a pillar."""
    pen.box(-0.26, 0.32, 0.26, 0.46, colour)
    pen.box(-0.16, 0.14, 0.16, 0.32, colour)
    pen.polygon([(-0.24, 0.14), (-0.1, 0.0), (0.1, 0.0), (0.24, 0.14)], colour)
    pen.oval(0, -0.18, 0.17, 0.23, colour)
    for x in (-0.07, 0.07):
        pen.line(((x - 0.03, -0.2), (x + 0.03, -0.2)), 0.025, darker(colour, 0.6))
    pen.line(((0, -0.17), (-0.02, -0.1), (0.02, -0.1)), 0.018, darker(colour, 0.6))
    pen.line(((-0.05, -0.04), (0.05, -0.04)), 0.02, darker(colour, 0.6))


def bricks(pen: Pen, colour: Colour) -> None:
    """A piece of brick wall."""
    pen.box(-0.44, -0.24, 0.44, 0.36, (220, 210, 200))
    for row in range(4):
        for k in range(4):
            x0 = -0.44 + k * 0.22 + (0.11 if row % 2 else 0)
            x1 = min(0.44, x0 + 0.2)
            pen.box(x0, -0.24 + row * 0.15, x1, -0.11 + row * 0.15, colour, None)


def sun(pen: Pen, colour: Colour) -> None:
    """The sun with its rays."""
    for k in range(12):
        s, c = math.sin(k * math.pi / 6), math.cos(k * math.pi / 6)
        pen.line(((0.3 * s, 0.3 * c), (0.46 * s, 0.46 * c)), 0.05, colour)
    pen.oval(0, 0, 0.26, 0.26, colour)


def moon(pen: Pen, colour: Colour) -> None:
    """A crescent."""
    pen.polygon([*arc(0, 0, 0.42, 0.42, 50, 310, 24), *curve((0.27, -0.32), (-0.3, 0.0), (0.27, 0.32), 16)], colour)


def cloud(pen: Pen, colour: Colour) -> None:
    """A cloud."""
    blobs = ((-0.24, 0.06, 0.18), (0.0, -0.06, 0.24), (0.26, 0.06, 0.17), (0.04, 0.1, 0.16))
    for edge in (darker(colour, 0.75), None):
        for x, y, r in blobs:
            pen.oval(x, y, r, r * 0.9, colour, edge)


def star(pen: Pen, colour: Colour) -> None:
    """A star of five points."""
    points = []
    for k in range(10):
        r = 0.48 if k % 2 == 0 else 0.2
        points.append((r * math.sin(k * math.pi / 5), -r * math.cos(k * math.pi / 5)))
    pen.polygon(points, colour)


def snowman(pen: Pen, colour: Colour) -> None:
    """A snowman with a hat."""
    pen.oval(0, 0.24, 0.26, 0.24, colour)
    pen.oval(0, -0.12, 0.17, 0.17, colour)
    for x in (-0.06, 0.06):
        pen.oval(x, -0.16, 0.022, 0.022, INK, None)
    pen.polygon([(0, -0.12), (0.2, -0.08), (0, -0.06)], (250, 140, 40))
    for y in (0.14, 0.26):
        pen.oval(0, y, 0.024, 0.024, INK, None)
    pen.box(-0.13, -0.46, 0.13, -0.28, INK)
    pen.box(-0.2, -0.3, 0.2, -0.26, INK)


def beachball(pen: Pen, colour: Colour) -> None:
    """A ball with stripes."""
    pen.oval(0, 0, 0.4, 0.4, WHITE)
    pen.polygon([*arc(0, 0, 0.4, 0.4, 250, 290, 6), (0, 0)], colour, None)
    pen.polygon([*arc(0, 0, 0.4, 0.4, 10, 50, 6), (0, 0)], colour, None)
    pen.polygon([*arc(0, 0, 0.4, 0.4, 130, 170, 6), (0, 0)], colour, None)
    pen.oval(0, 0, 0.07, 0.07, WHITE)


def tap(pen: Pen, colour: Colour) -> None:
    """A water tap, its mouth at the right."""
    pen.box(-0.48, -0.18, -0.38, 0.14, colour)
    pen.polygon(
        [(-0.38, -0.1), (0.14, -0.1), (0.24, 0.0), (0.24, 0.24), (0.08, 0.24), (0.08, 0.06), (-0.38, 0.06)], colour
    )
    pen.line(((-0.1, -0.1), (-0.1, -0.24)), 0.05, colour, INK)
    pen.line(((-0.26, -0.26), (0.06, -0.26)), 0.07, colour, INK)


def drop(pen: Pen, colour: Colour) -> None:
    """A drop of water."""
    pen.polygon([(0, -0.46), *arc(0, 0.12, 0.28, 0.3, -20, 200, 14)], colour)
    pen.line(arc(0, 0.12, 0.16, 0.18, 110, 170, 5), 0.04, WHITE)


def coin(pen: Pen, colour: Colour) -> None:
    """A coin."""
    pen.oval(0, 0, 0.42, 0.42, colour)
    pen.oval(0, 0, 0.32, 0.32, colour, darker(colour))
    pen.line(((0, -0.16), (0, 0.16)), 0.08, darker(colour))


def leaf(pen: Pen, colour: Colour) -> None:
    """A fallen leaf."""
    pen.polygon(
        [*curve((-0.4, 0.3), (-0.3, -0.4), (0.4, -0.36)), *curve((0.4, -0.36), (0.3, 0.36), (-0.4, 0.3))], colour
    )
    pen.line(((-0.48, 0.4), (0.26, -0.24)), 0.03, darker(colour, 0.6))


def mushroom(pen: Pen, colour: Colour) -> None:
    """A mushroom with spots."""
    pen.polygon([(-0.1, 0.0), (0.1, 0.0), (0.14, 0.44), (-0.14, 0.44)], (246, 236, 216))
    pen.polygon(arc(0, 0.06, 0.42, 0.46, 180, 360), colour)
    for x, y, r in ((-0.2, -0.1, 0.06), (0.06, -0.24, 0.07), (0.24, -0.04, 0.05)):
        pen.oval(x, y, r, r, WHITE, None)


def pumpkin(pen: Pen, colour: Colour) -> None:
    """A pumpkin."""
    pen.line(((0, -0.2), (0.06, -0.38)), 0.08, (90, 130, 50), INK)
    for x in (-0.24, 0.24):
        pen.oval(x, 0.1, 0.22, 0.28, colour)
    pen.oval(0, 0.1, 0.2, 0.31, colour)


def nest(pen: Pen, colour: Colour) -> None:
    """A nest with three eggs."""
    for x in (-0.18, 0.0, 0.18):
        pen.oval(x, -0.06, 0.1, 0.14, (200, 226, 236))
    pen.polygon(arc(0, 0.0, 0.44, 0.34, 0, 180), colour)
    for k in range(5):
        pen.line(((-0.3 + 0.14 * k, 0.05), (-0.2 + 0.1 * k, 0.18)), 0.02, darker(colour, 0.6))


def soil(pen: Pen, colour: Colour) -> None:
    """A sprout in a heap of earth."""
    pen.line(((0, 0.3), (0, 0.02)), 0.04, LEAVES)
    for side in (-1, 1):
        pen.oval(side * 0.11, 0.0, 0.12, 0.06, colour, turn=-side * 26)
    pen.polygon(arc(0, 0.44, 0.3, 0.2, 180, 360), EARTH)
