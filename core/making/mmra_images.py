"""MMRA's subtasks about whole images in the demo pack."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from PIL import Image

from core.drawing import views
from core.drawing.canvas import Colour
from core.drawing.scenery import meadow
from core.drawing.sheet import Sheet
from core.drawing.things import put
from core.making import mmra_pictures as draw
from core.making.pairs import Pair

_CREAM: Final[Colour] = (250, 242, 222)
_MINT: Final[Colour] = (222, 242, 232)
_SKY: Final[Colour] = (222, 236, 250)
_GREY: Final[Colour] = (236, 238, 242)
_LILAC: Final[Colour] = (238, 230, 248)
_ROSE: Final[Colour] = (250, 230, 234)


def from_above(paint: Callable[[Sheet], None]) -> Image.Image:
    """One of the views from above, on a sheet of its own."""
    s = Sheet(draw.WIDE, draw.HIGH)
    paint(s)
    return s.finished()


def oncoming() -> Image.Image:
    """A car that comes towards the viewer."""
    s = Sheet(draw.WIDE, draw.HIGH)
    meadow(s, 0.5)
    s.pen.polygon([(170, 160), (230, 160), (400, 320), (0, 320)], (112, 116, 124), None)
    put(s, "tree", 50, 120, 130)
    put(s, "tree", 350, 120, 130)
    views.car_front(s.at(200, 206, 190), (214, 60, 56))
    return s.finished()


_LAID = "Are the things laid out in the same way in both pictures?"
_PLACE = "Are both pictures set in the same kind of surroundings?"
_HAPPENS = "Does the same thing happen in both pictures?"
_HAPPENS_BOTH = "What is done in both pictures?"
_AFTER = "Can image 2 show the same scene a moment after image 1?"
_BETWEEN = "What happened between image 1 and image 2?"
_SEEN = "Are both pictures seen from the same direction?"
_SEEN_FROM = "From where are the two pictures seen?"

PAIRS: Final[tuple[Pair, ...]] = (
    Pair(
        "Layout",
        "How are the things laid out in both pictures?",
        "In a ring / In a row / In a pyramid / In a column",
        (
            partial(draw.laid_out, "ring", ("apple", "pear", "egg", "carrot", "banana", "apple"), _CREAM),
            partial(draw.laid_out, "ring", ("star", "star", "star", "star", "star", "star", "star"), _SKY),
        ),
        (
            "Six pieces of food, among them apples, a pear and a carrot, form a ring around an empty middle.",
            "Seven yellow stars form a ring.",
        ),
    ),
    Pair(
        "Layout",
        "How are the things laid out in both pictures?",
        "In a pyramid / In a ring / On a slant",
        (
            partial(draw.laid_out, "pyramid", ("barrel",) * 6, _MINT),
            partial(draw.laid_out, "pyramid", ("present", "hat", "cup", "drum", "clock", "bread"), _ROSE),
        ),
    ),
    Pair(
        "Layout",
        _LAID,
        "No",
        (
            partial(draw.laid_out, "row", ("tree", "fir", "tree", "fir", "tree"), _SKY),
            partial(draw.laid_out, "column", ("coin", "coin", "coin", "coin", "coin"), _GREY),
        ),
        (
            "Five trees stand side by side in one row.",
            "Five coins lie one below the other in a column.",
        ),
    ),
    Pair(
        "Layout",
        _LAID,
        "Yes",
        (
            partial(draw.laid_out, "diagonal", ("boat", "boat", "boat", "boat"), _SKY),
            partial(draw.laid_out, "diagonal", ("cup", "spoon", "bowl", "glass", "egg"), _LILAC),
        ),
    ),
    Pair(
        "Environment",
        "Where are both pictures set?",
        "In a desert / On a beach / In a forest / In the snow",
        (
            partial(draw.surroundings, "desert", "a", "tent"),
            partial(draw.surroundings, "desert", "b", "", "woman"),
        ),
        (
            "A tent among cacti on sand dunes under a hot sun.",
            "A woman points at cacti on sand dunes.",
        ),
    ),
    Pair(
        "Environment",
        "Where are both pictures set?",
        "In a street / In a kitchen / On a farm",
        (
            partial(draw.surroundings, "street", "c", "bus"),
            partial(draw.surroundings, "street", "d", "bicycle", "man"),
        ),
    ),
    Pair(
        "Environment",
        _PLACE,
        "Yes",
        (
            partial(draw.surroundings, "sea bed", "e"),
            partial(draw.surroundings, "sea bed", "f", "barrel"),
        ),
        (
            "Fish, weed and bubbles above a sandy sea bed.",
            "A barrel lies on the sea bed among weed and fish.",
        ),
    ),
    Pair(
        "Environment",
        _PLACE,
        "No",
        (
            partial(draw.surroundings, "forest", "g", "", "male child"),
            partial(draw.surroundings, "beach", "h", "", "male child"),
        ),
    ),
    Pair(
        "SimilarEvent",
        _HAPPENS_BOTH,
        "A hole is dug / A ball is kicked / A book is read / A meal is eaten",
        (
            partial(draw.event, 1, "man", "digging a hole", 1),
            partial(draw.event, 2, "rabbit", "digging a hole", 2),
        ),
        ("A man digs a hole with a spade.", "Two rabbits dig holes with spades."),
    ),
    Pair(
        "SimilarEvent",
        _HAPPENS_BOTH,
        "A book is read / A ball is kicked / A hole is dug / A meal is eaten",
        (
            partial(draw.event, 3, "bear", "reading", 0),
            partial(draw.event, 1, "senior woman", "reading", 3),
        ),
    ),
    Pair(
        "SimilarEvent",
        _HAPPENS,
        "No",
        (
            partial(draw.event, 1, "male child", "swimming", 2),
            partial(draw.event, 1, "fox", "ice-skating", 4),
        ),
        ("A boy swims in the water.", "A fox skates on the ice."),
    ),
    Pair(
        "SimilarEvent",
        _HAPPENS,
        "Yes",
        (
            partial(draw.event, 1, "woman", "eating food", 5),
            partial(draw.event, 2, "dog", "eating food", 1),
        ),
    ),
    Pair(
        "SubEvent",
        _BETWEEN,
        "The candle burned down / The vase fell over / The cake was eaten / The lamp was lit",
        (partial(draw.still_life), partial(draw.still_life, candle=0.3)),
        (
            "On a table: a vase with flowers, a long burning candle, a cake and a dark lamp.",
            "On a table: a vase with flowers, a short burning candle, a cake and a dark lamp.",
        ),
    ),
    Pair(
        "SubEvent",
        _BETWEEN,
        "The cake was eaten / The vase fell over / The lamp was lit",
        (partial(draw.still_life, lamp=True), partial(draw.still_life, lamp=True, cake=False)),
    ),
    Pair(
        "SubEvent",
        _AFTER,
        "Yes",
        (partial(draw.shelf_cat, False), partial(draw.shelf_cat, True)),
        (
            "A cat on a shelf reaches for a vase at the shelf's edge.",
            "The cat is at the shelf's edge; pieces of the vase, a flower and water are on the floor.",
        ),
    ),
    Pair(
        "SubEvent",
        _AFTER,
        "No",
        (partial(draw.window_game, True), partial(draw.window_game, False)),
    ),
    Pair(
        "ObservationAngle",
        _SEEN_FROM,
        "Image 1 from above, image 2 from the side / Image 1 from the front, image 2 from above / "
        "Both images from above / Both images from the side",
        (partial(from_above, views.parking), partial(draw.side_street)),
        (
            "A car park seen from above: roofs and bonnets between white lines.",
            "A bus and a car on a road, seen from their side.",
        ),
    ),
    Pair(
        "ObservationAngle",
        _SEEN_FROM,
        "Image 1 from the front, image 2 from above / Image 1 from above, image 2 from the side / "
        "Both images from above / Both images from the side",
        (oncoming, partial(from_above, views.dinner)),
    ),
    Pair(
        "ObservationAngle",
        _SEEN,
        "No",
        (partial(from_above, views.village), draw.table_side),
        (
            "Roofs, crowns of trees and a car on a road, all from above.",
            "A table with a cup, a glass, a bottle and a bowl, seen from its side.",
        ),
    ),
    Pair(
        "ObservationAngle",
        _SEEN,
        "Yes",
        (partial(from_above, views.lagoon), partial(from_above, views.dinner)),
    ),
)
