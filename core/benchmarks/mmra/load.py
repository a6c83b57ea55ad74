"""MMRA's data files to items: metadata.json, parquet with the pictures inside, a snapshot of the hub."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from core.benchmarks.base import LoadOptions
from core.benchmarks.dataset import Rows
from core.benchmarks.folders import Inside
from core.benchmarks.mmra.columns import check_mapping, find_columns
from core.benchmarks.mmra.described import read_beside
from core.benchmarks.mmra.row import RowReader
from core.benchmarks.mmra.sources import Source, find_sources
from core.errors import Problem
from core.records import Item
from core.stamps import Seen


def load(path: Path, subset: str, options: LoadOptions) -> MmraFile:
    """The questions of a file or folder. MMRA has no subsets.

    Raises DataError where there is no such file and UsageError for a mapping of no field; what is wrong inside comes
    from ``problems()``.
    """
    mapping = check_mapping(options.mapping or {})
    return MmraFile(path, find_sources(path), options.pictures, mapping)


class MmraFile(Rows):
    """The Dataset of MMRA files."""

    def __init__(
        self, path: Path, sources: Sequence[Source], pictures: Path | None, mapping: Mapping[str, str]
    ) -> None:
        self._path = path
        self._sources = sources
        self._pictures = pictures
        self._mapping = mapping

    @property
    def source(self) -> str:
        return str(self._sources[0].path if len(self._sources) == 1 else self._path)

    @property
    def subset(self) -> str:
        return ""

    @cached_property
    def digest(self) -> str:
        """Of the files one after the other, and of the descriptions beside them."""
        parts = [source.digest() for source in self._sources]
        parts += [found for folder in self._folders() if (found := read_beside(folder).digest)]
        return parts[0] if len(parts) == 1 else hashlib.sha256("".join(parts).encode()).hexdigest()

    def _folders(self) -> list[Path]:
        """One file of each folder that data files lie in."""
        return list({source.path.parent: source.path for source in self._sources}.values())

    def _read(self, seen: Seen) -> Iterator[Item | list[Problem]]:
        ids: dict[str, str] = {}
        running = 0
        mapped: set[str] = set()
        for source in self._sources:
            file = str(source.path)
            seen.look(file)
            if whole := source.file_problems():
                yield whole
                continue
            columns = find_columns(source.columns(), self._mapping)
            mapped |= columns.keys() & self._mapping.keys()
            described = read_beside(source.path, seen)
            if described.problems:
                yield list(described.problems)
            reader = RowReader(columns, Inside(self._pictures or source.path.parent, seen), described)
            rows = 0
            for raw in source.rows(list(columns.values())):
                rows += 1
                running += 1
                outcome = reader.read(raw, running)
                if isinstance(outcome, Item):
                    place = f"row {raw.number}" + (f" of {source.path.name}" if len(self._sources) > 1 else "")
                    earlier = ids.setdefault(outcome.id, place)
                    if earlier != place:
                        what = f"the id {outcome.id} is already that of {earlier}"
                        outcome = [Problem(file, raw.number, columns.get("id", "id"), what)]
                yield outcome
            if not rows:
                yield [Problem(file, 0, "", "the file has no rows")]
        for field in self._mapping.keys() - mapped:
            what = f"no row has a field {self._mapping[field]!r} to read it from"
            yield [Problem(self.source, 0, field, what)]
