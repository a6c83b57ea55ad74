"""How many trajectories are still all right after each step: right there, and at every step before it."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from core.records import Origin
from core.statistics import cluster_bootstrap, wilson
from sessions import encoding
from sessions.cells import ordered_steps, steps_of
from sessions.lanes import before_of
from sessions.paths import ScoredStep, scored_steps
from sessions.runs import Run
from sessions.store import Store


@dataclass(frozen=True, slots=True)
class Alive:
    """After ``step``: of the ``n`` trajectories that answered it, ``right`` were all right up to there and with it.

    The 95% interval is Wilson's, or a bootstrap over items where an item has several repeats.
    """

    step: str
    right: int
    n: int
    low: float
    high: float
    interval: str

    @property
    def share(self) -> float | None:
        return self.right / self.n if self.n else None


def survival(store: Store, run: Run, scorer: str, only: Collection[str] | None = None) -> tuple[Alive, ...]:
    """Of a run's own main trajectories, step by step in the protocol's order; ``only`` takes the items of these ids.

    A step that the scorer has not judged changes nothing and is not counted. Nor is anything after an answer that was
    put in, or that somebody else gave: what follows is no longer the respondent's own doing. Steps asked in parts,
    and numbered ones, stand each by its own name.
    """
    return survivals(store, run, scorer, only).get(before_of(run.config), ())


def survivals(
    store: Store, run: Run, scorer: str, only: Collection[str] | None = None
) -> dict[str, tuple[Alive, ...]]:
    """The same by lane, named as in cells: what was answered after something was put in is followed apart, from the
    first such answer on."""
    counts: dict[str, dict[str, Counter[tuple[int, int]]]] = {}
    with store.snapshot():
        for steps in _by_item(store, run, scorer, only):
            for (lane, name), sums in _followed(steps).items():
                counts.setdefault(lane, {}).setdefault(name, Counter())[sums] += 1
    order = {step: index for index, step in enumerate(steps_of(run))} | ordered_steps(run)
    plain = before_of(run.config)
    return {
        lane or plain: tuple(
            _alive(name, of_step[name]) for name in sorted(of_step, key=lambda name: order.get(name, len(order)))
        )
        for lane, of_step in counts.items()
    }


def _by_item(
    store: Store, run: Run, scorer: str, only: Collection[str] | None
) -> Iterable[Sequence[Sequence[ScoredStep]]]:
    """The paths of each item's trajectories."""
    db = store.reader()
    items = _trajectories(db, run.id, only)
    found: dict[int, list[list[ScoredStep]]] = {}
    for trajectory, steps in groupby(scored_steps(db, items, scorer), key=lambda step: step.trajectory):
        found.setdefault(items[trajectory], []).append(list(steps))
    return found.values()


def _trajectories(db: sqlite3.Connection, run: int, only: Collection[str] | None) -> dict[int, int]:
    """Main trajectories and their items' rows."""
    rows = db.execute(
        "SELECT t.id, t.item, items.key FROM trajectories AS t JOIN items ON items.id = t.item"
        " WHERE t.run = ? AND t.parent IS NULL",
        (run,),
    )
    return {row: item for row, item, key in rows if only is None or encoding.from_text(key) in only}


def _followed(trajectories: Sequence[Sequence[ScoredStep]]) -> dict[tuple[str, str], tuple[int, int]]:
    """By lane and step: how many of an item's trajectories are all right up to it, of how many that answered it."""
    sums: dict[tuple[str, str], list[int]] = {}
    for steps in trajectories:
        right: dict[str, bool] = {}
        plain = True
        for step in steps:
            plain = plain and step.origin is Origin.RESPONDENT and not step.lane
            if step.origin is not Origin.RESPONDENT or not step.scored or not (plain or step.lane):
                continue
            right[step.lane] = right.get(step.lane, True) and not step.wrong
            at = sums.setdefault((step.lane, step.name), [0, 0])
            at[0] += right[step.lane]
            at[1] += 1
    return {place: (right, n) for place, (right, n) in sums.items()}


def _alive(step: str, clusters: Counter[tuple[int, int]]) -> Alive:
    right = sum(r * count for (r, _), count in clusters.items())
    n = sum(size * count for (_, size), count in clusters.items())
    alone = all(size == 1 for _, size in clusters)
    interval = wilson(right, n) if alone else cluster_bootstrap({(float(r), s): c for (r, s), c in clusters.items()})
    return Alive(step, right, n, interval.low, interval.high, interval.name)
