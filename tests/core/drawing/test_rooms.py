"""The parts of larger pictures: every thing, place and face can be drawn and is told apart."""

from __future__ import annotations

import pytest

from core.drawing.faces import MOODS, Sitter, portrait
from core.drawing.palette import Dice
from core.drawing.scenery import SCENES
from core.drawing.sheet import Sheet
from core.drawing.things import THINGS, put
from core.drawing.tiles import SHAPES, shape


def _drawn(sheet: Sheet) -> bytes:
    return sheet.finished().convert("RGB").tobytes()


def test_every_thing_is_drawn_inside_its_cell_and_differs_from_the_others() -> None:
    seen = set()
    for name in THINGS:
        sheet = Sheet(120, 120)
        put(sheet, name, 60, 60, 90)
        image = sheet.finished().convert("RGB")
        edges = [image.crop(box) for box in ((0, 0, 120, 5), (0, 115, 120, 120), (0, 0, 5, 120), (115, 0, 120, 120))]
        assert all(edge.getextrema() == ((255, 255),) * 3 for edge in edges), name
        seen.add(image.tobytes())
    assert len(seen) == len(THINGS)


def test_every_surrounding_is_the_same_for_the_same_seed_and_not_for_all_seeds() -> None:
    for name, paint in SCENES.items():
        pictures = []
        for seed in (0, *range(6)):
            sheet = Sheet(200, 150)
            paint(sheet, Dice(name, seed))
            pictures.append(_drawn(sheet))
        assert pictures[0] == pictures[1], name
        assert len(set(pictures)) > 1, name


@pytest.mark.parametrize("kind", ["short", "long", "bun", "bald", "cap", "beard", "dog", "cat", "bear", "rabbit"])
def test_every_mood_looks_different_on_every_face(kind: str) -> None:
    faces = set()
    for mood in MOODS:
        sheet = Sheet(100, 100)
        portrait(sheet.at(50, 50, 90), Sitter(kind, (248, 204, 162), (90, 56, 32), (40, 100, 200)), mood)
        faces.add(_drawn(sheet))
    assert len(faces) == len(MOODS)


def test_every_shape_differs() -> None:
    shapes = set()
    for name in SHAPES:
        sheet = Sheet(80, 80)
        shape(sheet.at(40, 40, 70), name, (60, 120, 210))
        shapes.add(_drawn(sheet))
    assert len(shapes) == len(SHAPES)


def test_what_cannot_be_drawn_is_named() -> None:
    sheet = Sheet(40, 40)
    with pytest.raises(ValueError, match=r"bored.*known: happy"):
        portrait(sheet.at(20, 20, 30), Sitter("short", (0, 0, 0), (0, 0, 0), (0, 0, 0)), "bored")
    with pytest.raises(ValueError, match=r"blob.*known: circle"):
        shape(sheet.at(20, 20, 30), "blob", (0, 0, 0))
