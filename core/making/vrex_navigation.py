"""V-REX's Navigation in the demo pack: maps, programs' windows, traffic, trends."""

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
from core.making.chains import Chain, Step

_BLUE: Final[Colour] = (40, 100, 210)
_RED: Final[Colour] = (220, 50, 50)
_GREEN: Final[Colour] = (40, 150, 80)
_ORANGE: Final[Colour] = (245, 150, 30)


def _treasure() -> Image.Image:
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


def _metro() -> Image.Image:
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


def _form() -> Image.Image:
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


def _layers() -> Image.Image:
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


def _closed_road() -> Image.Image:
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


def _priority() -> Image.Image:
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


def _shops() -> Image.Image:
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


def _reservoir() -> Image.Image:
    s = Sheet(620, 400, WHITE)
    axes = Axes(60, 50, 600, 330, 100, tuple(str(k) for k in range(1, 10)))
    draw_axes(s, axes, 10, "water in the lake (%)")
    draw_bars(s, axes, (90, 80, 70, 60), WATER)
    s.pen.line(((60, axes.y(30)), (600, axes.y(30))), 3.5, _RED)
    s.text(590, axes.y(30) - 14, "pumps stop below this line", 15, _RED, "rm")
    s.text(330, 378, "week", 15, INK)
    return s.finished()


CHAINS: Final[tuple[Chain, ...]] = (
    Chain(
        "map-001",
        "Map",
        _treasure,
        "What stands in the square where the note says to dig?",
        "A flower / A bench / A house / A statue",
        (
            Step(
                "At which thing does the note start?",
                "The tent / The bucket / The house",
                (
                    "How many lines has the text of the note? = Five",
                    "How many columns has the grid? = Six",
                ),
                (
                    "In which square is the bucket? = B5",
                    "In which square is the boat? = F6",
                ),
            ),
            Step(
                "In which square is it?",
                "B2 / B5 / A3 / E2",
                (
                    "In which square is the statue? = F4",
                    "What colour is the north needle? = Red",
                ),
                (
                    "What stands three squares east of the bucket? = A bench",
                    "What stands two squares north of the boat? = A statue",
                ),
            ),
            Step(
                "Which square is reached after going east?",
                "E2 / B5 / D2 / F2",
                (
                    "Which square lies one west of the rock? = C3",
                    "In which square is the fir? = C1",
                    "What is in D3? = A rock",
                ),
                (
                    "What stands one square west of the boat? = Nothing",
                    "In which square is the statue? = F4",
                ),
            ),
        ),
    ),
    Chain(
        "map-002",
        "Map",
        _metro,
        "Where does one change for the last time from Harbour to Museum?",
        "Castle / Market / Tower / Spring",
        (
            Step(
                "On which line is Harbour?",
                "The blue line / The red line / The green line",
                (
                    "How many lines are there? = Four",
                    "On which line is the Zoo? = The red line",
                ),
                (
                    "Which line ends at Garden? = The orange line",
                    "Which station is at the left end of the green line? = Mill",
                ),
            ),
            Step(
                "On which line is Museum?",
                "The green line / The orange line / The blue line",
                (
                    "Which line ends at Garden? = The orange line",
                    "How many stations has the blue line? = Five",
                ),
                (
                    "Where does the orange line cross the blue line? = At Tower",
                    "Which station comes after Mill? = Spring",
                ),
            ),
            Step(
                "Which line crosses both of these lines?",
                "The red line / The orange line / None of them",
                (
                    "Where does the orange line cross the blue line? = At Tower",
                    "Which station is the lowest on the map? = Bridge",
                    "Where is the key of the map? = At the bottom",
                ),
                (
                    "Which station comes after Tower on the blue line? = Airport",
                    "How many stations lie between Mill and Castle? = One",
                ),
            ),
            Step(
                "Where does one leave the line on which one started?",
                "At Market / At Tower / At Theatre",
                (
                    "Which stations lie left of Castle? = Mill and Spring",
                    "How many lines stop at Airport? = One",
                ),
                (
                    "Which line would one take to get from Tower to Garden? = The orange line",
                    "Which station lies below Castle? = Bridge",
                ),
            ),
        ),
    ),
    Chain(
        "gui-001",
        "GUI",
        _form,
        "What must be done before the Send button works?",
        "Write in the town / Write in the phone / Tick the news box / Tick the rules box",
        (
            Step(
                "What does the star mean?",
                "That it must be filled in / That it is kept secret / That it was filled in wrongly",
                (
                    "What is the window's title? = Join the library",
                    "How many buttons are at the foot? = Two",
                ),
                (
                    "What does the lower of the two boxes offer? = News by e-mail",
                    "In which month is the birthday? = March",
                ),
            ),
            Step(
                "Which lines have nothing written in them?",
                "Phone and town / Only the phone / Birthday and town / Name and e-mail",
                (
                    "Which month is the birthday in? = March",
                    "How many round buttons are at the top of the window? = Three",
                ),
                (
                    "Is the box for the news ticked? = No",
                    "In which year is the birthday? = 2001",
                ),
            ),
            Step(
                "Which starred box is ticked already?",
                "The one for the rules / The one for the news / Neither of the two",
                (
                    "How many boxes can be ticked? = Two",
                    "Which button is beside Send? = Cancel",
                    "How many lines for writing does the form have? = Five",
                ),
                (
                    "To which address would the news be sent? = nora@field.example",
                    "Which line for writing is the last one? = The birthday",
                ),
            ),
        ),
    ),
    Chain(
        "gui-002",
        "GUI",
        _layers,
        "What disappears if the mouse is now dragged over the whole picture?",
        "The clouds / The house / The flowers / The tree",
        (
            Step(
                "Which tool has been chosen?",
                "Rub out / Draw / Cut out / Fill in",
                (
                    "How many clouds are in the picture? = Three",
                    "What is the window's title? = Paint",
                ),
                (
                    "How many layers are in the list? = Five",
                    "Which tool is at the bottom? = Fill",
                ),
            ),
            Step(
                "Which layer has been chosen?",
                "Clouds / House / Flowers / Trees",
                (
                    "Which tool is at the bottom? = Fill",
                    "How many flowers are in the picture? = Three",
                    "Where is the tree? = On the right",
                ),
                (
                    "Which layer is the last one in the list? = Ground",
                    "What does the lowest tool's picture show? = A bucket",
                ),
            ),
        ),
    ),
    Chain(
        "traffic-001",
        "Traffic",
        _closed_road,
        "Which way can the red car drive on at the crossing?",
        "Left / Right / Straight on",
        (
            Step(
                "What stands on the road straight ahead of it?",
                "A barrier / A bus / A traffic light",
                (
                    "How many houses can be seen? = One",
                    "What colour is the bus? = Blue",
                ),
                (
                    "Which way is the bus going? = To the left",
                    "On which side of the crossing is the yellow car? = On the right",
                ),
            ),
            Step(
                "What does the round sign mean for the road it points to?",
                "No entry / One may park / Drive slowly",
                (
                    "What colour is the bar in the round sign? = White",
                    "Is the road wet? = No",
                ),
                (
                    "What colour is the bus on the left road? = Blue",
                    "Which way is the yellow car going? = To the left",
                ),
            ),
        ),
    ),
    Chain(
        "traffic-002",
        "Traffic",
        _priority,
        "Which vehicle goes over the crossing first?",
        "The yellow car / The red car / The blue car / The bus",
        (
            Step(
                "Which sign does the red car have?",
                "A red triangle / STOP / A yellow diamond",
                (
                    "How many cars are there? = Three",
                    "What colour is the bus? = Green",
                ),
                (
                    "From where does the bus come? = From the right",
                    "How many vehicles are waiting? = Four",
                ),
            ),
            Step(
                "Which sign does the blue car have?",
                "STOP / A red triangle / A yellow diamond",
                (
                    "What shape is the sign with a word on it? = It has eight sides",
                    "From where does the bus come? = From the right",
                ),
                (
                    "From where does the red car come? = From the left",
                    "How many of the vehicles are cars? = Three",
                ),
            ),
            Step(
                "Which sign does the bus have?",
                "A red triangle / STOP / A yellow diamond",
                (
                    "How many signs are at the crossing? = Four",
                    "What colour are the dashes on the road? = White",
                    "How many lanes has each road? = Two",
                ),
                (
                    "From where does the blue car come? = From the top",
                    "Which of the vehicles is the longest? = The bus",
                ),
            ),
        ),
    ),
    Chain(
        "trend-001",
        "Trend",
        _shops,
        "In which month does Hill Bakery first sell more than Lake Bakery?",
        "June / April / May / July",
        (
            Step(
                "Which line is Hill Bakery's?",
                "The blue one / The red one / The grey one",
                (
                    "How many months are shown? = Eight",
                    "Which line hardly changes? = The grey one",
                ),
                (
                    "Which line is Corner Bakery's? = The grey one",
                    "What does the upright axis count? = Loaves sold a day",
                ),
            ),
            Step(
                "Which line is Lake Bakery's?",
                "The red one / The blue one / The grey one",
                (
                    "Which month comes last? = August",
                    "How many lines are there? = Three",
                ),
                (
                    "In which month does Corner Bakery sell the most? = April",
                    "Which is the highest number on the upright axis? = 60",
                ),
            ),
        ),
    ),
    Chain(
        "trend-002",
        "Trend",
        _reservoir,
        "If it goes on like this, in which week is the red line reached?",
        "Week 7 / Week 5 / Week 6 / Week 8",
        (
            Step(
                "How full is the lake in the first week?",
                "90 / 100 / 80 / 85",
                (
                    "What colour are the bars? = Blue",
                    "What is measured? = The water in the lake",
                ),
                (
                    "How many weeks does the axis name? = Nine",
                    "Which words are written above the red line? = Pumps stop below this line",
                ),
            ),
            Step(
                "How full is the lake in the last week with a bar?",
                "60 / 70 / 50 / 55",
                (
                    "How many bars are there? = Four",
                    "Which is the highest number on the upright axis of the chart? = 100",
                ),
                (
                    "How many of the weeks have no bar? = Five",
                    "What do the pumps do when the water is low? = They stop",
                ),
            ),
            Step(
                "By how much does it fall from week to week?",
                "By 10 / By 5 / By 15 / By 20",
                (
                    "Which week has the tallest bar? = The first",
                    "Is there a bar for week 9? = No",
                    "What colour is the writing below? = Black",
                ),
                (
                    "Which week is in the middle of the axis? = Week 5",
                    "What colour is the line across the bars? = Red",
                ),
            ),
            Step(
                "How full is the lake at the red line?",
                "30 / 40 / 20 / 35",
                (
                    "What happens to the pumps? = They stop",
                    "How full was it in week 2? = 80",
                ),
                (
                    "Which week is the last one on the axis? = Week 9",
                    "What colour are the bars? = Blue",
                ),
            ),
        ),
    ),
)
