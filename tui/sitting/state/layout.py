"""How the rows and columns of a trial are shared out between pictures, words and the form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tui.fitting import fit
from tui.imaging import Cell

SIDE_FROM: Final = 118
"""Screens at least so wide show worked examples beside the trial; on others they open over it."""

SIDE_COLUMNS: Final = 38
HEAD_AND_KEYS: Final = 2
LEAST_WORDS: Final = 3
LEAST_PICTURE: Final = 4


@dataclass(frozen=True, slots=True)
class Layout:
    """``columns`` and ``rows`` are what each picture has (0 rows: none fit); ``side`` is the width of the panel
    beside the trial, ``words`` and ``form`` the rows of the question and the form."""

    side: int
    columns: int
    rows: int
    words: int
    form: int


def shared_out(
    size: tuple[int, int],
    pictures: int,
    *,
    words: int,
    form: int,
    cell: Cell,
    picture_px: int = 0,
    side: bool = False,
) -> Layout:
    """``size`` is the screen's in cells; ``words`` and ``form`` are the rows that these would like to have."""
    width, height = size
    beside = SIDE_COLUMNS if side and width >= SIDE_FROM else 0
    body = max(height - HEAD_AND_KEYS, 1)
    form_rows = min(form, max(body - LEAST_WORDS, 1))
    left = body - form_rows
    if not pictures:
        return Layout(beside, 0, 0, max(left, 1), form_rows)
    words_rows = min(words, max(LEAST_WORDS, left // 3))
    columns, rows = (width - beside) // pictures - 2, left - words_rows - 1
    if picture_px:
        columns, rows = min(columns, picture_px // cell.width), min(rows, picture_px // cell.height)
    rows = min(rows, max(round(columns * cell.width / cell.height), 1))  # no higher than a square one can be
    if rows < min(LEAST_PICTURE, body) or columns < 4:
        return Layout(beside, 0, 0, max(left, 1), form_rows)
    return Layout(beside, columns, rows, min(max(left - rows - 1, 1), max(words, words_rows)), form_rows)


def shown_px(picture: tuple[int, int], layout: Layout, cell: Cell) -> tuple[int, int]:
    """The size in pixels of the terminal at which a picture of that size is shown."""
    columns, rows = fit(picture, layout.columns, layout.rows, cell)
    return columns * cell.width, rows * cell.height
