"""Tables as a study is exported: columns that say what they hold, and files that other programs read alike."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from core.errors import UsageError
from core.moments import utc
from core.records import EMPTY, Json

ColumnKind: TypeAlias = Literal["text", "integer", "number", "boolean", "time"]

MISSING_BIDS: Final = "n/a"
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet takes a cell that begins so for a formula."""

BOM: Final = "\ufeff"


@dataclass(frozen=True, slots=True)
class Column:
    """``means`` says in words what it holds; ``units`` are of numbers. A time is milliseconds since 1970, UTC, in the
    rows, and ``2026-11-30T09:12:04.123Z`` in files."""

    name: str
    kind: ColumnKind
    means: str
    units: str = ""
    levels: Mapping[str, str] = field(default_factory=lambda: EMPTY)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows by column name; what a row does not hold, or holds as None, is missing."""

    name: str
    means: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Any], ...]


def as_csv(table: Table, *, bom: bool = False, formula_safe: bool = False) -> bytes:
    """UTF-8 (lone surrogates escaped with a backslash), commas, a header, lines ended by a newline, missing values
    empty.

    ``bom`` puts a byte order mark first, which Excel needs to read UTF-8. ``formula_safe`` puts an apostrophe before
    texts that a spreadsheet would take for a formula: such a file no longer holds them as they were given.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.name for column in table.columns])
    for row in table.rows:
        cells = (_cell(column, row.get(column.name), "") for column in table.columns)
        kinds = [column.kind for column in table.columns]
        writer.writerow(
            [
                f"'{cell}" if formula_safe and kind == "text" and cell.startswith(FORMULA) else cell
                for kind, cell in zip(kinds, cells, strict=True)
            ]
        )
    return ((BOM if bom else "") + text.getvalue()).encode("utf-8", "backslashreplace")


def as_tsv(table: Table) -> bytes:
    """Tab-separated as BIDS has it: UTF-8, ``n/a`` for what is missing; texts with tabs or newlines are quoted."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerow([column.name for column in table.columns])
    for row in table.rows:
        writer.writerow([_cell(column, row.get(column.name), MISSING_BIDS) for column in table.columns])
    return text.getvalue().encode("utf-8", "backslashreplace")


def dictionary(table: Table) -> dict[str, Json]:
    """What each column holds, under the names that BIDS sidecars use."""
    out: dict[str, Json] = {}
    for column in table.columns:
        said: dict[str, Json] = {"Description": column.means, "Type": column.kind}
        if column.units:
            said["Units"] = column.units
        if column.levels:
            said["Levels"] = dict(column.levels)
        out[column.name] = said
    return out


def write_parquet(table: Table, file: Path) -> None:
    """The same with types; times are timestamps in UTC. Raises UsageError where pyarrow is missing."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UsageError(
            "writing parquet needs pyarrow, which is not installed",
            where="--parquet",
            remedy="pip install 'phoropter[data]', or leave the option out",
        ) from None
    types = {
        "text": pyarrow.string(),
        "integer": pyarrow.int64(),
        "number": pyarrow.float64(),
        "boolean": pyarrow.bool_(),
        "time": pyarrow.timestamp("ms", tz="UTC"),
    }
    arrays = {
        column.name: pyarrow.array(
            [_arrow(column, row.get(column.name)) for row in table.rows], type=types[column.kind]
        )
        for column in table.columns
    }
    fields = [
        pyarrow.field(column.name, types[column.kind], metadata={"description": column.means})
        for column in table.columns
    ]
    pyarrow.parquet.write_table(pyarrow.table(arrays, schema=pyarrow.schema(fields)), file)


def _arrow(column: Column, value: Any) -> Any:
    if column.kind == "text" and isinstance(value, str):  # parquet holds no lone surrogates
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    return value


def _cell(column: Column, value: Any, missing: str) -> str:
    if value is None:
        return missing
    if column.kind == "time":
        return utc(value, exact=True)
    if column.kind == "boolean":
        return "true" if value else "false"
    if column.kind == "number":
        return repr(float(value)).removesuffix(".0")
    return str(value) if not isinstance(value, dict | list) else json.dumps(value, ensure_ascii=False)
