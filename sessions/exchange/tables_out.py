"""The tidy table as csv and as parquet."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from core.errors import UsageError
from core.study.tables import BOM, FORMULA
from core.version import own_version
from sessions.exchange.tidy import Tidy, Value

AT_ONCE: Final = 5_000
"""Rows of a parquet file's group."""


class _Sink:
    """What the csv module writes to, a row at a time. Only with both ends of line does it quote cells with either."""

    def __init__(self, put: Callable[[str], object]) -> None:
        self._put = put

    def write(self, row: str) -> None:
        self._put(row.removesuffix("\r\n") + "\n")


def write_csv(table: Tidy, put: Callable[[str], object], *, bom: bool = False, formula_safe: bool = False) -> int:
    """Hand the table to ``put`` as csv (RFC 4180, lines end with a line feed); how many rows it has.

    UTF-8 cannot hold lone surrogates and few readers take NUL: both are escaped with a backslash. ``formula_safe``
    puts an apostrophe before texts that a spreadsheet would run, which no longer are what was answered then.
    """
    if bom:
        put(BOM)
    writer = csv.writer(_Sink(put), lineterminator="\r\n")
    writer.writerow(column.name for column in table.columns)
    count = 0
    for row in table.rows():
        writer.writerow([_cell(value, formula_safe) for value in row])
        count += 1
    return count


def _cell(value: Value, formula_safe: bool) -> str | int | float:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return value
    text = plain(value).replace("\0", "\\x00")
    return f"'{text}" if formula_safe and text.startswith(FORMULA) else text


def plain(text: str) -> str:
    """The text with lone surrogates escaped: what UTF-8 can hold."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def write_parquet(table: Tidy, path: Path) -> int:
    """Write the table to a parquet file; how many rows it has. Raises UsageError without the extra ``data``."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise UsageError(
            "parquet needs the package pyarrow", where="export parquet", remedy="pip install 'phoropter[data]'"
        ) from None
    types = {"text": pa.string(), "whole": pa.int64(), "number": pa.float64(), "yes": pa.bool_()}
    about = {"app": f"phoropter {own_version()}", "columns": {c.name: c.meaning for c in table.columns}}
    schema = pa.schema(
        [pa.field(column.name, types[column.kind]) for column in table.columns],
        metadata={"phoropter": json.dumps(about)},
    )
    count = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for rows in _groups(table.rows()):
            arrays = [
                pa.array([_held(row[place]) for row in rows], types[column.kind])
                for place, column in enumerate(table.columns)
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
            count += len(rows)
    return count


def _held(value: Value) -> Value:
    return plain(value) if isinstance(value, str) else value


def _groups(rows: Iterator[list[Value]]) -> Iterator[Sequence[Any]]:
    while group := list(islice(rows, AT_ONCE)):
        yield group
