"""VOILA's data files to items: the published CSV, the generator's, a parquet download."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Final

from core.benchmarks.base import LoadOptions
from core.benchmarks.tables import Table, find_table
from core.benchmarks.voila.columns import check_mapping, find_columns
from core.benchmarks.voila.row import Placer, RowReader, cell_text, parse_rule
from core.benchmarks.voila.rules import RULES, rules_of
from core.errors import DataError, Problem, UsageError
from core.records import Item

PICTURE_FOLDER: Final = "Test_Images"
"""Where the published data keeps its pictures, beside the file."""


def load(path: Path, subset: str, options: LoadOptions) -> VoilaFile:
    """The questions of a file, or of the one data file in a folder.

    ``subset`` is ``WD``, ``ND`` (the seven structures without Distraction, whatever else the file holds) or "":
    whichever the file is. Raises DataError where there is no such file and UsageError for an option that cannot
    be used; what is wrong inside comes from ``problems()``.
    """
    if subset:
        rules_of(subset)
    mapping = check_mapping(options.mapping or {})
    if options.pictures is not None and not options.pictures.is_dir():
        raise UsageError("there is no such folder of pictures", where=str(options.pictures))
    return VoilaFile(find_table(path, subset), subset, options.pictures, mapping)


class VoilaFile:
    """The Dataset of a VOILA file. Every pass reads the file anew and keeps nothing of it."""

    def __init__(self, table: Table, asked: str, pictures: Path | None, mapping: Mapping[str, str]) -> None:
        self._table = table
        self._asked = asked
        self._pictures = pictures
        self._mapping = mapping

    @property
    def source(self) -> str:
        return self._table.name

    @cached_property
    def digest(self) -> str:
        return self._table.digest()

    @cached_property
    def subset(self) -> str:
        """``WD`` or ``ND``: as asked for, else WD if any row has a rule with Distraction."""
        if self._asked:
            return self._asked
        if self._table.file_problems():
            return "ND"
        columns = find_columns(self._table.columns(), self._mapping, self.source)[0]
        column = columns["rule"]
        if column is None:
            return "ND"
        for _, row in self._table.rows([column]):
            if isinstance(row, dict) and "D" in RULES.get(parse_rule(cell_text(row.get(column))) or 0, ""):
                return "WD"
        return "ND"

    def __iter__(self) -> Iterator[Item]:
        for outcome in self._read(pictures=True):
            if isinstance(outcome, list):
                raise DataError(outcome)
            yield outcome

    def good(self) -> Iterator[Item]:
        """The items of the rows that have no problem, for runs that skip bad ones."""
        return (outcome for outcome in self._read(pictures=True) if not isinstance(outcome, list))

    def problems(self) -> list[Problem]:
        found: list[Problem] = []
        for outcome in self._read(pictures=False):
            if isinstance(outcome, list):
                found += outcome
        return found

    def _read(self, *, pictures: bool) -> Iterator[Item | list[Problem]]:
        """Items and problems in the file's order. Without ``pictures``, embedded ones are not read."""
        file = self.source
        if whole := self._table.file_problems():
            yield whole
            return
        columns, missing = find_columns(self._table.columns(), self._mapping, file)
        if missing:
            yield missing
            return
        reader = RowReader(file, self.subset, columns, self._placer())
        seen = _Numbers()
        rows = questions = 0
        for row_number, row in self._table.rows(columns.used(pictures=pictures)):
            rows += 1
            if isinstance(row, list):
                yield row
                continue
            outcome = reader.read(row_number, row)
            if outcome is None:
                continue
            questions += 1
            number = reader.number(row_number, row)
            if not seen.add(number):
                what = f"the id voila-{number} is an earlier row's already"
                repeated = Problem(file, row_number, columns.name("question"), what)
                outcome = [*outcome, repeated] if isinstance(outcome, list) else [repeated]
            yield outcome
        if not rows:
            yield [Problem(file, 0, "", "the file has a header but no rows")]
        elif not questions and self._asked:
            yield [Problem(file, 0, columns.name("rule"), f"no row has a rule of the subset {self.subset}")]

    def _placer(self) -> Placer:
        """Pictures lie in the folder given, else beside the file; in ``Test_Images`` there if that holds them."""
        first = self._table.files[0]
        base = self._pictures or first.parent
        inner = base / PICTURE_FOLDER
        if not inner.is_dir():
            return partial(os.path.join, base)

        @lru_cache(maxsize=1024)
        def place(name: str) -> str:
            outer = base / name
            return str(outer if outer.is_file() else inner / name)

        return place


class _Numbers:
    """A set of whole numbers in little memory: a bit each, in blocks."""

    def __init__(self) -> None:
        self._blocks: dict[int, int] = {}

    def add(self, number: int) -> bool:
        """False if it was there."""
        block, bit = number >> 10, 1 << (number & 1023)
        bits = self._blocks.get(block, 0)
        self._blocks[block] = bits | bit
        return not bits & bit
