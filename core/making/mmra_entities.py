"""MMRA's entity subtasks in the demo pack.

Yes and No of a subtask ask the same words of other pictures, and so do its two choices where they can: the text alone
tells nothing. Where options name places, none is right when the two pictures change places.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from core.drawing.canvas import Colour
from core.drawing.faces import Sitter
from core.making import mmra_pictures as draw
from core.making.pairs import Pair

_CREAM: Final[Colour] = (250, 242, 222)
_MINT: Final[Colour] = (222, 242, 232)
_ROSE: Final[Colour] = (250, 230, 234)
_SKY: Final[Colour] = (222, 236, 250)
_GREY: Final[Colour] = (236, 238, 242)
_LILAC: Final[Colour] = (238, 230, 248)
_SKIN: Final[Colour] = (248, 204, 162)
_DARK_SKIN: Final[Colour] = (176, 120, 84)
_RED: Final[Colour] = (220, 60, 60)
_BLUE: Final[Colour] = (60, 110, 210)
_GREEN: Final[Colour] = (60, 160, 90)

_PLACES: Final = {
    "LM": "The left one in image 1 and the middle one in image 2",
    "MR": "The middle one in image 1 and the right one in image 2",
    "RL": "The right one in image 1 and the left one in image 2",
    "LL": "The left one in image 1 and the left one in image 2",
}


def _places(right: str) -> str:
    return " / ".join([_PLACES[right], *(words for key, words in _PLACES.items() if key != right)])


_HANGS = "Are the kite in image 1 and the balloon in image 2 at the same place in their pictures?"
_NEAR = "Are the ball in image 1 and the cup in image 2 near the same kind of thing?"
_FEEL = "Do the two in the pictures feel the same?"
_BOTH_FEEL = "What do the one in image 1 and the one in image 2 both feel?"
_MARKS = "In which way do the things in the two pictures look alike?"
_ALIKE = "Do the two people have the same hair and the same colour of clothes?"
_MADE = "Are the things in the two pictures made of the same material?"
_MADE_TWO = "Which two things are made of the same material?"
_USED = "Are the things in the two pictures used for the same purpose?"
_USED_TWO = "Which two things are used for the same purpose?"

PAIRS: Final[tuple[Pair, ...]] = (
    Pair(
        "RelativePosition",
        "Which two things are at the same place in their pictures?",
        "The key in image 1 and the bread in image 2 / The apple in image 1 and the scissors in image 2 / "
        "The hat in image 1 and the candle in image 2 / The book in image 1 and the drum in image 2",
        (
            partial(draw.quarters, ("apple", "key", "book", "hat"), _CREAM),
            partial(draw.quarters, ("candle", "bread", "scissors", "drum"), _SKY),
        ),
        (
            "An apple in the upper left, a key in the upper right, a book in the lower left and a hat in the "
            "lower right.",
            "A candle in the upper left, a loaf of bread in the upper right, scissors in the lower left and a drum "
            "in the lower right.",
        ),
    ),
    Pair(
        "RelativePosition",
        "Which two things have the same place on their shelves?",
        "The vase in image 1 and the egg in image 2 / The cup in image 1 and the guitar in image 2 / "
        "The clock in image 1 and the bowl in image 2",
        (
            partial(draw.shelf, ("cup", "clock", "vase"), _MINT),
            partial(draw.shelf, ("bowl", "guitar", "egg"), _ROSE),
        ),
    ),
    Pair(
        "RelativePosition",
        _HANGS,
        "No",
        (partial(draw.sky, "kite", 330, 66, "house"), partial(draw.sky, "balloon", 70, 70, "tree")),
        (
            "A kite flies in the upper right of the sky, above a house on a meadow.",
            "A red balloon floats in the upper left of the sky; a tree stands on the meadow.",
        ),
    ),
    Pair(
        "RelativePosition",
        _HANGS,
        "Yes",
        (partial(draw.sky, "kite", 72, 66, "tent"), partial(draw.sky, "balloon", 70, 68, "house")),
    ),
    Pair(
        "NearSameEntity",
        "Which two things are near the same kind of thing?",
        "The cup in image 1 and the apple in image 2 / The hat in image 1 and the boots in image 2 / "
        "The beach ball in image 1 and the book in image 2 / The cup in image 1 and the boots in image 2",
        (
            partial(draw.groups, (("cup", "lamp"), ("hat", "chair"), ("beach ball", "bicycle")), _CREAM),
            partial(draw.groups, (("book", "barrel"), ("boots", "ladder"), ("apple", "lamp")), _MINT),
        ),
        (
            "A room with three groups: a cup by a lamp, a hat by a chair, and a beach ball by a bicycle.",
            "A room with three groups: a book by a barrel, boots by a ladder, and an apple by a lamp.",
        ),
    ),
    Pair(
        "NearSameEntity",
        "Which two things are near the same kind of thing?",
        "The bird in image 1 and the football in image 2 / The bucket in image 1 and the basket in image 2 / "
        "The drum in image 1 and the present in image 2",
        (
            partial(draw.groups, (("drum", "bed"), ("bird", "bench"), ("bucket", "broom")), _SKY),
            partial(draw.groups, (("football", "bench"), ("basket", "vase"), ("present", "clock")), _LILAC),
        ),
    ),
    Pair(
        "NearSameEntity",
        _NEAR,
        "Yes",
        (
            partial(draw.groups, (("hat", "lamp"), ("football", "chair"), ("egg", "basket")), _ROSE),
            partial(draw.groups, (("cup", "chair"), ("key", "bed"), ("apple", "vase")), _GREY),
        ),
        (
            "In a room a hat lies by a lamp, a ball by a wooden chair and an egg by a basket.",
            "In a room a cup is by a wooden chair, a key by a bed and an apple by a vase.",
        ),
    ),
    Pair(
        "NearSameEntity",
        _NEAR,
        "No",
        (
            partial(draw.groups, (("football", "vase"), ("hat", "chair"), ("egg", "barrel")), _CREAM),
            partial(draw.groups, (("key", "chair"), ("cup", "bed"), ("apple", "ladder")), _SKY),
        ),
    ),
    Pair(
        "MentalitySimilarity",
        _BOTH_FEEL,
        "Sadness / Joy / Anger / Fear",
        (
            partial(draw.someone, Sitter("long", _SKIN, (176, 90, 26), _BLUE), "sad", _SKY, "cloud"),
            partial(draw.someone, Sitter("dog", (226, 178, 112), (122, 70, 34), _RED), "sad", _GREY),
        ),
        (
            "A woman with long hair weeps, the corners of her mouth turned down.",
            "A dog with tears on its face and a drooping mouth.",
        ),
    ),
    Pair(
        "MentalitySimilarity",
        _BOTH_FEEL,
        "Anger / Joy / Sadness / Fear",
        (
            partial(draw.someone, Sitter("cat", (150, 150, 160), (40, 40, 44), _GREEN), "angry", _CREAM),
            partial(draw.someone, Sitter("beard", _SKIN, (90, 56, 32), (140, 90, 60)), "angry", _MINT, "clock"),
        ),
    ),
    Pair(
        "MentalitySimilarity",
        _FEEL,
        "No",
        (
            partial(draw.someone, Sitter("bun", _DARK_SKIN, (40, 36, 40), (190, 92, 130)), "afraid", _LILAC),
            partial(draw.someone, Sitter("bear", (112, 68, 38), (206, 160, 112), _GREEN), "asleep", _SKY, "moon"),
        ),
        (
            "A woman with wide eyes, raised brows and a trembling mouth; drops of sweat on her brow.",
            "A bear with closed eyes under the moon; two letters Z rise from it.",
        ),
    ),
    Pair(
        "MentalitySimilarity",
        _FEEL,
        "Yes",
        (
            partial(draw.someone, Sitter("cap", _SKIN, _RED, _BLUE), "happy", _MINT, "kite"),
            partial(draw.someone, Sitter("rabbit", (240, 238, 236), (200, 200, 200), (240, 180, 60)), "happy", _ROSE),
        ),
    ),
    Pair(
        "AppearanceSimilarity",
        _MARKS,
        "Both have spots / Both have stripes / Both have stars / Both have checks",
        (
            partial(draw.marked, "cup", (240, 236, 226), "spots", _BLUE, _CREAM),
            partial(draw.marked, "balloon", (230, 90, 90), "spots", (255, 240, 200), _GREY),
        ),
        ("A pale cup with blue spots.", "A red balloon with pale spots."),
    ),
    Pair(
        "AppearanceSimilarity",
        _MARKS,
        "Both have stripes / Both have spots / Both have stars / Both have checks",
        (
            partial(draw.marked, "jumper", (250, 210, 80), "stripes", _RED, _SKY),
            partial(draw.marked, "book", (70, 150, 110), "stripes", (250, 250, 240), _ROSE),
        ),
    ),
    Pair(
        "AppearanceSimilarity",
        _ALIKE,
        "Yes",
        (
            partial(draw.someone, Sitter("long", _SKIN, (230, 180, 70), _GREEN), "happy", _SKY, "flower"),
            partial(draw.someone, Sitter("long", _SKIN, (230, 180, 70), _GREEN), "asleep", _LILAC),
        ),
        (
            "A smiling woman with long fair hair in green clothes, a flower beside her.",
            "A sleeping woman with long fair hair in green clothes.",
        ),
    ),
    Pair(
        "AppearanceSimilarity",
        _ALIKE,
        "No",
        (
            partial(draw.someone, Sitter("short", _SKIN, (40, 36, 40), _RED), "happy", _MINT),
            partial(draw.someone, Sitter("bald", _SKIN, (40, 36, 40), _BLUE), "happy", _CREAM, "hat"),
        ),
    ),
    Pair(
        "SimilarMaterial",
        _MADE_TWO,
        _places("LM"),
        (
            partial(draw.shelf, ("jumper", "bottle", "rock"), _CREAM),
            partial(draw.shelf, ("chair", "scarf", "saucepan"), _SKY),
        ),
        (
            "On a shelf from left to right: a knitted jumper, a glass bottle and a stone.",
            "On a shelf from left to right: a wooden chair, a knitted scarf and a metal saucepan.",
        ),
    ),
    Pair(
        "SimilarMaterial",
        _MADE_TWO,
        _places("RL"),
        (
            partial(draw.shelf, ("saucepan", "envelope", "log"), _MINT),
            partial(draw.shelf, ("ladder", "glass", "jumper"), _ROSE),
        ),
    ),
    Pair(
        "SimilarMaterial",
        _MADE,
        "No",
        (partial(draw.alone, "bottle", _GREY), partial(draw.alone, "barrel", _MINT)),
        ("A green glass bottle with a cork.", "A wooden barrel with two hoops."),
    ),
    Pair(
        "SimilarMaterial",
        _MADE,
        "Yes",
        (partial(draw.alone, "statue", _SKY), partial(draw.alone, "rock", _CREAM)),
    ),
    Pair(
        "UsageSimilarity",
        _USED_TWO,
        _places("RL"),
        (
            partial(draw.shelf, ("book", "guitar", "axe"), _LILAC),
            partial(draw.shelf, ("saw", "bed", "clock"), _CREAM),
        ),
        (
            "On a shelf from left to right: a book, a guitar and an axe.",
            "On a shelf from left to right: a saw, a bed and a clock.",
        ),
    ),
    Pair(
        "UsageSimilarity",
        _USED_TWO,
        _places("MR"),
        (
            partial(draw.shelf, ("scissors", "candle", "boat"), _SKY),
            partial(draw.shelf, ("apple", "umbrella", "lamp"), _ROSE),
        ),
    ),
    Pair(
        "UsageSimilarity",
        _USED,
        "Yes",
        (partial(draw.alone, "hourglass", _CREAM), partial(draw.alone, "clock", _GREY)),
        ("A sand glass in a wooden frame.", "A round wall clock with a red rim."),
    ),
    Pair(
        "UsageSimilarity",
        _USED,
        "No",
        (partial(draw.alone, "pencil", _MINT), partial(draw.alone, "carrot", _SKY)),
    ),
)
