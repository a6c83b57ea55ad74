"""A picture that somebody made as an answer: through the same door as every other, before it is kept or shown."""

from __future__ import annotations

from typing import Final

from core.errors import PictureError
from core.pictures.sending import as_sent
from core.records import SentPicture

MADE_BYTES: Final = 64 * 1024 * 1024
"""A larger file is refused: it would be kept whole."""


def made(data: bytes, name: str) -> SentPicture:
    """The bytes as they stand where every reader sees them alike, else a PNG of them.

    Raises PictureError for what is torn, too large or no picture. Takes tens of milliseconds: call it in a thread.
    """
    if len(data) > MADE_BYTES:
        raise PictureError(f"{len(data):,} bytes are too many (the limit is {MADE_BYTES:,})", where=name)
    try:
        return as_sent(data, name, name)
    except PictureError as error:
        raise PictureError(error.what, where=name) from error
