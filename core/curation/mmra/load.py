"""The working files of `make mmra` as items: pictures to be captioned, and pairs to be annotated.

One JSON object a line: ``{"id", "image"}``, or ``{"id", "subtask", "image1", "image2", "caption1", "caption2",
"similarity"}``. Pictures lie in the folder that ``--pictures`` names.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from core.benchmarks import objects
from core.benchmarks.base import LoadOptions
from core.benchmarks.dataset import Rows
from core.benchmarks.folders import Inside
from core.benchmarks.mmra import values
from core.errors import DataError, Problem
from core.records import Item, Picture

NAME: Final = "make-mmra"


def load(path: Path, subset: str, options: LoadOptions) -> Working:
    """A working file. Raises DataError where there is none."""
    if not path.is_file():
        raise DataError([Problem(str(path), 0, "", "there is no such file")])
    return Working(path, options.pictures or path.parent)


class Working(Rows):
    """The Dataset of a working file."""

    def __init__(self, file: Path, pictures: Path) -> None:
        self._file = file
        self._inside = Inside(pictures)

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
        try:
            id_ = values.needed(row.get("id"))
            if "image" in row:
                return Item(NAME, "", id_, (self._picture(row["image"]),), {}, {})
            pictures = (self._picture(row.get("image1")), self._picture(row.get("image2")))
            subtask = values.subtask(row.get("subtask"))
            captions = [values.text(row.get("caption1")), values.text(row.get("caption2"))]
        except values.UnreadableError as error:
            return [Problem(self.source, number, "", str(error))]
        facts = {"subtask": subtask, "captions": captions, "similarity": row.get("similarity")}
        return Item(NAME, "", id_, pictures, {"subtask": subtask}, facts)

    def _picture(self, name: Any) -> Picture:
        said = values.needed(name)
        path = self._inside.named(said)
        if path is None:
            raise values.UnreadableError(f"{values.short(said)} leads out of the folder of pictures")
        return Picture(said, path)
