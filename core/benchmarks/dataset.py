"""What every data set of rows does alike, whatever its rows mean."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Final

from core.errors import DataError, Problem
from core.records import Item
from core.stamps import Seen

KEPT: Final = 4096
"""Of a file with no more rows, what they came to is kept, some 2.5 KB each: a run goes over its rows four times,
whatever the benchmark."""


class Rows(ABC):
    """The passes of a Dataset over a file's rows. Each reads the file anew and keeps nothing of it; of a small file
    without embedded pictures what the first whole pass found is kept for as long as all that it looked at stays the
    same."""

    _kept: tuple[Seen, tuple[Item | list[Problem], ...]] | None = None

    @abstractmethod
    def _read(self, seen: Seen) -> Iterator[Item | list[Problem]]:
        """The item, or what is wrong, of each row in the file's order; what is wrong with the file among them.

        ``seen`` is shown every file and folder that this depends on before it is read: the data, what lies beside it,
        the folders that tell where a picture lies. Nothing is kept of a pass that shows it none.
        """

    def __iter__(self) -> Iterator[Item]:
        for outcome in self.outcomes():
            if isinstance(outcome, list):
                raise DataError(outcome)
            yield outcome

    def outcomes(self) -> Iterator[Item | list[Problem]]:
        """Each row's item, or what is wrong with it, for a data set that is made of this one."""
        known = self._kept
        if known is not None and known[0].same():
            yield from known[1]
            return
        self._kept = None
        seen = Seen()
        kept: list[Item | list[Problem]] | None = []
        for outcome in self._read(seen):
            if kept is not None:
                kept.append(outcome)
                if len(kept) > KEPT or not seen or _holds_pictures(outcome):
                    kept = None
            yield outcome
        if kept is not None:
            self._kept = seen, tuple(kept)

    def good(self) -> Iterator[Item]:
        """The items of the rows that have no problem, for runs that skip bad ones."""
        return (outcome for outcome in self.outcomes() if not isinstance(outcome, list))

    def problems(self) -> list[Problem]:
        """Embedded pictures are read too: one that is missing shows nowhere else before a run."""
        return [problem for outcome in self.outcomes() if isinstance(outcome, list) for problem in outcome]


def _holds_pictures(outcome: Item | list[Problem]) -> bool:
    return not isinstance(outcome, list) and any(picture.data is not None for picture in outcome.pictures)
