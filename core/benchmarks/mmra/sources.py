"""MMRA's data files to raw rows: a metadata.json, a table (parquet, CSV), or the folder that holds them.

Knows where rows stand, not what they mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core.benchmarks import objects
from core.benchmarks.folders import find_data
from core.benchmarks.mmra.values import subtask_in
from core.benchmarks.tables import Row, Table
from core.errors import DataError, Problem

METADATA: Final = "metadata.json"
ENDINGS: Final = (".csv", ".parquet")


@dataclass(frozen=True, slots=True)
class Raw:
    """A row as the file has it, or what keeps it from being one. ``number`` counts in its file, from 1.

    ``hint`` is the subtask that the file's name, or the key the row stands under, tells.
    """

    file: Path
    number: int
    row: Row | list[Problem]
    hint: str = ""


class JsonFile:
    """A list of objects; or an object of such lists, by subtask."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._hint = _hint(path)

    def columns(self) -> list[str]:
        """Every field of any row. Call ``file_problems`` first."""
        return list(dict.fromkeys(key for raw in self.rows() if isinstance(raw.row, dict) for key in raw.row))

    def file_problems(self) -> list[Problem]:
        if found := objects.file_problems(self.path):
            return found
        try:
            document = self._document()
        except DataError as error:
            return list(error.problems)
        if isinstance(document, dict) and document and all(isinstance(rows, list) for rows in document.values()):
            return []
        if not isinstance(document, list):
            return [Problem(str(self.path), 0, "", "the file is no list of objects")]
        return []

    def rows(self, columns: Sequence[str] | None = None) -> Iterator[Raw]:
        document = self._document()
        lists = document if isinstance(document, dict) else {"": document}
        number = 0
        for key, rows in lists.items():
            for row in rows:
                number += 1
                usable = row if isinstance(row, dict) else [Problem(str(self.path), number, "", "is no object")]
                yield Raw(self.path, number, usable, subtask_in(key) or self._hint)

    def digest(self) -> str:
        return Table((self.path,)).digest()

    def _document(self) -> Any:
        return objects.document(self.path, nan=True)


class TableFile:
    """A parquet or CSV file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._table = Table((path,))
        self._hint = _hint(path)

    def columns(self) -> list[str]:
        """Call ``file_problems`` first."""
        return self._table.columns()

    def file_problems(self) -> list[Problem]:
        return self._table.file_problems()

    def rows(self, columns: Sequence[str] | None = None) -> Iterator[Raw]:
        for number, row in self._table.rows(columns):
            yield Raw(self.path, number, row, self._hint)

    def digest(self) -> str:
        return self._table.digest()


Source = JsonFile | TableFile


def find_sources(path: Path) -> tuple[Source, ...]:
    """The data file at a path, or those in a folder: its metadata.json, else its CSV or parquet files.

    Raises DataError as ``find_data`` does.
    """
    files = find_data(path, ENDINGS, named=METADATA).files
    return tuple(JsonFile(file) if file.suffix.lower() == ".json" else TableFile(file) for file in files)


def _hint(path: Path) -> str:
    """The subtask that a file's name, or its folder's, tells."""
    return subtask_in(path.stem) or subtask_in(path.parent.name)
