"""Trajectories that went wrong, for reading: some of them, of every step that they first go wrong at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest

from core.benchmarks import registry
from core.planning import drawer_of, largest_side
from core.records import Trajectory
from sessions.cells import steps_of
from sessions.golds import PUBLISHED_GOLD
from sessions.outcome_arrays import OutcomeReader
from sessions.reading import trajectory
from sessions.reopening import request_of
from sessions.runs import Run
from sessions.sent import StoredPictures
from sessions.store import Store


@dataclass(frozen=True, slots=True)
class Failing:
    """Some of a run's main trajectories with a wrong step, by the first of them in the order of the steps.

    ``counts`` are all there are, ``shown`` those that were read; ``pictures`` serves what they were asked with.
    """

    run: Run
    scorer: str
    counts: Mapping[str, int]
    shown: Mapping[str, tuple[Trajectory, ...]]
    pictures: StoredPictures

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def left_out(self) -> int:
        return self.total - sum(map(len, self.shown.values()))


def failing(store: Store, run: Run, scorer: str, most: int, reader: OutcomeReader | None = None) -> Failing:
    """At most ``most`` trajectories, the first ones of each step in turn. Only what is shown is read whole; a
    ``reader`` reads what all runs need of the store once."""
    counts: Counter[str] = Counter()
    first: dict[str, list[int]] = {}
    for row, name in (reader or OutcomeReader(store, PUBLISHED_GOLD)).first_wrong(run, scorer):
        counts[name] += 1
        rows = first.setdefault(name, [])
        if len(rows) < most:
            rows.append(row)
    in_turn = [row for rows in zip_longest(*first.values()) for row in rows if row is not None][:most]
    shown: dict[str, tuple[Trajectory, ...]] = {}
    for step in first:
        found = (trajectory(store, row) for row in first[step] if row in in_turn)
        shown[step] = tuple(one[1] for one in found if one is not None)
    request = request_of(run)
    pictures = StoredPictures(
        store, run.id, drawer=drawer_of(registry.get(run.config.benchmark), request), max_side=largest_side(request)
    )
    pictures.stored_first = True
    order = {step: index for index, step in enumerate(steps_of(run))}
    steps = sorted(first, key=lambda step: (order.get(step, len(order)), step))
    return Failing(
        run, scorer, {step: counts[step] for step in steps}, {step: shown[step] for step in steps}, pictures
    )
