"""Records as several commands print them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.records import Item, Show, Turn
from tui.inert import inert, one_line


def item_document(item: Item) -> dict[str, Any]:
    """An item whole, with the hash that tells it from others of its id."""
    return {
        "id": item.id,
        "benchmark": item.benchmark,
        "subset": item.subset,
        "groups": dict(item.groups),
        "pictures": [picture.to_json() for picture in item.pictures],
        "facts": dict(item.facts),
        "hash": item.hash,
    }


def turn_lines(item: Item, turn: Turn, words: str = "", picture: str = "") -> Iterator[str]:
    """A turn's words and pictures as they are sent; ``words`` and ``picture`` stand before each line of theirs."""
    for part in turn.content:
        if isinstance(part, Show):
            names = " + ".join(picture.name for picture in part.pictures(item))
            yield f"{picture}[picture {one_line(names)}{', blank' if part.blank else ''}]"
        else:
            yield from (words + line for line in inert(part.text).split("\n"))
    if turn.answer_format:
        yield from (words + line for line in inert(turn.answer_format).split("\n"))
