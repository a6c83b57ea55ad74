"""Several pictures as one: side by side in a row, on white."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image

GAP: Final = 16
"""White pixels between two pictures."""


def collage(pictures: Sequence[Image.Image], gap: int = GAP) -> Image.Image:
    """The pictures in one row, each scaled to the lowest one's height, aspect kept."""
    height = min(picture.height for picture in pictures)
    row = [_to_height(picture, height) for picture in pictures]
    out = Image.new("RGB", (sum(picture.width for picture in row) + gap * (len(row) - 1), height), "white")
    left = 0
    for picture in row:
        out.paste(picture, (left, 0))
        left += picture.width + gap
    return out


def _to_height(picture: Image.Image, height: int) -> Image.Image:
    if picture.height == height:
        return picture
    width = max(1, round(picture.width * height / picture.height))
    return picture.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=2.0)
