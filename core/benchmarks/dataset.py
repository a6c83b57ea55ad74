"""What every data set of rows does alike, whatever its rows mean."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from typing import Final

from core.errors import DataError, Problem
from core.records import Item

KEPT: Final = 4096
"""Of a file with no more rows, what they came to is kept, some 2.5 KB each: a run goes over its rows four times."""


class Rows(ABC):
    """The passes of a Dataset over a file's rows. Each reads the file anew and keeps nothing of it; of a small file
    without embedded pictures what the first whole pass found is kept for as long as the file stays the same."""

    _kept: tuple[Hashable, tuple[Item | list[Problem], ...]] | None = None

    def _stamp(self) -> Hashable:
        """What is another where a pass could find something else; None where nobody can tell."""
        return None

    @abstractmethod
    def _read(self) -> Iterator[Item | list[Problem]]:
        """The item, or what is wrong, of each row in the file's order; what is wrong with the file among them."""

    def __iter__(self) -> Iterator[Item]:
        for outcome in self.outcomes():
            if isinstance(outcome, list):
                raise DataError(outcome)
            yield outcome

    def outcomes(self) -> Iterator[Item | list[Problem]]:
        """Each row's item, or what is wrong with it, for a data set that is made of this one."""
        stamp = self._stamp()
        if self._kept is not None and self._kept[0] == stamp:
            yield from self._kept[1]
            return
        self._kept = None
        kept: list[Item | list[Problem]] | None = None if stamp is None else []
        for outcome in self._read():
            if kept is not None:
                kept.append(outcome)
                if len(kept) > KEPT or _holds_pictures(outcome):
                    kept = None
            yield outcome
        if kept is not None:
            self._kept = stamp, tuple(kept)

    def good(self) -> Iterator[Item]:
        """The items of the rows that have no problem, for runs that skip bad ones."""
        return (outcome for outcome in self.outcomes() if not isinstance(outcome, list))

    def problems(self) -> list[Problem]:
        """Embedded pictures are read too: one that is missing shows nowhere else before a run."""
        return [problem for outcome in self.outcomes() if isinstance(outcome, list) for problem in outcome]


def _holds_pictures(outcome: Item | list[Problem]) -> bool:
    return not isinstance(outcome, list) and any(picture.data is not None for picture in outcome.pictures)
