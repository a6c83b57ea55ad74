"""Zoom and pan, without a screen."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tui.state.view import FIT, MOST, View

PICTURE, CANVAS = (1000, 500), (400, 400)


def test_the_whole_picture_is_seen_first() -> None:
    assert FIT.box(PICTURE, CANVAS) == (0, 0, 1000, 500)


def test_zoomed_in_it_fills_the_canvas_before_it_is_cut() -> None:
    assert FIT.zoomed(2, PICTURE, CANVAS).box(PICTURE, CANVAS) == (250, 0, 750, 500)
    assert FIT.zoomed(4, PICTURE, CANVAS).box(PICTURE, CANVAS) == (375, 125, 625, 375)


def test_what_the_mouse_points_at_stays_there() -> None:
    before = View(4.0)
    box = before.box(PICTURE, CANVAS)
    point = box.left + 0.2 * box.size[0], box.top + 0.7 * box.size[1]
    after = before.zoomed(2, PICTURE, CANVAS, (0.2, 0.7)).box(PICTURE, CANVAS)
    assert abs(after.left + 0.2 * after.size[0] - point[0]) < 1e-6
    assert abs(after.top + 0.7 * after.size[1] - point[1]) < 1e-6


def test_out_of_it_again_is_the_whole_picture() -> None:
    assert FIT.zoomed(3, PICTURE, CANVAS).panned(1, 1, PICTURE, CANVAS).zoomed(1 / 4, PICTURE, CANVAS) == FIT


@given(
    st.lists(
        st.tuples(st.floats(0.2, 5), st.floats(-3, 3), st.floats(-3, 3), st.floats(0, 1), st.floats(0, 1)), max_size=8
    ),
    st.tuples(st.integers(1, 5000), st.integers(1, 5000)),
    st.tuples(st.integers(10, 3000), st.integers(20, 3000)),
)
def test_no_way_leads_beyond_an_edge(
    ways: list[tuple[float, float, float, float, float]], picture: tuple[int, int], canvas: tuple[int, int]
) -> None:
    view = FIT
    for factor, right, down, x, y in ways:
        view = view.zoomed(factor, picture, canvas, (x, y)).panned(right, down, picture, canvas)
        box = view.box(picture, canvas)
        assert 1 <= view.zoom <= MOST
        assert -1e-6 <= box.left < box.right <= picture[0] + 1e-6
        assert -1e-6 <= box.top < box.bottom <= picture[1] + 1e-6
