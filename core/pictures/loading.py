"""Any picture file to upright 8-bit RGB on white: the one way in, for the screen and for the models."""

from __future__ import annotations

import io
import re
import warnings
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Final

from PIL import Image, ImageOps

from core.errors import PictureError
from core.files import read_bytes as read_regular
from core.pictures.bodies import without_body
from core.pictures.room import DECODED, FLATTENED, ROOM
from core.pictures.sniffing import HEAD, sniff

MAX_PIXELS: Final = 64_000_000
"""A picture with more is refused before it is decoded."""

FORMATS: Final = ("JPEG", "PNG", "GIF", "WEBP", "BMP", "DIB", "TIFF", "PPM", "AVIF", "ICO", "JPEG2000")
"""The decoders that are let loose on a file: none of them starts another program."""

_ORIENTATION: Final = 0x0112
_SIDEWAYS: Final = 5  # from this orientation on, width and height change places
_LEAST: Final = (None, (1, 1))
_UNREADABLE: Final = "Replace the file, or run the rest with --skip-bad"
_SMALLER: Final = "Scale it down, or run the rest with --skip-bad"

# Pillow warns on stderr (of large pictures, of damaged EXIF), and that would write across the screen. Nothing is lost
# by silence: each picture's size is checked below before it is decoded, and Pillow's own limit stays as it is.
warnings.filterwarnings("ignore", category=Image.DecompressionBombWarning)
warnings.filterwarnings("ignore", category=UserWarning, module=r"PIL\.")


def load_rgb(
    source: Path | bytes, max_side: int | None = None, *, name: str = "", max_pixels: int = MAX_PIXELS
) -> Image.Image:
    """Upright 8-bit RGB, composited on white, no larger than ``max_side`` on its longer side.

    Raises PictureError, which names the file (or ``name``, for bytes), and nothing else. Takes tens of
    milliseconds: call it in a thread.
    """
    with ROOM.job():
        image = open_checked(source, max_side, name=name, max_pixels=max_pixels)
        return flatten(image, max_side, where=_place(source, name))


def open_checked(
    source: Path | bytes, max_side: int | None = None, *, name: str = "", max_pixels: int = MAX_PIXELS
) -> Image.Image:
    """The picture as its file has it (mode, EXIF), decoded whole. Raises only PictureError.

    ``max_side`` lets a JPEG be decoded at a half, a quarter or an eighth, but never below that many pixels.
    """
    where = _place(source, name)
    data = source if isinstance(source, bytes) else read_bytes(source)
    draft = None if max_side is None else ("RGB", (max_side, max_side))
    return _opened(data, where, max_pixels, draft)[0]


def probed(data: bytes, *, name: str) -> tuple[Image.Image, tuple[int, int]]:
    """The picture, looked over to its end, and its size in pixels. Raises only PictureError.

    Its pixels are not to be used: a JPEG comes in an eighth of its size, and one whose body is seen to be whole comes
    without. Damage shows all the same.
    """
    header = without_body(data)
    if header is not None:
        with suppress(PictureError):  # then the whole file says why
            return _of_header(header)
    return _opened(data, name, MAX_PIXELS, _LEAST, DECODED)


def pixels_of(data: bytes) -> int:
    """How many the picture says that it has; 0 where nothing can be read."""
    with suppress(Exception), Image.open(io.BytesIO(data), formats=_formats()) as image:
        return image.width * image.height
    return 0


def look_over(data: bytes, *, name: str) -> None:
    """Raise PictureError where nothing can be made of the file, as whoever wants the picture would meet it.

    Less work than to decode it where it is whole: of a PNG the sums of its parts are checked.
    """
    refuse_foreign(data, name)
    if sniff(data[:HEAD]) == "image/png":
        with suppress(Exception), Image.open(io.BytesIO(data), formats=("PNG",)) as image:
            size = image.size
            image.verify()
            _refuse_bomb(size, name, MAX_PIXELS)
            return
    probed(data, name=name)


@lru_cache(maxsize=16)
def _of_header(header: bytes) -> tuple[Image.Image, tuple[int, int]]:
    """Pictures that one program made in one size have one header."""
    image, size = _opened(header, "", MAX_PIXELS, _LEAST)
    orientation(image)  # it reads EXIF at the first look, and from here on several threads may look
    return image, size


def load_smaller(data: bytes, least: int, *, name: str) -> tuple[Image.Image, tuple[int, int]]:
    """As ``load_rgb`` has it, a JPEG in a half, a quarter or an eighth of its size where that leaves ``least`` pixels
    on its shorter side; and the size of the whole picture. Raises only PictureError."""
    with ROOM.job():
        image, (width, height) = _opened(data, name, MAX_PIXELS, ("RGB", (least, least)))
        turned = orientation(image) >= _SIDEWAYS
        return flatten(image, where=name), (height, width) if turned else (width, height)


def _opened(
    data: bytes,
    where: str,
    max_pixels: int,
    draft: tuple[str | None, tuple[int, int]] | None,
    per_pixel: int = FLATTENED,
) -> tuple[Image.Image, tuple[int, int]]:
    refuse_foreign(data, where)
    try:
        image = Image.open(io.BytesIO(data), formats=_formats())
        size = image.size
        _refuse_bomb(size, where, max_pixels)
        if draft is not None:
            image.draft(*draft)
        with ROOM.job():
            ROOM.take(image.width * image.height * per_pixel)
            image.load()
    except PictureError:
        raise
    except Image.DecompressionBombError as error:
        raise PictureError(_too_many(str(error)), where=where, remedy=_SMALLER) from error
    except (Exception, MemoryError) as error:  # decoders raise anything on a torn file
        raise PictureError(
            f"the picture is torn or damaged ({_told(error)})", where=where, remedy=_UNREADABLE
        ) from error
    return image, size


def refuse_foreign(data: bytes, where: str) -> None:
    """Raise PictureError where the first bytes alone show that the file is no picture that can be read here."""
    if not data:
        raise PictureError("the file is empty (0 bytes)", where=where, remedy=_UNREADABLE)
    mime = sniff(data[:HEAD])
    if not mime:
        raise PictureError("the file is no picture", where=where, remedy=_UNREADABLE)
    if mime == "image/heic" and "HEIF" not in Image.OPEN:
        raise PictureError(
            "the file is HEIC, and no decoder for it is installed",
            where=where,
            remedy="Convert it to PNG or JPEG, or install pillow-heif and register its opener",
        )


def read_bytes(path: Path) -> bytes:
    """The file's bytes, or PictureError that says why not."""
    try:
        return read_regular(path)
    except FileNotFoundError as error:
        raise PictureError(
            "the picture is missing", where=str(path), remedy="Name its folder with --pictures"
        ) from error
    except OSError as error:
        raise PictureError(f"the picture cannot be read ({error.strerror})", where=str(path)) from error
    except ValueError as error:
        raise PictureError(f"the picture's path is none ({error})", where=ascii(str(path))) from error


def orientation(image: Image.Image) -> int:
    """The EXIF orientation, 1 where there is none or it makes no sense."""
    try:
        value = image.getexif().get(_ORIENTATION, 1)
    except Exception:  # noqa: BLE001  a damaged EXIF block is no reason to lose the picture
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def flatten(image: Image.Image, max_side: int | None = None, *, where: str = "") -> Image.Image:
    """A decoded picture to upright 8-bit RGB on white, scaled down to ``max_side``. Raises only PictureError."""
    try:
        with ROOM.job():
            ROOM.take(image.width * image.height * FLATTENED)
            return _flattened(image, max_side)
    except PictureError as error:
        raise PictureError(error.what, where=where, remedy=_UNREADABLE) from error
    except (Exception, MemoryError) as error:
        raise PictureError(f"the picture cannot be converted ({_told(error)})", where=where) from error


def _flattened(image: Image.Image, max_side: int | None) -> Image.Image:
    image = _eight_bit(image)
    if orientation(image) != 1:
        image = ImageOps.exif_transpose(image)
    if image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info:
        rgba = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", rgba.size, "white"), rgba)
    image = image.convert("RGB")
    if max_side is not None and max(image.size) > max_side:
        image.thumbnail((max_side, max_side), Image.Resampling.LANCZOS, reducing_gap=2.0)
    image.info.clear()
    return image


def _eight_bit(image: Image.Image) -> Image.Image:
    """16-bit, 32-bit and float greys scaled to 8 bits; Pillow's own conversion would clip them to white."""
    if not (image.mode.startswith("I") or image.mode == "F"):
        return image
    exif = image.getexif()
    wide = image if image.mode == "F" else image.convert("F")
    low, high = wide.getextrema()
    if not (isinstance(low, float) and isinstance(high, float)) or low != low or high != high:
        raise PictureError("the picture holds values that are no numbers")
    if image.mode.startswith("I;16") or (low >= 0 and 255 < high <= 65535):
        low, high = 0.0, 65535.0
    elif low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    elif low >= 0 and high <= 255:
        low, high = 0.0, 255.0
    scale = 255.0 / (high - low) if high > low else 0.0
    offset = -low * scale
    grey = wide.point(lambda value: value * scale + offset).convert("L")
    if orientation(image) != 1:
        grey.info["exif"] = exif.tobytes()
    return grey


def _place(source: Path | bytes, name: str) -> str:
    return name or (str(source) if isinstance(source, Path) else "a picture in the data")


def _formats() -> tuple[str, ...]:
    return (*FORMATS, "HEIF") if "HEIF" in Image.OPEN else FORMATS


def _refuse_bomb(size: tuple[int, int], where: str, max_pixels: int) -> None:
    if size[0] * size[1] > max_pixels:
        raise PictureError(
            f"{size[0]} x {size[1]} pixels are too many (the limit is {max_pixels:,})",
            where=where,
            remedy=_SMALLER,
        )


def _too_many(told: str) -> str:
    found = re.search(r"\d+", told)
    return f"{int(found[0]):,} pixels are too many (the limit is {MAX_PIXELS:,})" if found else "too many pixels"


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
