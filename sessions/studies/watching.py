"""What a monitor sees of a study that is being held: who sits, where they are, how fast, how far all of it is.

Nothing here says how accurate anybody is on what is asked: who watches that may stop when it looks good.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Final

from core.benchmarks import registry
from core.errors import PhoropterError, StoreError
from sessions import browsing, encoding
from sessions.store import SIT_FIRST, Store
from sessions.studies import book, wishes
from sessions.studies.book import StudyRecord
from sessions.studies.clock import Clock
from sessions.studies.coverage import coverage
from sessions.studies.doings import conduct_of
from sessions.studies.reading import KINDS, MAIN, Found, Kind, Sat, SatTrial, sessions_of, trials_of
from sessions.studies.watched import Seen, Watched

RECENT_MS: Final = 3_600_000
"""Sessions that ended no longer ago than this are still shown."""

AGAIN_MS: Final = 5_000
"""As old may what was read become where nothing was written since."""


class Watcher:
    """Looks at one store again and again, from one thread. A store that goes away is told, and found again."""

    def __init__(self, path: Path, study: str, kind: Kind = "main", clock: Clock | None = None) -> None:
        self._path = path.expanduser().absolute()
        self._kind = kind
        self._clock = clock or Clock()
        self._store: Store | None = None
        self._file: tuple[int, int] | None = None
        self._version = -1
        self._seen = Seen(study, str(path), self._clock.now())

    def look(self) -> Seen:
        """What there is to see now; never raises for a store that cannot be read."""
        now, trouble, free = self._clock.now(), "", _free(self._path.parent)
        try:
            store = self._opened()
            version = browsing.version(store)
            if version != self._version or now - self._seen.read > AGAIN_MS or self._seen.trouble:
                self._seen = self._read(store, now)
                self._version = version
        except (PhoropterError, sqlite3.Error, OSError) as error:
            trouble = " ".join(str(error).split()) or type(error).__name__
            self._let_go()
        self._seen = replace(self._seen, now=now, free_bytes=free, trouble=trouble)
        return self._seen

    @property
    def store(self) -> Store:
        """The store as it is now, for saying something to a session. Raises StoreError where it is gone."""
        return self._opened()

    def close(self) -> None:
        self._let_go()

    # -- inside

    def _opened(self) -> Store:
        try:
            found = self._path.stat()
        except OSError as error:
            self._let_go()
            raise StoreError("the store is not there any more", where=str(self._path)) from error
        if self._store is None or self._file != (found.st_dev, found.st_ino):
            self._let_go()
            self._store = opened(self._path)
            self._file = (found.st_dev, found.st_ino)
        return self._store

    def _let_go(self) -> None:
        store, self._store, self._file, self._version = self._store, None, None, -1
        if store is not None:
            with suppress(PhoropterError, sqlite3.Error, OSError):
                store.close()

    def _read(self, store: Store, now: int) -> Seen:
        with store.snapshot():
            records = book.versions(store, self._seen.study)
            if not records:
                return replace(self._seen, now=now, read=now, sessions=(), coverage=None)
            newest = records[-1]
            sat = sessions_of(store, [record.id for record in records], KINDS)
            shown = [each for each in sat if each.going_on or now - (each.ended or each.created) < RECENT_MS]
            over: dict[str, int] = {}
            for each in sat:
                if not each.going_on:
                    over[each.state] = over.get(each.state, 0) + 1
            found = coverage(store, newest, self._kind, self._clock)
            return replace(
                self._seen,
                now=now,
                read=now,
                version=newest.version,
                state=newest.state,
                raters=newest.study.design.raters,
                sessions=tuple(_watched(store, records, self._kind, shown)),
                over=over,
                coverage=found if found.items else None,
            )


def opened(path: Path | None) -> Store:
    """The store there, or at the usual place, for reading and writing; for looking alone where nothing can be
    written. Raises StoreError."""
    try:
        return Store.open(path, create=False, first=SIT_FIRST)
    except StoreError:
        with suppress(StoreError):  # what stood in the way of writing is told, not this
            return Store.open(path, create=False, read_only=True, first=SIT_FIRST)
        raise


def _watched(store: Store, records: Sequence[StudyRecord], kind: Kind, sat: Sequence[Sat]) -> list[Watched]:
    """Those going on first, the longest there first; then those that ended, the last first."""
    benchmark, subset = registry.parse_name(records[-1].study.benchmark)
    conduct = conduct_of(store, Found(records[-1], tuple(records), benchmark, subset, kind, tuple(sat)), sat)
    version = {record.id: record.version for record in records}
    db = store.reader()
    trials: dict[int, list[SatTrial]] = {}
    for trial in trials_of(store, sat, ended=False):
        trials.setdefault(trial.session, []).append(trial)
    signs = _signs(db, [each.id for each in sat])
    out = []
    for each in sat:
        own, (seen, doing) = trials.get(each.id, []), signs[each.id]
        current = next((trial for trial in reversed(own) if trial.ended is None), None) if each.going_on else None
        done = sum(trial.kind == MAIN and trial.ended is not None for trial in own)
        went, given = conduct[each.id], each.details.get("given", 0)
        out.append(
            Watched(
                each.id,
                each.uid,
                each.person,
                each.kind,
                each.state,
                each.station,
                each.experimenter,
                version[each.study],
                "" if current is None else current.kind,
                doing,
                done + (current is not None and current.kind == MAIN),
                given if isinstance(given, int) else 0,
                None if current is None else current.shown,
                seen,
                each.created,
                median(went.seconds) if went.seconds else None,
                sum(went.catch),
                len(went.catch),
                tuple(wish.wish for wish in wishes.waiting(db, each.id)) if each.going_on else (),
            )
        )
    return sorted(out, key=lambda one: (not one.going_on, one.began if one.going_on else -one.seen, one.session))


def _signs(db: sqlite3.Connection, sessions: Sequence[int]) -> dict[int, tuple[int, str]]:
    """By session its last sign of life and the last thing its log says, what the monitor did itself left out."""
    rows = db.execute(
        "SELECT s.id, ifnull(s.seen, s.created), (SELECT e.kind FROM events AS e WHERE e.session = s.id"
        "  AND e.kind NOT IN ('wish', 'changed', 'anticipations') ORDER BY e.id DESC LIMIT 1)"
        " FROM sessions AS s WHERE s.id IN (SELECT value FROM json_each(?))",
        (encoding.to_json(list(sessions)),),
    )
    return {row: (seen, encoding.from_text(kind) if kind is not None else "") for row, seen, kind in rows}


def _free(folder: Path) -> int | None:
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None
