"""Drawn stand-ins for VOILA's pictures, from the words of their content."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from core.benchmarks.voila.contents import parse_content
from core.benchmarks.voila.vocabulary import NUMBERS

if TYPE_CHECKING:
    from PIL import Image

SIZE: Final = 256


def draw_depicted(depicts: str, name: str, size: int = SIZE) -> Image.Image | None:
    """A drawing of ``two hamsters walking``, the same for the same name on any machine; None for other words.

    Pictures of one content differ by name, as photographs do.
    """
    content = parse_content(depicts)
    if content is None:
        return None
    from core import drawing  # drawing code and Pillow load only when something is drawn

    variant = int.from_bytes(hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()[:8]) % drawing.VARIANTS
    number = NUMBERS.index(content.number) + 1
    return drawing.draw(number, content.subject, content.action, variant=variant, size=size)
