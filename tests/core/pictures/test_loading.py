"""Any file becomes upright 8-bit RGB on white, or one PictureError that names it."""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from core.errors import PictureError
from core.pictures import load_rgb, sniff
from core.pictures.loading import load_smaller


def encode(image: Image.Image, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def test_a_rotated_photograph_is_shown_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    photo = Image.new("RGB", (600, 400), "red")
    loaded = load_rgb(encode(photo, "JPEG", exif=exif))
    assert loaded.size == (400, 600)


@pytest.mark.parametrize(
    ("kind", "turn", "least", "size", "whole"),
    [
        ("JPEG", 1, 100, (256, 128), (1024, 512)),
        ("JPEG", 6, 100, (128, 256), (512, 1024)),
        ("JPEG", 1, 600, (1024, 512), (1024, 512)),
        ("PNG", 1, 100, (1024, 512), (1024, 512)),
    ],
)
def test_no_more_of_a_photograph_is_decoded_than_is_seen(
    kind: str, turn: int, least: int, size: tuple[int, int], whole: tuple[int, int]
) -> None:
    exif = Image.Exif()
    exif[0x0112] = turn
    image, told = load_smaller(encode(Image.new("RGB", (1024, 512), "red"), kind, exif=exif), least, name="a")
    assert (image.size, image.mode, told) == (size, "RGB", whole)


def test_transparency_is_laid_on_white() -> None:
    clear = Image.new("RGBA", (8, 8), (255, 0, 0, 0))
    assert load_rgb(encode(clear, "PNG")).getpixel((0, 0)) == (255, 255, 255)
    palette = Image.new("P", (8, 8), 0)
    assert load_rgb(encode(palette, "PNG", transparency=0)).getpixel((0, 0)) == (255, 255, 255)


HOLDS = {
    "PNG": ("1", "L", "LA", "P", "RGB", "RGBA", "I;16"),
    "TIFF": ("1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16", "I", "F"),
    "JPEG": ("1", "L", "RGB", "CMYK"),
    "WEBP": ("L", "RGB", "RGBA"),
    "GIF": ("1", "L", "P", "RGB", "RGBA"),
    "BMP": ("1", "L", "P", "RGB", "RGBA"),
}


@pytest.mark.parametrize(("kind", "mode"), [(kind, mode) for kind, modes in HOLDS.items() for mode in modes])
def test_every_mode_of_every_kind_comes_out_as_rgb(kind: str, mode: str) -> None:
    data = encode(Image.new(mode, (12, 8)), kind)
    loaded = load_rgb(data)
    assert (loaded.mode, loaded.size) == ("RGB", (12, 8))


def test_sixteen_bit_grey_keeps_its_greys() -> None:
    deep = Image.new("I;16", (2, 1))
    deep.putpixel((0, 0), 32768)
    deep.putpixel((1, 0), 65535)
    loaded = load_rgb(encode(deep, "PNG"))
    assert loaded.getpixel((0, 0)) in {(127, 127, 127), (128, 128, 128)}
    assert loaded.getpixel((1, 0)) == (255, 255, 255)


@pytest.mark.parametrize(
    ("values", "expected"), [((0.0, 0.5, 1.0), 127), ((0.0, 128.0, 255.0), 128), ((-10.0, 0.0, 10.0), 127)]
)
def test_float_greys_are_scaled_by_their_range(values: tuple[float, ...], expected: int) -> None:
    picture = Image.new("F", (3, 1))
    for x, value in enumerate(values):
        picture.putpixel((x, 0), value)
    middle = load_rgb(encode(picture, "TIFF")).getpixel((1, 0))
    assert isinstance(middle, tuple)
    assert abs(middle[0] - expected) <= 1


def test_the_longer_side_is_bounded_and_the_aspect_kept() -> None:
    assert load_rgb(encode(Image.new("RGB", (3000, 1000)), "JPEG"), 300).size == (300, 100)
    assert load_rgb(encode(Image.new("RGB", (30, 10)), "PNG"), 300).size == (30, 10)


def test_a_bomb_is_refused_before_it_is_decoded_and_pillows_limit_stays(tmp_path: Path) -> None:
    """im08: a 1-bit PNG of 20000 x 20000 in a 50 KB file."""
    bomb = tmp_path / "bomb.png"
    bomb.write_bytes(one_bit_png(20_000, 20_000))
    assert bomb.stat().st_size < 60_000
    limit = Image.MAX_IMAGE_PIXELS
    with pytest.raises(PictureError, match=r"bomb\.png.*400,000,000 pixels are too many"):
        load_rgb(bomb)
    assert limit == Image.MAX_IMAGE_PIXELS


def test_too_many_pixels_below_pillows_limit_are_refused_without_a_warning() -> None:
    with warnings.catch_warnings(record=True) as told, pytest.raises(PictureError, match="9000 x 9000"):
        load_rgb(one_bit_png(9_000, 9_000))
    assert not told


@pytest.mark.parametrize(
    ("name", "data", "what"),
    [
        ("empty.png", b"", "0 bytes"),
        ("notes.png", b"not a picture at all, but a note", "no picture"),
        ("photo.heic", b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", "HEIC"),
        ("clip.mp4", b"\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isomiso2", "no picture"),
    ],
)
def test_what_is_no_picture_is_named(tmp_path: Path, name: str, data: bytes, what: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(PictureError) as caught:
        load_rgb(path)
    assert name in str(caught.value)
    assert what in caught.value.what
    assert caught.value.remedy


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_a_torn_body_is_an_error_and_no_half_picture(tmp_path: Path, kind: str) -> None:
    noise = Image.effect_noise((200, 200), 80).convert("RGB")
    path = tmp_path / "torn"
    data = encode(noise, kind)
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(PictureError, match="torn or damaged"):
        load_rgb(path)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="missing"):
        load_rgb(tmp_path / "gone.png")
    with pytest.raises(PictureError, match="cannot be read"):
        load_rgb(tmp_path)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["PNG", "JPEG", "GIF", "TIFF", "WEBP", "BMP"]), st.binary(max_size=40), st.integers(0, 400))
def test_a_damaged_file_raises_nothing_but_a_picture_error(kind: str, noise: bytes, at: int) -> None:
    data = encode(Image.linear_gradient("L").resize((20, 20)).convert("RGB"), kind)
    damaged = data[:at] + noise + data[at + len(noise) :]
    try:
        outcome = load_rgb(damaged).mode
    except PictureError as error:
        outcome = error.where
    assert outcome in ("RGB", "a picture in the data")


@pytest.mark.parametrize(
    ("kind", "mime"),
    [
        ("PNG", "image/png"),
        ("JPEG", "image/jpeg"),
        ("GIF", "image/gif"),
        ("WEBP", "image/webp"),
        ("TIFF", "image/tiff"),
        ("BMP", "image/bmp"),
        ("PPM", "image/x-portable-anymap"),
        ("AVIF", "image/avif"),
    ],
)
def test_the_kind_is_told_by_the_bytes(kind: str, mime: str) -> None:
    assert sniff(encode(Image.new("RGB", (8, 8)), kind)[:64]) == mime


def one_bit_png(width: int, height: int) -> bytes:
    """A black 1-bit PNG, made without holding its pixels."""
    rows = zlib.compressobj(9)
    row = bytes(1 + (width + 7) // 8)
    body = b"".join(rows.compress(row) for _ in range(height)) + rows.flush()
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)), (b"IDAT", body), (b"IEND", b"")]
    packed = (struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)
