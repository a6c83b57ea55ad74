"""``study check --display`` measures what the sitting's own layout would show."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.study.definition import Condition, Display, Items, Study
from core.study.preparing import Prepared, prepare_study
from core.study.reading import parse_study
from tui.imaging import Cell, Imaging
from tui.sitting.measuring import shown_at, unfit

KITTY = Imaging("kitty", Cell(10, 20))
LARGE, SMALL = (200, 60), (80, 24)


def prepared(benchmark: str, way: Condition, **changes: object) -> Prepared:
    study: Study = parse_study(f'name = "p"\nbenchmark = "{benchmark}"\n')
    study = replace(study, conditions={"one": way}, items=Items(sample=4), **changes)  # type: ignore[arg-type]
    return prepare_study(study)


@pytest.mark.parametrize(
    ("benchmark", "way"),
    [
        ("voila:WD", Condition("direct", examples=("voila-1",))),
        ("voila:ND", Condition("l2m")),
        ("vrex", Condition("planning")),
        ("mmra", Condition()),
    ],
)
def test_every_item_is_measured_and_a_larger_window_shows_it_larger(benchmark: str, way: Condition) -> None:
    ready = prepared(benchmark, way)
    large = {one.item: one.least for one in shown_at(ready, KITTY, LARGE)}
    small = {one.item: one.least for one in shown_at(ready, KITTY, SMALL)}
    assert set(large) == set(small) == set(ready.pool.items)
    assert all(large[item] > small[item] >= 0 for item in large)


def test_what_the_study_demands_decides() -> None:
    way = Condition("direct")
    demanding = prepared("voila:WD", way, display=Display(pictures=("kitty",), smallest_px=300))
    assert unfit(demanding, KITTY, LARGE) == []
    assert "too small" in unfit(demanding, KITTY, SMALL)[0]
    assert unfit(demanding, Imaging("halfcell"), LARGE)[0].startswith("pictures are shown as halfcell")
    assert unfit(prepared("voila:WD", way), KITTY, (20, 6)) == []


def test_a_limit_of_pixels_is_a_limit_here_too(tmp_path: Path) -> None:
    ready = prepared("voila:WD", Condition("direct", picture_px=120))
    assert all(max(one.px) <= 120 for one in shown_at(ready, KITTY, LARGE))
