"""Which row of the other store became which row of ours."""

from __future__ import annotations

import sqlite3
from array import array
from typing import Final

from sessions.exchange.tables import Table

_SPARSE: Final = 8  # a table with more gaps than this is kept as a dict


class Numbers:
    """Row numbers of one table, theirs to ours: eight bytes a row. 0 is no row."""

    def __init__(self, highest: int, count: int) -> None:
        dense = highest <= count * _SPARSE + 1000
        self._dense = array("q", bytes(8 * (highest + 1))) if dense else None
        self._sparse: dict[int, int] = {}

    @classmethod
    def of(cls, db: sqlite3.Connection, table: Table) -> Numbers:
        """Room for the rows that the table has there."""
        highest, count = db.execute(f"SELECT ifnull(max(id), 0), count(*) FROM {table.name}").fetchone()  # noqa: S608
        return cls(highest, count)

    def get(self, theirs: int) -> int:
        """Ours, 0 where it was not carried (yet)."""
        if self._dense is None:
            return self._sparse.get(theirs, 0)
        return self._dense[theirs] if 0 <= theirs < len(self._dense) else 0

    def put(self, theirs: int, ours: int) -> None:
        if self._dense is None:
            self._sparse[theirs] = ours
        else:
            self._dense[theirs] = ours
