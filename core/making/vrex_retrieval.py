"""V-REX's Retrieval in the demo pack: counting, and puzzles with words."""

from __future__ import annotations

from typing import Final

from PIL import Image

from core.drawing.canvas import Colour
from core.drawing.palette import WHITE, WOOD
from core.drawing.sheet import Sheet
from core.drawing.things import put
from core.drawing.tiles import shape
from core.making.chains import Chain, Step

_RED: Final[Colour] = (220, 60, 60)
_YELLOW: Final[Colour] = (250, 206, 60)
_BLUE: Final[Colour] = (60, 110, 210)


def _shoal() -> Image.Image:
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


def _windows() -> Image.Image:
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


def _first_letters() -> Image.Image:
    s = Sheet(620, 250, (248, 244, 236))
    for k, name in enumerate(("ladder", "apple", "moon", "boat")):
        x = 84 + k * 150
        s.panel(x - 64, 24, x + 64, 152, WHITE)
        put(s, name, x, 88, 108)
        s.pen.box(x - 26, 172, x + 26, 224, (255, 248, 214))
        s.text(x - 16, 184, str(k + 1), 13, (150, 150, 150))
    return s.finished()


def _code() -> Image.Image:
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


def _letter(place: str, right: str, wrong: str, aside: tuple[str, ...], astray: tuple[str, ...]) -> Step:
    return Step(f"Which letter does the {place} sign of the message stand for?", f"{right} / {wrong}", aside, astray)


CHAINS: Final[tuple[Chain, ...]] = (
    Chain(
        "counting-001",
        "Counting",
        _shoal,
        "How many red fish swim to the left?",
        "4 / 3 / 5 / 6",
        (
            Step(
                "How many fish are red, whichever way they swim?",
                "7 / 6 / 8 / 5",
                (
                    "What lies at the bottom? = Sand",
                    "Which colour has the fish in the upper right corner? = Red",
                ),
                (
                    "How many fish are yellow, whichever way they swim? = Four",
                    "How many fish are blue? = Four",
                ),
            ),
            Step(
                "How many of them swim to the right?",
                "3 / 2 / 4 / 5",
                (
                    "Which colour is the fish in the middle? = Yellow",
                    "How many fish are in the bottom row? = Five",
                    "How many fish are there in all? = Fifteen",
                ),
                (
                    "How many of the yellow fish swim to the left? = Two",
                    "How many of the blue fish swim to the right? = Two",
                ),
            ),
        ),
    ),
    Chain(
        "counting-002",
        "Counting",
        _windows,
        "How many windows of the house are lit?",
        "9 / 8 / 10 / 11",
        (
            Step(
                "How many are lit on the top floor?",
                "3 / 2 / 4",
                (
                    "What colour are the walls? = Reddish brown",
                    "What stands in the sky? = The moon",
                ),
                (
                    "How many are dark on the top floor? = Four",
                    "How many floors has the house? = Three",
                ),
            ),
            Step(
                "How many are lit on the middle floor?",
                "2 / 3 / 4",
                (
                    "What colour is the roof? = Dark brown",
                    "How many panes has a window? = Four",
                    "Is the moon full? = No",
                ),
                (
                    "How many are dark on the middle floor? = Five",
                    "How many windows has the middle floor? = Seven",
                ),
            ),
            Step(
                "How many are lit on the ground floor?",
                "4 / 3 / 5",
                (
                    "What is in the middle of the ground floor? = A door",
                    "What time of day is it? = Night",
                ),
                (
                    "How many are dark on the ground floor? = Two",
                    "How many windows has the ground floor? = Six",
                ),
            ),
        ),
    ),
    Chain(
        "word-puzzle-001",
        "Word Puzzle",
        _first_letters,
        "Which word do the first letters of the four pictures make?",
        "LAMB / LAMP / LIMP / LIMB",
        (
            Step(
                "What does the first picture show?",
                "A ladder / A camera / A fence",
                ("How many frames are there? = Four", "What colour are the small boxes? = Cream"),
                ("Which picture is the most yellow? = The third", "What number is in the last box? = 4"),
            ),
            Step(
                "What does the second picture show?",
                "An apple / An iris / A cherry",
                ("How many rungs has the ladder? = Six", "Where are the numbers? = Below the pictures"),
                ("What colour is the second picture? = Red", "Which picture shows a vehicle? = The fourth"),
            ),
            Step(
                "What does the third picture show?",
                "The moon / A star / A banana",
                ("What shape are the frames? = Square", "Is there a leaf on the fruit that is shown? = Yes"),
                (
                    "How many sails are there? = Two",
                    "What colour is the leaf? = Green",
                    "Which picture is all brown? = The first",
                ),
            ),
            Step(
                "What does the fourth picture show?",
                "A boat / A parrot / A plane",
                ("Which way does the crescent open? = To the right", "How many small boxes are there? = Four"),
                ("What colour is the picture in the third frame? = Yellow", "Which number is in the first box? = 1"),
            ),
        ),
    ),
    Chain(
        "word-puzzle-002",
        "Word Puzzle",
        _code,
        "Which word is the message?",
        "TONES / NOTES / STONE / ONSET",
        (
            _letter(
                "first",
                "T",
                "N / S / O",
                ("How many signs are in the key? = Eight", "What colour is the key? = Blue"),
                (
                    "Which sign stands for A? = The square",
                    "Which sign of the key stands at the right end of its second row? = The hexagon",
                ),
            ),
            _letter(
                "second",
                "O",
                "N / T / E",
                ("How many signs has the message? = Five", "What colour is the message? = Orange"),
                (
                    "Which sign stands for C? = The hexagon",
                    "Which letter does the sign stand for that comes before the second sign in the key? = T",
                ),
            ),
            _letter(
                "third",
                "N",
                "T / O / S",
                ("How many rows has the key? = Two", "Which sign is round? = Only the circle"),
                (
                    "Which sign stands for R? = The cross",
                    "How many corners does the outline of the third sign of the message have? = Ten",
                ),
            ),
            _letter(
                "fourth",
                "E",
                "T / S / N",
                (
                    "Which letters are not needed? = A, R and C",
                    "What stands in the upper half of the picture? = The key",
                ),
                ("Which letter is first in the key? = N", "Is the fourth sign open to the right? = Yes"),
            ),
            _letter(
                "fifth",
                "S",
                "E / N / T",
                (
                    "What stands in the lower half of the picture? = The message",
                    "What numbers are below the signs? = 1 to 5",
                ),
                (
                    "How many corners has the fifth sign? = Three",
                    "Which letter is last in the key? = C",
                    "How many of the signs of the key are not used in the message at all? = Three",
                ),
            ),
        ),
    ),
)
