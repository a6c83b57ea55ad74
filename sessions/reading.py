"""What screens ask of the store: pages of items and how they stand, an item's trajectories and tree, pictures."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.records import Item, Progress, SentPicture, Step, Trajectory
from sessions import encoding
from sessions.paths import scored_steps
from sessions.replay import Replay
from sessions.runs import Run
from sessions.store import Store
from sessions.tallies import Failures, failures, hangs_together, joined, scorers_of, tallies

__all__ = [
    "Failures",
    "ItemStatus",
    "Node",
    "Tree",
    "failures",
    "find_items",
    "finished",
    "hangs_together",
    "item",
    "item_keys",
    "item_names",
    "items",
    "joined",
    "last_touched",
    "picture",
    "pictures",
    "repeats_of",
    "scorers_of",
    "tallies",
    "trajectories_of",
    "trajectories_on",
    "trajectory",
    "tree",
]


@dataclass(frozen=True, slots=True)
class Node:
    """A step in an item's tree: the step it follows (0: none) and the trajectory that made it (None: of a run that
    was deleted)."""

    step: Step
    parent: int
    trajectory: int | None


@dataclass(frozen=True, slots=True)
class Tree:
    """All steps of one item in one run, and its trajectories without their steps; ``heads`` maps a trajectory to
    its last step."""

    nodes: tuple[Node, ...]
    trajectories: tuple[Trajectory, ...]
    heads: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class ItemStatus:
    """One line of a list of items. ``trajectory`` is its main one in the run, None where it was not run;
    ``first_wrong`` the name of the first step that the scorer holds wrong, "" where there is none."""

    id: int
    key: str
    benchmark: str
    subset: str
    groups: Mapping[str, str]
    trajectory: int | None = None
    progress: Progress | None = None
    first_wrong: str = ""
    failed_step: str = ""
    reason: str = ""
    steps: int = 0

    @property
    def label(self) -> str:
        """``not run``, ``failed``, ``open``, ``wrong`` or ``right``."""
        if self.progress is None:
            return "not run"
        if self.progress is not Progress.DONE:
            return self.progress.value
        return "wrong" if self.first_wrong else "right"


# -- items and their trajectories


def items(
    store: Store,
    run: Run | None = None,
    *,
    benchmark: str | None = None,
    subset: str | None = None,
    repeat: int = 0,
    scorer: str = "rule",
    labels: Sequence[str] = (),
    where: Mapping[str, str] | None = None,
    offset: int = 0,
    limit: int | None = None,
) -> list[ItemStatus]:
    """A page of the stored items, in the order they were first seen, each with how it stands in ``run``.

    Without ``benchmark`` and ``subset`` those of the run count. ``labels`` keeps the items whose ``label`` is one of
    these, ``where`` those whose groups have these values.
    """
    db = store.reader()
    if run is not None:
        benchmark = run.config.benchmark if benchmark is None else benchmark
        subset = run.config.subset if subset is None else subset
    rows = db.execute(
        "SELECT i.id, i.key, i.benchmark, i.subset, i.groups, t.id, t.progress, t.failed_step, t.reason"
        " FROM items AS i LEFT JOIN trajectories AS t"
        " ON t.item = i.id AND t.run = :run AND t.repeat = :repeat AND t.parent IS NULL"
        " WHERE (:benchmark IS NULL OR i.benchmark = :benchmark) AND (:subset IS NULL OR i.subset = :subset)"
        " ORDER BY i.id",
        {"run": run.id if run else None, "repeat": repeat, "benchmark": benchmark, "subset": subset},
    ).fetchall()
    if where:
        rows = [row for row in rows if where.items() <= encoding.from_json(row[4]).items()]
    if not labels:
        rows = rows[offset : None if limit is None else offset + limit]
    outcomes = _outcomes(db, [row[5] for row in rows if row[5] is not None], scorer)
    out = [_item_status(row, *outcomes.get(row[5], (0, ""))) for row in rows]
    if labels:
        out = [item for item in out if item.label in labels]
        out = out[offset : None if limit is None else offset + limit]
    return out


def item_keys(store: Store) -> list[str]:
    """The ids (of the data files) of all stored items."""
    return [
        encoding.from_text(row[0]) for row in store.reader().execute("SELECT DISTINCT key FROM items ORDER BY key")
    ]


def item_names(store: Store, run: int) -> dict[int, str]:
    """The ids (of the data file) of a run's items by their rows."""
    rows = store.reader().execute(
        "SELECT id, key FROM items WHERE id IN (SELECT item FROM trajectories WHERE run = ?)", (run,)
    )
    return {row: encoding.from_text(key) for row, key in rows}


def last_touched(store: Store, run: int) -> str:
    """The id of the item that something was stored on last, "" where nothing was."""
    row = (
        store.reader()
        .execute(
            "SELECT i.key FROM trajectories AS t JOIN items AS i ON i.id = t.item WHERE t.run = ?"
            " ORDER BY t.updated DESC, t.id DESC LIMIT 1",
            (run,),
        )
        .fetchone()
    )
    return encoding.from_text(row[0]) if row is not None else ""


def repeats_of(store: Store, run: int) -> int:
    """How often a run's items were taken up at most."""
    row = (
        store.reader().execute("SELECT ifnull(max(repeat) + 1, 0) FROM trajectories WHERE run = ?", (run,)).fetchone()
    )
    return int(row[0])


def finished(store: Store, run: int) -> Iterator[Trajectory]:
    """The run's finished plain trajectories with their items and steps, one by one."""
    db = store.reader()
    replay = Replay(db)
    rows = db.execute(
        "SELECT id FROM trajectories WHERE run = ? AND parent IS NULL AND progress = 1 ORDER BY id", (run,)
    )
    for (row,) in rows:
        yield replay.trajectory(row)


def find_items(store: Store, text: str, *, benchmark: str | None = None, subset: str | None = None) -> list[int]:
    """Rows of the items with this id (of the data file), else whose hash begins so (8 digits or more), else of
    ``BENCHMARK:SUBSET/ID`` where neither is named apart."""
    db = store.reader()
    found = db.execute(
        "SELECT id FROM items WHERE key = :key AND (:benchmark IS NULL OR benchmark = :benchmark)"
        " AND (:subset IS NULL OR subset = :subset) ORDER BY id",
        {"key": encoding.to_text(text), "benchmark": benchmark, "subset": subset},
    ).fetchall()
    if not found and 8 <= len(text) <= 64 and all(digit in "0123456789abcdefABCDEF" for digit in text):
        found = db.execute("SELECT id FROM items WHERE hex(hash) LIKE ? || '%'", (text.upper(),)).fetchall()
    place, slash, key = text.partition("/")
    if not found and slash and benchmark is None and subset is None:
        its_benchmark, _, its_subset = place.partition(":")
        return find_items(store, key, benchmark=its_benchmark, subset=its_subset or None)
    return [row[0] for row in found]


def item(store: Store, row: int) -> Item:
    """A stored item by its row. KeyError: no such one."""
    return Replay(store.reader()).item(row)


def trajectories_on(
    store: Store, text: str, run: int | None = None, *, calls: bool = False
) -> list[tuple[int, Trajectory]]:
    """All trajectories on the items of this id or hash (main ones and forks, of all runs or this one), each with its
    run's row. ``calls`` reads the raw requests and replies too."""
    out = []
    for row in find_items(store, text):
        out += trajectories_of(store, row, run, calls=calls)
    return out


def trajectories_of(
    store: Store, item_row: int, run: int | None = None, *, calls: bool = False
) -> list[tuple[int, Trajectory]]:
    """The same for one item by its row."""
    db = store.reader()
    replay = Replay(db)
    its_item = replay.item(item_row)
    return [
        (its_run, replay.trajectory(row, its_item, calls=calls))
        for row, its_run in db.execute(
            "SELECT id, run FROM trajectories WHERE item = ?1 AND (?2 IS NULL OR run = ?2) ORDER BY run, repeat, id",
            (item_row, run),
        ).fetchall()
    ]


def trajectory(store: Store, row: int, *, calls: bool = False) -> tuple[int, Trajectory] | None:
    """One trajectory by its number, with its run's row; None where there is none."""
    db = store.reader()
    found = db.execute("SELECT run FROM trajectories WHERE id = ?", (row,)).fetchone()
    return None if found is None else (found[0], Replay(db).trajectory(row, calls=calls))


def tree(store: Store, run: int, item_row: int) -> Tree:
    """Every step of an item in a run, forks and siblings too, and the steps of other runs that they stand on."""
    db = store.reader()
    replay = Replay(db)
    steps = [
        row[0]
        for row in db.execute(
            "WITH RECURSIVE mine (id) AS ("
            " SELECT id FROM steps WHERE trajectory IN (SELECT id FROM trajectories WHERE item = ?1 AND run = ?2)"
            " UNION SELECT head FROM trajectories WHERE item = ?1 AND run = ?2 AND head IS NOT NULL"
            " UNION SELECT steps.parent FROM mine JOIN steps ON steps.id = mine.id WHERE steps.parent IS NOT NULL)"
            " SELECT id FROM mine",
            (item_row, run),
        )
    ]
    its_item = replay.item(item_row)
    found, heads = [], {}
    for row, repeat, parent, fork, lane, head, progress, reason in db.execute(
        "SELECT t.id, t.repeat, t.parent, t.fork, lanes.label, t.head, t.progress, t.reason FROM trajectories AS t"
        " JOIN lanes ON lanes.id = t.lane WHERE t.item = ? AND t.run = ? ORDER BY t.id",
        (item_row, run),
    ):
        its_progress = encoding.PROGRESSES[progress]
        words = (encoding.from_text(lane), its_progress, encoding.from_text(reason))
        found.append(Trajectory(its_item, repeat, (), *words, parent, fork, row))
        heads[row] = head or 0
    return Tree(tuple(Node(*node) for node in replay.steps(steps)), tuple(found), heads)


def picture(store: Store, digest: str) -> bytes | None:
    """The bytes of a picture that was sent, answered or embedded in the data."""
    return Replay(store.reader()).picture(digest)


def pictures(store: Store, hashes: Sequence[str]) -> dict[str, SentPicture]:
    """Stored pictures with their bytes, by hash; one that is not there is left out."""
    return Replay(store.reader()).pictures(hashes)


# -- inside


def _outcomes(db: sqlite3.Connection, rows: Sequence[int], scorer: str) -> dict[int, tuple[int, str]]:
    """Number of steps and the first wrong one, by trajectory."""
    out: dict[int, tuple[int, str]] = {}
    for step in scored_steps(db, rows, scorer):
        steps, first = out.get(step.trajectory, (0, ""))
        out[step.trajectory] = (steps + 1, first or (step.name if step.wrong else ""))
    return out


def _item_status(row: Sequence[Any], steps: int, first_wrong: str) -> ItemStatus:
    number, key, benchmark, subset, groups, its_trajectory, progress, failed_step, reason = row
    return ItemStatus(
        number,
        encoding.from_text(key),
        encoding.from_text(benchmark),
        encoding.from_text(subset),
        encoding.from_json(groups),
        its_trajectory,
        None if progress is None else encoding.PROGRESSES[progress],
        first_wrong,
        encoding.from_text(failed_step),
        encoding.from_text(reason),
        steps,
    )
