"""How far a study is: which items have their answers, which are with people now, which are still to be given out."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.records import Json
from sessions import encoding
from sessions.store import Store
from sessions.studies import assigning
from sessions.studies.book import StudyRecord
from sessions.studies.clock import Clock


@dataclass(frozen=True, slots=True)
class ItemCoverage:
    """One item in one condition: ``done`` of ``wanted`` valid answers, ``sitting`` with people now, ``dealt`` at
    stations."""

    item: str
    condition: str
    wanted: int
    done: int
    sitting: int
    dealt: int

    @property
    def free(self) -> int:
        return self.wanted - self.done - self.sitting - self.dealt


@dataclass(frozen=True, slots=True)
class Coverage:
    """All items of a study for one kind of session; an assignment whose lease is over is free. Empty ``items``: not
    dealt yet. ``sessions`` counts by state."""

    kind: str
    items: tuple[ItemCoverage, ...]
    sessions: Mapping[str, int]

    @property
    def wanted(self) -> int:
        return sum(item.wanted for item in self.items)

    @property
    def done(self) -> int:
        return sum(item.done for item in self.items)

    @property
    def sitting(self) -> int:
        return sum(item.sitting for item in self.items)

    @property
    def dealt(self) -> int:
        return sum(item.dealt for item in self.items)

    @property
    def free(self) -> int:
        return self.wanted - self.done - self.sitting - self.dealt

    @property
    def complete(self) -> bool:
        return bool(self.items) and self.done == self.wanted

    def by_answers(self) -> dict[int, int]:
        """How many items (in a condition) have so many valid answers."""
        return dict(sorted(Counter(item.done for item in self.items).items()))

    def to_json(self) -> dict[str, Json]:
        return {
            "kind": self.kind,
            "items": len(self.items),
            "wanted": self.wanted,
            "done": self.done,
            "sitting": self.sitting,
            "dealt": self.dealt,
            "free": self.free,
            "items_by_answers": {str(answers): count for answers, count in self.by_answers().items()},
            "sessions": dict(self.sessions),
        }


_AT: Final = "iif(a.station <> '' AND a.state = 'claimed', 'dealt', a.state)"
"""Who sits at a station is seen there."""


def coverage(store: Store, record: StudyRecord, kind: str = "main", clock: Clock | None = None) -> Coverage:
    """How far this version of a study is, answers of earlier versions that it keeps included."""
    now = (clock or Clock()).now()
    with store.snapshot():
        db = store.reader()
        return Coverage(kind, tuple(_items(db, record.id, kind, now)), _sessions(db, record.id, kind))


def _items(db: sqlite3.Connection, study: int, kind: str, now: int) -> list[ItemCoverage]:
    counts: dict[tuple[str, str], Counter[str]] = {}
    for key, condition, state, count in db.execute(
        f"SELECT items.key, a.condition, iif({assigning.OVER}, 'free', {_AT}), count(*) FROM assignments AS a"  # noqa: S608  our own words
        " JOIN items ON items.id = a.item WHERE a.study = :study AND a.kind = :kind GROUP BY 1, 2, 3"
        " ORDER BY min(a.id)",
        {"study": study, "kind": kind, "now": now},
    ):
        counts.setdefault((encoding.from_text(key), condition), Counter())[state] += count
    return [
        ItemCoverage(
            item,
            condition,
            of_item.total(),
            of_item[assigning.DONE],
            of_item[assigning.CLAIMED],
            of_item[assigning.DEALT],
        )
        for (item, condition), of_item in counts.items()
    ]


def _sessions(db: sqlite3.Connection, study: int, kind: str) -> dict[str, int]:
    return dict(
        db.execute(
            "SELECT state, count(*) FROM sessions WHERE study = ? AND kind = ? GROUP BY state ORDER BY state",
            (study, kind),
        ).fetchall()
    )
