"""Surroundings that fill a sheet: beach, desert, forest, street, snow, sea bed, kitchen, farm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from core.drawing.canvas import Colour, curve
from core.drawing.palette import FOAM, GRASS, STEEL, WATER, WHITE, WOOD, Dice, darker
from core.drawing.sheet import Sheet
from core.drawing.things import put

SKY: Final[Colour] = (190, 226, 250)
SAND: Final[Colour] = (246, 222, 160)
SNOW: Final[Colour] = (240, 246, 252)
ASPHALT: Final[Colour] = (112, 116, 124)
LAWN_GREEN: Final[Colour] = (176, 214, 150)


def _fill(s: Sheet, colour: Colour, top: float = 0.0, foot: float = 1.0) -> None:
    s.pen.box(0, s.height * top, s.width, s.height * foot, colour, None)


def _hill(s: Sheet, left: float, peak: float, right: float, high: float, low: float, colour: Colour) -> None:
    w, h = s.width, s.height
    s.pen.polygon(curve((left * w, low * h), (peak * w, (2 * high - low) * h), (right * w, low * h), 16), colour)


def beach(s: Sheet, dice: Dice) -> None:
    """Sand, sea and sky."""
    _fill(s, SKY)
    _fill(s, WATER, 0.42, 0.64)
    for _ in range(9):
        x = dice.between(0, s.width)
        y = s.height * dice.between(0.46, 0.6)
        s.pen.line(curve((x, y), (x + 14, y - 8), (x + 28, y), 6), 2, FOAM)
    _fill(s, SAND, 0.62)
    s.pen.line([(k * s.width / 12, s.height * 0.63 + 3 * (k % 2)) for k in range(13)], 5, FOAM)
    put(s, "palm", s.width * dice.pick((0.14, 0.86)), s.height * 0.48, s.height * 0.62)
    put(s, "sun", s.width * 0.5, s.height * 0.16, s.height * 0.2)


def desert(s: Sheet, dice: Dice) -> None:
    """Dunes and cacti under a hot sky."""
    _fill(s, (252, 226, 180))
    _fill(s, (240, 200, 128), 0.6)
    _hill(s, -0.2, 0.2, 0.6, 0.46, 0.62, (228, 182, 108))
    _hill(s, 0.4, 0.8, 1.3, 0.42, 0.64, (234, 190, 116))
    for x in (0.12, 0.5, 0.84):
        put(
            s,
            "cactus",
            s.width * (x + dice.between(-0.05, 0.05)),
            s.height * 0.62,
            s.height * dice.between(0.24, 0.36),
        )
    put(s, "sun", s.width * dice.between(0.3, 0.7), s.height * 0.16, s.height * 0.22)


def forest(s: Sheet, dice: Dice) -> None:
    """Firs and trees, close together, with mushrooms."""
    _fill(s, (206, 230, 206))
    _fill(s, (104, 150, 84), 0.66)
    for k in range(9):
        kind = dice.pick(("fir", "fir", "tree"))
        put(s, kind, s.width * (k + 0.5) / 9, s.height * (0.44 + 0.06 * (k % 2)), s.height * dice.between(0.5, 0.66))
    for _ in range(4):
        put(s, "mushroom", dice.between(0.1, 0.9) * s.width, s.height * dice.between(0.82, 0.92), s.height * 0.1)


def street(s: Sheet, dice: Dice) -> None:
    """A row of tall houses along a road."""
    _fill(s, SKY)
    x = 0.0
    colours = ((222, 190, 170), (196, 206, 220), (226, 214, 180), (204, 180, 190), (186, 206, 190))
    k = int(dice.between(0, 5))
    while x < s.width:
        wide = s.width * dice.between(0.16, 0.24)
        top = s.height * dice.between(0.08, 0.26)
        s.pen.box(x, top, x + wide, s.height * 0.68, colours[k % 5])
        rows = 4
        for row in range(rows):
            for col in range(3):
                wx = x + wide * (0.14 + col * 0.28)
                wy = top + (s.height * 0.66 - top) * (0.06 + row * 0.24)
                s.pen.box(wx, wy, wx + wide * 0.16, wy + s.height * 0.07, (110, 150, 190))
        x += wide
        k += 1
    _fill(s, (196, 196, 200), 0.68, 0.76)
    _fill(s, ASPHALT, 0.76)
    for j in range(6):
        s.pen.box(s.width * (j + 0.2) / 6, s.height * 0.87, s.width * (j + 0.7) / 6, s.height * 0.89, WHITE, None)


def snow(s: Sheet, dice: Dice) -> None:
    """White hills and flakes."""
    _fill(s, (206, 220, 238))
    _hill(s, -0.2, 0.25, 0.7, 0.3, 0.62, (226, 234, 246))
    _hill(s, 0.4, 0.8, 1.2, 0.24, 0.62, (216, 226, 240))
    _fill(s, SNOW, 0.6)
    for x in (0.1, 0.9):
        put(s, "fir", s.width * (x + dice.between(-0.03, 0.03)), s.height * 0.5, s.height * 0.4)
    for _ in range(34):
        fx, fy = dice.between(0, s.width), dice.between(0, s.height * 0.9)
        s.pen.oval(fx, fy, 3, 3, WHITE, (180, 196, 220))


def seabed(s: Sheet, dice: Dice) -> None:
    """Under water: sand, weed, fish and bubbles."""
    _fill(s, (96, 176, 220))
    _fill(s, (222, 204, 150), 0.84)
    for _ in range(7):
        x = dice.between(0, s.width)
        weed = [(x + 6 * (-1) ** k, s.height * 0.88 - k * 12) for k in range(7)]
        s.pen.line(weed, 6, (40, 130, 90))
    for _ in range(5):
        place = (dice.between(0.1, 0.9) * s.width, dice.between(0.12, 0.6) * s.height)
        colour = dice.pick(((240, 130, 60), (250, 200, 60), (200, 90, 150)))
        put(s, "fish", *place, s.height * 0.16, colour, flip=dice.chance(0.5))
    for _ in range(12):
        s.pen.oval(dice.between(0, s.width), dice.between(0, s.height * 0.8), 4, 4, FOAM, WATER)


def kitchen(s: Sheet, dice: Dice) -> None:
    """Cupboards, a worktop and a stove."""
    _fill(s, (250, 240, 220))
    _fill(s, (206, 186, 160), 0.86)
    w, h = s.width, s.height
    tone = dice.pick(((150, 186, 196), (214, 170, 130), (170, 196, 150)))
    for k in range(4):
        s.pen.box(w * (0.04 + k * 0.235), h * 0.04, w * (0.255 + k * 0.235), h * 0.28, tone)
        s.pen.oval(w * (0.23 + k * 0.235), h * 0.24, 4, 4, STEEL)
    s.pen.box(0, h * 0.56, w, h * 0.86, darker(tone, 0.9))
    s.pen.box(0, h * 0.52, w, h * 0.57, WOOD)
    stove = dice.pick((0.08, 0.62))
    s.pen.box(w * stove, h * 0.52, w * (stove + 0.28), h * 0.86, (226, 228, 232))
    s.pen.box(w * (stove + 0.04), h * 0.64, w * (stove + 0.24), h * 0.82, (70, 74, 84))
    put(s, "saucepan", w * (stove + 0.14), h * 0.44, h * 0.22)
    put(s, dice.pick(("bowl", "cup")), w * (0.9 if stove < 0.5 else 0.2), h * 0.47, h * 0.16)


def farm(s: Sheet, dice: Dice) -> None:
    """Fields, a fence and a barn."""
    _fill(s, SKY)
    _fill(s, GRASS, 0.5)
    w, h = s.width, s.height
    for k in range(5):
        s.pen.polygon(
            [
                (w * k / 5, h),
                (w * (k + 0.5) / 5, h),
                (w * (0.46 + k * 0.03), h * 0.52),
                (w * (0.44 + k * 0.03), h * 0.52),
            ],
            (206, 190, 90),
            None,
        )
    x = w * dice.pick((0.12, 0.66))
    s.pen.box(x, h * 0.34, x + w * 0.22, h * 0.6, (176, 60, 50))
    s.pen.polygon(
        [(x - 6, h * 0.34), (x + w * 0.05, h * 0.18), (x + w * 0.17, h * 0.18), (x + w * 0.22 + 6, h * 0.34)],
        (110, 60, 50),
    )
    s.pen.box(x + w * 0.07, h * 0.44, x + w * 0.15, h * 0.6, WHITE)
    for k in range(13):
        s.pen.box(w * k / 12 - 4, h * 0.62, w * k / 12 + 4, h * 0.76, (236, 226, 206))
    for y in (0.65, 0.71):
        s.pen.box(0, h * y, w, h * (y + 0.02), (236, 226, 206))


SCENES: Final[dict[str, Callable[[Sheet, Dice], None]]] = {
    "beach": beach,
    "desert": desert,
    "forest": forest,
    "street": street,
    "snow": snow,
    "sea bed": seabed,
    "kitchen": kitchen,
    "farm": farm,
}


def meadow(s: Sheet, horizon: float = 0.6) -> None:
    """Plain sky and grass."""
    _fill(s, SKY)
    _fill(s, (150, 206, 120), horizon)


def room(s: Sheet, wall: Colour = (246, 232, 214), floor: Colour = (206, 170, 130), edge: float = 0.72) -> None:
    """A plain wall and a floor."""
    _fill(s, wall)
    _fill(s, floor, edge)
    s.pen.box(0, s.height * edge - 4, s.width, s.height * edge, WHITE, None)
