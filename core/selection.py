"""Which items of a data set are run: filter, sample, limit. Streams; keeps row numbers, not items."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from core.benchmarks.base import Dataset
from core.errors import UsageError
from core.records import Item, Json

SHOWN: Final = 20
"""Of the values there are so many are named."""
LONGEST_NUMBER: Final = 18


@dataclass(frozen=True, slots=True)
class Filter:
    """``--where key=value`` (several values of one key: any of them), ``--sample N --seed S``, ``--limit N``,
    ``--shard I/N``: the I-th of N, then the N-th after it, and so on.

    ``limit`` and ``shard`` say how far to go, not which items there are: they are no part of a run's identity.
    """

    where: Mapping[str, tuple[str, ...]]
    sample: int = 0
    seed: int = 0
    limit: int = 0
    shard: tuple[int, int] | None = None

    def to_json(self) -> Json:
        """What identifies the choice of items."""
        out: dict[str, Json] = {"where": {key: sorted(set(values)) for key, values in sorted(self.where.items())}}
        if self.sample:
            out |= {"sample": self.sample, "seed": self.seed}
        return out

    def matches(self, item: Item) -> bool:
        return all(self.value(item, key) in values for key, values in self.where.items())

    @staticmethod
    def value(item: Item, key: str) -> str:
        """What a filter on ``key`` looks at: a group of the item, or its id."""
        return item.id if key == "id" else item.groups.get(key, "")


@dataclass(frozen=True, slots=True)
class Nowhere:
    """Values of a filter that no item has, and what the items have instead."""

    what: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.what}. {self.remedy}"


def nowhere(name: str, asked: Iterable[str], known: Collection[str]) -> Nowhere | None:
    """The words on those values of ``asked`` that are not among the ``known`` ones; None where all are."""
    missing = [value for value in asked if value not in known]
    if not missing:
        return None
    there = sorted(filter(None, known), key=natural)
    shown = ", ".join(there[:SHOWN]) + (" ..." if len(there) > SHOWN else "")
    remedy = f"Known values of {name}: {shown}" if there else f"No item has a {name}"
    return Nowhere(f"no item has {name} {' or '.join(missing)}", remedy)


def refuse_nowhere(where: Mapping[str, Iterable[str]], known: Mapping[str, Collection[str]], option: str) -> None:
    """Raises UsageError for a filter's values that no item has, naming those there are."""
    for key, asked in where.items():
        values = tuple(asked)
        if (said := nowhere(key, values, known[key])) is not None:
            missing = ",".join(value for value in values if value not in known[key])
            raise UsageError(said.what, where=f"{option}{key}={missing}", remedy=said.remedy)


def natural(text: str) -> tuple[int, str]:
    """A key that sorts numbers as numbers, before words."""
    return (int(text), "") if text.isdecimal() and len(text) < LONGEST_NUMBER else (10**LONGEST_NUMBER, text)


class Selection:
    """The items of a data set that a filter leaves, in the data set's order, any number of times.

    ``skip_bad`` leaves out bad rows. Items that the protocol does not cover are left out before a sample is drawn;
    ``uncovered`` names them. ``skipped`` are ids of items that turned out unusable: they are left out last, so that
    the sample and what the limit reaches stay the same.
    """

    def __init__(
        self,
        dataset: Dataset,
        chosen: Filter,
        *,
        skip_bad: bool = False,
        skipped: frozenset[str] = frozenset(),
        covers: Callable[[Item], bool] | None = None,
    ) -> None:
        self.dataset = dataset
        self.filter = chosen
        self.skip_bad = skip_bad
        self.skipped = skipped
        self._covers = covers
        self._sampled: frozenset[int] | None = None
        self._count: int | None = None

    def __iter__(self) -> Iterator[Item]:
        count = 0
        first, of = self.filter.shard or (1, 1)
        for item in islice(self._before_limit(), first - 1, self.filter.limit or None, of):
            if item.id not in self.skipped:
                count += 1
                yield item
        self._count = count

    def __len__(self) -> int:
        if self._count is None:
            self._count = sum(1 for _ in self)
        return self._count

    def uncovered(self) -> Iterator[Item]:
        """The items that the filter leaves and the protocol asks nothing of."""
        covers = self._covers
        return iter(()) if covers is None else (item for item in self._filtered() if not covers(item))

    def _filtered(self) -> Iterator[Item]:
        return (
            item for item in (self.dataset.good() if self.skip_bad else self.dataset) if self.filter.matches(item)
        )

    def _matching(self) -> Iterator[Item]:
        covers = self._covers
        return self._filtered() if covers is None else (item for item in self._filtered() if covers(item))

    def _before_limit(self) -> Iterator[Item]:
        if not self.filter.sample:
            return self._matching()
        if self._sampled is None:
            total = sum(1 for _ in self._matching())
            size = min(self.filter.sample, total)
            self._sampled = frozenset(random.Random(f"sample/{self.filter.seed}").sample(range(total), size))
        sampled = self._sampled
        return (item for index, item in enumerate(self._matching()) if index in sampled)

    @property
    def empty_part(self) -> bool:
        """Whether there are items, and none for this part of them: of few items some parts are empty, and done."""
        return self.filter.shard is not None and not len(self) and next(self._before_limit(), None) is not None

    def refuse_nothing(self) -> None:
        """Raises UsageError where the filter leaves no item, for any part, or names a value that none has."""
        self.refuse_unknown()
        if next(iter(self), None) is not None:
            return
        if self._covers is not None and next(self._filtered(), None) is not None:
            raise UsageError("this protocol, with these options, asks nothing of any of these items")
        if self.empty_part:
            return
        raise UsageError("no item is left by these filters", where=self.dataset.source)

    def refuse_unknown(self) -> None:
        """Raises UsageError for a value that no item has, naming those there are."""
        known: dict[str, set[str]] = {key: set() for key in self.filter.where}
        for item in self.dataset.good() if known else ():
            for key, values in known.items():
                values.add(self.filter.value(item, key))
        refuse_nowhere(self.filter.where, known, "--where ")


class Handful(Selection):
    """Some of a selection's items, at hand."""

    def __init__(self, of: Selection, items: Sequence[Item]) -> None:
        super().__init__(of.dataset, of.filter, skip_bad=of.skip_bad, skipped=of.skipped)
        self._items = tuple(items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)
