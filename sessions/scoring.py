"""Scoring stored answers again: a new scorer, or a new version of one, puts its rows beside the old."""

# ruff: noqa: S608  (only identifiers from constants of this house are put into SQL; values are parameters)

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, TypeVar

from core.records import Item, Json, Origin, Parse, Score, Step
from core.scoring import Scorer
from sessions import encoding
from sessions.replay import Replay
from sessions.runs import Run
from sessions.store import Store

T = TypeVar("T")

BATCH: Final = 500


@dataclass(frozen=True, slots=True)
class Change:
    """One stored answer that a scorer now sees otherwise; ``old`` is None where it had not scored it."""

    item: str
    trajectory: int | None
    step: Step
    old: Score | None
    new: Score

    def line(self) -> str:
        """In one line: item, step, what it was and what it is."""
        return f"{self.item} {self.step.turn.step}: {_said(self.old)} -> {_said(self.new)}"

    def to_json(self) -> Json:
        return {
            "item": self.item,
            "trajectory": self.trajectory,
            "step": self.step.turn.step,
            "step_id": self.step.id,
            "text": self.step.answer.text,
            "old": None if self.old is None else _score_to_json(self.old),
            "new": _score_to_json(self.new),
        }


@dataclass(frozen=True, slots=True)
class Rescored:
    """What came of scoring a run again. ``steps`` were looked at, ``added`` scores are new; ``changes`` are those
    that differ from the version before."""

    version: str
    steps: int
    added: int
    changes: tuple[Change, ...]


def _said(score: Score | None) -> str:
    if score is None:
        return "not scored"
    verdict = "right" if score.correct else "wrong" if score.scored else "unscored"
    read = ", ".join(f"{name} {value}" for name, value in score.parsed.items())
    status = "" if score.status is Parse.OK else f" ({score.status.value})"
    return verdict + status + (f" [{read}]" if read else "")


def _score_to_json(score: Score) -> Json:
    return {
        "version": score.version,
        "status": score.status.value,
        "parsed": dict(score.parsed),
        "right": score.right,
        "scored": score.scored,
        "correct": score.correct,
    }


def _differs(old: Score | None, new: Score) -> bool:
    """Says something else; a place in the text alone does not count."""
    return old is None or (old.status, old.right, old.scored, dict(old.parsed)) != (
        new.status,
        new.right,
        new.scored,
        dict(new.parsed),
    )


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """A stored step with its item and the trajectory that made it."""

    item: Item
    step: Step
    trajectory: int | None


def rescore(store: Store, run: Run, scorer: Scorer) -> Rescored:
    """Score every stored answer of a run again and keep what is new. Asks no respondent.

    What this version of the scorer has scored already is left as it is: nothing is rewritten, and calling twice
    does nothing more. A new version adds its rows, and reports use them step by step. The choices acted on stay
    what they were.
    """
    version, steps, added = "", 0, 0
    changes: list[Change] = []
    for batch in _batches(answers(store, run)):
        new = []
        for answer in batch:
            score = scorer.score(answer.item, answer.step.turn, answer.step.answer)
            old = answer.step.score(score.scorer)
            version = score.version
            if old is not None and old.version == version:
                continue
            new.append((answer.step.id, score))
            if _differs(old, score):
                changes.append(Change(answer.item.id, answer.trajectory, answer.step, old, score))
        steps += len(batch)
        added += keep_scores(store, run, new) if new else 0
    return Rescored(version, steps, added, tuple(changes))


def answers(store: Store, run: Run) -> Iterator[StoredAnswer]:
    """Every stored answer of a run, item by item."""
    return _answers(
        store,
        "SELECT s.id, t.item FROM trajectories AS t JOIN steps AS s ON s.trajectory = t.id WHERE t.run = ?"
        " ORDER BY t.item, s.id",
        (run.id,),
    )


def unscored(store: Store, run: Run, *, scorer: str, version: str) -> Iterator[StoredAnswer]:
    """The answers of a run that this version of a scorer has not scored: what a judge is asked about."""
    return _answers(
        store,
        "SELECT s.id, t.item FROM trajectories AS t JOIN steps AS s ON s.trajectory = t.id WHERE t.run = ?"
        " AND NOT EXISTS (SELECT 1 FROM scores JOIN scorers ON scorers.id = scores.scorer"
        "  WHERE scores.step = s.id AND scorers.name = ? AND scorers.version = ?) ORDER BY t.item, s.id",
        (run.id, encoding.to_text(scorer), encoding.to_text(version)),
    )


def _answers(store: Store, query: str, values: tuple[Any, ...]) -> Iterator[StoredAnswer]:
    rows = store.reader().execute(query, values).fetchall()
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
