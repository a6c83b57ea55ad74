"""Pictures drawn by the program itself as answers: what baselines draw, and the gold that is put in."""

from __future__ import annotations

import hashlib

from core.benchmarks import registry
from core.errors import CallError
from core.pictures import encoded
from core.records import Answer, Item, Turn


def draw(item: Item, turn: Turn, words: str, repeat: int = 0) -> Answer:
    """A drawing of these words as the answer; each item and repeat has its own, the same on any machine.

    Raises CallError where the benchmark draws no such thing.
    """
    drawer = registry.get(item.benchmark).answer_drawer
    place = f"{item.id}/{turn.step}/{repeat}".encode("utf-8", "surrogatepass")
    name = f"drawn {hashlib.sha256(place).hexdigest()[:8]}"
    image = drawer(words, name) if drawer is not None and words else None
    if image is None:
        raise CallError(f"{words!r} cannot be drawn" if words else "nothing says what to draw", where=item.id)
    return Answer("", picture=encoded(image, name))
