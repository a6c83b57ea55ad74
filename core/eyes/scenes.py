"""The drawn pictures that ``eyes`` learns from, each with what there is to see in it.

All are drawn by the functions that draw the demo packs. VOILA's are drawn with variants from ``FIRST_VARIANT`` on,
so that the packs' and ``make voila``'s own (0 to 9) stay unseen; MMRA's kinds with things, colours and places by
chance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from PIL import Image

from core.benchmarks.voila.vocabulary import NUMBERS, Content, all_contents
from core.drawing import draw, views
from core.drawing.canvas import Colour
from core.drawing.faces import MOODS, Sitter
from core.drawing.palette import Dice
from core.drawing.scene import FIGURES
from core.drawing.scenery import SCENES
from core.making import mmra_images, mmra_pictures
from core.making.dealing import shuffled

FIRST_VARIANT: Final = 1000
SIZES: Final = (96, 128, 160, 256)
"""Pixels a side that VOILA's contents are drawn with; all come to the model as 128."""

MATERIALS: Final[dict[str, tuple[str, ...]]] = {
    "glass": ("glass", "bottle"),
    "wood": ("chair", "barrel", "ladder", "log", "bench", "table"),
    "metal": ("saucepan", "spoon", "key", "coin", "tap"),
    "wool": ("jumper", "scarf"),
    "stone": ("rock", "statue", "bricks"),
    "paper": ("newspaper", "envelope", "book"),
}
USES: Final[dict[str, tuple[str, ...]]] = {
    "time": ("clock", "hourglass"),
    "light": ("lamp", "candle", "torch"),
    "music": ("guitar", "drum"),
    "reading": ("book", "newspaper"),
    "cutting": ("axe", "saw", "scissors"),
    "eating": ("apple", "pear", "carrot", "banana", "bread", "cake"),
    "sleeping": ("bed",),
    "writing": ("pencil",),
    "travel": ("boat", "bus", "car", "bicycle"),
    "rain": ("umbrella",),
    "play": ("football", "beach ball", "kite"),
}
MADE_OF: Final = {thing: material for material, things in MATERIALS.items() for thing in things}
USED_FOR: Final = {thing: use for use, things in USES.items() for thing in things}

_SMALL: Final = (
    *("apple", "bread", "scissors", "key", "hat", "candle", "book", "drum", "cup", "clock", "vase", "egg", "bowl"),
    *("guitar", "pear", "banana", "bottle", "spoon", "boots", "bucket", "present", "football", "star", "flower"),
)
_LARGE: Final = ("lamp", "chair", "bicycle", "barrel", "ladder", "bed", "bench", "broom", "vase", "clock", "basket")
_NEAR: Final = ("cup", "hat", "beach ball", "book", "boots", "apple", "bird", "bucket", "drum", "football", "key")
_ROW: Final = tuple(dict.fromkeys((*MADE_OF, *USED_FOR, *_SMALL)))
_COLOURS: Final[dict[str, Colour]] = {
    "red": (220, 60, 60),
    "blue": (60, 110, 210),
    "green": (60, 160, 90),
    "yellow": (240, 180, 60),
    "brown": (140, 90, 60),
    "pink": (226, 120, 170),
}
_HAIRS: Final[dict[str, Colour]] = {"fair": (230, 180, 70), "black": (40, 36, 40), "brown": (90, 56, 32)}
_SKINS: Final[tuple[Colour, ...]] = ((248, 204, 162), (176, 120, 84), (254, 220, 188))
_HAIRDOS: Final = ("short", "long", "bun", "beard")
_ANIMALS: Final[dict[str, tuple[Colour, Colour]]] = {
    "dog": ((226, 178, 112), (122, 70, 34)),
    "cat": ((150, 150, 160), (40, 40, 44)),
    "bear": ((112, 68, 38), (206, 160, 112)),
    "rabbit": ((240, 238, 236), (200, 200, 200)),
}
_WALLS: Final[tuple[Colour, ...]] = (
    *((250, 242, 222), (222, 242, 232), (250, 230, 234), (222, 236, 250), (236, 238, 242), (238, 230, 248)),
)
_MARKED: Final = ("cup", "jumper", "balloon", "book", "present")
_MARKS: Final = ("spots", "stripes", "stars", "checks")
_LAYOUTS: Final[dict[str, str]] = {
    "row": "in a row",
    "ring": "in a ring",
    "column": "in a column",
    "pyramid": "in a pyramid",
    "diagonal": "on a slant",
}
PLACES: Final = {"upper left": (72, 68), "upper middle": (200, 60), "upper right": (330, 68)}
_ABOVE: Final = (views.parking, views.dinner, views.village, views.lagoon)

Paint = Callable[[], Image.Image]


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture to be drawn: its kind, and what is to be seen in it by name (``mood`` to ``sad``)."""

    kind: str
    seen: Mapping[str, str]
    paint: Paint


def voila(variants: int, first: int = FIRST_VARIANT) -> list[Scene]:
    """Every one of the 728 contents, ``variants`` times."""
    return [
        Scene("voila", _values(content), partial(_content, content, variant, SIZES[(variant + k) % len(SIZES)]))
        for variant in range(first, first + variants)
        for k, content in enumerate(all_contents())
    ]


def _values(content: Content) -> dict[str, str]:
    return {name: content.value(name) for name in ("number", "subject", "action")}


def _content(content: Content, variant: int, size: int) -> Image.Image:
    number = NUMBERS.index(content.number) + 1
    return draw(number, content.subject, content.action, variant=variant, size=size)


def others(each: int, seed: object = "eyes") -> list[Scene]:
    """``each`` pictures of every further kind, by chance."""
    return [make(Dice(seed, kind, k)) for kind, make in MAKERS.items() for k in range(each)]


def _face(dice: Dice) -> Scene:
    mood, wall = dice.pick(MOODS), dice.pick(_WALLS)
    clothes = dice.pick(tuple(_COLOURS))
    beside = dice.pick(("", "", "cloud", "clock", "moon", "kite", "flower", "hat"))
    seen = {"mood": mood, "clothes": clothes}
    if dice.chance(0.3):
        who = dice.pick(tuple(_ANIMALS))
        sitter = Sitter(who, *_ANIMALS[who], _COLOURS[clothes])
        seen["head"] = who
    else:
        who = dice.pick((*_HAIRDOS, "bald", "cap"))
        hair = dice.pick(tuple(_HAIRS))
        colour = dice.pick(tuple(_COLOURS.values())) if who == "cap" else _HAIRS[hair]
        sitter = Sitter(who, dice.pick(_SKINS), colour, _COLOURS[clothes])
        seen["head"] = who if who in ("bald", "cap") else f"{who} {hair}"
    return Scene("face", seen, partial(mmra_pictures.someone, sitter, mood, wall, beside))


def _alone(dice: Dice) -> Scene:
    thing = dice.pick(tuple(dict.fromkeys((*MADE_OF, *USED_FOR))))
    size = dice.between(170, 240)
    return Scene("alone", {"thing": thing}, partial(mmra_pictures.alone, thing, dice.pick(_WALLS), size))


def _shelf(dice: Dice) -> Scene:
    names = tuple(shuffled(dice, _ROW)[:3])
    seen = dict(zip(("left", "middle", "right"), names, strict=True))
    return Scene("shelf", seen, partial(mmra_pictures.shelf, names, dice.pick(_WALLS)))


def _quarters(dice: Dice) -> Scene:
    a, b, c, d = shuffled(dice, _SMALL)[:4]
    seen = {"upper left": a, "upper right": b, "lower left": c, "lower right": d}
    return Scene("quarters", seen, partial(mmra_pictures.quarters, (a, b, c, d), dice.pick(_WALLS)))


def _sky(dice: Dice) -> Scene:
    place, thing = dice.pick(tuple(PLACES)), dice.pick(("kite", "balloon"))
    x, y = PLACES[place]
    x, y = x + int(dice.between(-16, 16)), y + int(dice.between(-10, 10))
    beside = dice.pick(("house", "tree", "tent", "bench", "fir"))
    return Scene("sky", {"flies": thing, "at": place}, partial(mmra_pictures.sky, thing, x, y, beside))


def _groups(dice: Dice) -> Scene:
    small, large = shuffled(dice, _NEAR)[:3], shuffled(dice, _LARGE)[:3]
    pairs = tuple(zip(small, large, strict=True))
    seen = {f"{what} {k}": each[k] for k in range(3) for what, each in (("small", small), ("large", large))}
    return Scene("groups", seen, partial(mmra_pictures.groups, pairs, dice.pick(_WALLS)))


def _marked(dice: Dice) -> Scene:
    marks = dice.pick(_MARKS)
    colour, ink = shuffled(dice, tuple(_COLOURS.values()))[:2]
    pale: Colour = (250, 246, 232)
    pair = dice.pick(((colour, pale), (pale, ink), (colour, ink)))
    paint = partial(mmra_pictures.marked, dice.pick(_MARKED), pair[0], marks, pair[1], dice.pick(_WALLS))
    return Scene("marked", {"marks": marks}, paint)


def _laid_out(dice: Dice) -> Scene:
    layout = dice.pick(tuple(_LAYOUTS))
    count = 6 if layout == "pyramid" else int(dice.between(4, 8)) if layout == "ring" else int(dice.between(4, 6))
    names = shuffled(dice, (*_SMALL, "tree", "fir", "coin", "boat", "barrel"))[:count]
    if dice.chance(0.5):
        names = [names[0]] * count
    paint = partial(mmra_pictures.laid_out, layout, names, dice.pick(_WALLS))
    return Scene("layout", {"layout": _LAYOUTS[layout]}, paint)


def _surroundings(dice: Dice) -> Scene:
    name, seed = dice.pick(tuple(SCENES)), str(dice.between(0, 1))
    extra = dice.pick(("", "", "tent", "barrel", "bucket", "chair"))
    who = dice.pick(("", "", *FIGURES))
    return Scene("place", {"place": name}, partial(mmra_pictures.surroundings, name, seed, extra, who))


def _view(dice: Dice) -> Scene:
    view = dice.pick(("from above", "from the side", "from the front"))
    if view == "from above":
        return Scene("view", {"view": view}, partial(mmra_images.from_above, dice.pick(_ABOVE)))
    if view == "from the front":
        return Scene("view", {"view": view}, mmra_images.oncoming)
    street: Paint = partial(mmra_pictures.side_street, dice.pick(tuple(_COLOURS.values())))
    return Scene("view", {"view": view}, dice.pick((street, mmra_pictures.table_side)))


def _moment(dice: Dice) -> Scene:
    before = dice.chance(0.5)
    name = dice.pick(("vase", "window"))
    seen = {"broke": name, "state": "whole" if before else "broken"}
    if name == "vase":
        return Scene("moment", seen, partial(mmra_pictures.shelf_cat, not before))
    return Scene("moment", seen, partial(mmra_pictures.window_game, not before))


def _still_life(dice: Dice) -> Scene:
    long, cake, lamp, vase = (dice.chance(0.5) for _ in range(4))
    seen = {
        "candle": "long" if long else "short",
        "cake": "whole" if cake else "eaten",
        "lamp": "lit" if lamp else "dark",
        "vase": "standing" if vase else "fallen",
    }
    height = 1.0 if long else dice.between(0.25, 0.4)
    return Scene("table", seen, partial(mmra_pictures.still_life, candle=height, cake=cake, lamp=lamp, vase=vase))


MAKERS: Final[dict[str, Callable[[Dice], Scene]]] = {
    "face": _face,
    "alone": _alone,
    "shelf": _shelf,
    "quarters": _quarters,
    "sky": _sky,
    "groups": _groups,
    "marked": _marked,
    "layout": _laid_out,
    "place": _surroundings,
    "view": _view,
    "moment": _moment,
    "table": _still_life,
}
