"""Pictures in half blocks, two pixels a cell: the sequence of a line is made in one go, in the thread that scales.

A picture is thousands of cells. Styled one by one, as texts are, they cost the event loop more than all else on the
screen together.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PIL import Image
from rich.color import Color, ColorSystem
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as TextualColor
from textual.filter import ANSIToTruecolor, LineFilter
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from tui.encoding import BLOCK, PAYLOAD, block_lines
from tui.harmless import Harmless

LINES: Final = "lines"
"""Under this name a picture's ``info`` holds the lines that it is drawn in."""

_UNCHANGED = (ANSIToTruecolor, Harmless)
"""Filters that leave a line of a picture as it is."""


class BlockLine(Strip):
    """A line of cells, ``pixels`` two rows of RGB, the upper one first. ``sequence`` draws it on a terminal of all
    colours; it is taken apart into cells only where something lies over it, or where colours are changed."""

    __slots__ = ("_apart", "_pixels", "_sequence")

    def __init__(self, sequence: str, pixels: bytes) -> None:
        self._apart: list[Segment] | None = None
        self._sequence = sequence
        self._pixels = pixels
        super().__init__((), len(pixels) // 6)

    @property
    def _segments(self) -> list[Segment]:
        if self._apart is None:
            half = len(self._pixels) // 2
            cells = zip(_rgb(self._pixels[:half]), _rgb(self._pixels[half:]), strict=True)
            self._apart = [Segment(BLOCK, _style(*cell)) for cell in cells]
        return self._apart

    @_segments.setter
    def _segments(self, given: list[Segment]) -> None:
        self._apart = given or None

    def render(self, console: Console) -> str:
        """The sequence, where this terminal has all colours."""
        if console._color_system in (None, ColorSystem.TRUECOLOR):
            return self._sequence
        return super().render(console)

    def apply_filter(self, filter: LineFilter, background: TextualColor) -> Strip:  # noqa: A002  Textual's own word
        if isinstance(filter, _UNCHANGED):
            return self
        return super().apply_filter(filter, background)


class BlockImage(Widget, can_focus=False):
    """A picture over the whole widget: as many cells across as ``image`` has pixels, and half as many down."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: Image.Image | None = None
        self._lines: list[BlockLine] = []

    @property
    def image(self) -> Image.Image | None:
        """The picture, scaled to two pixels a cell."""
        return self._shown

    @image.setter
    def image(self, image: Image.Image | None) -> None:
        self._shown = image
        self._lines = []
        if image is not None:
            self._lines = lines_of(image)
        self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines as they are: no border, no padding, no style of the widget comes near them."""
        background = self.background_colors[1]
        empty = Style(bgcolor=background.rich_color)
        blank = Strip.blank(crop.right, empty)
        filters = self.get_line_filters()
        lines: list[Strip] = []
        for y in crop.line_range:
            line: Strip = self._lines[y] if y < len(self._lines) else blank
            for each in filters:
                line = line.apply_filter(each, background)
            lines.append(line.crop_extend(crop.x, crop.right, empty))
        return lines


def lines_of(image: Image.Image) -> list[BlockLine]:
    """Of a picture scaled to two pixels a cell; made once, best in the thread that scales it, and kept with it."""
    lines: list[BlockLine] | None = image.info.get(LINES)
    if lines is None:
        pixels, line = image.tobytes(), 6 * image.width
        sequences = (str(image.info.get(PAYLOAD, "")) or block_lines(image)).split("\n")
        lines = [BlockLine(sequence, pixels[at * line : (at + 1) * line]) for at, sequence in enumerate(sequences)]
        image.info[LINES] = lines
    return lines


@lru_cache(4096)
def _style(upper: tuple[int, int, int], lower: tuple[int, int, int]) -> Style:
    return Style(color=Color.from_rgb(*upper), bgcolor=Color.from_rgb(*lower))


def _rgb(row: bytes) -> zip[tuple[int, int, int]]:
    return zip(row[::3], row[1::3], row[2::3], strict=True)
