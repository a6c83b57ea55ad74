"""The contents that pictures are made of, as items: JSON lines ``{"id", "number", "subject", "action"}``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from core.benchmarks import objects
from core.benchmarks.base import LoadOptions
from core.benchmarks.dataset import Rows
from core.benchmarks.voila.contents import file_name
from core.benchmarks.voila.vocabulary import PROPERTIES, Content, all_contents
from core.errors import DataError, Problem
from core.records import Item

NAME: Final = "make-voila"

_KNOWN: Final = frozenset(all_contents())


def load(path: Path, subset: str, options: LoadOptions) -> Contents:
    """A working file. Raises DataError where there is none."""
    if not path.is_file():
        raise DataError([Problem(str(path), 0, "", "there is no such file")])
    return Contents(path)


class Contents(Rows):
    """The Dataset of a file of contents. Its items have no pictures: those are what is made."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @property
    def source(self) -> str:
        return str(self._file)

    @property
    def subset(self) -> str:
        return ""

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self._file.read_bytes()).hexdigest()

    def _read(self) -> Iterator[Item | list[Problem]]:
        if problems := objects.file_problems(self._file):
            yield problems
            return
        for number, row in objects.rows(self._file):
            yield row if isinstance(row, list) else self._item(number, row)

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
