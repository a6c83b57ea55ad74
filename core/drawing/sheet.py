"""A sheet of paper of any width and height: shapes by a pen whose unit is a pixel, and words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from core.drawing.canvas import INK, Colour, Pen, Point, arc
from core.drawing.palette import WHITE

FACTOR: Final = 2
"""Everything is drawn this many times larger and then reduced, so that edges are smooth."""


@lru_cache(maxsize=64)
def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size=size)


class Sheet:
    """A picture in the making; its units are pixels of the finished picture, y downwards."""

    def __init__(self, width: int, height: int, paper: Colour = WHITE) -> None:
        self.width, self.height = width, height
        self._image = Image.new("RGB", (width * FACTOR, height * FACTOR), paper)
        self._target = ImageDraw.Draw(self._image)
        self.pen = Pen.over(self._target, 0, 0, FACTOR, 3)

    def at(self, x: float, y: float, size: float, turn: float = 0.0, flip: bool = False) -> Pen:
        """A pen whose cell, from -0.5 to 0.5 both ways, is ``size`` pixels wide and has its middle at (x, y)."""
        ink = max(2, round(size * FACTOR * 0.013))
        return Pen.over(self._target, x * FACTOR, y * FACTOR, size * FACTOR, ink).frame(0, 0, 1, turn, flip)

    def text(
        self, x: float, y: float, words: str, size: float = 16, colour: Colour = INK, anchor: str = "mm"
    ) -> None:
        """Words at (x, y), in lines. ``anchor`` is Pillow's: mm is the middle, lm the left."""
        lines = words.split("\n")
        step = size * 1.22
        for k, line in enumerate(lines):
            offset = (k - (len(lines) - 1) / 2) * step
            place = (round(x * FACTOR), round((y + offset) * FACTOR))
            self._target.text(place, line, fill=colour, font=_font(size * FACTOR), anchor=anchor)

    def panel(
        self, x0: float, y0: float, x1: float, y1: float, fill: Colour, edge: Colour | None = INK, r: float = 8
    ) -> None:
        """A box with round corners."""
        corners = [
            *arc(x1 - r, y0 + r, r, r, -90, 0, 5),
            *arc(x1 - r, y1 - r, r, r, 0, 90, 5),
            *arc(x0 + r, y1 - r, r, r, 90, 180, 5),
            *arc(x0 + r, y0 + r, r, r, 180, 270, 5),
        ]
        self.pen.polygon(corners, fill, edge)

    def arrow(self, points: Sequence[Point], colour: Colour = INK, width: float = 2.5, head: float = 10) -> None:
        """A line through ``points`` with a head at its end."""
        (x0, y0), (x1, y1) = points[-2], points[-1]
        length = math.hypot(x1 - x0, y1 - y0) or 1.0
        dx, dy = (x1 - x0) / length, (y1 - y0) / length
        neck = (x1 - dx * head, y1 - dy * head)
        self.pen.line([*points[:-1], neck], width, colour)
        side = head * 0.55
        wings = ((neck[0] - dy * side, neck[1] + dx * side), (neck[0] + dy * side, neck[1] - dx * side))
        self.pen.polygon([(x1, y1), *wings], colour, None)

    def paste(self, image: Image.Image, x: float, y: float) -> None:
        """Another picture, its upper left corner at (x, y), at its own size."""
        grown = image.convert("RGB").resize((image.width * FACTOR, image.height * FACTOR), Image.Resampling.BICUBIC)
        self._image.paste(grown, (round(x * FACTOR), round(y * FACTOR)))

    def finished(self, colours: int = 96) -> Image.Image:
        """The picture, with a palette."""
        small = self._image.reduce(FACTOR)
        return small.quantize(colors=colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
