"""How many cells a picture takes, keeping its shape: a cell is about twice as high as it is wide."""

from __future__ import annotations


def fit(picture: tuple[float, float], columns: int, rows: int, cell: tuple[int, int]) -> tuple[int, int]:
    """The largest (columns, rows) for a picture of that size in pixels within the space given; at least 1 x 1."""
    width, height = max(picture[0], 1), max(picture[1], 1)
    scale = min(columns * cell[0] / width, rows * cell[1] / height)
    fitted = round(width * scale / cell[0]), round(height * scale / cell[1])
    return min(max(fitted[0], 1), max(columns, 1)), min(max(fitted[1], 1), max(rows, 1))


def picture_rows(width: int, height: int, boxes: int) -> int:
    """How many rows the pictures get on a screen of that size, their line of words not counted; 0 where none fit."""
    if height < 16 or width < 12 * max(boxes, 1):
        return 0
    widest = (width // max(boxes, 1) - 2) // 2
    return max(4, min(round(height * 0.38), widest))


LEFT = 0.45
NARROW_LEFT = 30
STEPS_ROWS = 7
"""What is left for the steps below a picture that stands beside the detail."""


def left_columns(width: int, boxes: int) -> int:
    """How wide the column of one picture and the steps is; 0 where pictures stand in a row at the top."""
    if boxes != 1 or width < 56:
        return 0
    return round(width * LEFT) if width >= 100 else min(NARROW_LEFT, round(width * LEFT))


def left_rows(columns: int, height: int) -> int:
    """How many rows the picture gets at most in a column that wide and a body that high; 0 where none fits."""
    rows = min((columns - 2) // 2, height - 1 - STEPS_ROWS)
    return rows if rows >= 4 else 0
