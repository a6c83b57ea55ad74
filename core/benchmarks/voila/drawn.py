"""Drawn stand-ins for VOILA's pictures, from the words of their content."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from core.benchmarks.voila.contents import parse_content
from core.benchmarks.voila.vocabulary import ACTIONS, ANY, NUMBERS, SUBJECTS

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

    variant = _chance(name) % drawing.VARIANTS
    number = NUMBERS.index(content.number) + 1
    return drawing.draw(number, content.subject, content.action, variant=variant, size=size)


def draw_answer(words: str, name: str) -> Image.Image | None:
    """The same for an answer, which may leave values open: ``two any walking`` shows two of a kind that the name
    decides."""
    return draw_depicted(_settled(words, _chance(name)), name)


def _chance(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()[:8])


def _settled(words: str, chance: int) -> str:
    """The words with a value in the place of each ``any``."""
    number, _, rest = words.partition(" ")
    action = next((action for action in (*ACTIONS, ANY) if rest.endswith(f" {action}")), "")
    subject = rest.removesuffix(f" {action}")
    values = []
    for value, known in ((number, NUMBERS), (subject, SUBJECTS), (action, ACTIONS)):
        values.append(known[chance % len(known)] if value == ANY else value)
        chance //= len(known)
    return " ".join(values)
