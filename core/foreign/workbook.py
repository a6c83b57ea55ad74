"""The first sheet of an xlsx, which is a ZIP of XML that somebody else wrote: bombs are refused unexploded."""

from __future__ import annotations

import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from core.errors import UsageError

LARGEST: Final = 512 << 20
"""Bytes that the parts of a workbook may unpack to, all together."""
COLUMNS: Final = 1_000
BLANK: Final = 10_000
"""So many rows without a cell may follow each other: a sheet can claim a million of them in a few bytes."""

_ENTITY: Final = re.compile(rb"<!(DOCTYPE|ENTITY)")
_HEAD: Final = 64 << 10


def sheet(data: bytes, path: Path, remedy: str) -> Iterator[Mapping[str, Any]]:
    """Its rows as objects by the names in the first one; blank ones are left out. Raises UsageError, also for a
    workbook that would unpack to too much."""
    try:
        import openpyxl
    except ImportError:
        raise UsageError(
            "an xlsx needs the package openpyxl", where=str(path), remedy="pip install 'phoropter[data]'"
        ) from None
    try:
        _refuse_bombs(data, path, remedy)
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        first = book.worksheets[0]
        first.reset_dimensions()  # what a sheet says of its size fills every row up to it
        rows = first.iter_rows(values_only=True)
        names = [str(name) if name is not None else "" for name in next(rows, ())]
        if len(names) > COLUMNS:
            raise UsageError(f"the sheet has more than {COLUMNS:,} columns", where=str(path), remedy=remedy)
        yield from _filled(rows, names, path)
    except (
        zipfile.BadZipFile, KeyError, ValueError, IndexError, TypeError, AttributeError, EOFError, OSError,
        SyntaxError, NotImplementedError, RuntimeError, OverflowError, zlib.error, lzma.LZMAError,
    ) as error:  # fmt: skip
        what = " ".join(str(error).split())[:120]
        raise UsageError(f"this is no xlsx that can be read ({what})", where=str(path), remedy=remedy) from None


def _filled(rows: Iterator[Sequence[Any]], names: Sequence[str], path: Path) -> Iterator[Mapping[str, Any]]:
    blank = 0
    for row in rows:
        if all(value is None for value in row):
            blank += 1
            if blank > BLANK:
                what = f"the sheet has more than {BLANK:,} blank rows after each other"
                raise UsageError(what, where=str(path), remedy="Save it without them")
            continue
        blank = 0
        yield {name: value for name, value in zip(names, row, strict=False) if name}


def _refuse_bombs(data: bytes, path: Path, remedy: str) -> None:
    """Raises UsageError for what unpacks to too much, and for XML with entities, which spreadsheets never write."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        total = sum(entry.file_size for entry in entries)
        if total > LARGEST:
            what = f"the workbook would unpack to {total:,} bytes, over {LARGEST:,}"
            raise UsageError(what, where=str(path), remedy=remedy)
        for entry in entries:
            if entry.filename.lower().endswith((".xml", ".rels")):
                with archive.open(entry) as stream:
                    if _ENTITY.search(stream.read(_HEAD)):
                        what = f"its part {entry.filename[:80]!r} declares a document type, which no workbook does"
                        raise UsageError(what, where=str(path), remedy=remedy)
