"""The pictures of V-REX's Deduction: flow charts, patterns, properties, relationships."""

from __future__ import annotations

from typing import Final

from PIL import Image

from core.drawing.canvas import INK, Colour
from core.drawing.faces import Sitter, portrait
from core.drawing.flowchart import Node, draw_chart
from core.drawing.palette import STEEL, WATER, WHITE, WOOD, darker
from core.drawing.sheet import Sheet
from core.drawing.tiles import dots, shape, stack

_BLUE: Final[Colour] = (60, 120, 210)
_RED: Final[Colour] = (220, 60, 60)
_GREEN: Final[Colour] = (60, 170, 90)
_YELLOW: Final[Colour] = (250, 206, 60)
_ASK: Final[Colour] = (255, 240, 190)
_SKIN: Final[Colour] = (248, 204, 162)


def parcels() -> Image.Image:
    """A post office's chart and a parcel's card."""
    s = Sheet(600, 440, (248, 248, 244))
    s.panel(16, 16, 196, 136, (255, 252, 230))
    s.text(106, 36, "PARCEL CARD", 15)
    for k, line in enumerate(("Weight: 7 kg", "To: Norway", "Contents: glass", "Sent on: Monday")):
        s.text(30, 60 + k * 20, line, 15, anchor="lm")
    nodes = {
        "start": Node("oval", 300, 40, "Start", (220, 240, 220), 100, 36),
        "weight": Node("diamond", 300, 130, "Over 5 kg?", _ASK, 150, 80),
        "glass": Node("diamond", 130, 240, "Is it glass?", _ASK, 150, 80),
        "abroad": Node("diamond", 460, 240, "From here,\nis it abroad?", _ASK, 180, 100),
        "blue": Node("box", 70, 380, "Blue shelf", (190, 214, 250)),
        "red": Node("box", 220, 380, "Red shelf", (250, 200, 200)),
        "green": Node("box", 380, 380, "Green shelf", (200, 240, 206)),
        "yellow": Node("box", 530, 380, "Yellow shelf", (255, 240, 170)),
    }
    s.text(300, 428, "This post office is in Norway.", 15, (90, 90, 90))
    draw_chart(
        s,
        nodes,
        [
            (((300, 58), (300, 89)), "", (0, 0)),
            (((225, 130), (130, 130 + 30), (130, 199)), "no", (160, 170)),
            (((375, 130), (460, 130), (460, 189)), "yes", (415, 118)),
            (((92, 258), (70, 290), (70, 356)), "yes", (50, 320)),
            (((168, 258), (220, 290), (220, 356)), "no", (238, 320)),
            (((405, 262), (380, 296), (380, 356)), "yes", (360, 320)),
            (((515, 262), (530, 296), (530, 356)), "no", (548, 320)),
        ],
    )
    return s.finished()


def machine() -> Image.Image:
    """A machine that reckons with a number."""
    s = Sheet(560, 460, (248, 248, 244))
    nodes = {
        "in": Node("oval", 280, 34, "Goes in: 6", (220, 240, 220), 130, 40),
        "add": Node("box", 280, 104, "Add 4"),
        "even": Node("diamond", 280, 188, "Even?", _ASK, 130, 76),
        "half": Node("box", 110, 250, "Divide by 2"),
        "three": Node("box", 450, 250, "Times 3"),
        "big": Node("diamond", 280, 316, "More than 8?", _ASK, 170, 80),
        "less": Node("box", 110, 390, "Take away 1"),
        "more": Node("box", 450, 390, "Add 6"),
        "out": Node("oval", 280, 432, "Prints", (250, 220, 220), 120, 40),
    }
    draw_chart(
        s,
        nodes,
        [
            (((280, 54), (280, 80)), "", (0, 0)),
            (((280, 127), (280, 149)), "", (0, 0)),
            (((215, 188), (110, 188), (110, 226)), "yes", (160, 176)),
            (((345, 188), (450, 188), (450, 226)), "no", (400, 176)),
            (((170, 258), (250, 290)), "", (0, 0)),
            (((390, 258), (310, 290)), "", (0, 0)),
            (((195, 316), (110, 316), (110, 366)), "yes", (150, 304)),
            (((365, 316), (450, 316), (450, 366)), "no", (410, 304)),
            (((110, 414), (110, 432), (219, 432)), "", (0, 0)),
            (((450, 414), (450, 432), (341, 432)), "", (0, 0)),
        ],
        16,
    )
    return s.finished()


def _tile(s: Sheet, x: float, y: float, name: str, number: int, colour: Colour, side: float = 92) -> None:
    s.panel(x - side / 2, y - side / 2, x + side / 2, y + side / 2, WHITE, r=6)
    pen = s.at(x, y, side)
    shape(pen.frame(0, -0.1, 0.62), name, colour)
    dots(pen, number, 0.36, 0.05)


def matrix() -> Image.Image:
    """A grid of nine tiles with one missing, and four on offer."""
    s = Sheet(560, 336, (236, 240, 246))
    names = ("circle", "triangle", "square")
    colours = (_RED, _BLUE, _YELLOW)
    for row in range(3):
        for col in range(3):
            x, y = 70 + col * 100, 66 + row * 100
            if (row, col) == (2, 2):
                s.panel(x - 46, y - 46, x + 46, y + 46, (220, 224, 232), r=6)
                s.text(x, y, "?", 44)
            else:
                _tile(s, x, y, names[col], row + 1, colours[(row + col) % 3])
    offers = (("square", 3, _RED), ("square", 2, _BLUE), ("square", 3, _BLUE), ("circle", 3, _BLUE))
    for k, (name, number, colour) in enumerate(offers):
        x, y = 400 + (k % 2) * 104, 100 + (k // 2) * 150
        _tile(s, x, y, name, number, colour)
        s.text(x, y + 62, f"Tile {k + 1}", 17)
    s.pen.line(((338, 20), (338, 316)), 2, (150, 156, 170))
    return s.finished()


def stairs() -> Image.Image:
    """Four figures of squares that grow."""
    s = Sheet(600, 260, (248, 248, 240))
    x = 24.0
    for k in range(1, 5):
        rows = tuple(range(2, k + 2))
        stack(
            s.pen.frame(x, 200), rows, 26, ((250, 190, 110), (150, 200, 240), (180, 220, 150), (240, 170, 190))[k - 1]
        )
        s.text(x + (k + 1) * 13, 222, f"Figure {k}", 15)
        x += (k + 1) * 26 + 34
    s.text(550, 150, "?", 48)
    s.text(550, 222, "Figure 5", 15)
    return s.finished()


def _scale(s: Sheet, x: float, y: float, left: Colour, right: Colour, tilt: float) -> None:
    s.pen.polygon([(x - 30, y + 96), (x + 30, y + 96), (x + 6, y + 60), (x - 6, y + 60)], (120, 124, 134))
    s.pen.line(((x, y + 70), (x, y)), 7, (120, 124, 134), INK)
    s.pen.line(((x - 64, y - tilt), (x + 64, y + tilt)), 7, WOOD, INK)
    for side, colour in ((-1, left), (1, right)):
        px, py = x + side * 64, y + side * tilt
        s.pen.line(((px, py), (px - 26, py + 44)), 1.5, INK)
        s.pen.line(((px, py), (px + 26, py + 44)), 1.5, INK)
        s.pen.oval(px, py + 32, 16, 16, colour)
        s.pen.polygon([(px - 32, py + 44), (px + 32, py + 44), (px + 20, py + 56), (px - 20, py + 56)], STEEL)


def balances() -> Image.Image:
    """Three pairs of scales with coloured balls."""
    s = Sheet(620, 250, (240, 244, 248))
    _scale(s, 108, 90, _RED, _BLUE, -20)
    _scale(s, 310, 90, _GREEN, _RED, -20)
    _scale(s, 512, 90, _GREEN, _YELLOW, 20)
    for k, x in enumerate((108, 310, 512)):
        s.text(x, 214, f"Scales {k + 1}", 16)
    s.text(310, 238, "The lower pan holds the heavier ball.", 15, (90, 90, 90))
    return s.finished()


def _block(s: Sheet, x: float, y: float, side: float, colour: Colour, marks: str) -> None:
    h = side / 2
    s.pen.box(x - h, y - h, x + h, y + h, colour)
    dark = darker(colour, 0.5)
    if marks == "stripes":
        for k in range(1, 4):
            s.pen.line(((x - h + k * side / 4, y - h + 3), (x - h + k * side / 4, y + h - 3)), 4, dark)
    elif marks == "spots":
        for dx in (-0.25, 0.25):
            for dy in (-0.25, 0.25):
                s.pen.oval(x + dx * side, y + dy * side, side * 0.1, side * 0.1, dark, None)


def tank() -> Image.Image:
    """Blocks in water, and one above it."""
    s = Sheet(560, 400, (244, 240, 232))
    s.pen.box(40, 130, 520, 380, (150, 206, 240))
    s.pen.line(((40, 110), (40, 380), (520, 380), (520, 110)), 6, (90, 96, 110))
    s.pen.box(43, 130, 517, 136, WATER, None)
    for x, y, side, colour, marks in (
        (100, 128, 64, _RED, "stripes"),
        (400, 132, 36, _GREEN, "stripes"),
        (180, 250, 40, _YELLOW, "spots"),
        (330, 256, 66, _BLUE, "spots"),
        (110, 354, 46, _BLUE, "plain"),
        (450, 347, 60, _RED, "plain"),
        (270, 358, 38, _GREEN, "plain"),
    ):
        _block(s, x, y, side, colour, marks)
    _block(s, 280, 50, 50, _RED, "spots")
    s.text(330, 50, "?", 36)
    s.arrow(((280, 82), (280, 118)), width=3, head=12)
    return s.finished()


def _sitter(kind: str, hair: Colour, clothes: Colour) -> Sitter:
    return Sitter(kind, _SKIN, hair, clothes)


def family() -> Image.Image:
    """A family of three generations."""
    s = Sheet(620, 430, (250, 246, 238))
    brown, dark, red, grey = (90, 56, 32), (40, 36, 40), (176, 90, 30), (190, 190, 196)
    people = (
        ("Otto", 200, 60, _sitter("bald", grey, (120, 130, 110))),
        ("Rosa", 310, 60, _sitter("bun", grey, (190, 92, 130))),
        ("Ben", 60, 200, _sitter("beard", red, (60, 120, 90))),
        ("Eva", 160, 200, _sitter("long", brown, (200, 60, 90))),
        ("Ada", 310, 200, _sitter("long", dark, (60, 110, 190))),
        ("Karl", 430, 200, _sitter("short", dark, (120, 90, 160))),
        ("Mia", 540, 200, _sitter("long", red, (40, 150, 140))),
        ("Tom", 110, 350, _sitter("cap", (60, 130, 210), (220, 120, 50))),
        ("Leo", 440, 350, _sitter("short", brown, (220, 60, 60))),
        ("Ida", 540, 350, _sitter("long", red, (240, 190, 60))),
    )
    line = (110, 110, 120)
    for a, b, y in ((235, 275, 60), (95, 125, 200), (465, 505, 200)):
        s.pen.line(((a, y - 4), (b, y - 4)), 3, line)
        s.pen.line(((a, y + 4), (b, y + 4)), 3, line)
    s.pen.line(((255, 64), (255, 136), (160, 136), (160, 160)), 3, line)
    s.pen.line(((255, 136), (430, 136), (430, 160)), 3, line)
    s.pen.line(((310, 136), (310, 160)), 3, line)
    s.pen.line(((110, 204), (110, 310)), 3, line)
    s.pen.line(((485, 204), (485, 286)), 3, line)
    s.pen.line(((440, 310), (440, 286), (540, 286), (540, 310)), 3, line)
    for name, x, y, sitter in people:
        portrait(s.at(x, y, 74), sitter, "happy")
        s.text(x, y + 48, name, 16)
    for y in (406, 414):
        s.pen.line(((206, y), (240, y)), 3, line)
    s.text(250, 410, "= married", 15, (90, 90, 90), "lm")
    return s.finished()


def web() -> Image.Image:
    """Who eats what."""
    s = Sheet(620, 400, (238, 246, 236))
    plants, animals = (206, 236, 180), (255, 236, 196)
    nodes = {
        "seeds": Node("oval", 100, 350, "Seeds", plants, 110, 44),
        "grass": Node("oval", 310, 350, "Grass", plants, 110, 44),
        "leaves": Node("oval", 520, 350, "Leaves", plants, 110, 44),
        "sparrow": Node("box", 100, 220, "Sparrows", animals),
        "mouse": Node("box", 310, 220, "Mice", animals),
        "beetle": Node("box", 520, 220, "Beetles", animals),
        "owl": Node("box", 80, 80, "Owl", animals),
        "fox": Node("box", 250, 80, "Fox", animals),
        "hawk": Node("box", 400, 80, "Hawk", animals),
        "hog": Node("box", 550, 80, "Hedgehog", animals, 110),
    }
    draw_chart(
        s,
        nodes,
        [
            (((100, 328), (100, 244)), "", (0, 0)),
            (((290, 328), (130, 246)), "", (0, 0)),
            (((310, 328), (310, 244)), "", (0, 0)),
            (((520, 328), (520, 244)), "", (0, 0)),
            (((94, 196), (84, 104)), "", (0, 0)),
            (((270, 196), (110, 106)), "", (0, 0)),
            (((300, 196), (260, 104)), "", (0, 0)),
            (((330, 196), (390, 104)), "", (0, 0)),
            (((490, 196), (420, 106)), "", (0, 0)),
            (((526, 196), (544, 104)), "", (0, 0)),
        ],
        16,
    )
    s.text(310, 22, "An arrow goes from the food to the one that eats it.", 15, (70, 90, 70))
    return s.finished()
