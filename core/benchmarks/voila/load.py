"""VOILA's data files to items: the published CSV, the generator's, a parquet download."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final

from core.benchmarks.base import LoadOptions
from core.benchmarks.dataset import Rows
from core.benchmarks.folders import Inside, find_data
from core.benchmarks.tables import Table
from core.benchmarks.voila.columns import check_mapping, find_columns
from core.benchmarks.voila.row import Placer, RowReader, cell_text, parse_rule
from core.benchmarks.voila.rules import RULES, rules_of
from core.errors import Problem
from core.records import Item
from core.stamps import Seen

ENDINGS: Final = (".csv", ".parquet")

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
    return VoilaFile(find_data(path, ENDINGS, hint=subset), subset, options.pictures, mapping)


class VoilaFile(Rows):
    """The Dataset of a VOILA file."""

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

    def problems(self) -> list[Problem]:
        """Embedded pictures are not read: a name, or none, is enough here."""
        if not self._table.parquet:
            return super().problems()
        outcomes = self._read(Seen(), pictures=False)
        return [problem for outcome in outcomes if isinstance(outcome, list) for problem in outcome]

    def _read(self, seen: Seen, *, pictures: bool = True) -> Iterator[Item | list[Problem]]:
        """Without ``pictures``, embedded ones are not read."""
        file = self.source
        seen.look(*self._table.files)
        if whole := self._table.file_problems():
            yield whole
            return
        columns, missing = find_columns(self._table.columns(), self._mapping, file)
        if missing:
            yield missing
            return
        reader = RowReader(file, self.subset, columns, self._placer(seen))
        numbers = _Numbers()
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
            if not numbers.add(number):
                what = f"the id voila-{number} is an earlier row's already"
                repeated = Problem(file, row_number, columns.name("question"), what)
                outcome = [*outcome, repeated] if isinstance(outcome, list) else [repeated]
            yield outcome
        if not rows:
            yield [Problem(file, 0, "", "the file has a header but no rows")]
        elif not questions and self._asked:
            yield [Problem(file, 0, columns.name("rule"), f"no row has a rule of the subset {self.subset}")]

    def _placer(self, seen: Seen) -> Placer:
        """Pictures lie in the folder given, else beside the file; in ``Test_Images`` there if that holds them."""
        base = self._pictures or self._table.files[0].parent
        seen.look(base, base / PICTURE_FOLDER)
        inside = Inside(base, seen)
        if not (base / PICTURE_FOLDER).is_dir():
            return inside.named

        @lru_cache(maxsize=1024)
        def place(name: str) -> str | None:
            outer = inside.named(name)
            return outer if outer is None or Path(outer).is_file() else inside.named(f"{PICTURE_FOLDER}/{name}")

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
