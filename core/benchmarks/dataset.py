"""What every data set of rows does alike, whatever its rows mean."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

from core.errors import DataError, Problem
from core.records import Item


class Rows(ABC):
    """The passes of a Dataset over a file's rows. Each reads the file anew and keeps nothing of it."""

    @abstractmethod
    def _read(self) -> Iterator[Item | list[Problem]]:
        """The item, or what is wrong, of each row in the file's order; what is wrong with the file among them."""

    def __iter__(self) -> Iterator[Item]:
        for outcome in self._read():
            if isinstance(outcome, list):
                raise DataError(outcome)
            yield outcome

    def outcomes(self) -> Iterator[Item | list[Problem]]:
        """Each row's item, or what is wrong with it, for a data set that is made of this one."""
        return self._read()

    def good(self) -> Iterator[Item]:
        """The items of the rows that have no problem, for runs that skip bad ones."""
        return (outcome for outcome in self._read() if not isinstance(outcome, list))

    def problems(self) -> list[Problem]:
        """Embedded pictures are read too: one that is missing shows nowhere else before a run."""
        return [problem for outcome in self._read() if isinstance(outcome, list) for problem in outcome]
