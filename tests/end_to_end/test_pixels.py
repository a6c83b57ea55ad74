"""What terminals that draw pixels get: the app finds out which it is in, and the pictures come out right."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from core.records import Show
from tests.end_to_end.pixels import COLUMNS, PLACEHOLDER, ROWS, PixelTerminal, drawn, latest
from tests.tui import stage
from tui.fitting import picture_rows
from tui.imaging import Cell, Imaging, Kind
from tui.widgets.scaling import Scaler

CLOSE = 6.0
"""Mean difference of a channel, of 255, that a palette of 256 colours may make; another picture is far above."""


def wanted(kind: Kind, columns: int, rows: int) -> list[Image.Image]:
    """The pictures of the first item in pixels, as they are scaled for that space."""
    scaler = Scaler(stage.drawn(), Imaging(kind, Cell(10, 20)))
    item = stage.items(1)[0]
    made = [scaler.make(item, Show((index,)), columns, rows).image for index in range(len(item.pictures))]
    return [image for image in made if image is not None]


def far(one: Image.Image, other: Image.Image) -> float:
    """Mean difference of their channels."""
    assert one.size == other.size
    return max(ImageStat.Stat(ImageChops.difference(one, other.convert("RGB"))).mean)


@pytest.mark.parametrize("kind", ["kitty", "sixel", "iterm2"])
def test_its_pictures_are_those_of_the_item(kind: Kind, tmp_path: Path) -> None:
    arguments = ("demo", "voila:ND", "--respondent", "oracle", "--store", str(tmp_path / "demo.db"))
    terminal = PixelTerminal(kind, {"HOME": str(tmp_path)}, *arguments)

    def so_many(count: int, since: int = 0) -> Callable[[bytes], bool]:
        return lambda heard: len(latest(kind, heard[since:])) >= count

    try:
        got = latest(kind, terminal.wait(so_many(3)))
        expected = wanted(kind, COLUMNS // 3 - 2, picture_rows(COLUMNS, ROWS, 3))
        apart = [far(each.image, image) for each, image in zip(got, expected, strict=True)]
        assert max(apart) <= (CLOSE if kind == "sixel" else 0)
        assert min(far(got[0].image, image) for image in expected[1:]) > 2 * CLOSE, "they could be told apart"
        if kind == "kitty":
            numbers = {each.number for each in got}
            terminal.wait(lambda heard: heard.decode("utf-8", "replace").count(PLACEHOLDER) >= _placed(heard))
            assert numbers <= {int(number) for number in re.findall(rb"a=p,i=(\d+)", terminal.heard)}
        else:
            thirds = [int((each.at or (0, 0))[0] - 1) * 3 // COLUMNS for each in got]
            assert thirds == [0, 1, 2]

        before = terminal.press(b"z")
        whole = wanted(kind, COLUMNS - 2, ROWS - 3)[0]

        def large(heard: bytes) -> list[Image.Image]:
            return [each.image for each in drawn(kind, heard[before:]) if each.image.size == whole.size]

        assert far(large(terminal.wait(lambda heard: bool(large(heard))))[0], whole) <= (
            CLOSE if kind == "sixel" else 0
        )
        before = terminal.press(b"\x1b")
        if kind == "kitty":
            terminal.wait(lambda heard: PLACEHOLDER in heard[before:].decode("utf-8", "replace"))
        else:  # what lay in the cells was wiped out by the other screen
            places = {each.at for each in got}
            terminal.wait(lambda heard: places <= {each.at for each in drawn(kind, heard[before:])})
            again = {each.at: each.image for each in drawn(kind, terminal.heard[before:])}
            assert max(far(again[each.at], image) for each, image in zip(got, expected, strict=True)) <= CLOSE
        terminal.wait(lambda heard: b"first wrong" in heard[before:])  # esc and q at once would be alt+q
        terminal.press(b"q")
        assert terminal.ended() == 0
        if kind == "kitty":
            freed = {int(number) for number in re.findall(rb"a=d,d=I,i=(\d+)", terminal.heard)}
            assert freed >= {each.number for each in drawn(kind, terminal.heard)}, "nothing is left in the terminal"
    finally:
        terminal.close()


def _placed(heard: bytes) -> int:
    """Cells of all the pictures placed."""
    return sum(int(columns) * int(rows) for columns, rows in re.findall(rb"a=p,i=\d+,c=(\d+),r=(\d+)", heard))
