"""The pictures of V-REX's Navigation: maps, programs' windows, traffic, trends."""

from __future__ import annotations

from typing import Final

from PIL import Image

from core.drawing import traffic
from core.drawing.canvas import INK, Colour
from core.drawing.charts import Axes, draw_axes, draw_bars, draw_line
from core.drawing.gui import PALE, button, field, tick, window
from core.drawing.maps import grid, rail, station
from core.drawing.palette import WATER, WHITE
from core.drawing.sheet import Sheet
from core.drawing.things import put

_BLUE: Final[Colour] = (40, 100, 210)
_RED: Final[Colour] = (220, 50, 50)
_GREEN: Final[Colour] = (40, 150, 80)
_ORANGE: Final[Colour] = (245, 150, 30)


def treasure() -> Image.Image:
    """A map of squares and a note of the way."""
    s = Sheet(620, 440, (246, 236, 210))
    grid(s, 40, 40, 62, 6, 6)

    def at(square: str) -> tuple[float, float]:
        return 40 + ("ABCDEF".index(square[0]) + 0.5) * 62, 40 + (int(square[1]) - 0.5) * 62

    for square, name in (
        ("B5", "bucket"), ("E5", "bench"), ("E2", "house"), ("B2", "tent"), ("C1", "fir"), ("F4", "statue"),
        ("D3", "rock"), ("A3", "tree"), ("F6", "boat"), ("E4", "flower"), ("C6", "mushroom"),
    ):  # fmt: skip
        put(s, name, *at(square), 52)
    s.panel(430, 60, 606, 250, (255, 252, 236))
    s.text(518, 84, "NOTE", 18)
    s.text(
        446,
        160,
        "Start at the tent.\nGo 3 squares east.\nGo 2 squares south.\nDig where\nyou stand.",
        17,
        anchor="lm",
    )
    rose = s.at(518, 340, 130)
    rose.oval(0, 0, 0.34, 0.34, WHITE)
    for turn in (0, 90, 180, 270):
        rose.frame(0, 0, 1, turn).polygon([(0, -0.32), (-0.07, 0), (0.07, 0)], _RED if turn == 0 else PALE)
    for word, x, y in (("N", 518, 286), ("S", 518, 394), ("E", 574, 340), ("W", 462, 340)):
        s.text(x, y, word, 18)
    return s.finished()


def metro() -> Image.Image:
    """Four lines of a railway."""
    s = Sheet(640, 430, (250, 250, 246))
    rail(s, ((50, 90), (590, 90)), _BLUE)
    rail(s, ((50, 330), (440, 330), (590, 250)), _GREEN)
    rail(s, ((210, 40), (210, 200), (350, 280), (350, 400)), _RED)
    rail(s, ((470, 40), (470, 190), (560, 190)), _ORANGE)
    for name, x, y, dx, dy, anchor in (
        ("Harbour", 80, 90, 0, -22, "mm"), ("Market", 210, 90, 14, 20, "lm"), ("Theatre", 340, 90, 0, -22, "mm"),
        ("Tower", 470, 90, 14, 20, "lm"), ("Airport", 570, 90, 0, -22, "mm"), ("Zoo", 210, 160, 18, 0, "lm"),
        ("Castle", 350, 330, 16, 22, "lm"), ("Mill", 100, 330, 0, 24, "mm"), ("Spring", 230, 330, 0, 24, "mm"),
        ("Museum", 560, 266, 0, 26, "mm"), ("Garden", 540, 190, 0, 24, "mm"), ("Bridge", 350, 390, 18, 0, "lm"),
    ):  # fmt: skip
        station(s, x, y, name, dx, dy, anchor)
    for k, (word, colour) in enumerate(
        (("Blue line", _BLUE), ("Red line", _RED), ("Green line", _GREEN), ("Orange line", _ORANGE))
    ):
        x = 40 + k * 150
        s.pen.line(((x, 416), (x + 30, 416)), 8, colour)
        s.text(x + 40, 416, word, 15, anchor="lm")
    return s.finished()


def form() -> Image.Image:
    """A form with one needed line empty."""
    s = Sheet(600, 440, (200, 210, 224))
    window(s, 20, 16, 580, 424, "Join the library")
    field(s, 44, 76, 280, "Name *", "Nora Field")
    field(s, 44, 120, 280, "E-mail *", "nora@field.example")
    field(s, 44, 164, 280, "Phone", "")
    field(s, 44, 208, 280, "Town *", "")
    field(s, 44, 252, 280, "Birthday", "14 March 2001")
    tick(s, 44, 300, "I have read the rules *", True)
    tick(s, 44, 334, "Send me news by e-mail", False)
    s.text(44, 394, "*  must be filled in or ticked", 15, (110, 60, 60), "lm")
    button(s, 400, 390, "Cancel")
    button(s, 516, 390, "Send", on=False)
    return s.finished()


def layers() -> Image.Image:
    """A painting program with a tool and a layer chosen."""
    s = Sheet(620, 430, (200, 210, 224))
    window(s, 10, 10, 610, 420, "Paint")
    tools = ("pencil", "scissors", "bucket")
    for k, name in enumerate(("pencil", "eraser", "scissors", "bucket")):
        y = 76 + k * 70
        s.panel(22, y - 28, 82, y + 28, (255, 220, 120) if name == "eraser" else WHITE, r=6)
        if name in tools:
            put(s, name, 52, y - 6, 32)
        else:
            pen = s.at(52, y - 6, 32, -24)
            pen.box(-0.5, -0.2, 0.2, 0.24, (246, 158, 170))
            pen.box(0.2, -0.2, 0.5, 0.24, (90, 140, 210))
        s.text(52, y + 19, {"pencil": "draw", "eraser": "rub out", "scissors": "cut", "bucket": "fill"}[name], 13)
    s.pen.box(96, 50, 430, 408, (206, 232, 250))
    s.pen.box(97, 300, 429, 407, (160, 210, 130), None)
    for x, y in ((160, 96), (280, 120), (374, 90)):
        put(s, "cloud", x, y, 86)
    put(s, "house", 200, 264, 130)
    put(s, "tree", 352, 258, 150)
    for x in (130, 270, 300):
        put(s, "flower", x, 360, 60)
    s.text(520, 64, "Layers", 17)
    for k, (word, shown) in enumerate(
        (("House", False), ("Trees", False), ("Clouds", True), ("Flowers", False), ("Ground", False))
    ):
        y = 100 + k * 44
        s.panel(444, y - 17, 596, y + 17, (255, 220, 120) if shown else WHITE, r=5)
        s.text(460, y, word, 16, anchor="lm")
    s.text(520, 336, "Yellow is what\nyou have chosen.", 14, (90, 90, 90))
    return s.finished()


def closed_road() -> Image.Image:
    """A crossing with a barrier ahead and no entry on the right."""
    s = Sheet(520, 440)
    traffic.crossing(s, 260, 200, 130)
    traffic.car(s.at(292, 370, 92, -90), _RED)
    traffic.barrier(s.at(260, 110, 130))
    traffic.no_entry(s.at(392, 300, 62))
    s.pen.line(((392, 330), (392, 350)), 4, PALE)
    s.arrow(((392, 264), (440, 222)), width=4, head=14)
    s.text(404, 366, "for the road\nto the right", 14)
    traffic.bus(s.at(66, 168, 84, 180), _BLUE)
    traffic.car(s.at(446, 168, 84, 180), (250, 206, 60))
    put(s, "tree", 90, 346, 110)
    put(s, "house", 88, 60, 100)
    put(s, "tree", 430, 60, 100)
    s.text(260, 74, "road works", 15, WHITE)
    return s.finished()


def priority() -> Image.Image:
    """A crossing with a sign for each of four vehicles."""
    s = Sheet(560, 440)
    traffic.crossing(s, 280, 220, 130)
    traffic.car(s.at(140, 252, 92), _RED)
    traffic.bus(s.at(440, 188, 100, 180), _GREEN)
    traffic.car(s.at(312, 372, 92, -90), (250, 206, 60))
    traffic.car(s.at(248, 66, 92, 90), _BLUE)
    traffic.give_way(s.at(178, 318, 58))
    traffic.priority(s.at(382, 330, 60))
    traffic.stop(s, 178, 122, 60)
    traffic.give_way(s.at(382, 118, 58))
    s.panel(8, 352, 196, 434, (255, 252, 236))
    s.text(18, 393, "Yellow diamond: go first\nRed triangle: wait\nSTOP: stop and wait", 15, anchor="lm")
    s.panel(398, 392, 552, 434, (255, 252, 236))
    s.text(475, 413, "A driver's sign is on the\nright of the lane.", 13)
    return s.finished()


def shops() -> Image.Image:
    """Three bakeries' sales by month."""
    s = Sheet(620, 400, WHITE)
    axes = Axes(60, 50, 600, 320, 60, ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug"))
    draw_axes(s, axes, 10, "loaves sold a day")
    draw_line(s, axes, (50, 46, 44, 40, 36, 30, 26, 24), _RED)
    draw_line(s, axes, (12, 16, 22, 26, 30, 38, 44, 50), _BLUE, square=True)
    draw_line(s, axes, (20, 24, 20, 28, 22, 26, 20, 22), (150, 154, 162))
    for k, (word, colour) in enumerate((("Hill Bakery", _BLUE), ("Lake Bakery", _RED), ("Corner Bakery", PALE))):
        x = 70 + k * 180
        s.pen.line(((x, 374), (x + 30, 374)), 4, colour)
        s.text(x + 40, 374, word, 15, anchor="lm")
    return s.finished()


def reservoir() -> Image.Image:
    """A lake's water by week, and a line."""
    s = Sheet(620, 400, WHITE)
    axes = Axes(60, 50, 600, 330, 100, tuple(str(k) for k in range(1, 10)))
    draw_axes(s, axes, 10, "water in the lake (%)")
    draw_bars(s, axes, (90, 80, 70, 60), WATER)
    s.pen.line(((60, axes.y(30)), (600, axes.y(30))), 3.5, _RED)
    s.text(590, axes.y(30) - 14, "pumps stop below this line", 15, _RED, "rm")
    s.text(330, 378, "week", 15, INK)
    return s.finished()
