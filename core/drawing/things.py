"""Every thing by its name, with the colour it has unless another is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from core.drawing import household as home
from core.drawing import outdoors as out
from core.drawing import props
from core.drawing.canvas import Colour, Pen
from core.drawing.palette import RED, STEEL, WATER, WHITE, WOOD, YELLOW
from core.drawing.sheet import Sheet

Thing = Callable[[Pen, Colour], None]


def _football(pen: Pen, colour: Colour) -> None:
    props.ball(pen, 0, 0, 0.4)


def _open_book(pen: Pen, colour: Colour) -> None:
    props.book(pen.frame(0, 0, 1.6), 0, 0, colour)


def _spade(pen: Pen, colour: Colour) -> None:
    props.spade(pen.frame(0, 0.48, 1.3), 0, 0, 0)


THINGS: Final[dict[str, tuple[Thing, Colour]]] = {
    "cup": (home.cup, (60, 130, 200)),
    "glass": (home.glass, home.GLASS),
    "bottle": (home.bottle, (150, 214, 190)),
    "bowl": (home.bowl, (240, 230, 210)),
    "saucepan": (home.saucepan, (190, 196, 206)),
    "spoon": (home.spoon, (200, 206, 214)),
    "vase": (home.vase, (70, 110, 190)),
    "chair": (home.chair, WOOD),
    "bed": (home.bed, (90, 140, 210)),
    "table": (home.table, WOOD),
    "lamp": (home.lamp, (250, 196, 90)),
    "torch": (home.torch, (60, 64, 76)),
    "candle": (home.candle, (250, 240, 220)),
    "clock": (home.clock, (200, 70, 60)),
    "hourglass": (home.hourglass, WOOD),
    "umbrella": (home.umbrella, (60, 120, 200)),
    "boots": (home.boots, (230, 180, 40)),
    "hat": (home.hat, (150, 100, 60)),
    "jumper": (home.jumper, (200, 80, 90)),
    "scarf": (home.scarf, (60, 140, 160)),
    "key": (home.key, (230, 190, 70)),
    "book": (home.closed_book, (40, 110, 170)),
    "open book": (_open_book, (150, 54, 60)),
    "newspaper": (home.newspaper, (244, 242, 232)),
    "envelope": (home.envelope, (250, 244, 226)),
    "phone": (home.phone, (50, 54, 64)),
    "present": (home.present, (200, 60, 90)),
    "cake": (home.cake, (150, 90, 56)),
    "bread": (home.bread, (214, 150, 80)),
    "egg": (home.egg, (250, 232, 210)),
    "flour": (home.flour, (246, 236, 214)),
    "basket": (home.basket, (206, 158, 90)),
    "barrel": (home.barrel, WOOD),
    "guitar": (home.guitar, (206, 130, 60)),
    "drum": (home.drum, (200, 60, 60)),
    "pencil": (out.pencil, YELLOW),
    "scissors": (out.scissors, (210, 60, 60)),
    "saw": (out.saw, (190, 120, 60)),
    "hammer": (out.hammer, (200, 140, 80)),
    "axe": (out.axe, (170, 110, 60)),
    "ladder": (out.ladder, (210, 160, 90)),
    "broom": (out.broom, (190, 120, 60)),
    "bucket": (out.bucket, (80, 150, 210)),
    "spade": (_spade, STEEL),
    "bicycle": (out.bicycle, (40, 130, 90)),
    "car": (out.car, (214, 60, 56)),
    "bus": (out.bus, (240, 180, 40)),
    "boat": (out.boat, (170, 90, 50)),
    "balloon": (out.balloon, RED),
    "hot-air balloon": (out.airship, (220, 70, 90)),
    "kite": (out.kite, (70, 160, 220)),
    "tent": (out.tent, (230, 150, 60)),
    "house": (out.house, (246, 226, 180)),
    "tree": (out.tree, out.LEAVES),
    "bare tree": (out.bare, (110, 76, 50)),
    "fir": (out.fir, (40, 120, 76)),
    "flower": (out.flower, (230, 90, 140)),
    "cactus": (out.cactus, (80, 150, 80)),
    "palm": (out.palm, (70, 160, 80)),
    "apple": (out.apple, (214, 44, 50)),
    "pear": (out.pear, (190, 204, 70)),
    "banana": (out.banana, YELLOW),
    "carrot": (out.carrot, (240, 130, 40)),
    "fish": (out.fish, (240, 130, 60)),
    "bird": (out.bird, (90, 140, 210)),
    "bench": (out.bench, WOOD),
    "log": (out.log, (140, 94, 54)),
    "rock": (out.rock, (160, 164, 170)),
    "statue": (out.statue, (176, 180, 184)),
    "bricks": (out.bricks, (186, 90, 66)),
    "sun": (out.sun, (255, 190, 40)),
    "moon": (out.moon, (250, 222, 120)),
    "cloud": (out.cloud, WHITE),
    "star": (out.star, YELLOW),
    "snowman": (out.snowman, WHITE),
    "beach ball": (out.beachball, (230, 60, 70)),
    "football": (_football, WHITE),
    "tap": (out.tap, STEEL),
    "drop": (out.drop, WATER),
    "coin": (out.coin, (246, 200, 70)),
    "leaf": (out.leaf, (226, 130, 40)),
    "mushroom": (out.mushroom, (214, 50, 50)),
    "pumpkin": (out.pumpkin, (240, 140, 40)),
    "nest": (out.nest, (160, 116, 70)),
    "sprout": (out.soil, (90, 180, 80)),
}


def put(
    sheet: Sheet,
    name: str,
    x: float,
    y: float,
    size: float,
    colour: Colour | None = None,
    turn: float = 0.0,
    flip: bool = False,
) -> None:
    """The thing called ``name``, its cell's middle at (x, y) of the sheet and ``size`` pixels wide."""
    paint, usual = THINGS[name]
    paint(sheet.at(x, y, size, turn, flip), colour or usual)
