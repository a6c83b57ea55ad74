"""Participants by pseudonym. Identities are never in the store: who is behind one is known elsewhere."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from core.errors import UsageError
from core.moments import utc
from sessions import encoding
from sessions.store import Store

LONGEST: Final = 20
SIMULATED: Final = "simulated:"
"""What the pseudonyms of simulated people begin with, and of nobody else's."""

_SUCH_AS: Final = {
    "participant": "Use one such as P17 (`phoropter study people FILE --issue N` makes some)",
    "grader": "Use one such as G1",
}
_PSEUDONYM: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]*")
_PREFIX: Final = re.compile(r"[A-Za-z][A-Za-z_-]{0,9}")


@dataclass(frozen=True, slots=True)
class Participant:
    """A participant of this store: its row and what the person goes by."""

    id: int
    pseudonym: str

    @property
    def simulated(self) -> bool:
        return self.pseudonym.startswith(SIMULATED)


@dataclass(frozen=True, slots=True)
class Earlier:
    """A session that a person had in a study. ``seen`` is its last sign of life in milliseconds since 1970, UTC;
    ``answered`` counts the items that are done, of ``given`` ones."""

    session: int
    uid: str
    version: int
    kind: str
    state: str
    slot: int
    answered: int
    given: int
    seen: int
    station: str

    @property
    def going_on(self) -> bool:
        return self.state in ("open", "paused")


class SamePersonError(UsageError):
    """Somebody of that pseudonym has been here before: is it the same person?"""

    def __init__(self, person: Participant, earlier: tuple[Earlier, ...]) -> None:
        last = earlier[-1]
        how = "has an open session" if last.going_on else "has had a session"
        super().__init__(
            f"this pseudonym {how} of this study: {last.answered} of {last.given} items answered, last seen"
            f" {utc(last.seen)}",
            where=person.pseudonym,
            remedy="Is it the same person? Then say --same-person; if not, give this person another pseudonym",
        )
        self.person = person
        self.earlier = earlier


def check_pseudonym(text: str, whose: str = "participant") -> str:
    """The pseudonym as given; ``whose`` is a participant or a grader. Raises UsageError for what looks like a name or
    an address, and never repeats it."""
    problem = ""
    if "@" in text:
        problem = "that looks like a mail address"
    elif len(text.split()) > 1:
        problem = "that looks like a name"
    elif len(text) > LONGEST:
        problem = f"a pseudonym has at most {LONGEST} characters"
    elif text.casefold().startswith(SIMULATED):
        problem = f"pseudonyms with {SIMULATED} are those of simulated people"
    elif not _PSEUDONYM.fullmatch(text):
        problem = "a pseudonym consists of letters without accents, digits, _ . : and -"
    if problem:
        raise UsageError(
            problem,
            where=f"the {whose}'s pseudonym",
            remedy=_SUCH_AS[whose] + "; who is behind it belongs on paper, never in the store",
        )
    return text


def issue(store: Store, count: int, prefix: str = "P") -> tuple[Participant, ...]:
    """So many new pseudonyms: ``P01``, ``P02`` and so on, never one that somebody had who withdrew."""
    if count < 1:
        raise UsageError("issue at least one", where=f"--issue {count}")
    if not _PREFIX.fullmatch(prefix):
        raise UsageError("a prefix is one to ten letters", where=f"--prefix {prefix[:40]}", remedy="For example A")
    return store.write(lambda db: _issued(db, count, prefix), full=True)


def issue_simulated(store: Store, count: int) -> tuple[Participant, ...]:
    """New simulated people: ``simulated:P01`` and so on."""
    return store.write(lambda db: _issued(db, count, f"{SIMULATED}P"), full=True)


def _issued(db: sqlite3.Connection, count: int, prefix: str) -> tuple[Participant, ...]:
    """From beyond the highest number there is, and as many more as people withdrew: theirs are written nowhere."""
    known = db.execute("SELECT pseudonym FROM participants WHERE pseudonym LIKE ?", (f"{prefix}%",))
    numbers = [int(rest) for (name,) in known if (rest := name[len(prefix) :]).isascii() and rest.isdecimal()]
    withdrew = db.execute("SELECT count(*) FROM participants WHERE withdrawn IS NOT NULL").fetchone()[0]
    first, now = max(numbers, default=0) + withdrew + 1, encoding.now_ms()
    return tuple(_added(db, f"{prefix}{first + more:02d}", now, '{"issued":true}') for more in range(count))


def find(store: Store, pseudonym: str) -> Participant:
    """The participant of that pseudonym, in capitals or not.

    Where none were issued in this store, a new one is entered; else UsageError for one that was not. UsageError too
    for what cannot be a pseudonym, and for somebody who has withdrawn.
    """
    pseudonym = check_pseudonym(pseudonym.strip())

    def change(db: sqlite3.Connection) -> Participant:
        row = db.execute(
            "SELECT id, pseudonym, withdrawn FROM participants WHERE pseudonym = ? COLLATE NOCASE", (pseudonym,)
        ).fetchone()
        if row is not None:
            if row[2] is not None:
                raise UsageError(
                    "this participant has withdrawn", where=row[1], remedy="Another person takes another pseudonym"
                )
            return Participant(row[0], row[1])
        known = [
            name
            for (name,) in db.execute("SELECT pseudonym FROM participants WHERE details LIKE '%\"issued\":true%'")
            if not name.startswith(SIMULATED)  # only people's
        ]
        if known:
            near = get_close_matches(pseudonym, known, n=1)
            raise UsageError(
                f"pseudonym {pseudonym} was not issued",
                where="the participant's pseudonym",
                remedy=(f"Did you mean {near[0]}? " if near else "")
                + "`phoropter study people FILE` lists those that were",
            )
        return _added(db, pseudonym, encoding.now_ms(), "{}")

    return store.write(change, full=True)


def everybody(store: Store) -> tuple[Participant, ...]:
    """All participants of the store, as they were issued; simulated ones too, withdrawn ones not."""
    rows = store.reader().execute("SELECT id, pseudonym FROM participants WHERE withdrawn IS NULL ORDER BY id")
    return tuple(Participant(*row) for row in rows)


def earlier_sessions(db: sqlite3.Connection, person: int, study: str) -> tuple[Earlier, ...]:
    """A person's sessions in any version of the study of that name, the oldest first."""
    rows = db.execute(
        "SELECT s.id, s.uid, studies.version, s.kind, s.state, s.slot,"
        " (SELECT count(*) FROM trials AS t WHERE t.session = s.id AND t.kind = 'main' AND t.ended IS NOT NULL),"
        " s.details, ifnull(s.seen, s.created), s.station FROM sessions AS s JOIN studies ON studies.id = s.study"
        " WHERE s.participant = ? AND studies.name = ? ORDER BY s.id",
        (person, study),
    )
    return tuple(
        Earlier(row, uid, version, kind, state, slot, answered, encoding.from_json(details).get("given", 0), seen, at)
        for row, uid, version, kind, state, slot, answered, details, seen, at in rows
    )


def _added(db: sqlite3.Connection, pseudonym: str, now: int, details: str) -> Participant:
    cursor = db.execute(
        "INSERT INTO participants (pseudonym, details, created) VALUES (?, ?, ?)", (pseudonym, details, now)
    )
    assert cursor.lastrowid is not None
    return Participant(cursor.lastrowid, pseudonym)
