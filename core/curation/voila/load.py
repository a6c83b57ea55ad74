"""The contents that pictures are made of, as items: JSON lines ``{"id", "number", "subject", "action"}``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from core.benchmarks.base import LoadOptions
from core.benchmarks.voila.contents import file_name
from core.benchmarks.voila.vocabulary import PROPERTIES, Content, all_contents
from core.curation.lines import Lines
from core.errors import Problem
from core.records import Item

NAME: Final = "make-voila"

_KNOWN: Final = frozenset(all_contents())


def load(path: Path, subset: str, options: LoadOptions) -> Contents:
    """A working file. Raises DataError where there is none."""
    return Contents(path)


class Contents(Lines):
    """The Dataset of a file of contents. Its items have no pictures: those are what is made."""

    def _item(self, number: int, row: Mapping[str, Any]) -> Item | list[Problem]:
        content = Content(*(str(row.get(name, "")) for name in PROPERTIES))
        if content not in _KNOWN:
            return [Problem(self.source, number, "", f"{content.text()!r} is none of VOILA's contents")]
        values = {name: content.value(name) for name in PROPERTIES}
        return Item(NAME, "", name_of(content), (), values, values)


def name_of(content: Content) -> str:
    """``two_dogs_walking``: the id of a content, as its pictures' files begin."""
    return file_name(content).removesuffix(".png")


def content_of(item: Item) -> Content:
    """The item's content."""
    return Content(*(item.facts[name] for name in PROPERTIES))


def write(file: Path, contents: Iterable[Content]) -> None:
    """The working file."""
    rows = ({"id": name_of(one), **{name: one.value(name) for name in PROPERTIES}} for one in contents)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
