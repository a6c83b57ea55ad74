"""Which score of a step counts under a name: a scorer's newest version, or the rule's, overruled by a grader."""

from __future__ import annotations

import sqlite3

from core.scoring import RULE
from sessions import encoding
from sessions.grading import OVERRULED, is_grader


def ranked(db: sqlite3.Connection, scorer: str) -> list[int]:
    """The rows of a scorer, the one that counts first. ``rule+NAME`` is the rule, overruled where NAME graded.

    A scorer that is stored under exactly this name is meant before anything that could be derived.
    """
    rows = _versions(db, scorer)
    if rows or not scorer.startswith(OVERRULED):
        return rows
    grader = scorer.removeprefix(OVERRULED)
    return [*_versions(db, grader), *_versions(db, RULE)] if is_grader(db, grader) else []


def _versions(db: sqlite3.Connection, name: str) -> list[int]:
    # by age, not by row: a merge adds an old version late
    rows = db.execute(
        "SELECT id FROM scorers WHERE name = ? ORDER BY created DESC, id DESC", (encoding.to_text(name),)
    )
    return [row for (row,) in rows]
