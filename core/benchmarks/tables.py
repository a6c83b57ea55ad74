"""Rows of a CSV or parquet file, one at a time, with everything that is wrong with the file as problems.

Knows no benchmark. A row comes as a dict of strings (parquet may hold bytes and pictures beside them); a bad row
comes as its problems, and reading goes on behind it.
"""

from __future__ import annotations

import codecs
import csv
import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TextIO

from core.errors import DataError, Problem

Row = dict[str, Any]
Numbered = tuple[int, Row | list[Problem]]
"""A row's number, from 1, and the row or what is wrong with it."""

_CHUNK: Final = 1 << 16
_DELIMITERS: Final = ",;\t"
_JSON: Final = re.compile(rb"(\xef\xbb\xbf)?\s*(\{\s*[\"}]|\[\s*[\[{\"\]])")
_CONTROLS: Final = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
"""Bytes that no text holds more than a stray one of."""
_BATCH: Final = 8
"""Parquet rows held at a time: with three embedded pictures each, some 40 MB."""


@dataclass(frozen=True, slots=True)
class Table:
    """The data file or files (parquet comes in shards) behind one data set."""

    files: tuple[Path, ...]

    @property
    def name(self) -> str:
        """The file as messages name it: the folder where there are several."""
        return str(self.files[0] if len(self.files) == 1 else self.files[0].parent)

    @property
    def parquet(self) -> bool:
        return self.files[0].suffix.lower() == ".parquet"

    def digest(self) -> str:
        """SHA-256 of the bytes, of the shards one after the other."""
        found = hashlib.sha256()
        for file in self.files:
            try:
                with file.open("rb") as stream:
                    while chunk := stream.read(_CHUNK):
                        found.update(chunk)
            except OSError as error:
                raise DataError([_unreadable(file, error)]) from error
        return found.hexdigest()

    def file_problems(self) -> list[Problem]:
        """What makes the file unreadable as a whole; with any of these its rows are not worth reading."""
        found = []
        for file in self.files:
            try:
                found += _parquet_problems(file) if self.parquet else _text_problems(file)
            except OSError as error:
                found.append(_unreadable(file, error))
        return found

    def columns(self) -> list[str]:
        """The column names as the file has them. Call ``file_problems`` first."""
        if self.parquet:
            return list(_parquet(self.files[0]).schema_arrow.names)
        with _opened(self.files[0]) as stream:
            return _header(stream)

    def rows(self, columns: Sequence[str] | None = None) -> Iterator[Numbered]:
        """All rows in order, read anew. ``columns`` is what a parquet file is asked for; CSV gives all."""
        return self._parquet_rows(columns) if self.parquet else self._csv_rows()

    def _csv_rows(self) -> Iterator[Numbered]:
        file = self.files[0]
        bad = first_bad_byte(file)
        hint = f" (the file's first bad byte is byte {bad[0]}: {bad[1]})" if bad else ""
        with _opened(file) as stream:
            columns = _header(stream)
            reader = csv.reader(stream, delimiter=_delimiter(stream), strict=True)
            next(_filled(reader), None)
            number = 0
            while True:
                before = reader.line_num
                try:
                    cells = next(reader, None)
                except csv.Error as error:
                    number += 1
                    lines = reader.line_num - before
                    yield number, [Problem(str(file), number, "", _csv_error(error, lines))]
                    if lines > 1:
                        return
                    continue
                if cells is None:
                    return
                if not cells:
                    continue
                number += 1
                problems = _bad_cells(file, number, columns, cells, hint) if bad else []
                if len(cells) != len(columns):
                    what = f"the row has {len(cells)} fields, the header {len(columns)}"
                    problems.append(Problem(str(file), number, "", what))
                yield number, problems or dict(zip(columns, cells, strict=True))

    def _parquet_rows(self, columns: Sequence[str] | None) -> Iterator[Numbered]:
        number = 0
        for file in self.files:
            with closing(_parquet(file)) as table:
                wanted = None if columns is None else [name for name in columns if name in table.schema_arrow.names]
                try:
                    for batch in table.iter_batches(batch_size=_BATCH, columns=wanted, use_threads=False):
                        for row in batch.to_pylist():
                            number += 1
                            yield number, row
                except _arrow_errors() as error:
                    yield number + 1, [Problem(str(file), number + 1, "", f"cannot be read on from here ({error})")]


# -- CSV


def _header(stream: TextIO) -> list[str]:
    """The names in the first row that is not blank, trimmed."""
    names = next(_filled(csv.reader(stream, delimiter=_delimiter(stream), strict=True)), [])
    return [name.strip() for name in names]


def _filled(reader: Iterator[list[str]]) -> Iterator[list[str]]:
    return (cells for cells in reader if cells)


def _delimiter(stream: TextIO) -> str:
    """Comma, or what a spreadsheet puts in its place. Leaves the stream at its start."""
    stream.seek(0)
    first = stream.readline(_CHUNK)
    stream.seek(0)
    return max(_DELIMITERS, key=first.count)


def _text_problems(file: Path) -> list[Problem]:
    """Empty, another encoding or kind of file, no usable header."""
    name = str(file)
    with file.open("rb") as stream:
        start = stream.read(2000)
    if not start:
        return [Problem(name, 0, "", "the file is empty (0 bytes)")]
    if start.startswith((b"\xff\xfe", b"\xfe\xff")) or _every_other_zero(start):
        return [Problem(name, 0, "", "the file is UTF-16, not UTF-8; save it as CSV UTF-8")]
    if _JSON.match(start):
        return [Problem(name, 0, "", "the file is no CSV but JSON")]
    if start.startswith((b"PK\x03\x04", b"PAR1")):
        parquet = start.startswith(b"PAR1")
        kind = "parquet; its name must end in .parquet" if parquet else "a zip archive or a spreadsheet"
        return [Problem(name, 0, "", f"the file is no CSV but {kind}")]
    if len(_CONTROLS.findall(start)) > len(start) // 20:
        return [Problem(name, 0, "", "the file is no CSV: it holds no text")]
    try:
        with _opened(file) as text:
            header = _header(text)
    except csv.Error as error:
        return [Problem(name, 0, "", f"the header cannot be read ({error})")]
    if not header:
        return [Problem(name, 0, "", "the file holds nothing but blank lines")]
    twice = sorted({column for column in header if column and header.count(column) > 1})
    return [Problem(name, 0, column, "the header names this column more than once") for column in twice]


def _every_other_zero(start: bytes) -> bool:
    """As letters of the alphabet are in UTF-16; in a binary file zeros stand anywhere."""
    even, odd = start[::2].count(0), start[1::2].count(0)
    return even + odd > len(start) // 3 and 10 * min(even, odd) < max(even, odd)


def _opened(file: Path) -> TextIO:
    """Bytes that are not UTF-8 come as lone surrogates, so that the rows that hold them can be named."""
    return file.open(encoding="utf-8-sig", errors="surrogateescape", newline="")


def first_bad_byte(file: Path) -> tuple[int, str] | None:
    """Offset of the first byte that is not UTF-8 or a NUL, and which of the two; None in a clean file."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    at = 0
    with file.open("rb") as stream:
        while True:
            chunk = stream.read(_CHUNK)
            pending = len(decoder.getstate()[0])
            nul = chunk.find(0)
            try:
                decoder.decode(chunk if nul < 0 else chunk[:nul], final=not chunk)
            except UnicodeDecodeError as error:
                return at - pending + error.start, "not UTF-8"
            if nul >= 0:
                return at + nul, "a NUL"
            if not chunk:
                return None
            at += len(chunk)


def _bad_cells(file: Path, number: int, columns: Sequence[str], cells: Sequence[str], bad: str) -> list[Problem]:
    found = []
    for column, cell in zip(columns, cells, strict=False):
        if "\0" in cell:
            found.append(Problem(str(file), number, column, f"holds a NUL{bad}"))
        elif not cell.isascii() and any("\udc80" <= mark <= "\udcff" for mark in cell):
            found.append(Problem(str(file), number, column, f"is not UTF-8{bad}"))
    return found


def _csv_error(error: csv.Error, lines: int) -> str:
    text = str(error)
    if "field limit" in text:
        what = f"a field is longer than {csv.field_size_limit():,} characters"
    elif "unexpected end" in text:
        what = "the file ends within a quoted field"
    else:
        what = f"the row is no CSV ({text})"
    if lines > 1:
        what += f"; it runs over {lines} lines, so a quote is probably open; what follows was not read"
    return what


def _unreadable(file: Path, error: OSError) -> Problem:
    return Problem(str(file), 0, "", f"cannot be read ({error.strerror or error})")


# -- parquet


def needs_pyarrow(table: Table) -> Table:
    """The table; raises DataError where it is parquet and pyarrow is not installed."""
    if table.parquet:
        try:
            import pyarrow.parquet  # noqa: F401 - only those who read parquet need it
        except ImportError as error:
            what = "reading parquet needs pyarrow, which is not installed"
            remedy = "Install the extra: pip install 'phoropter[data]'"
            raise DataError([Problem(table.name, 0, "", what)], remedy=remedy) from error
    return table


def _parquet(file: Path) -> Any:
    """The open file."""
    from pyarrow.parquet import ParquetFile

    return ParquetFile(file, buffer_size=1 << 20)


def _arrow_errors() -> tuple[type[Exception], ...]:
    from pyarrow import ArrowException

    return (ArrowException, OSError)


def _parquet_problems(file: Path) -> list[Problem]:
    if not file.stat().st_size:
        return [Problem(str(file), 0, "", "the file is empty (0 bytes)")]
    try:
        _parquet(file).close()
    except _arrow_errors() as error:
        return [Problem(str(file), 0, "", f"the file is torn, or no parquet ({error})")]
    return []
