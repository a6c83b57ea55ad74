"""A study as a monitor saw it last, in records: each session, and the whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from core.moments import utc
from sessions.studies.coverage import Coverage
from sessions.studies.session import STOPPED

QUIET_MS: Final = 30_000
"""A session that goes on gives a sign of life every ten seconds; one silent for so long is in trouble."""

LOW_DISK: Final = 500_000_000
"""Bytes below which the disk is told to be nearly full."""


@dataclass(frozen=True, slots=True)
class Watched:
    """One session.

    ``at`` is the kind of the trial on the screen ("" between trials), ``doing`` the last thing that its log says;
    ``number`` is the item it is at, of ``given``. ``trial_since``, ``seen``, ``began``: milliseconds since 1970.
    ``median_s`` is the median of active seconds an item; ``catch_right`` of ``catch_seen`` catch trials are
    right. ``waiting`` are wishes that the session has not heard yet.
    """

    session: int
    uid: str
    person: str
    kind: str
    state: str
    station: str
    experimenter: str
    version: int
    at: str
    doing: str
    number: int
    given: int
    trial_since: int | None
    seen: int
    began: int
    median_s: float | None
    catch_right: int
    catch_seen: int
    waiting: tuple[str, ...] = ()

    @property
    def going_on(self) -> bool:
        return self.state in ("open", "paused")

    def quiet(self, now: int) -> bool:
        """Whether it should have given a sign of life since; one that was stopped gives none until it is taken up."""
        return self.going_on and self.doing != STOPPED and now - self.seen > QUIET_MS

    def to_json(self, now: int) -> dict[str, Any]:
        return {
            "session": self.session,
            "uid": self.uid,
            "person": self.person,
            "kind": self.kind,
            "state": self.state,
            "station": self.station,
            "experimenter": self.experimenter,
            "version": self.version,
            "trial": {
                "kind": self.at or None,
                "number": self.number,
                "of": self.given,
                "seconds": None if self.trial_since is None else max(now - self.trial_since, 0) / 1000,
            },
            "last_event": self.doing,
            "seen": utc(self.seen),
            "seen_seconds_ago": max(now - self.seen, 0) / 1000,
            "quiet": self.quiet(now),
            "began": utc(self.began),
            "median_seconds_an_item": self.median_s,
            "catch": {"right": self.catch_right, "of": self.catch_seen},
            "wishes_waiting": list(self.waiting),
        }


@dataclass(frozen=True, slots=True)
class Seen:
    """A study as a monitor saw it last. ``trouble`` says why it cannot be read just now ("" where it can): then the
    rest is what was read at ``read``. ``coverage`` is None where nothing was dealt yet. Times in ms since 1970."""

    study: str
    store: str
    now: int
    read: int = 0
    version: int = 0
    state: str = ""
    raters: int = 0
    sessions: tuple[Watched, ...] = ()
    over: Mapping[str, int] | None = None
    coverage: Coverage | None = None
    free_bytes: int | None = None
    trouble: str = ""

    @property
    def sitting(self) -> int:
        return sum(session.going_on for session in self.sessions)

    @property
    def quiet(self) -> tuple[Watched, ...]:
        return tuple(session for session in self.sessions if session.quiet(self.now))

    @property
    def low_disk(self) -> bool:
        return self.free_bytes is not None and self.free_bytes < LOW_DISK

    def to_json(self) -> dict[str, Any]:
        """The one document: the same that the screen shows."""
        return {
            "study": self.study,
            "version": self.version or None,
            "state": self.state or None,
            "raters": self.raters,
            "at": utc(self.now),
            "sessions": [session.to_json(self.now) for session in self.sessions],
            "sessions_over": dict(self.over or {}),
            "coverage": None if self.coverage is None else self.coverage.to_json(),
            "health": {
                "store": self.store,
                "reachable": not self.trouble,
                "trouble": self.trouble or None,
                "disk_free_bytes": self.free_bytes,
                "disk_low": self.low_disk,
                "quiet": [session.person for session in self.quiet],
            },
        }
