"""The pictures of V-REX's Guessing: who is responsible, what is meant, where it is, when it is, what it is about."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from PIL import Image

from core.drawing import traffic
from core.drawing.canvas import INK, Colour
from core.drawing.cast import figure
from core.drawing.palette import STEEL, WATER, WHITE, WOOD, Dice, darker
from core.drawing.scenery import meadow, room
from core.drawing.sheet import Sheet
from core.drawing.things import put

_GREEN_PAINT: Final[Colour] = (50, 170, 80)
_RED_PAINT: Final[Colour] = (220, 50, 60)
_MUD: Final[Colour] = (130, 90, 50)


def crash() -> Image.Image:
    """A crash at a crossing with lights."""
    s = Sheet(560, 440)
    traffic.crossing(s, 280, 220, 130)
    traffic.car(s.at(90 + 140, 252, 92), (50, 110, 220))
    traffic.lorry(s.at(314, 300, 92, -90), (90, 96, 110))
    traffic.crash(s.at(286, 246, 54))
    traffic.bus(s.at(450, 188, 96, 180), (50, 160, 90))
    traffic.car(s.at(248, 70, 92, 90), (250, 206, 60))
    for x, y, shown in ((196, 312, "red"), (372, 330, "green"), (364, 128, "red"), (190, 118, "green")):
        traffic.lights(s.at(x, y, 62), shown)
    s.pen.box(0, 414, 560, 440, (250, 250, 240), None)
    s.text(12, 427, "Each driver's light stands on the right of the lane, before the crossing.", 15, INK, "lm")
    return s.finished()


def _prints(s: Sheet, points: tuple[tuple[float, float], ...], colour: Colour) -> None:
    track: list[tuple[float, float]] = []
    for a, b in pairwise(points):
        long = ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5
        number = int(long / 24)
        track.extend((a[0] + (b[0] - a[0]) * k / number, a[1] + (b[1] - a[1]) * k / number) for k in range(number))
    for k, (x, y) in enumerate(track):
        dy = 6 if k % 2 else -6
        s.pen.oval(x, y + dy, 7, 5, colour, None)
        s.pen.oval(x + 8, y + dy, 3, 3, colour, None)


def paint() -> Image.Image:
    """Two pots, three trails and four animals."""
    s = Sheet(600, 440, (240, 226, 200))
    for k in range(1, 6):
        s.pen.line(((0, k * 74), (600, k * 74)), 1.5, (222, 204, 172))
    _prints(s, ((300, 230), (390, 150), (508, 130)), _GREEN_PAINT)
    _prints(s, ((170, 250), (120, 200), (100, 150)), _RED_PAINT)
    _prints(s, ((310, 418), (420, 392), (492, 366)), _MUD)
    s.pen.box(250, 426, 350, 440, WOOD)
    s.text(222, 428, "the door", 14)
    s.pen.oval(286, 244, 56, 24, _GREEN_PAINT, None)
    pot = s.at(236, 232, 56, 100)
    pot.box(-0.34, -0.4, 0.34, 0.4, STEEL)
    pot.oval(0, -0.4, 0.34, 0.1, _GREEN_PAINT)
    red = s.at(176, 236, 56)
    red.box(-0.34, -0.4, 0.34, 0.4, STEEL)
    red.oval(0, -0.4, 0.34, 0.1, _RED_PAINT)
    for name, x, y in (("monkey", 84, 80), ("fox", 534, 80), ("cat", 84, 366), ("dog", 530, 340)):
        figure(s, name, x, y, 124)
        s.text(x, y + 68, f"the {name}", 15)
    return s.finished()


def tree_kite() -> Image.Image:
    """A child with a reel before a tree with a kite, apples and a nest."""
    s = Sheet(600, 440)
    meadow(s, 0.82)
    put(s, "tree", 400, 230, 400)
    for x, y in ((480, 200), (520, 240), (460, 250), (510, 180)):
        put(s, "apple", x, y, 30)
    put(s, "nest", 400, 120, 56)
    put(s, "bird", 408, 86, 46)
    put(s, "kite", 296, 200, 74, (240, 90, 160))
    put(s, "ladder", 282, 312, 220, turn=6)
    figure(s, "male child", 130, 340, 170, "hold", seed="kite")
    s.pen.line(((176, 372), (200, 392), (240, 398), (256, 376), (276, 300), (290, 236)), 2, INK)
    s.pen.box(164, 358, 190, 384, (230, 160, 70))
    s.pen.line(((160, 358), (194, 358)), 5, WOOD)
    s.pen.line(((160, 384), (194, 384)), 5, WOOD)
    put(s, "basket", 560, 400, 60)
    return s.finished()


def party() -> Image.Image:
    """A woman at a table with what a birthday needs."""
    s = Sheet(600, 420)
    room(s, (240, 234, 246), edge=0.78)
    s.pen.box(24, 24, 144, 140, WHITE)
    s.pen.box(24, 24, 144, 52, (220, 60, 60))
    s.text(84, 38, "MAY", 18, WHITE)
    for k in range(12):
        x, y = 42 + (k % 4) * 28, 70 + (k // 4) * 24
        s.text(x, y, str(k + 9), 14)
    s.pen.oval(98, 94, 15, 12, (240, 234, 246), (220, 40, 40))
    s.text(98, 94, "15", 14)
    figure(s, "woman", 210, 210, 250, "hold", seed="party")
    s.pen.box(120, 296, 590, 316, WOOD)
    for x in (140, 560):
        s.pen.box(x, 316, x + 14, 412, darker(WOOD))
    put(s, "bowl", 240, 270, 74)
    put(s, "flour", 320, 256, 84)
    for x in (376, 402, 428):
        put(s, "egg", x, 284, 30)
    for k in range(5):
        s.pen.box(462 + k * 14, 262, 468 + k * 14, 296, (120, 190, 240))
        s.pen.line(((465 + k * 14, 262), (465 + k * 14, 255)), 2, INK)
    s.pen.box(456, 280, 534, 296, (250, 230, 120))
    put(s, "present", 556, 268, 64)
    s.panel(330, 30, 580, 190, (255, 252, 240), r=4)
    s.pen.line(((455, 34), (455, 186)), 2, INK)
    put(s, "cake", 392, 108, 110)
    for k in range(7):
        s.pen.line(((470, 62 + k * 17), (564 - (k % 3) * 18, 62 + k * 17)), 2.5, (120, 120, 130))
    s.text(455, 206, "her open recipe book, seen from above", 14, (90, 90, 90))
    return s.finished()


def cabin() -> Image.Image:
    """A room with round windows under water."""
    s = Sheet(600, 400, (188, 196, 206))
    for k in range(9):
        s.pen.line(((k * 75, 0), (k * 75, 400)), 2, (166, 174, 186))
    for x in (88, 238, 388):
        s.pen.oval(x, 130, 74, 74, (120, 126, 138))
        s.pen.oval(x, 130, 58, 58, (70, 146, 200))
        for k in range(8):
            cell = s.at(x, 130, 132, k * 45)
            cell.oval(0, -0.5, 0.025, 0.025, STEEL)
    for x, y, colour, flip in (
        (82, 116, (240, 130, 60), False),
        (232, 146, (250, 200, 60), True),
        (394, 112, (200, 90, 150), False),
    ):
        put(s, "fish", x, y, 62, colour, flip=flip)
    for x, y in ((118, 150), (212, 110), (262, 108), (370, 160), (418, 150), (64, 156)):
        s.pen.oval(x, y, 4, 4, (220, 240, 252), WATER)
    gauge = s.at(534, 130, 96)
    gauge.oval(0, 0, 0.46, 0.46, WHITE)
    gauge.line(((0, 0), (0.22, -0.2)), 0.05, (210, 40, 40))
    s.text(534, 152, "DEPTH", 12)
    s.text(534, 194, "40 m", 18)
    s.pen.box(0, 320, 600, 400, (112, 118, 130))
    s.pen.box(40, 250, 300, 268, (140, 146, 158))
    s.pen.box(60, 268, 72, 330, (100, 106, 118))
    s.pen.box(270, 268, 282, 330, (100, 106, 118))
    put(s, "cup", 90, 230, 44)
    s.panel(150, 216, 270, 250, (250, 246, 220), r=2)
    s.text(210, 233, "SEA CHART", 14)
    figure(s, "man", 430, 296, 190, "point", seed="cabin")
    return s.finished()


def shop() -> Image.Image:
    """Shelves with prices, a till and a girl."""
    s = Sheet(600, 420)
    room(s, (250, 238, 214), (190, 140, 100), 0.84)
    dice = Dice("shelves")
    covers = ((190, 60, 60), (60, 110, 180), (60, 140, 90), (230, 180, 60), (130, 80, 160), (230, 130, 60))
    for row in range(3):
        y = 112 + row * 92
        x = 36.0
        while x < 330:
            wide, high = dice.between(14, 24), dice.between(52, 74)
            if dice.chance(0.9):
                s.pen.box(x, y - high, x + wide, y, dice.pick(covers))
            x += wide + 1
        s.pen.box(24, y, 352, y + 14, WOOD)
        for k, price in enumerate(("9.50", "12.00", "7.25", "15.00")):
            tx = 52 + k * 80
            s.panel(tx, y - 2, tx + 50, y + 18, WHITE, r=3)
            s.text(tx + 25, y + 8, price, 14)
    s.pen.box(400, 270, 590, 410, (150, 100, 64))
    s.pen.box(390, 256, 600, 274, WOOD)
    s.pen.box(430, 196, 520, 256, (90, 96, 110))
    s.pen.polygon([(430, 196), (520, 196), (510, 160), (440, 160)], (120, 126, 140))
    s.pen.box(446, 166, 504, 186, (190, 240, 190))
    s.text(475, 176, "19.50", 14)
    for k in range(8):
        s.pen.box(440 + (k % 4) * 19, 206 + (k // 4) * 18, 454 + (k % 4) * 19, 218 + (k // 4) * 18, WHITE)
    s.pen.box(430, 238, 520, 256, (70, 74, 86))
    put(s, "book", 560, 226, 58, (60, 140, 90))
    figure(s, "female child", 340, 340, 150, "stand", seed="shop")
    return s.finished()


def season() -> Image.Image:
    """Orange trees, fallen leaves and a man with a broom."""
    s = Sheet(600, 420)
    meadow(s, 0.66)
    for x, size in ((130, 260), (430, 290)):
        put(s, "tree", x, 210, size, (226, 130, 40))
    put(s, "house", 288, 230, 130)
    dice = Dice("leaves")
    for k in range(26):
        fx, fy = dice.between(20, 580), dice.between(300, 408)
        put(s, "leaf", fx, fy, 22, ((226, 130, 40), (200, 70, 40), (236, 180, 60))[k % 3], turn=dice.between(0, 360))
    for k in range(7):
        put(s, "leaf", 60.0 + k * 78, 70.0 + 60 * (k % 3), 20, (216, 110, 40), turn=k * 50)
    put(s, "pumpkin", 320, 330, 60)
    put(s, "pumpkin", 372, 346, 50)
    put(s, "broom", 540, 320, 120)
    figure(s, "man", 500, 300, 170, "hold", seed="leaves")
    for k, x in enumerate((200, 228, 256, 284)):
        put(s, "bird", x, 52 + 8 * (k % 2), 28, (70, 74, 90))
    return s.finished()


def shadow() -> Image.Image:
    """A tower with its shadow and a compass that is turned round."""
    s = Sheet(560, 420, (190, 220, 150))
    s.pen.box(0, 300, 560, 372, (226, 206, 160))
    s.pen.polygon([(280, 170), (330, 200), (330, 240), (280, 262), (92, 262), (92, 222)], (120, 150, 96), None)
    s.pen.box(250, 120, 330, 250, (226, 214, 196))
    s.pen.polygon([(240, 120), (290, 66), (340, 120)], (186, 80, 60))
    s.pen.box(276, 206, 304, 250, WOOD)
    s.pen.oval(290, 150, 15, 15, (70, 80, 100))
    put(s, "bench", 436, 270, 80)
    s.pen.polygon([(430, 296), (400, 292), (336, 292), (340, 300)], (120, 150, 96), None)
    rose = s.at(478, 84, 120)
    rose.oval(0, 0, 0.36, 0.36, (255, 252, 236))
    for turn, colour in ((0, (210, 50, 50)), (90, (90, 96, 110)), (180, (90, 96, 110)), (270, (90, 96, 110))):
        needle = rose.frame(0, 0, 1, turn)
        needle.polygon([(0, 0.34), (-0.07, 0), (0.07, 0)], colour)
    for word, x, y in (("N", 478, 146), ("S", 478, 24), ("W", 540, 86), ("E", 416, 86)):
        s.text(x, y, word, 20)
    s.text(12, 404, "The sky cannot be seen: look at the shadows.", 15, INK, "lm")
    return s.finished()


def saving() -> Image.Image:
    """A poster of three frames about water."""
    s = Sheet(600, 330, (230, 242, 250))
    for k in range(3):
        s.panel(16 + k * 196, 20, 192 + k * 196, 310, WHITE)
    put(s, "tap", 96, 90, 120)
    for y in (146, 190, 234):
        put(s, "drop", 116, y, 36)
    s.pen.line(((30, 40), (178, 290)), 9, (220, 50, 50))
    s.pen.line(((178, 40), (30, 290)), 9, (220, 50, 50))
    put(s, "cloud", 300, 66, 110, (150, 160, 176))
    for k, (x, y) in enumerate(((270, 120), (300, 140), (330, 120), (286, 170), (316, 176))):
        put(s, "drop", x, y, 20 + k % 2)
    put(s, "bucket", 300, 246, 110, (90, 150, 120))
    put(s, "flower", 452, 240, 120)
    put(s, "bucket", 528, 130, 96, (90, 150, 120), turn=-70)
    for x, y in ((474, 128), (458, 146), (482, 152)):
        put(s, "drop", x, y, 20)
    return s.finished()


def growth() -> Image.Image:
    """Four pairs, each small and then large."""
    s = Sheet(600, 400, (244, 240, 232))
    for k in range(4):
        x, y = 14 + (k % 2) * 292, 14 + (k // 2) * 190
        s.panel(x, y, x + 280, y + 182, WHITE)
        s.arrow(((x + 112, y + 96), (x + 158, y + 96)), (120, 126, 140), 6, 18)
    put(s, "sprout", 68, 130, 70)
    put(s, "tree", 230, 104, 150)
    for j in range(2):
        put(s, "coin", 366, 160 - j * 12, 44)
    for col in range(3):
        for j in range(5 + (col == 1) * 2):
            put(s, "coin", 488 + col * 40, 166 - j * 14, 42)
    figure(s, "male child", 66, 290, 100, seed="g")
    figure(s, "man", 230, 296, 150, seed="g")
    put(s, "house", 366, 316, 66)
    s.pen.box(490, 226, 560, 376, (226, 206, 170))
    for row in range(5):
        for col in range(3):
            s.pen.box(498 + col * 21, 236 + row * 27, 510 + col * 21, 252 + row * 27, (110, 150, 190))
    return s.finished()
