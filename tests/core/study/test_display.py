"""What a station must be able to show, and how large that is for the eye."""

from __future__ import annotations

import pytest

from core.study.definition import Display
from core.study.display import CARD_MM, Ruler, ShownAt, Station, degrees, refusals

HERE = Station("halfcell", (120, 40), (10, 20))


def test_a_study_without_demands_takes_any_station_that_shows_every_picture() -> None:
    assert refusals(Display(), HERE, [ShownAt("a", (80, 80))]) == []
    (said,) = refusals(Display(), HERE, [ShownAt("a", (80, 80)), ShownAt("b", (0, 0))])
    assert said.startswith("1 of 2 items have a picture that is too small: b is shown not at all. Make the window")


def test_each_lack_is_told_with_the_worst_item() -> None:
    demands = Display(pictures=("kitty", "sixel"), smallest_px=200)
    shown = [ShownAt("a", (300, 210)), ShownAt("b", (300, 180)), ShownAt("c", (190, 400))]
    found = refusals(demands, HERE, shown)
    assert found[0] == "pictures are shown as halfcell here, and the study asks for kitty or sixel"
    assert "2 of 3 items" in found[1]
    assert "b is shown 300x180 pixels; the study asks for at least 200" in found[1]
    assert refusals(demands, Station("kitty", (200, 60), (10, 20)), shown[:1]) == []


def test_a_bank_card_measures_the_screen() -> None:
    ruler = Ruler(42.8, (10, 20))
    assert ruler.mm_per_cell == pytest.approx(2.0)
    assert ruler.mm_per_px == pytest.approx(0.2)
    assert ruler.to_json() == {"card_cells": 42.8, "mm_per_px": 0.2}
    measured = ruler.to_json(distance_cm=57.3)
    assert measured == {"card_cells": 42.8, "mm_per_px": 0.2, "distance_cm": 57.3, "deg_per_px": 0.02}
    assert degrees(100.0, 57.3) == pytest.approx(9.972, abs=0.01)
    assert CARD_MM == (85.60, 53.98)


def test_a_centimetre_at_57_centimetres_is_a_degree() -> None:
    assert degrees(10, 57.29) == pytest.approx(1.0, abs=0.001)
