"""What a list of items asks of the store beyond the items: how they came out, how hard they are, what was remarked.

All of it streams or is one query, so that a hundred thousand items can be read beside a screen.
"""

# ruff: noqa: S608  (only texts of this house are put into SQL; values are parameters)

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from core.records import Progress
from sessions import encoding
from sessions.disputes import all_disputes
from sessions.paths import scored_steps
from sessions.runs import Run
from sessions.store import Store

CHUNK: Final = 1000


class Outcome(NamedTuple):
    """How an item's main trajectory in a run came out. ``first_wrong`` names the first step held wrong, else "";
    ``updated`` is in milliseconds since 1970."""

    key: str
    trajectory: int
    progress: Progress
    first_wrong: str
    updated: int


_MAIN: Final = (
    "SELECT i.key, t.item, t.id, t.progress, t.updated FROM trajectories AS t JOIN items AS i ON i.id = t.item"
    " WHERE t.run = ?1 AND t.repeat = 0 AND t.parent IS NULL"
)
_PAGE: Final = f"{_MAIN} AND t.item > ?2 ORDER BY t.item LIMIT ?3"
_AMONG: Final = f"{_MAIN} AND t.id IN (SELECT value FROM json_each(?2))"


def outcomes(store: Store, run: Run, scorer: str) -> Iterator[list[Outcome]]:
    """Page by page, the items of a run that something is stored on."""
    last = 0
    while rows := store.reader().execute(_PAGE, (run.id, last, CHUNK)).fetchall():
        last = rows[-1][1]
        yield _outcomes(store, rows, scorer)


def outcomes_among(store: Store, run: Run, scorer: str, trajectories: Iterable[int]) -> list[Outcome]:
    """Of the items that have their main trajectory among these rows."""
    found = encoding.to_json(list(trajectories))
    return _outcomes(store, store.reader().execute(_AMONG, (run.id, found)).fetchall(), scorer)


def _outcomes(store: Store, rows: Sequence[Any], scorer: str) -> list[Outcome]:
    wrong: dict[int, str] = {}
    for step in scored_steps(store.reader(), [row[2] for row in rows], scorer):
        if step.wrong:
            wrong.setdefault(step.trajectory, step.name)
    return [
        Outcome(encoding.from_text(key), row, encoding.PROGRESSES[progress], wrong.get(row, ""), updated)
        for key, _, row, progress, updated in rows
    ]


def touched(store: Store, run: Run, since: int) -> list[tuple[int, str, int]]:
    """Row, item's id and time of every trajectory of a run, forks too, that was stored on at ``since`` or later."""
    rows = store.reader().execute(
        "SELECT t.id, i.key, t.updated FROM trajectories AS t JOIN items AS i ON i.id = t.item"
        " WHERE t.run = ? AND t.updated >= ?",
        (run.id, since),
    )
    return [(row, encoding.from_text(key), updated) for row, key, updated in rows]


def version(store: Store) -> int:
    """A number that changes when anybody stores anything. Costs microseconds; ask on one thread."""
    return int(store.reader().execute("PRAGMA data_version").fetchone()[0])


_DIFFICULTY: Final = """
    SELECT i.key, count(*), sum(best.ok) FROM (
        SELECT st.trajectory AS id, min(s.right = s.scored) AS ok FROM scores AS s JOIN steps AS st ON st.id = s.step
        WHERE s.scorer IN (SELECT id FROM scorers WHERE name = ?1) AND s.counted = 1 AND s.lane = 1 AND s.scored <> 0
          AND NOT EXISTS (SELECT 1 FROM scores AS n WHERE n.step = s.step AND n.scorer IN
            (SELECT id FROM scorers WHERE name = ?1
             AND (created, id) > (SELECT created, id FROM scorers WHERE id = s.scorer)))
        GROUP BY st.trajectory) AS best
    JOIN trajectories AS t ON t.id = best.id JOIN items AS i ON i.id = t.item
    WHERE t.parent IS NULL AND t.progress = 1 AND t.lane = 1 AND i.benchmark = ?2 AND i.subset = ?3
    GROUP BY i.key"""


def difficulty(store: Store, benchmark: str, subset: str, scorer: str) -> dict[str, tuple[int, int]]:
    """By item: how many finished plain trajectories of all runs and repeats are right in every step, of how many."""
    rows = store.reader().execute(_DIFFICULTY, (scorer, encoding.to_text(benchmark), encoding.to_text(subset)))
    return {encoding.from_text(key): (right, count) for key, count, right in rows}


@dataclass(frozen=True, slots=True)
class Remarks:
    """What people wrote about an item: how many notes, the tags, whether its gold is disputed, and how many steps
    somebody scored (``graded``)."""

    notes: int = 0
    tags: tuple[str, ...] = ()
    disputed: bool = False
    graded: int = 0


_ABOUT_ITEM: Final = """
    coalesce({table}.item, (SELECT t.item FROM steps JOIN trajectories AS t ON t.id = steps.trajectory
                            WHERE steps.id = {table}.step){more})"""
_NOTES: Final = "SELECT i.key, count(*) FROM notes JOIN items AS i ON i.id = " + _ABOUT_ITEM.format(
    table="notes", more=", (SELECT t.item FROM trajectories AS t WHERE t.id = notes.trajectory)"
)
_TAGS: Final = "SELECT i.key, tags.tag FROM tags JOIN items AS i ON i.id = " + _ABOUT_ITEM.format(
    table="tags", more=""
)
_GRADED: Final = (
    "SELECT i.key, count(DISTINCT g.step) FROM gradings AS g"
    " JOIN scores AS s ON s.step = g.step AND s.scorer = g.scorer JOIN items AS i ON i.id = s.item"
)
_OF: Final = " WHERE i.benchmark = ? AND i.subset = ?"


def remarks(store: Store, benchmark: str, subset: str) -> dict[str, Remarks]:
    """By item, its notes and tags, those on its trajectories and steps too, whatever the run."""
    of, db = (encoding.to_text(benchmark), encoding.to_text(subset)), store.reader()
    said = " AND notes.text <> '' GROUP BY i.key"
    notes = {encoding.from_text(key): count for key, count in db.execute(_NOTES + _OF + said, of)}
    tags: dict[str, dict[str, None]] = {}
    for key, tag in db.execute(_TAGS + _OF + " ORDER BY tags.id", of):
        tags.setdefault(encoding.from_text(key), {})[encoding.from_text(tag)] = None
    rows = encoding.to_json(list(all_disputes(store)))
    disputed = {
        encoding.from_text(key)
        for (key,) in db.execute(
            "SELECT i.key FROM items AS i" + _OF + " AND i.id IN (SELECT value FROM json_each(?))", (*of, rows)
        )
    }
    graded = {encoding.from_text(key): count for key, count in db.execute(_GRADED + _OF + " GROUP BY i.key", of)}
    return {
        key: Remarks(notes.get(key, 0), tuple(tags.get(key, ())), key in disputed, graded.get(key, 0))
        for key in notes.keys() | tags.keys() | disputed | graded.keys()
    }
