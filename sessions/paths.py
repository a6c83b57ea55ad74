"""Paths in the tree of steps: from a trajectory's head back to the root. One query, whoever reads along it."""

# ruff: noqa: S608  (only texts of this house are put into SQL; values are parameters)

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from core.records import Origin, Parse
from sessions import encoding
from sessions.ranking import ranked

DEEPEST: Final = 100_000  # steps of one path: a damaged store could hold a circle


def paths_from(heads: str) -> str:
    """``WITH RECURSIVE path (trajectory, step, depth)``: every step from each head back; the root lies deepest.

    ``heads`` is SQL that gives trajectories and their heads.
    """
    return f"""
    WITH RECURSIVE path (trajectory, step, depth) AS (
        SELECT *, 0 FROM ({heads})
        UNION ALL
        SELECT path.trajectory, steps.parent, path.depth + 1 FROM path JOIN steps ON steps.id = path.step
        WHERE steps.parent IS NOT NULL AND path.depth < {DEEPEST:d})"""


class ScoredStep(NamedTuple):
    """A step on a trajectory's path under one scorer; ``status`` is None where that has not scored it.
    ``id`` is the step's row."""

    trajectory: int
    name: str
    right: int
    scored: int
    status: Parse | None
    id: int
    origin: Origin
    lane: str

    @property
    def wrong(self) -> bool:
        """As :func:`core.records.first_wrong` holds it: something was scored, and not all of it is right."""
        return self.scored != 0 and self.right != self.scored


_SCORED: Final = (
    paths_from("SELECT id, head FROM trajectories WHERE id IN (SELECT value FROM json_each(?1)) AND head IS NOT NULL")
    + """
    SELECT path.trajectory, path.step, step_names.name, scores.right, scores.scored, scores.status, steps.origin,
           lanes.label FROM path
    JOIN steps ON steps.id = path.step JOIN step_names ON step_names.id = steps.name
    JOIN lanes ON lanes.id = steps.lane
    LEFT JOIN scores ON scores.step = path.step AND scores.scorer IN (SELECT value FROM json_each(?2))
    ORDER BY path.trajectory, path.depth DESC, (SELECT key FROM json_each(?2) WHERE value = scores.scorer)"""
)


def scored_steps(db: sqlite3.Connection, trajectories: Iterable[int], scorer: str) -> Iterator[ScoredStep]:
    """The steps of these trajectories, one after the other, each from its root; a scorer's newest version counts."""
    seen = (0, 0)
    for trajectory, step, name, right, scored, status, origin, lane in db.execute(
        _SCORED, (encoding.to_json(list(trajectories)), encoding.to_json(ranked(db, scorer)))
    ):
        if (trajectory, step) == seen:  # an older version of the scorer, or the rule below who overruled it
            continue
        seen = (trajectory, step)
        parse = None if status is None else encoding.PARSES[status]
        words = (encoding.from_text(name), right or 0, scored or 0, parse, step, encoding.ORIGINS[origin])
        yield ScoredStep(trajectory, *words, encoding.from_text(lane))


def steps_on(db: sqlite3.Connection, trajectories: Iterable[int]) -> set[int]:
    """The steps on the paths of these trajectories: what was gone back over is not among them."""
    heads = "SELECT id, head FROM trajectories WHERE id IN (SELECT value FROM json_each(?)) AND head IS NOT NULL"
    rows = db.execute(f"{paths_from(heads)} SELECT step FROM path", (encoding.to_json(list(trajectories)),))
    return {step for (step,) in rows}
