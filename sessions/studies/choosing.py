"""Which of the free slots a person may be given: the first that holds nothing they have met before."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import UsageError
from core.study.pool import key_of, pictures_of
from core.study.preparing import Prepared
from sessions import encoding
from sessions.studies import assigning
from sessions.studies.assigning import Assignment
from sessions.studies.book import StudyRecord
from sessions.studies.people import Participant


@dataclass(frozen=True, slots=True)
class _Before:
    """What a person has met in the study, whatever its version and the kind of session: items asked, their pictures,
    conditions."""

    items: frozenset[str]
    pictures: frozenset[str]
    conditions: frozenset[str]


def first_free(
    db: sqlite3.Connection, record: StudyRecord, prepared: Prepared, person: Participant, kind: str, now: int
) -> Sequence[Assignment]:
    """What is free of the first slot that this person may be given.

    Nobody answers an item twice; nobody sees a picture twice where the study says so; who has had a condition keeps
    it where conditions differ between people. Raises UsageError that says how many slots failed, and why.
    """
    slots = assigning.open_slots(db, record.id, kind, now)
    if not slots:
        raise _nothing_free(db, record, kind)
    before = _before(db, record, prepared, person)
    against = Counter[str]()
    for free in slots:
        why = _against(record, prepared, before, free)
        if not why:
            return free
        against[why] += 1
    pictures = against.most_common(1)[0][0] == _PICTURES
    raise UsageError(
        f"{person.pseudonym} has been here before, and none of the {len(slots)} free slots is new to this person: "
        + ", ".join(f"{count} {why}" for why, count in against.items()),
        where=record.name,
        remedy="Let somebody else sit"
        + (', or allow pictures again in a later session (no_picture_twice = "session")' if pictures else ""),
    )


_PICTURES = "would show a picture again"


def _against(record: StudyRecord, prepared: Prepared, before: _Before, free: Sequence[Assignment]) -> str:
    design = record.study.design
    if design.conditions == "between" and before.conditions and free[0].condition not in before.conditions:
        return "are of another condition"
    if any(each.item in before.items for each in free):
        return "would ask an item again"
    shown = (picture for each in free for picture in pictures_of(prepared.pool.items[each.item]))
    if design.no_picture_twice == "person" and any(picture in before.pictures for picture in shown):
        return _PICTURES
    return ""


def _before(db: sqlite3.Connection, record: StudyRecord, prepared: Prepared, person: Participant) -> _Before:
    items, pictures, conditions = set[str](), set[str](), set[str]()
    for key, content, condition in db.execute(
        "SELECT items.key, items.content, t.condition FROM sessions AS s JOIN studies ON studies.id = s.study"
        " JOIN trials AS t ON t.session = s.id AND t.kind = 'main' JOIN items ON items.id = t.item"
        " WHERE s.participant = ? AND studies.name = ?",
        (person.id, record.name),
    ):
        item = encoding.from_text(key)
        items.add(item)
        conditions.add(condition)
        asked = prepared.pool.items.get(item)
        if asked is not None:
            pictures.update(pictures_of(asked))
        else:
            pictures.update(key_of(picture) for picture in encoding.from_json(content)["pictures"])
    return _Before(frozenset(items), frozenset(pictures), frozenset(conditions))


def _nothing_free(db: sqlite3.Connection, record: StudyRecord, kind: str) -> UsageError:
    counts = dict(
        db.execute(
            "SELECT state, count(*) FROM assignments WHERE study = ? AND kind = ? GROUP BY state", (record.id, kind)
        ).fetchall()
    )
    done, out, away = (counts.get(state, 0) for state in (assigning.DONE, assigning.CLAIMED, assigning.DEALT))
    if not out and not away:
        return UsageError(
            f"every item has its {record.study.design.raters} answers: nobody else is needed", where=record.name
        )
    where = [f"{done} answered"]
    where += [f"{out} with people who sit now"] if out else []
    where += [f"{away} dealt to stations"] if away else []
    return UsageError(
        f"no slot is free: {', '.join(where)}",
        where=record.name,
        remedy="What is not answered comes back when its lease is over or the monitor hands it back",
    )
