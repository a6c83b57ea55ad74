"""Scoring stored answers again: a new scorer, or a new version of one, puts its rows beside the old."""

# ruff: noqa: S608  (only identifiers from constants of this house are put into SQL; values are parameters)

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeAlias, TypeVar

from core.records import Item, Origin, Score, Step
from sessions import encoding
from sessions.replay import Replay
from sessions.runs import Run
from sessions.store import Store

T = TypeVar("T")
Judge: TypeAlias = Callable[[Item, Step], Score]

BATCH: Final = 500


@dataclass(frozen=True, slots=True)
class Rescored:
    """One stored answer with the scorer's earlier view of it (None where it had none) and the new one."""

    item: str
    trajectory: int | None
    step: Step
    old: Score | None
    new: Score

    @property
    def changed(self) -> bool:
        """The new score says something else; a text position alone does not count."""
        old = self.old
        return old is None or (old.status, old.right, old.scored, dict(old.parsed)) != (
            self.new.status,
            self.new.right,
            self.new.scored,
            dict(self.new.parsed),
        )


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """A stored step with its item and the trajectory that made it."""

    item: Item
    step: Step
    trajectory: int | None


def rescore(
    store: Store, run: Run, judge: Judge, *, scorer: str, version: str, diff: bool = False
) -> Iterator[Rescored]:
    """Score every stored answer of a run with ``judge`` and keep the scores; yields what was scored.

    Asks no respondent. What this scorer and version has scored already is left as it is: nothing is rewritten, and
    calling twice does nothing more. A new version adds its rows, and reports then use them step by step. ``diff``
    yields only what changed. The choices acted on stay what they were. Iterate to the end: scores are kept batch
    by batch.
    """
    for batch in _batches(unscored(store, run, scorer=scorer, version=version)):
        made = [(answer, judge(answer.item, answer.step)) for answer in batch]
        keep_scores(store, run, [(answer.step.id, score) for answer, score in made])
        for answer, score in made:
            one = Rescored(answer.item.id, answer.trajectory, answer.step, answer.step.score(scorer), score)
            if one.changed or not diff:
                yield one


def unscored(store: Store, run: Run, *, scorer: str, version: str) -> Iterator[StoredAnswer]:
    """The answers of a run that this version of the scorer has not scored, item by item."""
    rows = (
        store.reader()
        .execute(
            "SELECT s.id, t.item FROM trajectories AS t JOIN steps AS s ON s.trajectory = t.id WHERE t.run = ?"
            " AND NOT EXISTS (SELECT 1 FROM scores JOIN scorers ON scorers.id = scores.scorer"
            "  WHERE scores.step = s.id AND scorers.name = ? AND scorers.version = ?) ORDER BY t.item, s.id",
            (run.id, encoding.to_text(scorer), encoding.to_text(version)),
        )
        .fetchall()
    )
    replay = Replay(store.reader())
    item: tuple[int, Item] | None = None
    for part in _batches(rows):
        steps = {step.id: (step, trajectory) for step, _, trajectory in replay.steps(row for row, _ in part)}
        for row, number in part:
            if row in steps:  # not deleted meanwhile
                if item is None or item[0] != number:
                    item = (number, replay.item(number))
                yield StoredAnswer(item[1], *steps[row])


def keep_scores(store: Store, run: Run, scores: Sequence[tuple[int, Score]]) -> int:
    """Store scores of steps (by their ids) of this run; those stored already stay. How many are new."""

    def change(db: sqlite3.Connection) -> int:
        new = 0
        for step, score in scores:
            number = store.vocabulary.scorer(db, score.scorer, score.version)
            counted = f"CASE WHEN s.origin <> {encoding.ORIGIN_CODE[Origin.RESPONDENT]:d} THEN {encoding.NOT_OWN:d}"
            counted += f" WHEN t.parent IS NULL THEN {encoding.OWN:d} ELSE {encoding.OWN_ON_FORK:d} END"
            cursor = db.execute(
                "INSERT INTO scores (step, scorer, run, item, name, lane, counted, status, right, scored)"
                f" SELECT s.id, ?, t.run, t.item, s.name, s.lane, {counted}, ?, ?, ?"
                " FROM steps AS s JOIN trajectories AS t ON t.id = s.trajectory WHERE s.id = ? AND t.run = ?"
                " ON CONFLICT DO NOTHING",
                (number, encoding.PARSE_CODE[score.status], score.right, score.scored, step, run.id),
            )
            if cursor.rowcount > 0:
                new += 1
                if score.parsed or score.spans:
                    spans = encoding.spans_to_json(score.parsed, score.spans)
                    db.execute(
                        "INSERT INTO readings (step, scorer, parsed, spans) VALUES (?, ?, ?, ?)",
                        (step, number, encoding.to_json(dict(score.parsed)), spans),
                    )
        return new

    return store.write(change)


def _batches(values: Iterable[T]) -> Iterator[list[T]]:
    source = iter(values)
    while batch := list(islice(source, BATCH)):
        yield batch
