"""Tables and reports as data: what stands in them and what each column holds; a renderer decides how they look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TypeAlias

from core.records import Json

Line: TypeAlias = Sequence[str]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text under a header.

    Columns in ``words`` hold words, the others numbers, which are never broken. The first ``merged`` columns say a
    value once for all the rows that it stands in; a line is drawn where the first ``parted`` of them change. Where a
    page is too narrow, ``spare`` columns go first, and with ``apart`` each value of the first column has a table of
    its own. ``notes`` stand below it.
    """

    title: str
    header: Line
    rows: Sequence[Line]
    words: Sequence[str] = ()
    notes: Sequence[str] = ()
    merged: int = 0
    parted: int = 0
    spare: Sequence[str] = ()
    apart: bool = False

    def words_at(self, index: int) -> bool:
        """Whether the column of that index holds words."""
        return self.header[index] in self.words

    def without_spare(self) -> Table:
        """The same without the columns that can be spared."""
        kept = [index for index, name in enumerate(self.header) if name not in self.spare]
        return replace(self.columns(kept), spare=())

    def columns(self, kept: Sequence[int]) -> Table:
        """The same with these columns alone."""
        rows = [[row[index] for index in kept] for row in self.rows]
        merged, parted = (len([index for index in kept if index < first]) for first in (self.merged, self.parted))
        header = [self.header[index] for index in kept]
        return replace(self, header=header, rows=rows, merged=merged, parted=parted)

    def each_apart(self) -> Iterator[Table]:
        """A table for each value of the first column, which is named above it."""
        for name, rows in groupby(self.rows, key=lambda row: row[0]):
            of_name = [row[1:] for row in rows]
            merged, parted = max(0, self.merged - 1), max(0, self.parted - 1)
            title = f"{self.title}\n{name}"
            yield replace(
                self, title=title, header=self.header[1:], rows=of_name, merged=merged, parted=parted, apart=False
            )

    def told(self) -> Iterator[tuple[Line, bool]]:
        """The rows as they are shown: merged values said once, and whether a line parts a row from the one before."""
        before: Line | None = None
        for row in self.rows:
            shown = list(row)
            for index in range(self.merged):
                if before is not None and row[: index + 1] == before[: index + 1]:
                    shown[index] = ""
            yield shown, before is not None and list(row[: self.parted]) != list(before[: self.parted])
            before = row


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph between tables, line by line; ``heading`` makes it the head of what follows."""

    text: str
    heading: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """A report before it is rendered.

    ``document`` is what ``--json`` gives, ``records`` the flat rows of csv; ``fields`` are their columns, where no
    record may be there to name them. Everything else shows ``parts``.
    """

    title: str
    parts: Sequence[Table | Words]
    document: Mapping[str, Json]
    records: Sequence[Mapping[str, Json]]
    fields: Sequence[str] = ()

    @property
    def columns(self) -> list[str]:
        """The columns of the records, in the order they first come."""
        return list(dict.fromkeys([*self.fields, *(name for record in self.records for name in record)]))
