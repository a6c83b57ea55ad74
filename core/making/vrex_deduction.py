"""V-REX's Deduction in the demo pack: flow charts, patterns, properties, relationships."""

from __future__ import annotations

from typing import Final

from PIL import Image

from core.drawing.canvas import INK, Colour
from core.drawing.faces import Sitter, portrait
from core.drawing.flowchart import Node, draw_chart
from core.drawing.palette import STEEL, WATER, WHITE, WOOD, darker
from core.drawing.sheet import Sheet
from core.drawing.tiles import dots, shape, stack
from core.making.chains import Chain, Step

_BLUE: Final[Colour] = (60, 120, 210)
_RED: Final[Colour] = (220, 60, 60)
_GREEN: Final[Colour] = (60, 170, 90)
_YELLOW: Final[Colour] = (250, 206, 60)
_ASK: Final[Colour] = (255, 240, 190)
_SKIN: Final[Colour] = (248, 204, 162)


def _parcels() -> Image.Image:
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


def _machine() -> Image.Image:
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


def _matrix() -> Image.Image:
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


def _stairs() -> Image.Image:
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


def _balances() -> Image.Image:
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


def _tank() -> Image.Image:
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


def _family() -> Image.Image:
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


def _web() -> Image.Image:
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


CHAINS: Final[tuple[Chain, ...]] = (
    Chain(
        "flowchart-001",
        "Flowchart",
        _parcels,
        "On which shelf does the parcel of the card end up?",
        "Yellow / Green / Blue / Red",
        (
            Step(
                "How heavy is the parcel of the card?",
                "7 kg / 5 kg / 4 kg",
                (
                    "What is the title of the card? = Parcel card",
                    "On which day was it sent? = Monday",
                ),
                (
                    "What is inside the parcel of the card? = Glass",
                    "How many diamonds does the chart have? = Three",
                ),
            ),
            Step(
                "To which question does the chart lead a parcel of that weight?",
                "From here, is it abroad? / Is it glass? / None: it goes to a shelf",
                (
                    "What colour are the diamonds? = Pale yellow",
                    "Which shelf is farthest to the left? = Blue",
                    "What is the shape of the field that holds the word Start at the top? = An oval",
                ),
                (
                    "To which question would the chart lead a light parcel? = Is it glass?",
                    "How many shelves does the chart end in? = Four",
                ),
            ),
            Step(
                "To which country is the parcel addressed?",
                "Norway / Sweden / Iceland",
                (
                    "What is inside the parcel? = Glass",
                    "Which word stands in the oval at the top? = Start",
                ),
                (
                    "On which shelf would light glass end up? = On the blue one",
                    "How many arrows have the word yes? = Three",
                ),
            ),
            Step(
                "In which country does the post office stand?",
                "Norway / Denmark / Finland",
                (
                    "On which day was the parcel sent? = Monday",
                    "Which shelf is right below the left diamond? = Blue",
                ),
                (
                    "On which shelf would light things without glass end up? = On the red one",
                    "How many arrows have the word no? = Three",
                ),
            ),
        ),
    ),
    Chain(
        "flowchart-002",
        "Flowchart",
        _machine,
        "Which number does the machine print?",
        "11 / 4 / 9 / 29",
        (
            Step(
                "Which number goes in at the top?",
                "6 / 8 / 5",
                (
                    "How many diamonds are there? = Two",
                    "What colour is the oval at the foot? = Pink",
                ),
                (
                    "What does the box on the upper right do? = It multiplies by 3",
                    "How many shapes does the chart have in all? = Nine",
                ),
            ),
            Step(
                "Which number leaves the first box?",
                "10 / 24 / 2 / 12",
                (
                    "What is written in the box at the lower left? = Take away 1",
                    "How many ovals are there? = Two",
                    "What stands between the two diamonds? = Two arrows",
                ),
                (
                    "What would 10 become in the box on the upper right? = 30",
                    "How many of the shapes are diamonds? = Two",
                ),
            ),
            Step(
                "Which way does that number leave the first diamond?",
                "Left, by yes / Right, by no",
                (
                    "What colour are the words yes and no? = Dark red",
                    "Which box is lowest on the right? = Add 6",
                ),
                (
                    "Which way would a 30 leave the second diamond? = To the left",
                    "How many of the shapes are boxes? = Five",
                ),
            ),
            Step(
                "Which number leaves the next box on that way?",
                "5 / 30 / 20 / 8",
                (
                    "What would a 7 have done at the top? = It would have become 11",
                    "What does the right box say? = Times 3",
                ),
                (
                    "What does the box at the lower left do to a number? = It takes away 1",
                    "How many of the shapes are ovals? = Two",
                ),
            ),
            Step(
                "Which way does this number leave the second diamond?",
                "Right, by no / Left, by yes",
                (
                    "How many boxes has the whole chart? = Five",
                    "What is asked in the second diamond? = More than 8?",
                    "How many words yes are written? = Two",
                ),
                (
                    "What would a 30 become in the box at the lower left? = 29",
                    "Which of the shapes are yellow? = The diamonds",
                ),
            ),
        ),
    ),
    Chain(
        "pattern-001",
        "Pattern",
        _matrix,
        "Which tile belongs in the empty place of the grid?",
        "Tile 3 / Tile 1 / Tile 2 / Tile 4",
        (
            Step(
                "Which shape do the tiles above the empty place have?",
                "A square / A circle / A triangle",
                (
                    "How many tiles are offered? = Four",
                    "What is drawn in the empty place? = A question mark",
                ),
                (
                    "Which shape do the tiles of the middle column have? = A triangle",
                    "What colour is the tile in the upper left corner of the grid? = Red",
                ),
            ),
            Step(
                "How many dots have the other tiles of the bottom row?",
                "Three / Two / One",
                (
                    "How many dots has the tile in the upper left? = One",
                    "What is the colour behind the grid? = Pale grey",
                    "How many of the offered tiles are red? = One",
                ),
                (
                    "How many dots has the tile in the very middle of the grid? = Two",
                    "How many dots have the tiles of the top row? = One",
                ),
            ),
            Step(
                "Which of the three colours is missing from the bottom row?",
                "Blue / Red / Yellow",
                (
                    "Which shape is in the left column? = A circle",
                    "How many rows does the grid have? = Three",
                ),
                (
                    "What colour is the tile in the very middle of the grid? = Yellow",
                    "What colour has the tile at the right end of the top row of the grid? = Yellow",
                ),
            ),
        ),
    ),
    Chain(
        "pattern-002",
        "Pattern",
        _stairs,
        "How many squares will the fifth figure have?",
        "20 / 18 / 19 / 21",
        (
            Step(
                "How many squares has figure 3?",
                "9 / 8 / 10 / 12",
                (
                    "What is written below the first figure? = Figure 1",
                    "How many question marks are drawn? = One",
                ),
                (
                    "Which figure is drawn in orange? = The first",
                    "How many figures are drawn in full? = Four",
                ),
            ),
            Step(
                "How many squares has figure 4?",
                "14 / 12 / 13 / 16",
                (
                    "What colour is figure 2? = Blue",
                    "Which figure stands most to the left? = Figure 1",
                    "On which side are the steps? = The right",
                ),
                (
                    "Which figure is drawn in green? = The third",
                    "What is written under the question mark? = Figure 5",
                ),
            ),
            Step(
                "How many squares long is the new bottom row that figure 5 gets?",
                "6 / 5 / 7",
                (
                    "How many of the four figures are made of an even number of squares? = Two",
                    "What colour is the background? = Cream",
                ),
                (
                    "Which of the four colours is used for the last full figure? = Pink",
                    "On which side do the figures have their steps? = On the right",
                ),
            ),
        ),
    ),
    Chain(
        "property-001",
        "Property",
        _balances,
        "Which of the four balls is the heaviest?",
        "Yellow / Green / Red / Blue",
        (
            Step(
                "Which ball is heavier on scales 1?",
                "The red one / The blue one",
                (
                    "How many scales are there? = Three",
                    "What is the beam made of? = Wood",
                ),
                (
                    "On which scales does the blue ball lie? = On scales 1",
                    "What colour are the pans? = Grey",
                ),
            ),
            Step(
                "Which ball is heavier on scales 2?",
                "The green one / The red one",
                (
                    "On how many scales does the blue ball lie? = One",
                    "What is written below the scales? = How to read them",
                    "How many balls lie on each pan? = One",
                ),
                (
                    "On how many scales does the red ball lie? = On two",
                    "What is the beam made of? = Wood",
                ),
            ),
            Step(
                "Which ball is heavier on scales 3?",
                "The yellow one / The green one",
                (
                    "How often is the red ball weighed? = Twice",
                    "Which scales stand in the middle? = Scales 2",
                ),
                (
                    "On which side of scales 3 does the green ball lie? = On the left",
                    "What colour is the foot of the scales? = Grey",
                ),
            ),
        ),
    ),
    Chain(
        "property-002",
        "Property",
        _tank,
        "What will the block with the question mark do when it is let go?",
        "Hang halfway down / Rest on the ground / Float at the top",
        (
            Step(
                "How is the block with the question mark marked?",
                "With spots / With stripes / Not at all",
                (
                    "How many blocks are in the tank? = Seven",
                    "Which block is the largest at the left? = The red one",
                ),
                (
                    "What colour is the block with the question mark? = Red",
                    "How large is the block with the question mark? = Middling",
                ),
            ),
            Step(
                "Where are the other blocks with these marks?",
                "Halfway down / On the ground / At the top",
                (
                    "Where is the large red block without marks? = On the ground",
                    "Where is the small green block with stripes? = At the top",
                    "How large is the blue block on the ground? = Middling",
                ),
                (
                    "Where is the other red block, the one with stripes? = At the top",
                    "Where is the block that is nearest to it in size? = On the ground",
                ),
            ),
        ),
    ),
    Chain(
        "relationship-001",
        "Relationship",
        _family,
        "What is Karl to Tom?",
        "His uncle / His father / His cousin / His brother",
        (
            Step(
                "Who is Tom's mother?",
                "Eva / Ada / Mia / Rosa",
                (
                    "What does Tom wear on his head? = A cap",
                    "Who stands at the far right? = Mia",
                ),
                (
                    "Who is Tom's father? = Ben",
                    "Whom has Karl married? = Mia",
                ),
            ),
            Step(
                "Who are her brothers and sisters?",
                "Ada and Karl / Ben and Mia / Leo and Ida / Only Karl",
                (
                    "Who wears a beard? = Ben",
                    "What colour are Ida's clothes? = Yellow",
                    "Who in the middle row is not married? = Ada",
                ),
                (
                    "How many brothers and sisters has Tom? = None",
                    "Who are Mia's children? = Leo and Ida",
                ),
            ),
        ),
    ),
    Chain(
        "relationship-002",
        "Relationship",
        _web,
        "Which animal has nothing left to eat if all the mice are gone?",
        "The fox / The owl / The hawk / The hedgehog",
        (
            Step(
                "Which animals do arrows from the mice lead to?",
                "Owl, fox and hawk / Fox and hedgehog / Sparrows, beetles and owl",
                (
                    "How many animals are in the top row? = Four",
                    "How many plants are in the bottom row? = Three",
                ),
                (
                    "What do the mice themselves eat? = Grass",
                    "What do the beetles eat? = Leaves",
                ),
            ),
            Step(
                "What else does the owl eat?",
                "Sparrows / Beetles / Nothing else",
                (
                    "Which animal is at the right of the top row? = The hedgehog",
                    "What colour are the plants? = Green",
                ),
                (
                    "Which other animals eat grass? = The sparrows",
                    "Does any other animal eat leaves? = No",
                ),
            ),
            Step(
                "What else does the hawk eat?",
                "Beetles / Sparrows / Nothing else",
                (
                    "Which way do most arrows point? = Upwards",
                    "Who eats leaves? = The beetles",
                    "What shape are the plants' boxes? = Ovals",
                ),
                (
                    "What else do the sparrows eat? = Seeds",
                    "What does the hedgehog eat? = Beetles",
                ),
            ),
        ),
    ),
)
