"""Things of a home, each in a cell from -0.5 to 0.5, in a colour of one's choice where that makes sense."""

from __future__ import annotations

import math
from typing import Final

from core.drawing.canvas import INK, Colour, Pen, arc, curve
from core.drawing.palette import PAPER, RED, STEEL, WHITE, WOOD, YELLOW, darker

GLASS: Final[Colour] = (206, 236, 244)
_GRAIN: Final[Colour] = (138, 90, 44)
_FLAME: Final[Colour] = (255, 150, 30)


def cup(pen: Pen, colour: Colour) -> None:
    """A mug with its handle to the right."""
    pen.line(arc(0.22, 0.04, 0.17, 0.17, -80, 80), 0.07, colour, INK)
    pen.polygon([(-0.28, -0.26), (0.24, -0.26), (0.2, 0.32), (-0.24, 0.32)], colour)
    pen.oval(-0.02, -0.26, 0.26, 0.06, darker(colour, 0.6))


def glass(pen: Pen, colour: Colour) -> None:
    """A drinking glass, half full, with a straw."""
    pen.line(((0.02, 0.2), (0.16, -0.44), (0.28, -0.46)), 0.04, RED)
    pen.polygon([(-0.2, -0.34), (0.2, -0.34), (0.15, 0.38), (-0.15, 0.38)], colour)
    pen.polygon([(-0.17, -0.04), (0.17, -0.04), (0.135, 0.35), (-0.135, 0.35)], (130, 190, 232), None)
    pen.line(((0.02, 0.2), (0.09, -0.1)), 0.03, (214, 110, 120))
    pen.line(((-0.12, -0.24), (-0.09, 0.22)), 0.035, WHITE)


def bottle(pen: Pen, colour: Colour) -> None:
    """A bottle of see-through glass."""
    pen.box(-0.07, -0.48, 0.07, -0.4, (150, 104, 60))
    side = [(0.07, -0.4), (0.07, -0.2), (0.17, -0.06), (0.17, 0.44)]
    pen.polygon([*side, *((-x, y) for x, y in reversed(side))], colour)
    pen.line(((-0.1, 0.0), (-0.1, 0.36)), 0.045, WHITE)
    pen.line(((0.03, -0.36), (0.03, -0.22)), 0.025, WHITE)


def bowl(pen: Pen, colour: Colour) -> None:
    """A bowl."""
    pen.polygon(arc(0, -0.08, 0.42, 0.4, 0, 180), colour)
    pen.oval(0, -0.08, 0.42, 0.08, darker(colour, 0.8))
    pen.box(-0.14, 0.29, 0.14, 0.35, colour)


def saucepan(pen: Pen, colour: Colour) -> None:
    """A pan of metal with a long handle."""
    pen.line(((0.2, -0.02), (0.48, -0.08)), 0.06, (60, 60, 66), INK)
    pen.box(-0.4, -0.12, 0.2, 0.26, colour)
    pen.oval(-0.1, -0.12, 0.31, 0.06, darker(colour, 0.75))
    pen.line(((-0.3, 0.0), (-0.3, 0.18)), 0.04, WHITE)


def spoon(pen: Pen, colour: Colour) -> None:
    """A spoon."""
    pen.line(((0.0, -0.1), (0.0, 0.46)), 0.05, colour, INK)
    pen.oval(0, -0.26, 0.13, 0.2, colour)
    pen.oval(-0.03, -0.29, 0.05, 0.1, WHITE, None)


def vase(pen: Pen, colour: Colour) -> None:
    """A vase with two flowers."""
    for x, petal in ((-0.12, (240, 90, 120)), (0.13, YELLOW)):
        pen.line(((x * 0.3, -0.05), (x, -0.34)), 0.025, (60, 140, 60))
        for k in range(5):
            a = k * 1.2566
            pen.oval(x + 0.07 * math.sin(a), -0.37 - 0.07 * math.cos(a), 0.05, 0.05, petal)
        pen.oval(x, -0.37, 0.035, 0.035, (250, 240, 190), None)
    side = [(0.09, -0.1), (0.08, 0.02), (0.22, 0.18), (0.2, 0.36), (0.1, 0.46)]
    pen.polygon([*side, *((-x, y) for x, y in reversed(side))], colour)


def chair(pen: Pen, colour: Colour) -> None:
    """A chair of wood, seen from its side and front."""
    for x in (-0.24, 0.24):
        pen.line(((x, -0.46), (x, 0.46)), 0.06, colour, INK)
    for y in (-0.36, -0.2):
        pen.box(-0.22, y - 0.045, 0.22, y + 0.045, colour)
    pen.polygon([(-0.26, 0.02), (0.26, 0.02), (0.34, 0.14), (-0.34, 0.14)], colour)
    for x in (-0.31, 0.31):
        pen.line(((x, 0.15), (x, 0.47)), 0.06, colour, INK)
    pen.line(((-0.16, 0.08), (0.1, 0.08)), 0.015, darker(colour))


def bed(pen: Pen, colour: Colour) -> None:
    """A bed with a pillow at the left."""
    pen.box(-0.48, -0.2, -0.4, 0.34, WOOD)
    pen.box(0.4, 0.0, 0.48, 0.34, WOOD)
    pen.box(-0.4, 0.06, 0.4, 0.24, PAPER)
    pen.polygon([(-0.14, 0.0), (0.4, 0.02), (0.4, 0.24), (-0.14, 0.24)], colour)
    pen.oval(-0.26, 0.0, 0.13, 0.075, WHITE)


def table(pen: Pen, colour: Colour) -> None:
    """A table of wood."""
    for x in (-0.38, 0.38):
        pen.box(x - 0.04, -0.05, x + 0.04, 0.44, darker(colour, 0.85))
    pen.box(-0.48, -0.12, 0.48, -0.02, colour)


def lamp(pen: Pen, colour: Colour) -> None:
    """A lamp on a foot, with a shade."""
    pen.line(((0, 0.4), (0, -0.1)), 0.05, STEEL, INK)
    pen.oval(0, 0.42, 0.2, 0.05, STEEL)
    pen.polygon([(-0.14, -0.46), (0.14, -0.46), (0.3, -0.06), (-0.3, -0.06)], colour)
    pen.oval(0, -0.02, 0.09, 0.06, (255, 244, 160))


def torch(pen: Pen, colour: Colour) -> None:
    """An electric torch that shines to the right."""
    pen.polygon([(0.2, -0.12), (0.5, -0.34), (0.5, 0.34), (0.2, 0.12)], (255, 240, 140), None)
    pen.box(-0.46, -0.09, 0.04, 0.09, colour)
    pen.polygon([(0.04, -0.09), (0.2, -0.17), (0.2, 0.17), (0.04, 0.09)], darker(colour))
    pen.box(-0.24, -0.12, -0.12, -0.07, RED)


def candle(pen: Pen, colour: Colour) -> None:
    """A burning candle in a holder."""
    pen.oval(0, 0.4, 0.28, 0.07, (200, 160, 70))
    pen.box(-0.1, -0.12, 0.1, 0.38, colour)
    pen.line(((0, -0.12), (0, -0.2)), 0.02, INK)
    pen.polygon([(0, -0.48), *arc(0, -0.26, 0.09, 0.1, -20, 200, 8)], _FLAME)
    pen.oval(0, -0.25, 0.04, 0.06, (255, 240, 140), None)


def clock(pen: Pen, colour: Colour) -> None:
    """A round clock that says ten past ten."""
    pen.oval(0, 0, 0.44, 0.44, colour)
    pen.oval(0, 0, 0.36, 0.36, WHITE)
    hands(pen, 10, 10, 0.36)


def hands(pen: Pen, hour: float, minute: float, r: float) -> None:
    """The marks and hands of a clock face of radius ``r``."""
    for k in range(12):
        s, c = math.sin(k * math.pi / 6), -math.cos(k * math.pi / 6)
        inner = 0.74 if k % 3 == 0 else 0.86
        pen.line(((r * inner * s, r * inner * c), (r * 0.95 * s, r * 0.95 * c)), r * 0.06, INK)
    for turn, length, width in ((hour / 12 + minute / 720, 0.5, 0.12), (minute / 60, 0.74, 0.08)):
        a = turn * 2 * math.pi
        pen.line(((0, 0), (r * length * math.sin(a), -r * length * math.cos(a))), r * width, INK)


def hourglass(pen: Pen, colour: Colour) -> None:
    """A sand glass."""
    for y in (-0.44, 0.44):
        pen.box(-0.28, y - 0.05, 0.28, y + 0.05, colour)
    pen.polygon([(-0.2, -0.39), (0.2, -0.39), (0.03, 0), (0.2, 0.39), (-0.2, 0.39), (-0.03, 0)], GLASS)
    pen.polygon([(-0.11, -0.18), (0.11, -0.18), (0, -0.01)], (232, 190, 110), None)
    pen.polygon([(-0.17, 0.37), (0.17, 0.37), (0, 0.16)], (232, 190, 110), None)


def umbrella(pen: Pen, colour: Colour) -> None:
    """An open umbrella."""
    pen.line([(0, -0.3), (0, 0.36), *arc(0.08, 0.36, 0.08, 0.1, 180, 10, 6)], 0.035, (120, 80, 50))
    pen.polygon(arc(0, 0.02, 0.46, 0.44, 180, 360), colour)
    for x in (-0.23, 0.0, 0.23):
        pen.line(((x, 0.02), (x * 0.35, -0.41)), 0.012, darker(colour, 0.7))
    pen.line(((0, -0.42), (0, -0.49)), 0.03, INK)


def boots(pen: Pen, colour: Colour) -> None:
    """A pair of boots."""
    for x in (-0.3, 0.1):
        pen.polygon(
            [(x, -0.3), (x + 0.2, -0.3), (x + 0.2, 0.12), (x + 0.34, 0.2), (x + 0.34, 0.34), (x, 0.34)], colour
        )
        pen.box(x, 0.33, x + 0.35, 0.4, INK)


def hat(pen: Pen, colour: Colour) -> None:
    """A hat with a band."""
    pen.oval(0, 0.2, 0.46, 0.1, colour)
    pen.polygon([(-0.25, 0.18), (-0.2, -0.26), (0.2, -0.26), (0.25, 0.18)], colour)
    pen.polygon([(-0.25, 0.18), (-0.235, 0.06), (0.235, 0.06), (0.25, 0.18)], INK, None)


def knitted(pen: Pen, colour: Colour) -> None:
    """The rows of stitches of something knitted, over the chest of a jumper."""
    for row in range(4):
        y = -0.16 + row * 0.13
        pen.line([(-0.2 + 0.05 * k, y + 0.03 * (k % 2)) for k in range(9)], 0.014, colour)


def jumper(pen: Pen, colour: Colour) -> None:
    """A knitted jumper."""
    pen.polygon(
        [
            (-0.14, -0.34), (0.14, -0.34), (0.26, -0.28), (0.48, 0.16), (0.36, 0.24), (0.24, 0.02), (0.24, 0.42),
            (-0.24, 0.42), (-0.24, 0.02), (-0.36, 0.24), (-0.48, 0.16), (-0.26, -0.28),
        ],
        colour,
    )  # fmt: skip
    pen.box(-0.13, -0.4, 0.13, -0.32, darker(colour))
    pen.box(-0.24, 0.36, 0.24, 0.43, darker(colour))
    knitted(pen, darker(colour, 0.7))


def scarf(pen: Pen, colour: Colour) -> None:
    """A knitted scarf with fringes."""
    pen.line(
        [*curve((-0.3, -0.2), (0, 0.06), (0.3, -0.2)), (0.1, -0.34), (-0.1, -0.34), (-0.3, -0.2)], 0.14, colour, INK
    )
    for x, y in ((-0.08, 0.26), (0.12, 0.36)):
        pen.box(x - 0.09, -0.05, x + 0.09, y, colour)
        for k in range(4):
            pen.line(((x - 0.07 + k * 0.047, y), (x - 0.07 + k * 0.047, y + 0.09)), 0.02, darker(colour))
        for k in range(3):
            pen.line(
                [(x - 0.08 + 0.04 * j, 0.05 + k * 0.07 + 0.02 * (j % 2)) for j in range(5)], 0.012, darker(colour)
            )


def key(pen: Pen, colour: Colour) -> None:
    """A key."""
    pen.line(((-0.1, 0), (0.44, 0)), 0.07, colour, INK)
    for x in (0.28, 0.4):
        pen.line(((x, 0), (x, 0.14)), 0.06, colour, INK)
    pen.oval(-0.25, 0, 0.18, 0.18, colour)
    pen.oval(-0.25, 0, 0.08, 0.08, WHITE)


def closed_book(pen: Pen, colour: Colour) -> None:
    """A closed book, standing."""
    pen.box(-0.28, -0.4, 0.3, 0.42, colour)
    pen.box(-0.28, -0.4, -0.2, 0.42, darker(colour))
    pen.box(-0.1, -0.26, 0.2, -0.1, PAPER)
    pen.line(((-0.05, -0.18), (0.15, -0.18)), 0.02, INK)


def newspaper(pen: Pen, colour: Colour) -> None:
    """A folded newspaper."""
    pen.polygon([(-0.36, -0.42), (0.34, -0.42), (0.38, 0.42), (-0.4, 0.42)], colour)
    pen.box(-0.3, -0.35, 0.28, -0.25, INK, None)
    pen.box(-0.31, -0.18, -0.03, 0.08, (160, 160, 160))
    for k in range(6):
        pen.line(((0.03, -0.17 + k * 0.05), (0.29, -0.17 + k * 0.05)), 0.014, (90, 90, 90))
        pen.line(((-0.32, 0.15 + k * 0.045), (0.31, 0.15 + k * 0.045)), 0.014, (90, 90, 90))


def envelope(pen: Pen, colour: Colour) -> None:
    """A letter with a stamp."""
    pen.box(-0.44, -0.28, 0.44, 0.3, colour)
    pen.line(((-0.44, -0.28), (0, 0.06), (0.44, -0.28)), 0.02, INK)
    pen.box(0.28, 0.12, 0.4, 0.26, RED)


def phone(pen: Pen, colour: Colour) -> None:
    """A telephone in the hand's size."""
    pen.box(-0.2, -0.44, 0.2, 0.44, colour)
    pen.box(-0.16, -0.36, 0.16, 0.3, (150, 216, 250))
    pen.oval(0, 0.37, 0.035, 0.035, WHITE)


def present(pen: Pen, colour: Colour) -> None:
    """A wrapped present."""
    pen.box(-0.34, -0.16, 0.34, 0.4, colour)
    pen.box(-0.06, -0.16, 0.06, 0.4, YELLOW)
    pen.box(-0.38, -0.24, 0.38, -0.1, darker(colour, 0.9))
    pen.box(-0.06, -0.24, 0.06, -0.1, YELLOW)
    for side in (-1, 1):
        pen.oval(side * 0.12, -0.32, 0.12, 0.07, YELLOW, turn=-side * 24)


def cake(pen: Pen, colour: Colour) -> None:
    """A cake with candles."""
    for x in (-0.2, 0.0, 0.2):
        pen.box(x - 0.025, -0.3, x + 0.025, -0.08, (120, 190, 240))
        pen.oval(x, -0.37, 0.035, 0.06, _FLAME)
    pen.oval(0, 0.34, 0.46, 0.07, WHITE)
    pen.box(-0.36, -0.08, 0.36, 0.32, colour)
    pen.line([(-0.36 + 0.06 * k, -0.02 + 0.06 * (k % 2)) for k in range(13)], 0.06, WHITE)


def bread(pen: Pen, colour: Colour) -> None:
    """A loaf."""
    pen.oval(0, 0.08, 0.44, 0.24, colour)
    for x in (-0.2, 0.0, 0.2):
        pen.line(((x - 0.06, 0.06), (x + 0.06, -0.1)), 0.035, darker(colour, 0.7))


def egg(pen: Pen, colour: Colour) -> None:
    """An egg."""
    pen.polygon([*arc(0, 0.1, 0.26, 0.28, 0, 180), *arc(0, 0.1, 0.26, 0.44, 180, 360)], colour)


def flour(pen: Pen, colour: Colour) -> None:
    """A paper bag with an ear of wheat."""
    pen.polygon([(-0.28, -0.34), (0.28, -0.34), (0.32, 0.44), (-0.32, 0.44)], colour)
    pen.box(-0.28, -0.44, 0.28, -0.32, darker(colour, 0.9))
    pen.line(((0, 0.34), (0, -0.2)), 0.025, _GRAIN)
    for k in range(4):
        for side in (-1, 1):
            pen.oval(side * 0.08, -0.14 + k * 0.11, 0.07, 0.035, (224, 170, 60), turn=-side * 40)


def basket(pen: Pen, colour: Colour) -> None:
    """A woven basket."""
    pen.line(arc(0, -0.02, 0.34, 0.4, 180, 360), 0.05, colour, INK)
    pen.polygon([(-0.42, 0.0), (0.42, 0.0), (0.32, 0.4), (-0.32, 0.4)], colour)
    for row in range(3):
        for k in range(6):
            x = -0.32 + k * 0.12 + (0.06 if row % 2 else 0)
            pen.line(((x, 0.07 + row * 0.11), (x + 0.06, 0.07 + row * 0.11)), 0.03, darker(colour, 0.7))


def barrel(pen: Pen, colour: Colour) -> None:
    """A barrel of wood."""
    side = [(0.26, -0.42), (0.36, 0.0), (0.26, 0.42)]
    pen.polygon([*side, *((-x, y) for x, y in reversed(side))], colour)
    for x in (-0.15, 0.0, 0.15):
        pen.line(((x, -0.4), (x * 1.3, 0), (x, 0.4)), 0.014, darker(colour, 0.6))
    for y, w in ((-0.24, 0.31), (0.24, 0.31)):
        pen.box(-w, y - 0.035, w, y + 0.035, (90, 94, 104))


def guitar(pen: Pen, colour: Colour) -> None:
    """A guitar."""
    pen.line(((0.04, -0.04), (0.36, -0.42)), 0.06, (90, 56, 30), INK)
    pen.oval(-0.18, 0.22, 0.24, 0.22, colour)
    pen.oval(0.0, 0.02, 0.16, 0.15, colour)
    pen.oval(-0.18, 0.22, 0.24, 0.22, colour, None)
    pen.oval(-0.08, 0.1, 0.07, 0.07, (60, 36, 20))
    pen.line(((-0.24, 0.28), (0.36, -0.42)), 0.012, WHITE)


def drum(pen: Pen, colour: Colour) -> None:
    """A drum with its sticks."""
    pen.box(-0.36, -0.1, 0.36, 0.34, colour)
    pen.line([(-0.36 + 0.12 * k, (-0.06, 0.3)[k % 2]) for k in range(7)], 0.02, YELLOW)
    pen.oval(0, -0.12, 0.37, 0.1, PAPER)
    for side in (-1, 1):
        pen.line(((side * 0.42, -0.46), (side * 0.1, -0.14)), 0.035, WOOD, INK)
