"""The pictures of V-REX's Retrieval: counting, and puzzles with words."""

from __future__ import annotations

from typing import Final

from PIL import Image

from core.drawing.canvas import Colour
from core.drawing.palette import WHITE, WOOD
from core.drawing.sheet import Sheet
from core.drawing.things import put
from core.drawing.tiles import shape

_RED: Final[Colour] = (220, 60, 60)
_YELLOW: Final[Colour] = (250, 206, 60)
_BLUE: Final[Colour] = (60, 110, 210)


def shoal() -> Image.Image:
    """Fifteen fish in three colours, some swimming left."""
    s = Sheet(620, 400, (190, 226, 246))
    s.pen.box(0, 360, 620, 400, (226, 206, 150), None)
    swimmers = (
        (70, 70, _RED, True), (180, 60, _YELLOW, False), (300, 80, _RED, False), (430, 60, _BLUE, True),
        (550, 80, _RED, True), (90, 170, _BLUE, False), (210, 160, _RED, True), (330, 180, _YELLOW, True),
        (450, 160, _RED, False), (560, 190, _YELLOW, False), (70, 280, _RED, False), (190, 270, _BLUE, True),
        (310, 290, _RED, True), (430, 270, _YELLOW, True), (550, 300, _BLUE, False),
    )  # fmt: skip
    for x, y, colour, left in swimmers:
        put(s, "fish", x, y, 92, colour, flip=left)
    return s.finished()


def windows() -> Image.Image:
    """A house at night."""
    s = Sheet(600, 440, (60, 70, 110))
    put(s, "moon", 570, 40, 48)
    s.pen.box(0, 410, 600, 440, (50, 90, 60), None)
    s.pen.box(70, 90, 530, 414, (190, 120, 96))
    s.pen.polygon([(50, 90), (130, 30), (470, 30), (550, 90)], (110, 60, 56))
    lit = ("0101100", "1000010", "1100110")
    for row, line in enumerate(lit):
        y = 112 + row * 104
        for col, mark in enumerate(line):
            x = 88 + col * 62
            if row == 2 and col == 3:
                s.pen.box(x, y, x + 48, y + 86, WOOD)
                continue
            s.pen.box(x, y, x + 48, y + 62, (255, 232, 120) if mark == "1" else (50, 60, 84))
            s.pen.line(((x + 24, y), (x + 24, y + 62)), 2, (90, 60, 50))
            s.pen.line(((x, y + 31), (x + 48, y + 31)), 2, (90, 60, 50))
    return s.finished()


def first_letters() -> Image.Image:
    """Four things, and a box for a letter below each."""
    s = Sheet(620, 250, (248, 244, 236))
    for k, name in enumerate(("ladder", "apple", "moon", "boat")):
        x = 84 + k * 150
        s.panel(x - 64, 24, x + 64, 152, WHITE)
        put(s, name, x, 88, 108)
        s.pen.box(x - 26, 172, x + 26, 224, (255, 248, 214))
        s.text(x - 16, 184, str(k + 1), 13, (150, 150, 150))
    return s.finished()


def code() -> Image.Image:
    """A key of signs, and a message in them."""
    s = Sheet(620, 400, (240, 244, 250))
    colour = (120, 150, 210)
    s.text(310, 28, "KEY", 18)
    for k, (name, letter) in enumerate(
        (
            ("star", "N"),
            ("moon", "E"),
            ("square", "A"),
            ("heart", "T"),
            ("circle", "O"),
            ("cross", "R"),
            ("triangle", "S"),
            ("hexagon", "C"),
        )
    ):
        x, y = 76 + (k % 4) * 150, 84 + (k // 4) * 84
        s.panel(x - 54, y - 36, x + 62, y + 36, WHITE)
        shape(s.at(x - 18, y, 54), name, colour)
        s.text(x + 36, y, letter, 30)
    s.text(310, 240, "MESSAGE", 18)
    for k, name in enumerate(("heart", "circle", "star", "moon", "triangle")):
        x = 110 + k * 100
        s.panel(x - 44, 264, x + 44, 352, (255, 250, 226))
        shape(s.at(x, 308, 68), name, (240, 150, 90))
        s.text(x, 372, str(k + 1), 15, (110, 110, 110))
    return s.finished()
