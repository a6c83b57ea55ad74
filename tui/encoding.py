"""What a terminal that draws pixels is sent for a picture: made in threads, ahead of the screen that wants it."""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PIL.Image import Image

    from tui.imaging import Cell, Kind

PAYLOAD: Final = "payload"
"""Under this name a picture's ``info`` holds what ``payload`` made of it."""

COMPRESSION: Final = 2  # of PNG: the way to the terminal is short


def payload(kind: Kind, image: Image, cell: Cell) -> str:
    """The picture, scaled to its cells already, in that protocol; "" for kinds that draw with letters.

    Kitty's is a PNG as base64, without the control data, which need an id. The others are whole sequences that draw
    at the cursor. Takes tens of milliseconds: call it in a thread.
    """
    if kind == "kitty":
        return _png(image)[0]
    if kind == "iterm2":
        return iterm2(image, cell)
    if kind == "sixel":
        from textual_image._sixel import image_to_sixels

        return image_to_sixels(image)
    return ""


def iterm2(image: Image, cell: Cell) -> str:
    """iTerm2's inline image, over as many cells as its pixels take, the cursor left where it was."""
    text, size = _png(image)
    columns, rows = max(-(-image.width // cell.width), 1), max(-(-image.height // cell.height), 1)
    return (
        f"\x1b]1337;File=inline=1;size={size};width={columns};height={rows};preserveAspectRatio=0;doNotMoveCursor=1"
        f":{text}\x07"
    )


def _png(image: Image) -> tuple[str, int]:
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=COMPRESSION)
    return base64.b64encode(buffer.getvalue()).decode("ascii"), buffer.tell()
