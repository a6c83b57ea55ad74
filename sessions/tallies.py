"""Scores counted for reports: one pass over the covering index, by group or item by item."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from core.records import Parse
from sessions import encoding
from sessions.ranking import ranked
from sessions.store import Store

if TYPE_CHECKING:
    from core.gathered import Groups, Whole


class Count(NamedTuple):
    """``count`` answers of the respondent itself that were scored alike: same bits, same parse status.

    ``item`` is the item's row where items were told apart; ``forked`` marks answers on forks, which plain accuracy
    leaves out. ``right`` and ``scored`` are bits in the step's ``Layout``.
    """

    run: int
    scorer: str
    version: str
    step: str
    lane: str
    forked: bool
    status: Parse
    right: int
    scored: int
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody needs here
    item: int | None = None


@dataclass(frozen=True, slots=True)
class Failures:
    """Main trajectories of a run that stand failed at a step ("" where that was not told); ``lane`` is the one that
    the answer would have had."""

    run: int
    step: str
    count: int
    item: int | None = None
    lane: str = ""


def groups_of(store: Store, names: Sequence[str]) -> list[Groups]:
    """The items' values of several groups, as arrays; "" where an item has no such group."""
    import numpy

    from core.gathered import Groups

    found = store.reader().execute("SELECT id, groups FROM items").fetchall()
    told: dict[str | bytes, Mapping[str, str]] = {}
    labels: list[dict[str, int]] = [{"": 0} for _ in names]
    codes = [numpy.zeros(max((row for row, _ in found), default=0) + 1, dtype=numpy.int64) for _ in names]
    for row, groups in found:
        if groups not in told:
            told[groups] = encoding.from_json(groups)
        for name, of_name, code in zip(names, labels, codes, strict=True):
            code[row] = of_name.setdefault(told[groups].get(name, ""), len(of_name))
    return [Groups(name, list(of_name), code) for name, of_name, code in zip(names, labels, codes, strict=True)]


_TALLY: Final = (
    "SELECT scorer, name, lane, counted, status, right, scored, {what} FROM scores AS s"
    " WHERE run = ?1 AND scorer = ?2 {only} {newest} GROUP BY name, lane, counted, status, right, scored"
)
_NEWER: Final = (
    "AND NOT EXISTS (SELECT 1 FROM scores AS n WHERE n.step = s.step"
    " AND n.scorer IN (SELECT value FROM json_each(?3)))"
)
_ONLY: Final = "AND name = (SELECT id FROM step_names WHERE name = ?4)"


def tallies(
    store: Store,
    runs: Sequence[int],
    *,
    scorer: str | None = None,
    by_item: bool = False,
    step: str | None = None,
) -> Iterator[Count]:
    """All scores of these runs, counted; of each scorer (all, or the one named) its newest version step by step.

    One pass over the covering index, which hands the items of equal scores over as one text: counting those here is
    faster than SQLite sorting a million rows. ``by_item`` tells items apart: what repeats and clustered intervals are
    counted from. ``step`` counts that step alone.
    """
    db = store.reader()
    words = _Words(db)
    make = Count._make  # hundreds of thousands of rows where many runs are broken down: made the quick way
    if not by_item:
        for run, name, row in _counted(db, runs, scorer, step, "count(*)"):
            yield make((*words.common(run, name, row), row[7], None))
        return
    for run, name, row in _counted(db, runs, scorer, step, "group_concat(item)"):
        common = words.common(run, name, row)
        for item, count in Counter(row[7].split(",")).items():
            yield make((*common, count, int(item)))


def answered(
    store: Store, run: int, *, scorer: str | None = None, step: str | None = None
) -> Iterator[tuple[Count, Whole]]:
    """The same scores of one run as ``tallies`` counts, with the rows of the items that each stands for."""
    db = store.reader()
    words = _Words(db)
    for _, name, row in _counted(db, [run], scorer, step, "group_concat(item)"):
        items = encoding.to_array(row[7])
        yield Count._make((*words.common(run, name, row), len(items), None)), items


# of bare columns SQLite takes those of the row with the minimum: the score that counts
_JOINED: Final = (
    "SELECT s.scorer, st.trajectory, max(s.lane), max(s.counted), min(s.status), sum(s.right), sum(s.scored), s.item"
    " FROM (SELECT *, min((SELECT key FROM json_each(?2) WHERE value = scorer)) FROM scores"
    " WHERE run = ?1 AND scorer IN (SELECT value FROM json_each(?2)) AND counted <> ?3 AND name IN"
    " (SELECT id FROM step_names WHERE name IN (SELECT value FROM json_each(?4))) GROUP BY step) AS s"
    " JOIN steps AS st ON st.id = s.step"
    " GROUP BY st.trajectory HAVING count(*) = ?5 AND min(s.lane) = max(s.lane)"
)


def joined(
    store: Store,
    run: int,
    whole: str,
    parts: Sequence[str],
    *,
    scorer: str | None = None,
) -> Iterator[Count]:
    """Steps asked in parts, each trajectory's as one score of ``whole``: those whose parts the respondent all
    answered in one lane. Parts score different properties, so that their bits add up. Each scorer's newest version.
    """
    db = store.reader()
    words = _Words(db)
    for name in names_of(db, run, scorer):
        rows = encoding.to_json(ranked(db, name))
        parameters = (run, rows, encoding.NOT_OWN, encoding.to_json(list(parts)), len(parts))
        for row, _, lane, counted, status, right, scored, item in db.execute(_JOINED, parameters):
            forked, parse, version = counted == encoding.OWN_ON_FORK, encoding.PARSES[status], words.version(row)
            yield Count(run, name, version, whole, words.lane(lane), forked, parse, right, scored, 1, item)


def hangs_together(store: Store, run: int) -> bool:
    """Some item of the run has several trajectories (repeats or forks), so that its answers hang together."""
    found = store.reader().execute(
        "SELECT 1 FROM trajectories WHERE run = ? AND (repeat > 0 OR parent IS NOT NULL) LIMIT 1", (run,)
    )
    return found.fetchone() is not None


def scorers_of(store: Store, run: int) -> list[tuple[str, str]]:
    """Name and version of each scorer that scored this run, the newest first."""
    return [(name, version) for _, name, version in scorer_rows(store.reader(), run)]


def failures(store: Store, runs: Sequence[int], *, by_item: bool = False) -> list[Failures]:
    """Where main trajectories of these runs failed, and stand failed still; ``by_item`` tells items apart."""
    db = store.reader()
    counts: Counter[tuple[int, str, int | None, str]] = Counter()
    for run, step, item, lane, count in db.execute(
        "SELECT run, failed_step, item, lanes.label, count(*) FROM trajectories JOIN lanes ON lanes.id = lane"
        " WHERE progress = 2 AND parent IS NULL AND run IN (SELECT value FROM json_each(?))"
        " GROUP BY run, failed_step, item, lane",
        (encoding.to_json(list(runs)),),
    ):
        where = (encoding.from_text(step), item if by_item else None)
        counts[run, *where, encoding.from_text(lane)] += count
    return [Failures(run, step, count, item, lane) for (run, step, item, lane), count in counts.items()]


# -- inside


class _Words:
    """Names by their rows."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._names = _texts(db, "SELECT id, name FROM step_names")
        self._lanes = _texts(db, "SELECT id, label FROM lanes")
        self._scorers = {
            row: (encoding.from_text(name), encoding.from_text(version))
            for row, name, version in db.execute("SELECT id, name, version FROM scorers")
        }

    def lane(self, row: int) -> str:
        return self._lanes[row]

    def version(self, scorer: int) -> str:
        return self._scorers[scorer][1]

    def common(self, run: int, counted_as: str, row: Sequence[Any]) -> tuple[Any, ...]:
        """The first fields of a Count under that scorer's name."""
        scorer, name, lane, counted, status, right, scored, _ = row
        return (
            run,
            counted_as,
            self.version(scorer),
            self._names[name],
            self._lanes[lane],
            counted == encoding.OWN_ON_FORK,
            encoding.PARSES[status],
            right,
            scored,
        )


def _texts(db: sqlite3.Connection, query: str) -> dict[int, str]:
    return {row: encoding.from_text(text) for row, text in db.execute(query)}


def scorer_rows(db: sqlite3.Connection, run: int) -> list[tuple[int, str, str]]:
    """Row, name and version of each scorer that scored this run, the newest first."""
    return [
        (row, encoding.from_text(name), encoding.from_text(version))
        for row, name, version in db.execute(
            "SELECT id, name, version FROM scorers"
            " WHERE EXISTS (SELECT 1 FROM scores WHERE run = ? AND scorer = scorers.id)"
            " ORDER BY created DESC, id DESC",
            (run,),
        )
    ]


def _counted(
    db: sqlite3.Connection, runs: Sequence[int], scorer: str | None, step: str | None, what: str
) -> Iterator[tuple[int, str, Sequence[Any]]]:
    """Run by run and scorer by scorer, so that the index is read in its order. A score counts only where none that
    goes before it, such as a newer version's, is there."""
    for run in runs:
        there = {row for row, _, _ in scorer_rows(db, run)}
        for name in names_of(db, run, scorer):
            above: list[int] = []
            for row in (row for row in ranked(db, name) if row in there):
                query = _TALLY.format(what=what, newest=_NEWER if above else "", only=_ONLY if step else "")
                wanted = (run, row, encoding.to_json(above), encoding.to_text(step or ""))
                for found in db.execute(query, wanted[: 4 if step else 3 if above else 2]):
                    if found[3] != encoding.NOT_OWN:
                        yield run, name, found
                above.append(row)


def names_of(db: sqlite3.Connection, run: int, scorer: str | None) -> list[str]:
    """The scorers of a run, or the one asked for."""
    return [scorer] if scorer is not None else list(dict.fromkeys(name for _, name, _ in scorer_rows(db, run)))
