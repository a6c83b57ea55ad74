"""Assignments: dealt once for a study and a kind of session, claimed with a lease, done, given back.

Every function works within the caller's transaction. An assignment is ``free``, ``claimed`` until its lease is over,
``done``, or ``dealt`` to a station.
"""

# ruff: noqa: S608  (only constants of this house are put into SQL; values are parameters)

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.records import Item
from core.study.slots import Place, Slot
from sessions import encoding
from sessions.vocabulary import Vocabulary

CLAIMED, DONE, DEALT = "claimed", "done", "dealt"

OVER: Final = "(a.station = '' AND (a.state = 'free' OR (a.state = 'claimed' AND ifnull(a.lease_until, 0) < :now)))"
"""Which assignments may be given out, ``a`` being the table and :now the time. What a station holds is given out
there alone, also where a claim of its came back with its store."""

_COLUMNS: Final = "a.id, a.slot, items.key, a.condition, a.part, a.block, a.state, a.session"


@dataclass(frozen=True, slots=True)
class Assignment:
    """One row. ``item`` is the item's id in its data."""

    id: int
    slot: int
    item: str
    condition: str
    part: int
    block: int
    state: str
    session: int | None

    @property
    def place(self) -> Place:
        return Place(self.item, self.condition, self.part, self.block)


def dealt(db: sqlite3.Connection, study: int, kind: str) -> bool:
    """Whether this study's slots stand in the store for that kind of session."""
    return (
        db.execute("SELECT 1 FROM assignments WHERE study = ? AND kind = ? LIMIT 1", (study, kind)).fetchone()
        is not None
    )


def deal_out(
    db: sqlite3.Connection,
    words: Vocabulary,
    study: int,
    kind: str,
    slots: Sequence[Slot],
    items: Mapping[str, Item],
    keeps_quota_of: Collection[int] = (),
) -> None:
    """Write the slots down, once. What valid answers were given under ``keeps_quota_of`` is done already."""
    if dealt(db, study, kind):
        return
    rows = {key: words.item(db, item, bytes.fromhex(item.hash)) for key, item in items.items()}
    db.executemany(
        "INSERT INTO assignments (study, kind, item, part, condition, slot, place, block)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (study, kind, rows[place.item], place.part, place.condition, slot.index, number, place.block)
            for slot in slots
            for number, place in enumerate(slot.places)
        ],
    )
    for earlier in keeps_quota_of:
        _keep(db, study, kind, earlier)


def _keep(db: sqlite3.Connection, study: int, kind: str, earlier: int) -> None:
    """Count what was answered under an earlier version: in the same rater's part where that is open, else in any.

    What a version in between has kept of it already is not counted again.
    """
    answered = db.execute(
        "SELECT item, condition, part, session FROM assignments"
        " WHERE study = ? AND kind = ? AND state = 'done' AND session IS NOT NULL ORDER BY id",
        (earlier, kind),
    ).fetchall()
    for item, condition, part, session in answered:
        db.execute(
            "UPDATE assignments SET state = 'done', session = :session WHERE id = (SELECT id FROM assignments"
            " WHERE study = :study AND kind = :kind AND item = :item AND condition = :condition AND state = 'free'"
            " ORDER BY part <> :part, part LIMIT 1)"
            " AND NOT EXISTS (SELECT 1 FROM assignments WHERE study = :study AND kind = :kind AND item = :item"
            " AND condition = :condition AND session = :session)",
            {
                "session": session,
                "study": study,
                "kind": kind,
                "item": item,
                "condition": condition,
                "part": part,
            },
        )


def of_slot(db: sqlite3.Connection, study: int, kind: str, slot: int) -> list[Assignment]:
    """A slot's assignments in their places."""
    return _read(
        db, "a.study = :study AND a.kind = :kind AND a.slot = :slot", {"study": study, "kind": kind, "slot": slot}
    )


def open_slots(db: sqlite3.Connection, study: int, kind: str, now: int) -> list[list[Assignment]]:
    """What may be given out now, slot by slot."""
    found = _read(db, f"a.study = :study AND a.kind = :kind AND {OVER}", {"study": study, "kind": kind, "now": now})
    slots: dict[int, list[Assignment]] = {}
    for assignment in found:
        slots.setdefault(assignment.slot, []).append(assignment)
    return list(slots.values())


def _read(db: sqlite3.Connection, where: str, values: Mapping[str, int | str]) -> list[Assignment]:
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM assignments AS a JOIN items ON items.id = a.item WHERE {where}"
        " ORDER BY a.slot, a.place, a.id",
        values,
    )
    return [Assignment(number, slot, encoding.from_text(key), *rest) for number, slot, key, *rest in rows]


def take(db: sqlite3.Connection, chosen: Sequence[Assignment], session: int, until: int, now: int) -> None:
    """Give assignments to a session. Sessions whose leases are over lose them, and end with that."""
    lost = {each.session for each in chosen if each.state == CLAIMED and each.session not in (None, session)}
    db.executemany(
        "UPDATE assignments SET state = 'claimed', session = ?, lease_until = ? WHERE id = ?",
        [(session, until, each.id) for each in chosen],
    )
    for other in lost:
        cursor = db.execute(
            "UPDATE sessions SET state = 'left', ended = ifnull(seen, created)"
            " WHERE id = ? AND state IN ('open', 'paused')",
            (other,),
        )
        if cursor.rowcount:
            note_event(db, other, "lease_over", now, {"given_to": session})


def renew(db: sqlite3.Connection, session: int, until: int) -> int:
    """Hold what is still the session's own for longer; how many that is."""
    return db.execute(
        "UPDATE assignments SET lease_until = ? WHERE session = ? AND state = 'claimed'", (until, session)
    ).rowcount


def finish(db: sqlite3.Connection, assignment: int, session: int) -> bool:
    """It is answered. False where it was given to somebody else meanwhile."""
    return bool(
        db.execute(
            "UPDATE assignments SET state = 'done', lease_until = NULL WHERE id = ? AND session = ?"
            " AND state IN ('claimed', 'done')",
            (assignment, session),
        ).rowcount
    )


def give_back(db: sqlite3.Connection, session: int, *, answered: bool = False) -> int:
    """Free what a session has not answered, or (``answered``: it was excluded, or withdrew) all it had."""
    states = "('claimed', 'done')" if answered else "('claimed')"
    return db.execute(
        "UPDATE assignments SET state = 'free', session = NULL, lease_until = NULL, station = ''"
        f" WHERE session = ? AND state IN {states}",
        (session,),
    ).rowcount


_KEPT_IN: Final = """WITH RECURSIVE kept (id) AS (
    SELECT study FROM sessions WHERE id = :session UNION
    SELECT studies.id FROM studies JOIN kept ON studies.amends = kept.id
    WHERE json_extract(studies.configuration, '$.keeps_quota'))
    SELECT id FROM kept"""


def take_back(db: sqlite3.Connection, session: int) -> int:
    """An exclusion was lifted: the session's answers count again where nobody has taken their place, in its version
    of the study and those that kept its quota; how many do, in all of them."""
    answered = db.execute(
        "SELECT item, condition FROM trials WHERE session = ? AND kind = 'main' AND ended IS NOT NULL", (session,)
    ).fetchall()
    versions = db.execute(_KEPT_IN, {"session": session}).fetchall()
    return sum(_count(db, study, session, item, condition) for (study,) in versions for item, condition in answered)


def count_later(db: sqlite3.Connection, session: int, item: int, condition: str) -> None:
    """What a session has just answered counts as well in versions that were dealt meanwhile and keep its quota."""
    _own, *later = db.execute(_KEPT_IN, {"session": session}).fetchall()
    for (study,) in later:
        _count(db, study, session, item, condition)


def _count(db: sqlite3.Connection, study: int, session: int, item: int, condition: str) -> int:
    """One answer of a session in one version, in its own slot where that is free, once; 1 where it counts now."""
    return db.execute(
        "UPDATE assignments SET state = 'done', session = :session WHERE id = (SELECT a.id FROM assignments AS a"
        " JOIN sessions AS s ON s.id = :session WHERE a.study = :study AND a.kind = s.kind AND a.item = :item"
        " AND a.condition = :condition AND a.state = 'free' AND a.station = '' ORDER BY a.slot <> s.slot, a.part"
        " LIMIT 1) AND NOT EXISTS (SELECT 1 FROM assignments WHERE study = :study AND item = :item"
        " AND condition = :condition AND session = :session)",
        {"session": session, "study": study, "item": item, "condition": condition},
    ).rowcount


def note_event(
    db: sqlite3.Connection,
    session: int,
    kind: str,
    at_ms: int,
    details: Mapping[str, object] | None = None,
    trial: int | None = None,
) -> None:
    """One line of a session's log; ``at_ms`` since 1970, UTC."""
    db.execute(
        "INSERT INTO events (session, trial, at_ms, kind, details) VALUES (?, ?, ?, ?, ?)",
        (session, trial, at_ms, encoding.to_text(kind), encoding.to_json(dict(details or {}))),
    )
