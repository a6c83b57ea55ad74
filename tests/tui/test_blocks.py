"""Half blocks: what the terminal is sent is what the cells say, whole or cut, with colours or without."""

from __future__ import annotations

import re
from itertools import product

import pytest
from PIL import Image
from rich.color import ColorSystem
from rich.console import Console
from textual.app import App, ComposeResult
from textual.color import Color
from textual.filter import ANSIToTruecolor, Monochrome
from textual.geometry import Region
from textual.strip import Strip

from tui.encoding import BLOCK, block_lines
from tui.harmless import Harmless
from tui.widgets.blocks import BlockImage, BlockLine

TRUE = Console(color_system="truecolor", force_terminal=True)
FEW = Console(color_system="256", force_terminal=True)
COLOUR = re.compile(r"\x1b\[38;2;(\d+);(\d+);(\d+);48;2;(\d+);(\d+);(\d+)m")


def picture(width: int = 7, height: int = 6) -> Image.Image:
    """No two pixels of a row alike, but for a stretch of one colour."""
    image = Image.new("RGB", (width, height), (9, 9, 9))
    for x, y in product(range(3, width), range(height)):
        image.putpixel((x, y), (x * 30, y * 40, 255 - x * y))
    return image


def lines(image: Image.Image) -> list[BlockLine]:
    shown = BlockImage()
    shown.image = image
    return shown._lines


def read(sequence: str) -> list[tuple[int, ...]]:
    """The colours of each cell that a terminal would draw."""
    cells: list[tuple[int, ...]] = []
    colours: tuple[int, ...] = ()
    while sequence:
        found = COLOUR.match(sequence)
        if found:
            colours, sequence = tuple(map(int, found.groups())), sequence[found.end() :]
        elif sequence.startswith(BLOCK):
            cells, sequence = [*cells, colours], sequence[1:]
        else:
            assert sequence.startswith("\x1b[0m"), sequence
            colours, sequence = (), sequence[4:]
    return cells


def test_a_line_is_two_rows_of_pixels() -> None:
    image = picture()
    for number, line in enumerate(lines(image)):
        wanted = [
            (*image.getpixel((x, 2 * number)), *image.getpixel((x, 2 * number + 1)))  # type: ignore[misc]
            for x in range(image.width)
        ]
        assert read(line.render(TRUE)) == wanted
        assert read(Strip(list(line)).render(TRUE)) == wanted
        assert line.cell_length == image.width


def test_a_colour_is_named_where_it_changes() -> None:
    assert block_lines(Image.new("RGB", (5, 2), (1, 2, 3))) == f"\x1b[38;2;1;2;3;48;2;1;2;3m{BLOCK * 5}\x1b[0m"
    assert len(COLOUR.findall(block_lines(picture(7, 2)))) == 5


def test_a_line_is_cut_where_something_lies_over_it() -> None:
    line = lines(picture())[1]
    whole = read(line.render(TRUE))
    assert [read(part.render(TRUE)) for part in line.divide([2, 5, 7])] == [whole[:2], whole[2:5], whole[5:]]
    assert read(line.crop(1, 4).render(TRUE)) == whole[1:4]
    assert line.divide([7]) == [line]


def test_filters_that_change_no_colour_of_a_picture_leave_the_line() -> None:
    line, background = lines(picture())[0], Color(0, 0, 0)
    assert line.apply_filter(ANSIToTruecolor(App[None]().ansi_theme), background) is line
    assert line.apply_filter(Harmless(), background) is line
    grey = line.apply_filter(Monochrome(), background)
    assert all(style is not None and len(set(style.color.triplet)) == 1 for _, style, _ in grey)  # type: ignore[union-attr,arg-type]


def test_a_terminal_of_few_colours_gets_those() -> None:
    said = lines(Image.new("RGB", (7, 2), (11, 22, 33)))[0].render(FEW)  # drawn in no other way here before
    assert FEW._color_system is ColorSystem.EIGHT_BIT
    assert "38;2;" not in said
    assert said.count(BLOCK) == 7


@pytest.mark.parametrize("crop", [Region(0, 0, 9, 4), Region(2, 1, 3, 2), Region(6, 2, 3, 2)])
async def test_cells_outside_the_picture_are_blank(crop: Region) -> None:
    class Shown(App[None]):
        def compose(self) -> ComposeResult:
            image = BlockImage()
            image.image = picture()
            yield image

    app = Shown()
    async with app.run_test():
        found = app.query_one(BlockImage).render_lines(crop)
    assert [line.cell_length for line in found] == [crop.width] * crop.height
    for y, line in zip(crop.line_range, found, strict=True):
        for x, char in zip(crop.column_range, _cells(line), strict=True):
            assert char == (BLOCK if x < 7 and y < 3 else " ")


def _cells(line: Strip) -> list[str]:
    return [char for segment in line for char in segment.text]
