"""V-REX's data files to items: the documented JSON lines, a JSON array, parquet, or a folder that holds one of them.

A line is one object; image paths are relative to the file, or to ``--pictures FOLDER``:

    {"id": "map-001", "image": "images/map-001.png", "category": "Navigation", "scenario": "Map",
     "question": "...", "options": {"A": "...", "B": "..."}, "answer": "B",
     "steps": [{"question": "...", "answer": "...",
                "following": {"options": {"A": "...", "B": "..."}, "answer": "A"},
                "planning": {"options": {"A": {"question": "...", "answer": "...", "kind": "step"},
                                         "B": {"question": "...", "answer": "...", "kind": "gold"}}, "answer": "B"}}]}

``kind`` is gold, step or chain. An ``id`` that is missing is ``vrex-`` and the row's number, a ``category`` follows
from the scenario, a step's ``answer`` from its options. ``kind`` may be missing from all options of a step,
``planning`` or ``following`` from a file that is run under the other protocol alone, and ``steps`` from one that is
run ``direct``. In parquet the same fields are nested columns, dotted ones (``options.A``), or text that holds JSON;
the image is a name, bytes, or the hub's struct of both.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Final

from core.benchmarks import objects
from core.benchmarks.base import LoadOptions
from core.benchmarks.dataset import Rows
from core.benchmarks.folders import Inside, find_data
from core.benchmarks.tables import Numbered, Table
from core.benchmarks.vrex.fields import Fields, nested
from core.benchmarks.vrex.row import RowReader
from core.errors import DataError, Problem, UsageError
from core.records import Item
from core.stamps import Seen

ENDINGS: Final = (".jsonl", ".parquet", ".json")

SERVED: Final = ("planning", "following")
"""Protocols that ask a part of each step."""


def load(path: Path, subset: str, options: LoadOptions) -> VrexFile:
    """The questions of a file, or of the one data file in a folder.

    Raises DataError where there is no such file and UsageError for an option that cannot be used; what is wrong
    inside comes from ``problems()``.
    """
    if subset:
        raise UsageError(f"vrex has no subset {subset}", remedy="Leave it out, or choose items with --where")
    fields = Fields(options.mapping or {})
    table = find_data(path, ENDINGS)
    if table.files[0].suffix.lower() not in ENDINGS:
        raise DataError([Problem(table.name, 0, "", f"the file's name ends in none of {', '.join(ENDINGS)}")])
    return VrexFile(table, fields, options.pictures or table.files[0].parent, options.protocol)


class VrexFile(Rows):
    """The Dataset of a V-REX file."""

    def __init__(self, table: Table, fields: Fields, pictures: Path, protocol: str) -> None:
        self._table = table
        self._fields = fields
        self._pictures = pictures
        self._serves = protocol if protocol in SERVED else ""

    @property
    def source(self) -> str:
        return self._table.name

    @property
    def subset(self) -> str:
        return ""

    @cached_property
    def digest(self) -> str:
        return self._table.digest()

    def _read(self, seen: Seen) -> Iterator[Item | list[Problem]]:
        seen.look(*self._table.files)
        if whole := self._whole():
            yield whole
            return
        reader = RowReader(self.source, self._fields, Inside(self._pictures, seen), self._serves)
        ids: dict[str, int] = {}
        number = 0
        for number, row in self._rows():
            if isinstance(row, list):
                yield row
                continue
            if self._table.parquet:
                row = nested(row)
            outcome = reader.read(number, row)
            item_id = reader.identity(number, row)
            if item_id in ids:
                what = f"the id {item_id} is that of row {ids[item_id]} already"
                repeated = Problem(self.source, number, "id", what)
                outcome = [*outcome, repeated] if isinstance(outcome, list) else [repeated]
            ids.setdefault(item_id, number)
            yield outcome
        if not number and not ids and self._table.parquet:
            yield [Problem(self.source, 0, "", "the file has no rows")]

    def _whole(self) -> list[Problem]:
        if self._table.parquet:
            return self._table.file_problems()
        return objects.file_problems(self._table.files[0])

    def _rows(self) -> Iterator[Numbered]:
        return self._table.rows() if self._table.parquet else objects.rows(self._table.files[0])
