"""A JPEG that may go as it is: damage is found without decoding it wherever decoding would find it."""

from __future__ import annotations

import io
import random

import pytest
from PIL import Image

from core.errors import PictureError
from core.pictures.bodies import without_body
from core.pictures.loading import open_checked, orientation, probed


def jpeg(size: tuple[int, int] = (40, 30), mode: str = "RGB", **options: object) -> bytes:
    buffer = io.BytesIO()
    Image.effect_noise(size, 80).convert(mode).save(buffer, "JPEG", **options)
    return buffer.getvalue()


def upside_down() -> Image.Exif:
    exif = Image.Exif()
    exif[0x0112] = 3
    return exif


PLAIN = {
    "colour": jpeg(),
    "grey": jpeg(mode="L"),
    "print": jpeg(mode="CMYK"),
    "restarts": jpeg(restart_marker_blocks=2),
    "its own tables": jpeg(optimize=True, comment=b"hello"),
    "turned": jpeg(exif=upside_down()),
}


@pytest.mark.parametrize("data", PLAIN.values(), ids=PLAIN.keys())
def test_a_whole_body_is_seen_to_be_whole(data: bytes) -> None:
    header = without_body(data)
    assert header is not None
    assert len(header) < len(data)
    image, size = probed(data, name="x")
    whole = open_checked(data)
    assert (size, image.mode, image.format) == (whole.size, whole.mode, whole.format)
    assert orientation(image) == orientation(whole)


@pytest.mark.parametrize(
    "data",
    [
        jpeg()[:-200],
        jpeg()[:-2],
        jpeg() + b"more",
        jpeg(progressive=True),
        jpeg()[:-200] + b"\xff\xc0" + jpeg()[-198:],
        b"\xff\xd8\xff\xd9",
        b"",
        b"\x89PNG\r\n\x1a\n\xff\xd9",
    ],
    ids=["torn", "no end", "more after it", "several scans", "a marker within", "nothing in it", "empty", "no JPEG"],
)
def test_what_is_not_seen_to_be_whole_is_left_to_the_decoder(data: bytes) -> None:
    assert without_body(data) is None


def damaged(data: bytes, chances: random.Random) -> bytes:
    at = chances.randrange(len(data))
    noise = bytes(chances.randrange(256) for _ in range(chances.randrange(1, 30)))
    return chances.choice(
        (
            data[:at] + noise + data[at + len(noise) :],
            data[:at] + data[at + len(noise) :],
            data[:at] + noise + data[at:],
            data[:at] + b"\xff" + data[at + 1 :],
            data[:at],
            data[:at] + b"\xff\xd9",
        )
    )


def test_damage_is_found_where_decoding_finds_it() -> None:
    """1,200 damaged files: none is let through that a decoder refuses, none refused that it takes."""
    chances = random.Random(8)
    told: dict[tuple[bool, bool], int] = {}
    for number in range(1200):
        data = damaged(chances.choice(tuple(PLAIN.values())), chances)
        found = []
        for look in (lambda data: probed(data, name="x")[1], lambda data: open_checked(data, 1).size):
            try:
                found.append(bool(look(data)))
            except PictureError:
                found.append(False)
        assert found[0] == found[1], number
        key = (without_body(data) is not None, found[0])
        told[key] = told.get(key, 0) + 1
    assert told[True, True] > 100
    assert told[False, False] > 100
