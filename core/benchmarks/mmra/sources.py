"""MMRA's data files to raw rows: a metadata.json, a table (parquet, CSV), or the folder that holds them.

Knows where rows stand, not what they mean.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core.benchmarks.mmra.placing import Folder
from core.benchmarks.mmra.values import subtask_in
from core.benchmarks.tables import Row, Table, find_table
from core.errors import DataError, Problem

METADATA: Final = "metadata.json"


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
        try:
            document = _document(self.path)
        except DataError as error:
            return list(error.problems)
        if isinstance(document, dict) and document and all(isinstance(rows, list) for rows in document.values()):
            return []
        if not isinstance(document, list):
            return [Problem(str(self.path), 0, "", "the file is no list of objects")]
        return []

    def rows(self, columns: Sequence[str] | None = None) -> Iterator[Raw]:
        document = _document(self.path)
        lists = document if isinstance(document, dict) else {"": document}
        number = 0
        for key, rows in lists.items():
            for row in rows:
                number += 1
                usable = row if isinstance(row, dict) else [Problem(str(self.path), number, "", "is no object")]
                yield Raw(self.path, number, usable, subtask_in(key) or self._hint)

    def digest(self) -> str:
        try:
            return hashlib.sha256(self.path.read_bytes()).hexdigest()
        except OSError as error:
            raise DataError([_unreadable(self.path, error)]) from error


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
    """The data file at a path, or those in a folder: its metadata.json, else its parquet or CSV files.

    Raises DataError where there is none, no telling which, or where one is a symlink out of the folder (other than
    into the hub's cache).
    """
    if not path.is_dir():
        if path.suffix.lower() == ".json":
            if not path.is_file():
                what = "is no regular file" if path.exists() else "there is no such file"
                raise DataError([Problem(str(path), 0, "", what)])
            return (JsonFile(path),)
        return tuple(TableFile(file) for file in find_table(path).files)
    named = _nearest([file for file in path.rglob(METADATA) if _visible(file, path)])
    if named:
        return tuple(JsonFile(file) for file in _inside(path, named))
    suffixes = (".parquet", ".csv")
    if not any(file.suffix.lower() in suffixes and _visible(file, path) for file in path.rglob("*")):
        what = f"the folder holds no {METADATA}, no .parquet and no .csv file"
        raise DataError([Problem(str(path), 0, "", what)])
    return tuple(TableFile(file) for file in _inside(path, find_table(path).files))


def _visible(file: Path, folder: Path) -> bool:
    return file.is_file() and not any(part.startswith(".") for part in file.relative_to(folder).parts)


def _nearest(files: Sequence[Path]) -> list[Path]:
    depth = min((len(file.parts) for file in files), default=0)
    return sorted(file for file in files if len(file.parts) == depth)


def _inside(folder: Path, files: Sequence[Path]) -> Sequence[Path]:
    inside = Folder(folder)
    outside = [file for file in files if inside.place(file.relative_to(folder).as_posix()) is None]
    if outside:
        raise DataError([Problem(str(file), 0, "", "is a symlink out of the folder") for file in outside])
    return files


def _hint(path: Path) -> str:
    """The subtask that a file's name, or its folder's, tells."""
    return subtask_in(path.stem) or subtask_in(path.parent.name)


def _document(path: Path) -> Any:
    """The parsed file. Raises DataError with line and column where it is no JSON."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise DataError([_unreadable(path, error)]) from error
    where = str(path)
    if not raw.strip():
        raise DataError([Problem(where, 0, "", f"the file is empty ({len(raw)} bytes)")])
    if raw.startswith((b"PK\x03\x04", b"PAR1")):
        raise DataError([Problem(where, 0, "", "the file is no JSON but a zip archive or parquet")])
    try:
        words = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DataError([Problem(where, 0, "", f"not UTF-8 (line {line}, byte {error.start})")]) from error
    try:
        return json.loads(words)
    except json.JSONDecodeError as error:
        comma = _trailing_comma(words, error.pos)
        at = comma if comma is not None else error.pos
        line, column = words.count("\n", 0, at) + 1, at - words.rfind("\n", 0, at)
        what = "a comma with nothing after it" if comma is not None else error.msg
        raise DataError([Problem(where, 0, "", f"no JSON: line {line}, column {column}: {what}")]) from error
    except (ValueError, RecursionError) as error:
        raise DataError([Problem(where, 0, "", f"no JSON that can be read ({error})")]) from error


def _trailing_comma(words: str, position: int) -> int | None:
    """Where the comma stands before a closing bracket or the end, None where the mistake is another."""
    before = words[:position].rstrip()
    after = words[position:].lstrip()
    if before.endswith(",") and (not after or re.match(r"[\]}]", after)):
        return len(before) - 1
    return None


def _unreadable(path: Path, error: OSError) -> Problem:
    return Problem(str(path), 0, "", f"cannot be read ({error.strerror or error})")
