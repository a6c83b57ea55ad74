"""The kinds of pictures that MMRA's demo pack is made of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from PIL import Image

from core.drawing import draw
from core.drawing.canvas import INK, Colour, Pen, Point
from core.drawing.cast import figure
from core.drawing.faces import Sitter, portrait
from core.drawing.palette import WATER, WHITE, WOOD, Dice, darker
from core.drawing.scenery import SCENES, meadow, room
from core.drawing.sheet import Sheet
from core.drawing.things import put
from core.drawing.tiles import shape

WIDE: Final = 400
HIGH: Final = 320


def _plain(colour: Colour) -> Sheet:
    return Sheet(WIDE, HIGH, colour)


def quarters(names: tuple[str, str, str, str], colour: Colour) -> Image.Image:
    """Four things, one in each corner: upper left, upper right, lower left, lower right."""
    s = _plain(colour)
    for k, name in enumerate(names):
        put(s, name, 96 + (k % 2) * 208, 82 + (k // 2) * 156, 112)
    return s.finished()


def shelf(names: Sequence[str], colour: Colour) -> Image.Image:
    """Things on a shelf, from left to right."""
    s = _plain(colour)
    s.pen.box(16, 224, 384, 242, WOOD)
    for x in (50, 350):
        s.pen.polygon([(x - 8, 242), (x + 8, 242), (x, 280)], darker(WOOD))
    for k, name in enumerate(names):
        put(s, name, WIDE * (k + 0.5) / len(names), 170, 108)
    return s.finished()


def sky(name: str, x: float, y: float, beside: str) -> Image.Image:
    """Something in the sky over a meadow, with something else on the ground."""
    s = _plain(WHITE)
    meadow(s, 0.7)
    put(s, beside, 200, 236, 110)
    put(s, name, x, y, 92)
    return s.finished()


def groups(pairs: Sequence[tuple[str, str]], wall: Colour) -> Image.Image:
    """Three groups of a large thing and a small thing near it, well apart."""
    s = _plain(WHITE)
    room(s, wall, edge=0.62)
    for k, (small, large) in enumerate(pairs):
        x = 68 + k * 132
        put(s, large, x - 12, 150 + (k % 2) * 46, 96)
        put(s, small, x + 34, 196 + (k % 2) * 46, 52)
    return s.finished()


def alone(name: str, colour: Colour, size: float = 210) -> Image.Image:
    """One thing."""
    s = _plain(colour)
    s.pen.oval(200, 268, 120, 16, darker(colour, 0.86), None)
    put(s, name, 200, 160, size)
    return s.finished()


def someone(sitter: Sitter, mood: str, colour: Colour, beside: str = "") -> Image.Image:
    """A portrait, with a thing beside it if one is named."""
    s = _plain(colour)
    if beside:
        put(s, beside, 70, 90, 100)
    portrait(s.at(220 if beside else 200, 176, 280), sitter, mood)
    return s.finished()


_FIELDS: Final[dict[str, tuple[float, float, float, float]]] = {
    "cup": (-0.2, -0.14, 0.16, 0.26),
    "jumper": (-0.2, -0.24, 0.2, 0.32),
    "balloon": (-0.15, -0.34, 0.15, 0.04),
    "book": (-0.16, -0.06, 0.26, 0.38),
    "present": (0.1, -0.04, 0.3, 0.36),
}


def _marks(pen: Pen, marks: str, field: tuple[float, float, float, float], colour: Colour) -> None:
    x0, y0, x1, y1 = field
    for row in range(4):
        y = y0 + (y1 - y0) * (row + 0.5) / 4
        if marks == "stripes":
            pen.line(((x0, y), (x1, y)), 0.045, colour)
            continue
        for col in range(4):
            x = x0 + (x1 - x0) * (col + 0.5) / 4
            if marks == "spots" and (row + col) % 2 == 0:
                pen.oval(x, y, 0.04, 0.04, colour, None)
            elif marks == "checks" and (row + col) % 2 == 0:
                dx, dy = (x1 - x0) / 8, (y1 - y0) / 8
                pen.box(x - dx, y - dy, x + dx, y + dy, colour, None)
            elif marks == "stars" and (row + col) % 2 == 0:
                shape(pen.frame(x, y, 0.12), "star", colour)


def marked(name: str, colour: Colour, marks: str, ink: Colour, backdrop: Colour) -> Image.Image:
    """A thing with stripes, spots, stars or checks on it."""
    s = _plain(backdrop)
    put(s, name, 200, 160, 250, colour)
    _marks(s.at(200, 160, 250), marks, _FIELDS[name], ink)
    return s.finished()


def _places(layout: str, number: int) -> list[Point]:
    if layout == "row":
        return [(40 + 320 * (k + 0.5) / number, 170) for k in range(number)]
    if layout == "ring":
        turns = (2 * math.pi * k / number for k in range(number))
        return [(200 + 112 * math.sin(a), 160 - 112 * math.cos(a)) for a in turns]
    if layout == "column":
        return [(200, 20 + 280 * (k + 0.5) / number) for k in range(number)]
    if layout == "pyramid":
        return [(200.0, 60.0), (150.0, 160.0), (250.0, 160.0), (100.0, 260.0), (200.0, 260.0), (300.0, 260.0)][
            :number
        ]
    slope = number - 1
    return [(50 + 300 * k / slope, 50 + 220 * k / slope) for k in range(number)]


def laid_out(layout: str, names: Sequence[str], colour: Colour) -> Image.Image:
    """Things in a row, a ring, a column, a pyramid or a diagonal."""
    s = _plain(colour)
    size = {"row": 62.0, "ring": 70.0, "column": 58.0, "pyramid": 78.0}.get(layout, 58.0)
    for (x, y), name in zip(_places(layout, len(names)), names, strict=True):
        put(s, name, x, y, size)
    return s.finished()


def surroundings(name: str, seed: str, extra: str = "", who: str = "") -> Image.Image:
    """A landscape or a place, with a thing or someone in it."""
    s = _plain(WHITE)
    SCENES[name](s, Dice("surroundings", name, seed))
    if extra:
        put(s, extra, 250, 236, 90)
    if who:
        figure(s, who, 150, 222, 140, "point", seed=seed)
    return s.finished()


def event(number: int, subject: str, action: str, variant: int = 0) -> Image.Image:
    """One of VOILA's contents."""
    image = draw(number, subject, action, variant=variant, size=384)
    return image.quantize(colors=96, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def still_life(*, candle: float = 1.0, cake: bool = True, lamp: bool = False, vase: bool = True) -> Image.Image:
    """A table with a vase, a candle, a cake and a lamp, each in one of two states."""
    s = _plain(WHITE)
    room(s, (236, 230, 244), edge=0.84)
    s.pen.box(20, 226, 380, 244, WOOD)
    for x in (40, 346):
        s.pen.box(x, 244, x + 14, 310, darker(WOOD))
    if vase:
        put(s, "vase", 70, 180, 96)
    else:
        put(s, "vase", 74, 208, 96, turn=-84)
        s.pen.oval(36, 226, 24, 5, WATER, None)
    pen = s.at(150, 184, 90)
    pen.oval(0, 0.42, 0.26, 0.06, (200, 160, 70))
    top = 0.4 - 0.66 * candle
    pen.box(-0.09, top, 0.09, 0.4, (250, 240, 220))
    pen.oval(0, top - 0.12, 0.06, 0.11, (255, 150, 30))
    if cake:
        put(s, "cake", 240, 188, 90)
    else:
        s.pen.oval(240, 222, 42, 7, WHITE)
        for x, y in ((226, 220), (246, 218), (256, 222)):
            s.pen.oval(x, y, 3, 2, (150, 90, 56))
    if lamp:
        s.pen.oval(334, 168, 70, 70, (255, 246, 190), None)
    put(s, "lamp", 334, 180, 100, (255, 236, 130) if lamp else (150, 150, 160))
    return s.finished()


def _cracks(pen: Pen) -> None:
    for x, y in ((-0.4, -0.3), (0.0, -0.45), (0.4, -0.2), (0.36, 0.34), (-0.1, 0.44), (-0.42, 0.2)):
        pen.line(((0, 0), (x * 0.5, y * 0.4), (x, y)), 0.02, INK)
    pen.polygon([(-0.16, -0.1), (0.02, -0.2), (0.18, -0.06), (0.14, 0.14), (-0.06, 0.18), (-0.2, 0.06)], (40, 50, 70))


def window_game(broken: bool) -> Image.Image:
    """A boy before a house with a ball and a window, before or after the shot."""
    s = _plain(WHITE)
    meadow(s, 0.8)
    s.pen.box(236, 40, 400, 262, (236, 206, 176))
    s.pen.box(270, 90, 370, 180, (190, 228, 250))
    s.pen.line(((320, 90), (320, 180)), 4, WHITE)
    if broken:
        _cracks(s.at(320, 135, 90))
        for x, y in ((284, 256), (310, 262), (344, 254)):
            s.pen.polygon([(x, y), (x + 12, y - 8), (x + 16, y + 4)], (190, 228, 250))
    else:
        put(s, "football", 190, 190, 44)
        for k in range(3):
            s.pen.line(((136, 206 + k * 12), (160, 198 + k * 12)), 3, (90, 96, 110))
    figure(s, "male child", 84, 226, 150, "cheer" if broken else "point", seed="window", walks=not broken)
    return s.finished()


def shelf_cat(fallen: bool) -> Image.Image:
    """A cat on a shelf with a vase, before or after the vase falls."""
    s = _plain(WHITE)
    room(s, (226, 240, 234), edge=0.84)
    s.pen.box(30, 150, 330, 164, WOOD)
    figure(s, "cat", 200 if not fallen else 250, 96, 110, "point", seed="shelf", flip=False)
    if fallen:
        for x, y, turn in ((320, 286, 20), (352, 292, -30), (376, 282, 70)):
            pen = s.at(x, y, 40, turn)
            pen.polygon([(-0.4, 0.3), (-0.2, -0.4), (0.3, -0.2), (0.4, 0.3)], (70, 110, 190))
        s.pen.oval(344, 304, 50, 7, WATER, None)
        put(s, "flower", 300, 276, 50, turn=80)
    else:
        put(s, "vase", 304, 106, 92)
    return s.finished()


def side_street(colour: Colour = (60, 120, 210)) -> Image.Image:
    """A car and a bus from their side."""
    s = _plain(WHITE)
    meadow(s, 0.62)
    s.pen.box(0, 218, WIDE, HIGH, (112, 116, 124), None)
    put(s, "tree", 60, 130, 150)
    put(s, "bus", 270, 186, 210)
    put(s, "car", 120, 262, 150, colour)
    return s.finished()


def table_side() -> Image.Image:
    """A laid table from its side."""
    s = _plain(WHITE)
    room(s, (250, 240, 220), edge=0.84)
    put(s, "table", 200, 230, 300)
    for k, name in enumerate(("cup", "glass", "bottle", "bowl")):
        put(s, name, 104 + k * 64, 164 if name != "bowl" else 172, 66)
    return s.finished()
