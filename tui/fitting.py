"""How many cells a picture takes, keeping its shape: a cell is about twice as high as it is wide."""

from __future__ import annotations


def fit(picture: tuple[int, int], columns: int, rows: int, cell: tuple[int, int]) -> tuple[int, int]:
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
