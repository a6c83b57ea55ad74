"""Tables as a study is exported: as csv, and as BIDS has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from core.columns import Column, Row, write_csv
from core.records import Json

MISSING_BIDS: Final = "n/a"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows by column name; what a row does not hold, or holds as None, is missing."""

    name: str
    means: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Any], ...]

    def values(self) -> Iterator[Row]:
        """The rows in the order of the columns."""
        for row in self.rows:
            yield [row.get(column.name) for column in self.columns]


def as_csv(table: Table, *, bom: bool = False, formula_safe: bool = False) -> bytes:
    """As ``write_csv`` writes it."""
    parts: list[str] = []
    write_csv(table.columns, table.values(), parts.append, bom=bom, formula_safe=formula_safe)
    return "".join(parts).encode()


def as_tsv(table: Table) -> bytes:
    """Tab-separated as BIDS has it: UTF-8, ``n/a`` for what is missing; texts with tabs or newlines are quoted."""
    parts: list[str] = []
    write_csv(table.columns, table.values(), parts.append, delimiter="\t", missing=MISSING_BIDS)
    return "".join(parts).encode()


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
