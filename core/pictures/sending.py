"""A picture to the bytes that a model gets: the file's own where they will do, else a PNG or JPEG made here."""

from __future__ import annotations

import hashlib
import io
import math
from dataclasses import dataclass
from typing import Final, Literal

from PIL import Image

from core.pictures.loading import flatten, open_checked, orientation, probed
from core.pictures.room import FLATTENED, ROOM
from core.pictures.sniffing import HEAD, SENDABLE, sniff
from core.records import SentPicture

SENT_PIXELS: Final = 26_214_400
"""Servers refuse more than 5120 x 5120 pixels in all, before any resizing of their own."""

_PLAIN: Final = frozenset({"1", "L", "P", "RGB"})


@dataclass(frozen=True, slots=True)
class Form:
    """What pictures are to be. ``format`` "": files as they are, and PNG where one has to be made; else one of
    another format is made one of this. ``quality`` is that of a JPEG made so. Width and height are at most
    ``max_side`` (0: any)."""

    format: Literal["", "png", "jpeg"] = ""
    quality: int = 90
    max_side: int = 0

    def takes(self, mime: str, size: tuple[int, int]) -> bool:
        """Whether a file of this kind and size may go as it is."""
        small = not self.max_side or max(size) <= self.max_side
        return small and (not self.format or mime == f"image/{self.format}")


AS_IT_IS: Final = Form()


def as_sent(data: bytes, name: str, where: str, max_pixels: int = SENT_PIXELS, form: Form = AS_IT_IS) -> SentPicture:
    """What is sent for a file with these bytes. Raises PictureError.

    The bytes as they stand where they are JPEG, PNG, GIF or WebP that every reader sees alike: upright without
    EXIF, opaque, 8 bits, one frame, within the budget and of the wanted form. Else what ``load_rgb`` makes of them,
    scaled down to the budget and encoded.
    """
    mime = sniff(data[:HEAD])
    with ROOM.job():
        image, size = probed(data, name=where)
        if mime in SENDABLE and form.takes(mime, size) and size[0] * size[1] <= max_pixels and _alike_for_all(image):
            return SentPicture(_sha(data), mime, size, size, name, data)
        del image
        ROOM.take(size[0] * size[1] * FLATTENED)
        return encoded(flatten(open_checked(data, name=where), where=where), name, max_pixels, form)


def encoded(image: Image.Image, name: str, max_pixels: int = SENT_PIXELS, form: Form = AS_IT_IS) -> SentPicture:
    """An RGB picture as PNG or JPEG, scaled down to the budget. The same pixels give the same bytes."""
    original = image.size
    if form.max_side and max(image.size) > form.max_side:
        image = image.copy()
        image.thumbnail((form.max_side, form.max_side), Image.Resampling.LANCZOS, reducing_gap=2.0)
    image = to_budget(image, max_pixels)
    buffer = io.BytesIO()
    if form.format == "jpeg":
        image.save(buffer, "JPEG", quality=form.quality)
    else:
        image.save(buffer, "PNG", compress_level=6)
    data = buffer.getvalue()
    return SentPicture(_sha(data), f"image/{form.format or 'png'}", image.size, original, name, data)


def to_budget(image: Image.Image, max_pixels: int) -> Image.Image:
    """Scaled down, aspect kept, until it has no more than ``max_pixels`` pixels."""
    pixels = image.width * image.height
    if pixels <= max_pixels:
        return image
    scale = math.sqrt(max_pixels / pixels)
    size = (max(1, int(image.width * scale)), max(1, int(image.height * scale)))
    return image.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0)


def _alike_for_all(image: Image.Image) -> bool:
    if image.format not in ("MPO", "JPEG") and getattr(image, "n_frames", 1) > 1:
        return False
    if orientation(image) != 1:
        return False
    if image.mode in ("RGBA", "LA"):
        return image.getchannel("A").getextrema() == (255, 255)
    return image.mode in _PLAIN and "transparency" not in image.info


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
