"""Scoring stored answers again: a new scorer, or a new version of one, puts its rows beside the old."""

# ruff: noqa: S608  (only identifiers from constants of this house are put into SQL; values are parameters)

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from typing import Final, TypeVar

from core.records import Item, Json, Origin, Parse, Score, Step
from core.scoring import Scorer
from sessions import encoding
from sessions.replay import Replay
from sessions.runs import Run
from sessions.store import Store

T = TypeVar("T")

BATCH: Final = 500
"""Answers scored between two writes."""
PAGE: Final = 100
"""Items read at a time."""


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
    """What came of scoring a run again. ``steps`` were looked at, ``added`` scores are new, ``changed`` of those
    differ from the version before."""

    version: str
    steps: int
    added: int
    changed: int


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


def same(old: Score, new: Score) -> bool:
    """Both say the same; a place in the text alone does not count."""
    return (old.status, old.right, old.scored, dict(old.parsed)) == (
        new.status,
        new.right,
        new.scored,
        dict(new.parsed),
    )


def changed(item: Item, step: Step, trajectory: int | None, new: Score) -> Change | None:
    """What a new score changes, None where it says what the scorer said before."""
    old = step.score(new.scorer)
    return Change(item.id, trajectory, step, old, new) if old is None or not same(old, new) else None


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """A stored step with its item and the trajectory that made it."""

    item: Item
    step: Step
    trajectory: int | None


def rescore(store: Store, run: Run, scorer: Scorer, on_change: Callable[[Change], object] | None = None) -> Rescored:
    """Score every stored answer of a run again and keep what is new. Asks no respondent.

    ``on_change`` is told each change as it is found; memory is flat, however many there are. What this version of the
    scorer has scored already is left as it is: nothing is rewritten, and calling twice does nothing more. A new
    version adds its rows, and reports use them step by step. The choices acted on stay what they were.
    """
    version, steps, added, differ = "", 0, 0, 0
    for batch in _batches(answers(store, run)):
        new = []
        for answer in batch:
            score = scorer.score(answer.item, answer.step.turn, answer.step.answer)
            old = answer.step.score(score.scorer)
            version = score.version
            if old is not None and old.version == version:
                continue
            new.append((answer.step.id, score))
            change = changed(answer.item, answer.step, answer.trajectory, score)
            if change is not None:
                differ += 1
                if on_change is not None:
                    on_change(change)
        steps += len(batch)
        added += keep_scores(store, run, new) if new else 0
    return Rescored(version, steps, added, differ)


def answers(store: Store, run: Run) -> Iterator[StoredAnswer]:
    """Every stored answer of a run, item by item."""
    return _answers(store, run)


def first_step(store: Store, run: Run) -> int:
    """A number that no step of this run, stored or still to come, lies below."""
    row = store.reader().execute(
        "SELECT ifnull((SELECT min(s.id) FROM trajectories AS t JOIN steps AS s ON s.trajectory = t.id"
        " WHERE t.run = ?), (SELECT ifnull(max(id), 0) + 1 FROM steps))",
        (run.id,),
    )
    return int(row.fetchone()[0])


def unscored(
    store: Store, run: Run, *, scorer: str, version: str, after: int = 0, limit: int = PAGE
) -> list[StoredAnswer]:
    """The first answers of a run beyond the step ``after`` that this version of a scorer has not scored, in the order
    of their making: what a judge is asked about. Pictures that were made come with their bytes.

    Only what somebody answered: not what an intervention put in.
    """
    db = store.reader()
    replay = Replay(db)
    # from the table of steps onwards: each page goes on where the last one ended, and the last finds the newest only
    rows = db.execute(
        "SELECT s.id, t.item FROM steps AS s CROSS JOIN trajectories AS t ON t.id = s.trajectory"
        f" WHERE s.id > ? AND {_UNSCORED} ORDER BY s.id LIMIT ?",
        (after, run.id, _ANSWERED, encoding.to_text(scorer), encoding.to_text(version), limit),
    ).fetchall()
    items: dict[int, Item] = {}
    item_of = dict(rows)
    out = []
    for step, _, trajectory in replay.steps(item_of):
        number = item_of[step.id]
        if number not in items:
            items[number] = replay.item(number)
        out.append(StoredAnswer(items[number], _with_picture(replay, step), trajectory))
    return sorted(out, key=lambda answer: answer.step.id)


def count_unscored(store: Store, run: Run, *, scorer: str, version: str) -> dict[str, int]:
    """By step's name, how many answers of a run this version of a scorer has not scored."""
    rows = store.reader().execute(
        "SELECT n.name, count(*) FROM trajectories AS t JOIN steps AS s ON s.trajectory = t.id"
        f" JOIN step_names AS n ON n.id = s.name WHERE {_UNSCORED} GROUP BY s.name",
        (run.id, _ANSWERED, encoding.to_text(scorer), encoding.to_text(version)),
    )
    return {encoding.from_text(name): count for name, count in rows}


_UNSCORED: Final = (
    "t.run = ? AND s.origin IN (SELECT value FROM json_each(?))"
    " AND NOT EXISTS (SELECT 1 FROM scores JOIN scorers ON scorers.id = scores.scorer"
    " WHERE scores.step = s.id AND scorers.name = ? AND scorers.version = ?)"
)
_ANSWERED: Final = encoding.to_json(
    [encoding.ORIGIN_CODE[origin] for origin in (Origin.RESPONDENT, Origin.PERSON, Origin.OTHER)]
)


def _with_picture(replay: Replay, step: Step) -> Step:
    picture = step.answer.picture
    if picture is None or picture.data:
        return step
    held = replace(picture, data=replay.picture(picture.hash) or b"")
    return replace(step, answer=replace(step.answer, picture=held))


def _answers(store: Store, run: Run) -> Iterator[StoredAnswer]:
    """A page of items at a time, so that memory is flat and no read stays open while scores are written."""
    db = store.reader()
    replay = Replay(db)
    query = (
        "SELECT s.id, t.item FROM trajectories AS t JOIN steps AS s ON s.trajectory = t.id"
        " WHERE t.run = ? AND t.item BETWEEN ? AND ? ORDER BY t.item, s.id"
    )
    for first, last in _pages(db, run):
        rows = db.execute(query, (run.id, first, last)).fetchall()
        steps = {step.id: (step, trajectory) for step, _, trajectory in replay.steps(row for row, _ in rows)}
        for number, of_item in groupby(rows, key=lambda row: row[1]):
            found = [steps[row] for row, _ in of_item if row in steps]  # not deleted meanwhile
            item = replay.item(number) if found else None
            for step, trajectory in found:
                assert item is not None
                yield StoredAnswer(item, step, trajectory)


def _pages(db: sqlite3.Connection, run: Run) -> Iterator[tuple[int, int]]:
    """First and last of each ``PAGE`` items of a run, by their rows."""
    last = 0
    while True:
        items = db.execute(
            "SELECT DISTINCT item FROM trajectories WHERE run = ? AND item > ? ORDER BY item LIMIT ?",
            (run.id, last, PAGE),
        ).fetchall()
        if not items:
            return
        (first,), (last,) = items[0], items[-1]
        yield first, last


def keep_scores(store: Store, run: Run, scores: Sequence[tuple[int, Score]]) -> int:
    """Store scores of steps (by their ids) of this run; those stored already stay. How many are new."""
    return store.write(keeping(store, run, scores))


def keeping(store: Store, run: Run, scores: Sequence[tuple[int, Score]]) -> Callable[[sqlite3.Connection], int]:
    """The change that :func:`keep_scores` makes, for a writing transaction."""

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

    return change


def _batches(values: Iterable[T]) -> Iterator[list[T]]:
    source = iter(values)
    while batch := list(islice(source, BATCH)):
        yield batch
