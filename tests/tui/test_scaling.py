"""Pictures for the screen: what is cut out of them, what is said of them, and bad ones told in words."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from core.pictures import Pictures, encoded
from core.records import Item, Picture, SentPicture, Show
from tui.encoding import PAYLOAD
from tui.imaging import Imaging
from tui.state.arranging import Recorded
from tui.state.view import FIT
from tui.widgets.scaling import Scaler, weight

ONE = Show((0,))


def item_of(*pictures: Picture) -> Item:
    return Item("bench", "", "1", pictures, {}, {})


def saved(path: Path, image: Image.Image, **options: object) -> Picture:
    image.save(path, **options)
    return Picture(path.name, str(path))


def scaler(kind: str = "halfcell", **stored: bytes) -> Scaler:
    return Scaler(Pictures(), Imaging(kind), stored.get)  # type: ignore[arg-type]


def ramp(mode: str) -> Image.Image:
    grey = Image.linear_gradient("L").resize((64, 32))
    if mode not in ("I", "F", "I;16"):
        return grey.convert(mode)
    wide = grey.convert("F").point(lambda value: value * 257 + 0)
    return wide.convert("I").convert("I;16") if mode == "I;16" else wide.convert(mode)


@pytest.mark.parametrize(
    ("mode", "ending"),
    [("CMYK", "jpg"), ("I", "tiff"), ("F", "tiff"), ("I;16", "png"), ("RGBA", "png"), ("1", "png"), ("LA", "png")],
)
def test_every_mode_is_drawn(tmp_path: Path, mode: str, ending: str) -> None:
    made = scaler().make(item_of(saved(tmp_path / f"a.{ending}", ramp(mode))), ONE, 20, 10)
    assert made.image is not None
    assert made.image.mode == "RGB"
    low, high = made.image.convert("L").getextrema()
    assert (low < 60, high > 190) == (True, True), "neither clipped to white nor to black"


def test_exif_turns_it_upright(tmp_path: Path) -> None:
    turned = Image.Exif()
    turned[0x0112] = 6
    made = scaler().make(item_of(saved(tmp_path / "a.jpg", ramp("RGB"), exif=turned)), ONE, 20, 10)
    assert made.size == (32, 64)


def test_what_cannot_be_shown_is_said_and_looked_at_again(tmp_path: Path) -> None:
    torn = tmp_path / "torn.png"
    torn.write_bytes(saved_bytes(ramp("RGB"))[:60])
    empty = tmp_path / "empty.png"
    empty.touch()
    huge = tmp_path / "huge.png"
    huge.write_bytes(saved_bytes(Image.new("1", (9000, 9000))))
    late = tmp_path / "late.png"
    shown = scaler()
    for path, words in ((torn, "torn or damaged"), (empty, "empty"), (huge, "too many"), (late, "missing")):
        made = shown.make(item_of(Picture(path.name, str(path))), ONE, 20, 10)
        assert made.image is None
        assert words in made.words
    saved(late, ramp("RGB"))
    assert shown.make(item_of(Picture(late.name, str(late))), ONE, 20, 10).image is not None


def saved_bytes(image: Image.Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def test_what_was_sent_is_shown_though_the_file_is_gone_or_another() -> None:
    sent = encoded(Image.new("RGB", (200, 100), "teal"), "gone.png", 5000)
    bare = SentPicture(sent.hash, sent.mime, sent.size, sent.original_size, sent.name)
    item = item_of(Picture("gone.png", "/nowhere/gone.png"))
    made = scaler(**{sent.hash: sent.data}).make(item, Recorded(ONE, bare), 20, 10)
    assert made.image is not None
    assert made.image.getpixel((0, 0)) == (0, 128, 128)
    assert made.words == f"100x50 of 200x100, {weight(len(sent.data))}"
    assert "missing" in scaler().make(item, Recorded(ONE, bare), 20, 10).words


def test_a_part_is_cut_from_the_whole_picture_not_from_the_small_one() -> None:
    board = Image.new("RGB", (1000, 1000), "white")
    board.paste("black", (500, 0, 1000, 1000))
    item = item_of(Picture("board", data=saved_bytes(board)))
    shown = scaler("sixel")
    whole = shown.make(item, ONE, 10, 5)
    assert whole.image is not None
    assert (whole.size, whole.image.size, whole.cells) == ((1000, 1000), (100, 100), (10, 5))
    near = shown.make(item, ONE, 10, 5, FIT.zoomed(8, whole.size, (100, 100)))
    assert near.image is not None
    greys = [near.image.convert("L").getpixel((x, 50)) for x in range(100)]
    assert (greys[40], greys[60]) == (255, 0), "one pixel's edge, an eighth of the picture wide"
    assert shown.kept(item, ONE, 10, 5) is whole


def test_a_large_photograph_looks_as_if_it_were_decoded_whole() -> None:
    buffer = io.BytesIO()
    Image.linear_gradient("L").resize((1000, 700)).convert("RGB").save(buffer, "JPEG", quality=95)
    made = scaler().make(item_of(Picture("a", data=buffer.getvalue())), ONE, 38, 15)
    whole = Image.open(io.BytesIO(buffer.getvalue()))
    assert made.image is not None
    assert made.size == whole.size == (1000, 700)
    wanted = whole.resize(made.image.size, reducing_gap=2.0)
    pairs = zip(made.image.tobytes(), wanted.tobytes(), strict=True)
    assert max(abs(mine - its) for mine, its in pairs) <= 4


@pytest.mark.parametrize(
    ("kind", "begins"),
    [("sixel", "\x1bP"), ("iterm2", "\x1b]1337;"), ("kitty", "iVBOR"), ("halfcell", "\x1b[38;2;"), ("unicode", "")],
)
def test_the_sequence_is_made_with_the_picture(kind: str, begins: str) -> None:
    item = item_of(Picture("a", data=saved_bytes(ramp("RGB"))))
    image = scaler(kind).make(item, ONE, 10, 5).image
    assert image is not None
    assert str(image.info.get(PAYLOAD, "")).startswith(begins)
    assert (PAYLOAD in image.info) == bool(begins)


def test_memory_is_bounded() -> None:
    shown = scaler("sixel")
    for number in range(40):
        picture = Picture(str(number), data=saved_bytes(Image.new("RGB", (64, 64), (number, 0, 0))))
        shown.make(item_of(picture), ONE, 80, 40)
    assert shown._kept.weight <= 16 * 1024 * 1024
    assert 0 < len(shown._kept) < 40


def test_bytes_are_told_as_people_read_them() -> None:
    assert [weight(count) for count in (0, 999, 1000, 84_200, 999_499, 999_500, 12_300_000)] == [
        "0 B", "999 B", "1 KB", "84 KB", "999 KB", "1.0 MB", "12.3 MB"]  # fmt: skip
