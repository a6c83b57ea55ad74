"""Sessions that do not count: by the rules of the study's file, applied whenever a report is made, or by hand."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace
from typing import Final

from core.errors import UsageError
from core.study.conduct import Broken, broken
from sessions import encoding
from sessions.store import Store
from sessions.studies import assigning
from sessions.studies.doings import conduct_of
from sessions.studies.reading import Found, Sat, sessions_of

BY_HAND: Final = ""


@dataclass(frozen=True, slots=True)
class Applied:
    """What applying the rules changed: (session, rule, reason) now excluded, and (session, rule) no longer."""

    excluded: tuple[tuple[int, str, str], ...] = ()
    lifted: tuple[tuple[int, str], ...] = ()


def rules_broken(store: Store, found: Found) -> dict[int, tuple[Broken, ...]]:
    """The rules that each session breaks which is not going on. Each is held to the version it sat under."""
    rules = {record.id: record.study.exclude for record in found.records}
    over = [session for session in found.sessions if not session.going_on]
    conduct = conduct_of(store, found, over)
    return {session.id: broken(rules[session.study], conduct[session.id]) for session in over}


def counting(store: Store, found: Found) -> Found:
    """The same with the sessions alone that count, also where no report has applied the rules to them yet."""
    kept = replace(found, sessions=found.kept)
    breaking = rules_broken(store, kept)
    return replace(kept, sessions=tuple(session for session in kept.sessions if not breaking.get(session.id)))


def apply_rules(store: Store, found: Found) -> Applied:
    """Exclude what breaks a rule, and lift what no longer does; stored, so that every reader counts alike.

    An excluded session's assignments are given out again, also where another store excluded it. Nothing is written
    where nothing changed.
    """
    _free_uncounted(store, found)
    wanted = {
        (session, rule): reason for session, rules in rules_broken(store, found).items() for rule, reason in rules
    }
    standing = {
        (session.id, each.rule): each.id
        for session in found.sessions
        for each in session.exclusions
        if each.rule != BY_HAND and not session.going_on
    }
    new = {place: reason for place, reason in wanted.items() if place not in standing}
    gone = {place: row for place, row in standing.items() if place not in wanted}
    if not (new or gone):
        return Applied()
    by_id = {session.id: session for session in found.sessions}

    def change(db: sqlite3.Connection) -> None:
        for (session, rule), reason in new.items():
            _insert(db, session, rule, reason, "")
        for (session, _), row in gone.items():
            _lift(db, by_id[session], row)

    store.write(change, full=True)
    return Applied(tuple((*place, reason) for place, reason in new.items()), tuple(gone))


def _free_uncounted(store: Store, found: Found) -> None:
    held = store.reader().execute(
        "SELECT DISTINCT s.id FROM sessions AS s JOIN assignments AS a ON a.session = s.id"
        " WHERE EXISTS (SELECT 1 FROM exclusions AS e WHERE e.session = s.id"
        " AND e.lifted IS NULL) AND s.study IN (SELECT value FROM json_each(?))",
        (encoding.to_json([record.id for record in found.records]),),
    ).fetchall()  # fmt: skip
    if held:
        store.write(lambda db: [assigning.give_back(db, row, answered=True) for (row,) in held], full=True)


def exclude(store: Store, session: Sat, reason: str, author: str) -> None:
    """By hand. Raises UsageError without a reason, for a session that is going on, and where it is excluded so."""
    if not reason.strip():
        raise UsageError("an exclusion needs its reason", where="--reason", remedy="Say why in words")
    if session.going_on:
        raise UsageError(
            "the session is still going on",
            where=f"session {session.id}",
            remedy="End it first (study monitor, or the session)",
        )
    if any(each.rule == BY_HAND for each in session.exclusions):
        raise UsageError(
            "it is excluded by hand already", where=f"session {session.id}", remedy="Take that back with --lift"
        )
    store.write(lambda db: _insert(db, session.id, BY_HAND, reason.strip(), author), full=True)


def lift(store: Store, session: Sat) -> None:
    """Take back what was excluded by hand. Raises UsageError where nothing was; the rules' exclusions stand."""
    rows = [each.id for each in session.exclusions if each.rule == BY_HAND]
    if not rows:
        by_rule = ", ".join(each.rule for each in session.exclusions)
        remedy = f"The study's own rules exclude it: {by_rule}" if by_rule else ""
        raise UsageError("it is not excluded by hand", where=f"session {session.id}", remedy=remedy)

    def change(db: sqlite3.Connection) -> None:
        for row in rows:
            _lift(db, session, row)

    store.write(change, full=True)


def again(store: Store, session: Sat) -> Sat:
    """The same session as it stands now."""
    return next(one for one in sessions_of(store, [session.study]) if one.id == session.id)


def _insert(db: sqlite3.Connection, session: int, rule: str, reason: str, author: str) -> None:
    """Where another process was faster, its row stands."""
    there = db.execute(
        "SELECT 1 FROM exclusions WHERE session = ? AND rule = ? AND lifted IS NULL", (session, rule)
    ).fetchone()
    if there is None:
        db.execute(
            "INSERT INTO exclusions (session, rule, reason, author, created) VALUES (?, ?, ?, ?, ?)",
            (session, rule, encoding.to_text(reason), encoding.to_text(author), encoding.now_ms()),
        )
    assigning.give_back(db, session, answered=True)


def _lift(db: sqlite3.Connection, session: Sat, row: int) -> None:
    """The session's answers count again where nobody has taken their place since."""
    db.execute("UPDATE exclusions SET lifted = ? WHERE id = ? AND lifted IS NULL", (encoding.now_ms(), row))
    others = db.execute("SELECT 1 FROM exclusions WHERE session = ? AND lifted IS NULL", (session.id,)).fetchone()
    if others is None:
        assigning.take_back(db, session.id)
