"""People's own scores of stored steps, under their pseudonyms, beside every other scorer's."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from core.benchmarks import registry
from core.errors import UsageError
from core.records import Origin, Parse
from core.scoring import RULE
from sessions import encoding
from sessions.store import Store
from sessions.vocabulary import Vocabulary

Reason: TypeAlias = Literal["", "parser wrong", "judge wrong", "other"]
REASONS: Final[tuple[Reason, ...]] = get_args(Reason)
LONGEST: Final = 200_000
"""Characters of a note, a reason and the like."""
OVERRULED: Final = f"{RULE}+"
"""Before a grader's pseudonym: the rule's score, the grader's in its place where there is one."""
ADJUDICATED: Final = "adjudicated"
"""The scorer that holds what two graders agree on, and what was settled where they differ."""


@dataclass(frozen=True, slots=True)
class Grading:
    """Why somebody scored a step so. ``version`` counts this person's scores of it from 1, ``created`` is in
    milliseconds since 1970."""

    author: str
    version: str
    right: int
    scored: int
    reason: Reason = ""
    note: str = ""
    created: int = 0

    @property
    def correct(self) -> bool:
        return self.scored != 0 and self.right == self.scored


def is_grader(db: sqlite3.Connection, name: str) -> bool:
    """Whether somebody graded steps under this pseudonym."""
    return (
        db.execute(
            "SELECT 1 FROM gradings JOIN scorers ON scorers.id = gradings.scorer WHERE scorers.name = ? LIMIT 1",
            (encoding.to_text(name),),
        ).fetchone()
        is not None
    )


def check_pseudonym(store: Store, name: str) -> None:
    """Raises UsageError where a scorer that is no person has this name."""
    known = {RULE, ADJUDICATED, *(scorer for one in registry.BENCHMARKS.values() for scorer in one.scorers)}
    stored = (
        store.reader()
        .execute(
            "SELECT 1 FROM scorers WHERE name = ? AND NOT EXISTS (SELECT 1 FROM gradings WHERE scorer = scorers.id)"
            " AND EXISTS (SELECT 1 FROM scores WHERE scorer = scorers.id)",
            (encoding.to_text(name),),
        )
        .fetchone()
    )
    if name in known or stored is not None or name.startswith(OVERRULED):
        raise UsageError(
            f"{name} is the name of a scorer that is no person",
            where="your pseudonym",
            remedy='Name another in phoropter.toml: pseudonym = "..." under [notebook]',
        )


def against_grading(origin: Origin) -> str:
    """Why a score of somebody's own would say nothing of a step of that origin, and never count; "" where it does."""
    if origin is Origin.GOLD:
        return "the gold was put in here, so there is no answer to score; the gold itself can be disputed"
    if origin in (Origin.WRONG, Origin.EDITED):
        return "what stands here was put in, so there is no answer to score"
    return ""


def grade(
    store: Store, step: int, author: str, right: int, scored: int, reason: Reason = "", note: str = ""
) -> Grading:
    """Store a person's score of a step; ``right`` and ``scored`` are bits in its layout. What this author held before
    stays, the newest counts; the same once more stores nothing.

    Raises UsageError for a step that is not there or was never scored, and for the name of another kind of scorer.
    """
    check_pseudonym(store, author)
    if len(note) > LONGEST:
        raise UsageError(f"a note can have {LONGEST:,} characters, not {len(note):,}", where="note")
    return store.write(lambda db: put_grade(db, store.vocabulary, step, author, right, scored, reason, note))


def put_grade(
    db: sqlite3.Connection,
    words: Vocabulary,
    step: int,
    author: str,
    right: int,
    scored: int,
    reason: Reason = "",
    note: str = "",
) -> Grading:
    """The same within the caller's transaction; whether the author is somebody's name is not looked at."""
    right &= scored
    before = _history(db, step, author)
    if before and (before[-1].right, before[-1].scored, before[-1].reason, before[-1].note) == (
        right, scored, reason, note,
    ):  # fmt: skip
        return before[-1]
    version, now = str(len(before) + 1), encoding.later(before[-1].created if before else None)
    scorer = words.scorer(db, author, version)
    stored = db.execute(
        "INSERT INTO scores (step, scorer, run, item, name, lane, counted, status, right, scored)"
        " SELECT step, ?, run, item, name, lane, counted, ?, ?, ? FROM scores WHERE step = ?"
        " ORDER BY scorer LIMIT 1",
        (scorer, encoding.PARSE_CODE[Parse.OK], right, scored, step),
    )
    if stored.rowcount < 1:
        raise UsageError("there is no such step, or nothing of it is ever scored", where=f"step {step}")
    db.execute(
        "INSERT INTO gradings (step, scorer, reason, note, created) VALUES (?, ?, ?, ?, ?)",
        (step, scorer, reason, encoding.to_text(note), now),
    )
    return Grading(author, version, right, scored, reason, note, now)


def _history(db: sqlite3.Connection, step: int, author: str) -> list[Grading]:
    return [grading for _, grading in _gradings(db, [step]) if grading.author == author]


def gradings(store: Store, steps: Iterable[int]) -> dict[int, list[Grading]]:
    """By step, all that people scored, the newest last."""
    out: dict[int, list[Grading]] = {}
    for step, grading in _gradings(store.reader(), steps):
        out.setdefault(step, []).append(grading)
    return out


def _gradings(db: sqlite3.Connection, steps: Iterable[int]) -> list[tuple[int, Grading]]:
    rows = db.execute(
        "SELECT g.step, scorers.name, scorers.version, scores.right, scores.scored, g.reason, g.note, g.created"
        " FROM gradings AS g JOIN scores ON scores.step = g.step AND scores.scorer = g.scorer"
        " JOIN scorers ON scorers.id = g.scorer WHERE g.step IN (SELECT value FROM json_each(?))"
        " ORDER BY g.step, g.created, g.scorer",
        (encoding.to_json(list(steps)),),
    )
    return [
        (
            step,
            Grading(
                encoding.from_text(name),
                encoding.from_text(version),
                right,
                scored,
                next((known for known in REASONS if known == reason), "other"),
                encoding.from_text(note),
                created,
            ),
        )
        for step, name, version, right, scored, reason, note, created in rows
    ]


def graders(store: Store, run: int | None = None) -> list[str]:
    """The pseudonyms of those who scored steps (of that run), in the order they first did."""
    rows = store.reader().execute(
        "SELECT scorers.name FROM scorers WHERE EXISTS (SELECT 1 FROM gradings AS g"
        " JOIN scores AS s ON s.step = g.step AND s.scorer = g.scorer"
        " WHERE g.scorer = scorers.id AND (?1 IS NULL OR s.run = ?1)) ORDER BY scorers.id",
        (run,),
    )
    return list(dict.fromkeys(encoding.from_text(name) for (name,) in rows))
