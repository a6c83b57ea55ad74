"""Arrival: a person is given the first free slot that may be theirs, or goes on with the session they have."""

from __future__ import annotations

import platform
import sqlite3
import uuid
from contextlib import ExitStack
from dataclasses import dataclass

from core.errors import UsageError
from core.study.preparing import Prepared, prepare_study
from core.study.slots import deal
from sessions import encoding
from sessions.running import the_only_sitting
from sessions.store import Store
from sessions.studies import assigning
from sessions.studies.book import StudyRecord, freeze, refuse_changed
from sessions.studies.choosing import first_free
from sessions.studies.clock import Clock
from sessions.studies.people import Participant, SamePersonError, earlier_sessions
from sessions.studies.planned import plan_of
from sessions.studies.runs import SessionKind, make_runs
from sessions.studies.session import MINUTE_MS
from sessions.studies.sitting import Sitting


@dataclass(frozen=True, slots=True)
class _Claimed:
    """A session's row as it was claimed or found again; ``seen`` is its last sign of life before."""

    session: int
    uid: str
    slot: int
    resumed: bool
    seen: int


def claim(
    store: Store,
    record: StudyRecord,
    person: Participant,
    *,
    kind: SessionKind = "main",
    station: str = "",
    experimenter: str = "",
    same_person: bool | None = None,
    prepared: Prepared | None = None,
    clock: Clock | None = None,
) -> Sitting:
    """The person's open session of this version, taken up again, or a new one on the first free slot.

    A main session freezes the study. Raises SamePersonError where the pseudonym has had a session of this study and
    ``same_person`` is not said; UsageError where it is False, where nothing is free, where all that is free shows
    pictures this person has seen (or items answered before), and where the session is open at another terminal.
    """
    if (kind == "simulated") is not person.simulated:
        raise UsageError("only simulated people have simulated sessions", where=person.pseudonym)
    clock = clock or Clock()
    prepared = prepared or prepare_study(record.study)
    _same(store, record, person, same_person)
    if kind == "main" and not record.live:
        record = freeze(store, record)
    deal_out(store, record, prepared, kind)
    arrival = _Arrival(store, record, prepared, person, kind, station, experimenter, clock)
    with ExitStack() as held:
        claimed = store.write(arrival.claimed, full=True)
        held.enter_context(the_only_sitting(store, claimed.uid, person.pseudonym))
        sitting = Sitting(
            store,
            record,
            prepared,
            person,
            session=claimed.session,
            uid=claimed.uid,
            kind=kind,
            slot=claimed.slot,
            resumed=claimed.resumed,
            gap_s=max(0.0, (clock.now() - claimed.seen) / 1000) if claimed.resumed else 0.0,
            clock=clock,
            closing=held.pop_all(),
        )
    if claimed.resumed:
        sitting.note_resumed(sitting.gap_s, station, experimenter)
    return sitting


def deal_out(store: Store, record: StudyRecord, prepared: Prepared, kind: str = "main") -> None:
    """Write a study's slots into the store where they are not there yet."""
    if assigning.dealt(store.reader(), record.id, kind):
        return
    slots = deal(record.study, prepared.pool)

    def change(db: sqlite3.Connection) -> None:
        refuse_changed(db, record)
        assigning.deal_out(db, store.vocabulary, record.id, kind, slots, prepared.pool.items, record.keeps_quota_of)

    store.write(change, full=True)


def hand_back(store: Store, session: int) -> int:
    """End a session from outside and free what it has not answered; how many that is."""
    now = Clock().now()

    def change(db: sqlite3.Connection) -> int:
        freed = assigning.give_back(db, session)
        ended = db.execute(
            "UPDATE sessions SET state = 'left', ended = ? WHERE id = ? AND state IN ('open', 'paused')",
            (now, session),
        ).rowcount
        if ended or freed:
            assigning.note_event(db, session, "handed_back", now, {"freed": freed})
        return freed

    return store.write(change, full=True)


def _same(store: Store, record: StudyRecord, person: Participant, same_person: bool | None) -> None:
    """Raises where a pseudonym that was here before is not said to be the same person's."""
    if same_person:
        return
    earlier = earlier_sessions(store.reader(), person.id, record.name)
    if not earlier:
        return
    if same_person is None:
        raise SamePersonError(person, earlier)
    raise UsageError(
        "this pseudonym is somebody else's: nothing of theirs is touched",
        where=person.pseudonym,
        remedy="Give this person another one (`phoropter study people FILE --issue 1`)",
    )


@dataclass(frozen=True, slots=True)
class _Arrival:
    store: Store
    record: StudyRecord
    prepared: Prepared
    person: Participant
    kind: SessionKind
    station: str
    experimenter: str
    clock: Clock

    def claimed(self, db: sqlite3.Connection) -> _Claimed:
        """Within one transaction, so that of many who arrive at once everybody is given something else."""
        now = self.clock.now()
        refuse_changed(db, self.record)
        withdrawn = db.execute(
            "SELECT withdrawn FROM participants WHERE id = ? AND pseudonym = ?",
            (self.person.id, self.person.pseudonym),
        ).fetchone()
        if withdrawn is None:
            raise UsageError("this store has no such participant", where=self.person.pseudonym)
        if withdrawn[0] is not None:
            raise UsageError("this participant has withdrawn", where=self.person.pseudonym)
        self._refuse_failed(db)
        until = now + self.record.study.design.lease_minutes * MINUTE_MS
        return self._resumed(db, until) or self._new(db, now, until)

    def _refuse_failed(self, db: sqlite3.Connection) -> None:
        """Whoever had the last attempt at the questions of the gate, in any version of the study, is asked no item:
        beginning again would be an attempt more."""
        attempts = max(self.record.study.gate_attempts, 1)
        rows = db.execute(
            "SELECT e.details FROM events AS e JOIN sessions AS s ON s.id = e.session"
            " JOIN studies ON studies.id = s.study"
            " WHERE s.participant = ? AND s.kind = ? AND studies.name = ? AND e.kind = 'gate_failed'",
            (self.person.id, self.kind, self.record.name),
        )
        if self.record.study.gate and any(
            encoding.from_json(details).get("attempt", 0) >= attempts for (details,) in rows
        ):
            raise UsageError(
                "this person did not pass the questions before the items, and has no attempt left",
                where=self.person.pseudonym,
                remedy="Another person takes another pseudonym; `gate_attempts` of an amended study gives more",
            )

    def _resumed(self, db: sqlite3.Connection, until: int) -> _Claimed | None:
        row = db.execute(
            "SELECT id, uid, slot, ifnull(seen, created) FROM sessions WHERE study = ? AND participant = ?"
            " AND kind = ? AND state IN ('open', 'paused') ORDER BY id DESC LIMIT 1",
            (self.record.id, self.person.id, self.kind),
        ).fetchone()
        if row is None:
            return None
        session, uid, slot, seen = row
        assigning.renew(db, session, until)
        return _Claimed(session, uid, slot, True, seen)

    def _new(self, db: sqlite3.Connection, now: int, until: int) -> _Claimed:
        chosen = first_free(db, self.record, self.prepared, self.person, self.kind, now)
        slot = chosen[0].slot
        whole = assigning.of_slot(db, self.record.id, self.kind, slot)
        given = {each.id for each in chosen}
        without = [[each.item, each.condition] for each in whole if each.id not in given]
        planned = plan_of(self.prepared, whole, without)
        uid = uuid.uuid4().hex
        runs = make_runs(db, self.record, self.prepared, self.person, self.kind, uid, planned)
        host = encoding.short_hash(platform.node()).hex()
        details = {"without": without, "given": len(chosen), "runs": runs.uids, "host": host}
        cursor = db.execute(
            "INSERT INTO sessions (study, participant, run, kind, slot, seed, details, created, uid, station,"
            " experimenter, seen) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self.record.id,
                self.person.id,
                runs.first,
                self.kind,
                slot,
                self.record.seed,
                encoding.to_json(details),
                now,
                uid,
                encoding.to_text(self.station),
                encoding.to_text(self.experimenter),
                now,
            ),
        )
        session = cursor.lastrowid
        assert session is not None
        assigning.take(db, chosen, session, until, now)
        assigning.note_event(
            db, session, "started", now, {"station": self.station, "experimenter": self.experimenter}
        )
        return _Claimed(session, uid, slot, False, now)
