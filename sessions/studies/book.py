"""The book of studies: each version of a study's file, a draft until its first live session, frozen from then on."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from core.errors import StoreError, UsageError
from core.records import Json
from core.study.content import Content, digest_of
from core.study.definition import Study
from core.study.differing import differences
from core.study.reading import study_of
from core.study.wanted import blocking
from sessions import encoding
from sessions.store import Store

State: TypeAlias = Literal["draft", "live"]

DRAFT: Final = "draft"
LIVE: Final = "live"
_COLUMNS: Final = "id, name, version, digest, configuration, seed, state, frozen, amends, reason, created"
_SHOWN: Final = 12
_BLANKS: Final = 5


@dataclass(frozen=True, slots=True)
class StudyRecord:
    """One version of a study as stored. ``digest`` covers the file and the content of prompts and items.

    ``amends`` is the version it takes the place of (a row, 0 for none) and ``reason`` why; ``keeps_quota_of`` are
    the earlier versions whose answers count for its quota. Times are milliseconds since 1970, 0 where not frozen.
    """

    id: int
    name: str
    version: int
    digest: str
    study: Study
    content: Content
    state: State
    seed: int
    amends: int = 0
    keeps_quota_of: tuple[int, ...] = ()
    reason: str = ""
    frozen: int = 0
    created: int = 0

    @property
    def live(self) -> bool:
        return self.state == LIVE


def keep_draft(store: Store, study: Study, content: Content) -> StudyRecord:
    """The version that this file is; a new draft where none is.

    The same file again is the same version. A draft that nobody has been asked by is written over; one that somebody
    has (a pilot, say) stays, and the changed file is a version of its own. Raises UsageError where the newest version
    is frozen and the file differs: it says in what.
    """
    wanted = digest_of(study, content)

    def change(db: sqlite3.Connection) -> int:
        newest = _newest(db, study.name)
        if newest is None:
            return _added(db, study, content, version=1)
        if newest.digest == wanted:
            return newest.id
        if newest.live:
            raise UsageError(
                f"the file has changed since version {newest.version} of the study was frozen"
                f" (digest {newest.digest[:_SHOWN]}): "
                + "; ".join(differences(newest.study, newest.content, study, content)),
                where=study.name,
                remedy="Put it back as it was, or make a new version with "
                "`phoropter study amend FILE --keep-quota --reason TEXT`",
            )
        if _used(db, newest.id):
            return _added(db, study, content, version=newest.version + 1)
        db.execute(
            "UPDATE studies SET digest = ?, configuration = ?, seed = ? WHERE id = ?",
            (wanted, _configuration(study, content), study.seed, newest.id),
        )
        return newest.id

    return replace(_record(store, store.write(change, full=True)), study=study)


def freeze(store: Store, record: StudyRecord) -> StudyRecord:
    """The same version, live from now on: the first live session calls it. Once live it stays as it is.

    Raises UsageError while something is left to be filled in, and where the draft was written over since.
    """
    if not record.live:
        _refuse_unready(record.study)

    def change(db: sqlite3.Connection) -> None:
        refuse_changed(db, record)
        db.execute(
            "UPDATE studies SET state = ?, frozen = ? WHERE id = ? AND state = ?",
            (LIVE, encoding.now_ms(), record.id, DRAFT),
        )

    store.write(change, full=True)
    return replace(_record(store, record.id), study=record.study)


def amend(
    store: Store, study: Study, content: Content, *, keep_quota: bool, reason: str
) -> tuple[StudyRecord, StudyRecord]:
    """A new live version in place of the newest, which stays as it was: the old one and the new one.

    With ``keep_quota`` what was collected under the old one, and under those that it kept, counts for the new one
    too; without it counting begins again. Raises UsageError where there is nothing frozen to amend, nothing changed,
    no reason is given, or something is left to be filled in.
    """
    if not reason.strip():
        raise UsageError("an amendment needs its reason", where="--reason", remedy="Say why the study was changed")

    def change(db: sqlite3.Connection) -> tuple[int, int]:
        newest = _newest(db, study.name)
        if newest is None or not newest.live:
            raise UsageError(
                "nothing is frozen yet: the file can simply be changed",
                where=study.name,
                remedy="A study is frozen by its first live session",
            )
        if newest.digest == digest_of(study, content):
            raise UsageError("the file is as it was when the study was frozen", where=study.name)
        _refuse_unready(study)
        added = _added(
            db, study, content, version=newest.version + 1, amends=newest.id, keeps=keep_quota, reason=reason.strip()
        )
        return newest.id, added

    old, new = store.write(change, full=True)
    return _record(store, old), replace(_record(store, new), study=study)


def refuse_changed(db: sqlite3.Connection, record: StudyRecord) -> None:
    """Raises UsageError where the stored version is no longer the one that ``record`` was read as: a draft that
    another command has written over. What is asked would not be what the digest beside it says."""
    (digest,) = db.execute("SELECT digest FROM studies WHERE id = ?", (record.id,)).fetchone()
    if digest != record.digest:
        raise UsageError(
            "the study's file has changed since it was read here, and somebody has used the changed one",
            where=record.name,
            remedy="Begin again with the file as it is now",
        )


def _refuse_unready(study: Study) -> None:
    """Raises UsageError while something is left that a live session cannot do without."""
    blanks = blocking(study)
    if not blanks:
        return
    said = "; ".join(f"{'.'.join(place)}: {what}" for place, what in blanks[:_BLANKS])
    more = f"; and {len(blanks) - _BLANKS} more" if len(blanks) > _BLANKS else ""
    raise UsageError(
        f"the study is not ready for a live session: {said}{more}",
        where=study.name,
        remedy="Fill them in; `phoropter study check FILE` lists them with their lines",
    )


def find(store: Store, name: str, version: int = 0) -> StudyRecord:
    """The newest version of a study, or the one of that number. Raises UsageError naming those there are."""
    found = versions(store, name)
    for record in reversed(found):
        if version in (0, record.version):
            return record
    if found:
        there = ", ".join(str(record.version) for record in found)
        raise UsageError(f"the study has no version {version}", where=name, remedy=f"There are: {there}")
    known = [row[0] for row in store.reader().execute("SELECT DISTINCT name FROM studies ORDER BY name")]
    remedy = f"There are: {', '.join(known)}" if known else "The first session, or `study simulate`, keeps one"
    raise UsageError("this store holds no such study", where=name, remedy=remedy)


def versions(store: Store, name: str) -> tuple[StudyRecord, ...]:
    """All versions of a study, the oldest first."""
    rows = store.reader().execute("SELECT id FROM studies WHERE name = ? ORDER BY version", (name,))
    return tuple(_record(store, row[0]) for row in rows.fetchall())


def by_id(store: Store, study: int) -> StudyRecord:
    """The version of that row."""
    return _record(store, study)


def _record(store: Store, row: int) -> StudyRecord:
    return _read(store.reader(), row)


def _read(db: sqlite3.Connection, row: int) -> StudyRecord:
    found = db.execute(f"SELECT {_COLUMNS} FROM studies WHERE id = ?", (row,)).fetchone()  # noqa: S608  our own words
    if found is None:
        raise StoreError("there is no such study in this store", where=f"studies {row}")
    number, name, version, digest, configuration, seed, state, frozen, amends, reason, created = found
    kept: Mapping[str, Any] = json.loads(configuration)
    return StudyRecord(
        number,
        name,
        version,
        digest,
        study_of(kept["study"]),
        Content.from_json(kept["content"]),
        state,
        seed,
        amends or 0,
        _kept_by(db, number),
        encoding.from_text(reason),
        frozen or 0,
        created,
    )


def _kept_by(db: sqlite3.Connection, row: int) -> tuple[int, ...]:
    """The versions before it whose answers count, the newest first."""
    out: list[int] = []
    while True:
        configuration, amends = db.execute(
            "SELECT configuration, amends FROM studies WHERE id = ?", (row,)
        ).fetchone()
        if amends is None or not json.loads(configuration).get("keeps_quota"):
            return tuple(out)
        out.append(amends)
        row = amends


def _newest(db: sqlite3.Connection, name: str) -> StudyRecord | None:
    found = db.execute("SELECT id FROM studies WHERE name = ? ORDER BY version DESC LIMIT 1", (name,)).fetchone()
    return None if found is None else _read(db, found[0])


def _used(db: sqlite3.Connection, row: int) -> bool:
    """Whether something hangs on that version: a session, or assignments that were dealt."""
    found = db.execute(
        "SELECT EXISTS (SELECT 1 FROM sessions WHERE study = :row) OR"
        " EXISTS (SELECT 1 FROM assignments WHERE study = :row)",
        {"row": row},
    ).fetchone()
    return bool(found[0])


def _added(
    db: sqlite3.Connection,
    study: Study,
    content: Content,
    *,
    version: int,
    amends: int | None = None,
    keeps: bool = False,
    reason: str = "",
) -> int:
    now = encoding.now_ms()
    state, frozen = (DRAFT, None) if amends is None else (LIVE, now)
    cursor = db.execute(
        "INSERT INTO studies (name, version, digest, configuration, seed, state, frozen, amends, reason, created)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            study.name,
            version,
            digest_of(study, content),
            _configuration(study, content, keeps=keeps),
            study.seed,
            state,
            frozen,
            amends,
            encoding.to_text(reason),
            now,
        ),
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def _configuration(study: Study, content: Content, *, keeps: bool = False) -> str:
    kept: dict[str, Json] = {"study": study.to_json(), "content": content.to_json()}
    if keeps:
        kept["keeps_quota"] = True
    return json.dumps(kept, ensure_ascii=False)
