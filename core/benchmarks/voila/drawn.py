"""Drawn stand-ins for VOILA's pictures, from the words of their content."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from core.benchmarks.voila.vocabulary import ACTIONS, NUMBERS, PLURALS, Content

if TYPE_CHECKING:
    from PIL import Image

SIZE: Final = 256

_SINGULARS: Final = {plural: singular for singular, plural in PLURALS.items()} | {name: name for name in PLURALS}


def draw_depicted(depicts: str, name: str, size: int = SIZE) -> Image.Image | None:
    """A drawing of ``two hamsters walking``, the same for the same name on any machine; None for other words.

    Pictures of one content differ by name, as photographs do.
    """
    content = read_depicted(depicts)
    if content is None:
        return None
    from core import drawing  # drawing code and Pillow load only when something is drawn

    variant = int.from_bytes(hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()[:8]) % drawing.VARIANTS
    number = NUMBERS.index(content.number) + 1
    return drawing.draw(number, content.subject, content.action, variant=variant, size=size)


def read_depicted(depicts: str) -> Content | None:
    """The content behind words such as ``two senior men digging a hole``; None where they name none."""
    words = " ".join(depicts.split()).lower().rstrip(".")
    number, _, rest = words.partition(" ")
    action = next((action for action in ACTIONS if rest.endswith(f" {action}")), None)
    if number not in NUMBERS or action is None:
        return None
    subject = _SINGULARS.get(rest.removesuffix(f" {action}"))
    return Content(number, subject, action) if subject is not None else None
