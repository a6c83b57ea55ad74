"""What a terminal is sent for a picture: made in threads, ahead of the screen that wants it."""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PIL.Image import Image

    from tui.imaging import Cell, Kind

PAYLOAD: Final = "payload"
"""Under this name a picture's ``info`` holds what ``payload`` made of it."""

BLOCK: Final = "▀"
"""The upper half of a cell in one colour, the lower in that of its background."""

COMPRESSION: Final = 2  # of PNG: the way to the terminal is short

_COLOURED: Final = f"\x1b[38;2;%d;%d;%d;48;2;%d;%d;%dm{BLOCK}"
_PLAIN: Final = "\x1b[0m"


def payload(kind: Kind, image: Image, cell: Cell) -> str:
    """The picture, scaled to its cells already, in that protocol; "" for grey letters.

    Kitty's is a PNG as base64, without the control data, which need an id. The others are whole sequences that draw
    at the cursor, but for half blocks, which come as ``block_lines``. Takes up to tens of milliseconds: call it in a
    thread.
    """
    if kind == "halfcell":
        return block_lines(image)
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


def block_lines(image: Image) -> str:
    """An RGB picture in half blocks, in all its colours, a line of text for two rows of pixels. A colour is named
    where it changes."""
    pixels, row, lines = image.tobytes(), 3 * image.width, []
    for at in range(0, len(pixels), 2 * row):
        upper, lower = pixels[at : at + row], pixels[at + row : at + 2 * row]
        before, parts = (), []
        for cell in zip(upper[::3], upper[1::3], upper[2::3], lower[::3], lower[1::3], lower[2::3], strict=True):
            parts.append(BLOCK if cell == before else _COLOURED % cell)
            before = cell
        lines.append("".join(parts) + _PLAIN)
    return "\n".join(lines)


def _png(image: Image) -> tuple[str, int]:
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=COMPRESSION)
    return base64.b64encode(buffer.getvalue()).decode("ascii"), buffer.tell()
