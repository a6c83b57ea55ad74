"""How a run's trajectories came out, as arrays: what measures of whole trajectories read.

A million steps are a few megabytes so; one trajectory at a time is an ``Outcome``, for whoever wants to look at it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from core.gathered import Whole

    Truth = NDArray[numpy.bool_]


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """How one step came out under one scorer; ``parsed`` tells whether anything could be read. ``mistake`` is the
    kind of a wrong answer, "" where the benchmark tells none."""

    step: str
    right: bool
    parsed: bool
    mistake: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One plain, finished trajectory: its item, that item's groups, and how its steps came out, in order."""

    item: str
    groups: Mapping[str, str]
    repeat: int
    steps: tuple[StepOutcome, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes(Sequence[Outcome]):
    """Plain, finished trajectories. ``item``, ``group`` and ``repeat`` have an entry for each, ``trajectory``,
    ``step``, ``right``, ``parsed`` and ``mistake`` one for each step, trajectory by trajectory and in their order;
    ``item``, ``group``, ``step`` and ``mistake`` are places in the lists of what they name."""

    items: Sequence[str]
    groups: Sequence[Mapping[str, str]]
    steps: Sequence[str]
    mistakes: Sequence[str]
    item: Whole
    group: Whole
    repeat: Whole
    trajectory: Whole
    step: Whole
    right: Truth
    parsed: Truth
    mistake: Whole

    def __len__(self) -> int:
        return len(self.item)

    @overload
    def __getitem__(self, index: int) -> Outcome: ...
    @overload
    def __getitem__(self, index: slice) -> list[Outcome]: ...
    def __getitem__(self, index: int | slice) -> Outcome | list[Outcome]:
        import numpy

        if isinstance(index, slice):
            return [self[place] for place in range(len(self))[index]]
        place = range(len(self))[index]
        first, last = numpy.searchsorted(self.trajectory, [place, place + 1])
        named = ((self.steps[self.step[at]], self.mistakes[self.mistake[at]], at) for at in range(first, last))
        steps = tuple(
            StepOutcome(step, bool(self.right[at]), bool(self.parsed[at]), mistake) for step, mistake, at in named
        )
        groups = self.groups[self.group[place]]
        return Outcome(self.items[self.item[place]], groups, int(self.repeat[place]), steps)

    def labels(self, name: str) -> tuple[list[str], Whole]:
        """The values of one group in the order of their names, and of each trajectory the place of its own; "" where
        it has none."""
        import numpy

        told = [groups.get(name, "") for groups in self.groups]
        labels = sorted(set(told))
        return labels, numpy.array([labels.index(label) for label in told], dtype=numpy.int64)[self.group]

    def places(self, items: Sequence[str]) -> Whole:
        """Of each trajectory its item's place in another list, -1 where that does not hold it."""
        import numpy

        if items is self.items:
            return self.item
        there = {item: place for place, item in enumerate(items)}
        return numpy.array([there.get(item, -1) for item in self.items], dtype=numpy.int64)[self.item]

    @classmethod
    def of(cls, outcomes: Iterable[Outcome]) -> Outcomes:
        """The same trajectories as arrays."""
        if isinstance(outcomes, cls):
            return outcomes
        import numpy

        found = list(outcomes)
        items, names, mistakes = _Places(), _Places(), _Places()
        groups: list[Mapping[str, str]] = []
        by_groups: dict[tuple[tuple[str, str], ...], int] = {}
        group = []
        for outcome in found:
            key = tuple(sorted(outcome.groups.items()))
            if key not in by_groups:
                by_groups[key] = len(groups)
                groups.append(outcome.groups)
            group.append(by_groups[key])
        steps = [(place, step) for place, outcome in enumerate(found) for step in outcome.steps]

        def whole(values: Iterable[int]) -> Whole:
            return numpy.fromiter(values, dtype=numpy.int64)

        return cls(
            item=whole(items.of(outcome.item) for outcome in found),
            group=whole(group),
            repeat=whole(outcome.repeat for outcome in found),
            trajectory=whole(place for place, _ in steps),
            step=whole(names.of(step.step) for _, step in steps),
            right=whole(step.right for _, step in steps).astype(bool),
            parsed=whole(step.parsed for _, step in steps).astype(bool),
            mistake=whole(mistakes.of(step.mistake) for _, step in steps),
            items=items.found,
            groups=groups,
            steps=names.found,
            mistakes=mistakes.found,
        )


class _Places:
    """Numbers texts in the order they come."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._known: dict[str, int] = {}

    def of(self, text: str) -> int:
        if text not in self._known:
            self._known[text] = len(self.found)
            self.found.append(text)
        return self._known[text]
