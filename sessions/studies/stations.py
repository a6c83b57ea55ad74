"""Stations on several machines: a store for each, dealt beforehand with slots and pseudonyms of its own."""

from __future__ import annotations

import itertools
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core.errors import UsageError
from core.study.preparing import Prepared
from sessions import encoding
from sessions.store import Store
from sessions.studies import assigning, people
from sessions.studies.book import StudyRecord, freeze
from sessions.studies.claims import deal_out
from sessions.studies.clock import Clock
from sessions.studies.people import Participant

SPARE: Final = 4
"""One more pseudonym for every so many slots, for those who do not come to the end."""


@dataclass(frozen=True, slots=True)
class Station:
    """A station's store, and what it was dealt: ``slots`` and ``answers`` still to be given."""

    name: str
    path: Path
    slots: int
    answers: int
    pseudonyms: tuple[str, ...]


def deal_stations(
    store: Store, record: StudyRecord, prepared: Prepared, names: list[str], folder: Path, spare: int = SPARE
) -> tuple[Station, ...]:
    """Deal all free slots to stations by turns, each into a new store in ``folder``; the study is frozen by that.

    They are not given out here any more, until a station's store is merged back or what it holds is taken back.
    Raises UsageError where a store of that name lies there already, and where there are fewer free slots than
    stations; nothing is changed then.
    """
    paths = {name: folder / f"{record.name}-{name}.db" for name in names}
    for path in paths.values():
        if path.exists():
            raise UsageError(
                "there is a file of that name already", where=str(path), remedy="Name another folder with --out"
            )
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise UsageError(
            f"the folder cannot be made ({error.strerror})", where=f"--out {folder}", remedy="Name another one"
        ) from error
    record = record if record.live else freeze(store, record)
    deal_out(store, record, prepared)
    free = assigning.open_slots(store.reader(), record.id, "main", Clock().now())
    if len(free) < len(names):
        raise UsageError(
            f"only {len(free)} slots are free, and there are {len(names)} stations",
            where=record.name,
            remedy="Deal to fewer stations, or take fewer items a session",
        )
    out = []
    for number, name in enumerate(names):
        slots = free[number :: len(names)]
        own = people.issue(store, len(slots) + -(-len(slots) // spare), f"{_letters(number)}")
        rows = _mark(store, record.id, [slot[0].slot for slot in slots], name)
        with Store.open(paths[name]) as station:
            _hand_over(store, station, record, prepared, rows, own)
        out.append(
            Station(name, paths[name], len(slots), sum(map(len, slots)), tuple(person.pseudonym for person in own))
        )
    return tuple(out)


def new_names(store: Store, record: StudyRecord, count: int) -> list[str]:
    """``station1``, ``station2`` and so on, none that was dealt something before."""
    taken = _known(store.reader(), record.id)
    free = (name for number in itertools.count(1) if (name := f"station{number}") not in taken)
    return list(itertools.islice(free, count))


def _known(db: sqlite3.Connection, study: int) -> list[str]:
    rows = db.execute(
        "SELECT DISTINCT station FROM assignments WHERE study = ? AND station <> '' ORDER BY 1", (study,)
    )
    return [name for (name,) in rows]


def take_back(store: Store, record: StudyRecord, station: str) -> int:
    """What a station was dealt and has not answered (as far as its store was merged here) is free again; how many
    answers that is. Raises UsageError where that station was dealt nothing."""

    def change(db: sqlite3.Connection) -> int:
        known = _known(db, record.id)
        if station not in known:
            raise UsageError(
                "nothing was dealt to that station",
                where=station,
                remedy=f"Stations: {', '.join(known)}" if known else "`phoropter study deal FILE --stations N` deals",
            )
        return db.execute(
            "UPDATE assignments SET state = 'free', station = '', session = NULL, lease_until = NULL"
            " WHERE study = ? AND station = ? AND state IN ('dealt', 'claimed')",
            (record.id, station),
        ).rowcount

    return store.write(change, full=True)


def _letters(number: int) -> str:
    """A, B, ... Z, AA: a station's pseudonyms are told by it."""
    return (_letters(number // 26 - 1) if number >= 26 else "") + chr(ord("A") + number % 26)


def _mark(store: Store, study: int, slots: list[int], name: str) -> list[tuple[Any, ...]]:
    """Slots that are dealt from now on: their rows, what is not this station's to give out as answered."""

    def change(db: sqlite3.Connection) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = []
        now = Clock().now()
        for slot in slots:
            values = {"study": study, "slot": slot, "now": now, "name": name}
            given = db.execute(
                "UPDATE assignments AS a SET state = 'dealt', station = :name, session = NULL, lease_until = NULL"  # noqa: S608  our own words
                f" WHERE a.study = :study AND a.kind = 'main' AND a.slot = :slot AND {assigning.OVER} RETURNING id",
                values,
            )
            values["given"] = encoding.to_json([row for (row,) in given])
            rows += db.execute(
                "SELECT items.hash, a.part, a.condition, a.slot, a.place, a.block,"
                " iif(a.id IN (SELECT value FROM json_each(:given)), 'free', 'done')"
                " FROM assignments AS a JOIN items ON items.id = a.item"
                " WHERE a.study = :study AND a.kind = 'main' AND a.slot = :slot ORDER BY a.id",
                values,
            ).fetchall()
        return rows

    return store.write(change, full=True)


def _hand_over(
    store: Store,
    station: Store,
    record: StudyRecord,
    prepared: Prepared,
    rows: list[tuple[Any, ...]],
    own: tuple[Participant, ...],
) -> None:
    study = (
        store.reader()
        .execute(
            "SELECT name, version, digest, configuration, seed, created, state, frozen, reason FROM studies"
            " WHERE id = ?",
            (record.id,),
        )
        .fetchone()
    )
    issued = [
        store.reader()
        .execute("SELECT pseudonym, details, created FROM participants WHERE id = ?", (person.id,))
        .fetchone()
        for person in own
    ]

    def change(db: sqlite3.Connection) -> None:
        items = {
            bytes.fromhex(item.hash): station.vocabulary.item(db, item, bytes.fromhex(item.hash))
            for item in prepared.pool.items.values()
        }
        number = db.execute(
            "INSERT INTO studies (name, version, digest, configuration, seed, created, state, frozen, reason)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            study,
        ).lastrowid
        db.executemany("INSERT INTO participants (pseudonym, details, created) VALUES (?, ?, ?)", issued)
        db.executemany(
            "INSERT INTO assignments (study, item, part, condition, slot, place, block, state)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [(number, items[digest], *rest) for digest, *rest in rows],
        )

    station.write(change, full=True)
