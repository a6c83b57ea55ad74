"""Working files: JSON lines that a pipeline takes its items from."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from core.benchmarks import objects
from core.benchmarks.dataset import Rows
from core.errors import DataError, Problem
from core.records import Item
from core.stamps import Seen


class Lines(Rows):
    """The Dataset of a file with a JSON object a line. Raises DataError where there is none."""

    def __init__(self, file: Path) -> None:
        if not file.is_file():
            raise DataError([Problem(str(file), 0, "", "there is no such file")])
        self._file = file

    @property
    def source(self) -> str:
        return str(self._file)

    @property
    def subset(self) -> str:
        return ""

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self._file.read_bytes()).hexdigest()

    def _read(self, seen: Seen) -> Iterator[Item | list[Problem]]:
        if problems := objects.file_problems(self._file):
            yield problems
            return
        for number, row in objects.rows(self._file):
            yield row if isinstance(row, list) else self._item(number, row)

    @abstractmethod
    def _item(self, number: int, row: Mapping[str, Any]) -> Item | list[Problem]:
        """The item of that row, or what is wrong with it."""
