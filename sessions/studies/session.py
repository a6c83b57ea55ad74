"""An open session as a whole: its log, pauses, questionnaires, wishes, signs of life and its end."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Final, Literal, TypeAlias, TypeVar

from core.records import Json
from sessions import encoding
from sessions.store import Store
from sessions.studies import assigning, wishes
from sessions.studies.book import StudyRecord
from sessions.studies.clock import Clock
from sessions.studies.people import Participant
from sessions.studies.said import Trial
from sessions.studies.wishes import Wish

T = TypeVar("T")
Ending: TypeAlias = Literal["ended", "left"]

MINUTE_MS: Final = 60_000
STOPPED: Final = "stopped"
"""The last event of a session that was stopped to be gone on with later."""
_RENEWED_AFTER: Final = 0.05
"""Share of the lease after which it is renewed with whatever is written."""


class OpenSession:
    """What a sitting says of its session, beside the trials."""

    def __init__(
        self,
        store: Store,
        record: StudyRecord,
        person: Participant,
        session: int,
        clock: Clock,
        closing: ExitStack,
    ) -> None:
        self.store = store
        self.record = record
        self.person = person
        self.session = session
        self.clock = clock
        self._closing = closing
        self._lease_ms = record.study.design.lease_minutes * MINUTE_MS
        self._renewed = clock.now()

    async def event(
        self, kind: str, *, trial: Trial | None = None, details: Mapping[str, Json] | None = None
    ) -> None:
        """A line of the session's log, now."""
        now, ms = self.clock.now(), self.clock.ms()
        told = {**(details or {}), "monotonic_ms": round(ms)}
        await self._write(
            lambda db: assigning.note_event(
                db, self.session, kind, now, told, trial.id if trial is not None else None
            )
        )

    def happened(self) -> frozenset[str]:
        """The kinds of events on record: what a session taken up again has been through already."""
        rows = self.store.reader().execute("SELECT DISTINCT kind FROM events WHERE session = ?", (self.session,))
        return frozenset(row[0] for row in rows)

    async def pause(self, on: bool) -> None:
        """The clock stands, or goes on."""
        now, ms = self.clock.now(), self.clock.ms()

        def change(db: sqlite3.Connection) -> None:
            self._live(db, now, "paused" if on else "open")
            told = {"monotonic_ms": round(ms)}
            assigning.note_event(db, self.session, "pause" if on else "go_on", now, told)

        await self._write(change)

    async def questionnaire(self, part: str, question: str, value: str) -> None:
        """An answer to the gate ("gate") or a questionnaire ("before", "after"); the newest of a question counts."""
        now = self.clock.now()

        def change(db: sqlite3.Connection) -> None:
            self._live(db, now)
            db.execute(
                "INSERT INTO questionnaires (session, part, question, value, created) VALUES (?, ?, ?, ?, ?)",
                (self.session, part, encoding.to_text(question), encoding.to_text(value), now),
            )

        await self._write(change)

    async def wishes(self) -> list[Wish]:
        """What the monitor wished since the last time; each is told once."""
        if not wishes.waiting(self.store.reader(), self.session):
            return []
        now = self.clock.now()

        def change(db: sqlite3.Connection) -> list[Wish]:
            found = wishes.waiting(db, self.session)
            db.executemany("UPDATE wishes SET done = ? WHERE id = ?", [(now, wish.id) for wish in found])
            for wish in found:
                told = {"wish": wish.wish, "text": wish.text, "author": wish.author}
                assigning.note_event(db, self.session, "wish", now, told)
            return found

        return await self._write(change)

    async def alive(self) -> bool:
        """A sign of life, which renews the lease. False where nothing is left that is this session's."""
        now = self.clock.now()

        def change(db: sqlite3.Connection) -> int:
            self._live(db, now)
            return self._renew(db, now)

        return await self._write(change) > 0

    async def end(self, state: Ending) -> None:
        """The session is over; what it has not answered is free again."""
        now = self.clock.now()

        def change(db: sqlite3.Connection) -> None:
            freed = assigning.give_back(db, self.session)
            db.execute(
                "UPDATE sessions SET state = ?1, ended = ?2, seen = ?2 WHERE id = ?3 AND state IN ('open', 'paused')",
                (state, now, self.session),
            )
            assigning.note_event(db, self.session, state, now, {"freed": freed})

        await self._write(change)

    async def stop(self, by: str) -> None:
        """The person leaves now and goes on later: it is paused, with all that is its own, until it is taken up."""
        now, ms = self.clock.now(), self.clock.ms()

        def change(db: sqlite3.Connection) -> None:
            self._live(db, now, "paused")
            assigning.note_event(db, self.session, STOPPED, now, {"by": by, "monotonic_ms": round(ms)})

        await self._write(change)

    def close(self) -> None:
        """Let others take it up. What is open stays open: the same person can go on later."""
        self._closing.close()

    def note_resumed(self, gap_s: float, station: str, experimenter: str) -> None:
        """Said by ``claim``: the gap is on record, and earlier rows stay as they were."""
        now = self.clock.now()
        told = {"gap_s": round(gap_s, 3), "station": station, "experimenter": experimenter}

        def change(db: sqlite3.Connection) -> None:
            self._live(db, now, "open")
            assigning.note_event(db, self.session, "resumed", now, told)

        self.store.write(change, full=True)

    # -- inside

    async def _write(self, change: Callable[[sqlite3.Connection], T]) -> T:
        return await self.store.writer.submit(change, full=True)

    def _live(self, db: sqlite3.Connection, now: int, state: str | None = None) -> None:
        """A sign of life, unless the session was ended from outside; the lease is renewed when some of it is over."""
        db.execute(
            "UPDATE sessions SET seen = ?, state = ifnull(?, state) WHERE id = ? AND state IN ('open', 'paused')",
            (now, state, self.session),
        )
        if now - self._renewed > self._lease_ms * _RENEWED_AFTER:
            self._renew(db, now)

    def _renew(self, db: sqlite3.Connection, now: int) -> int:
        self._renewed = now
        return assigning.renew(db, self.session, now + self._lease_ms)
