"""The working files of `make mmra` as items: pictures to be captioned, and pairs to be annotated.

One JSON object a line: ``{"id", "image"}``, or ``{"id", "subtask", "image1", "image2", "caption1", "caption2",
"similarity"}``. Pictures lie in the folder that ``--pictures`` names.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from core.benchmarks.base import LoadOptions
from core.benchmarks.folders import Inside
from core.benchmarks.mmra import values
from core.curation.lines import Lines
from core.errors import Problem
from core.records import Item, Picture

NAME: Final = "make-mmra"


def load(path: Path, subset: str, options: LoadOptions) -> Working:
    """A working file. Raises DataError where there is none."""
    return Working(path, options.pictures or path.parent)


class Working(Lines):
    """The Dataset of a working file."""

    def __init__(self, file: Path, pictures: Path) -> None:
        super().__init__(file)
        self._inside = Inside(pictures)

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
