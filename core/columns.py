"""Tables for other programs: columns that say what they hold, and files that all read alike."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from core.errors import UsageError
from core.moments import utc
from core.records import EMPTY, Json

ColumnKind: TypeAlias = Literal["text", "integer", "number", "boolean", "time"]
Row: TypeAlias = Sequence[Any]

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet takes a cell that begins so for a formula."""

BOM: Final = "\ufeff"

AT_ONCE: Final = 5_000
"""Rows of a parquet file's group."""


@dataclass(frozen=True, slots=True)
class Column:
    """``means`` says in words what it holds; ``units`` are of numbers. A time is milliseconds since 1970, UTC, in the
    rows, and ``2026-11-30T09:12:04.123Z`` in files; None is missing."""

    name: str
    kind: ColumnKind
    means: str
    units: str = ""
    levels: Mapping[str, str] = field(default_factory=lambda: EMPTY)


class _Sink:
    """What the csv module writes to, a row at a time. Only with both ends of line does it quote cells with either."""

    def __init__(self, put: Callable[[str], object]) -> None:
        self._put = put

    def write(self, row: str) -> None:
        self._put(row.removesuffix("\r\n") + "\n")


def write_csv(
    columns: Sequence[Column],
    rows: Iterable[Row],
    put: Callable[[str], object],
    *,
    bom: bool = False,
    formula_safe: bool = False,
    delimiter: str = ",",
    missing: str = "",
) -> int:
    """Hand a header and the rows to ``put`` as csv (RFC 4180, lines end with a line feed); how many rows there are.

    UTF-8 cannot hold lone surrogates and few readers take NUL: both are escaped with a backslash. ``bom`` puts a byte
    order mark first, which Excel needs to read UTF-8. ``formula_safe`` puts an apostrophe before texts that a
    spreadsheet would take for a formula: such a file no longer holds them as they were given.
    """
    if bom:
        put(BOM)
    writer = csv.writer(_Sink(put), delimiter=delimiter, lineterminator="\r\n")
    writer.writerow(column.name for column in columns)
    kinds = [column.kind for column in columns]
    count = 0
    for row in rows:
        cells = (_cell(kind, value, missing) for kind, value in zip(kinds, row, strict=True))
        if formula_safe:
            cells = (
                f"'{cell}" if kind == "text" and cell.startswith(FORMULA) else cell
                for kind, cell in zip(kinds, cells, strict=True)
            )
        writer.writerow(cells)
        count += 1
    return count


def plain(text: str) -> str:
    """The text with lone surrogates escaped: what UTF-8 can hold."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def write_parquet(
    columns: Sequence[Column], rows: Iterable[Row], file: Path, *, about: Mapping[str, Json] = EMPTY
) -> int:
    """The same with types; times are timestamps in UTC; how many rows there are. What the columns mean stands with
    each, ``about`` the whole in the schema's ``phoropter``. Raises UsageError where pyarrow is missing."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise UsageError(
            "writing parquet needs pyarrow, which is not installed",
            where=str(file),
            remedy="pip install 'phoropter[data]', or write csv",
        ) from None
    types = {
        "text": pa.string(),
        "integer": pa.int64(),
        "number": pa.float64(),
        "boolean": pa.bool_(),
        "time": pa.timestamp("ms", tz="UTC"),
    }
    schema = pa.schema(
        [pa.field(each.name, types[each.kind], metadata={"description": each.means}) for each in columns],
        metadata={"phoropter": json.dumps(dict(about))} if about else None,
    )
    count = 0
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for group in _groups(iter(rows)):
            arrays = [
                pa.array([_held(row[place]) for row in group], types[column.kind])
                for place, column in enumerate(columns)
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
            count += len(group)
    return count


def _held(value: Any) -> Any:
    return plain(value) if isinstance(value, str) else value


def _groups(rows: Iterator[Row]) -> Iterator[Sequence[Row]]:
    while group := list(islice(rows, AT_ONCE)):
        yield group


def _cell(kind: ColumnKind, value: Any, missing: str) -> str:
    if value is None:
        return missing
    if kind == "time":
        return utc(value, exact=True)
    if kind == "boolean":
        return "true" if value else "false"
    if kind == "number":
        return repr(float(value)).removesuffix(".0")
    words = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return plain(words).replace("\0", "\\x00")
