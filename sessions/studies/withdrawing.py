"""A participant withdraws: everything of theirs goes, out of the file's free pages and its log too."""

# ruff: noqa: S608  (only texts of this house are put into SQL; values are parameters)

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.errors import StoreError, UsageError
from sessions import encoding, sweep
from sessions.drafts import Drafts
from sessions.grading import ADJUDICATED, is_grader
from sessions.running import the_only_sitting
from sessions.store import Store, connect
from sessions.studies import assigning

PATIENCE_S: Final = 20.0
"""So long the file is tried to be wiped while others read it."""

UNWIPED: Final = "unwiped"

GONE: Final = "withdrawn:"
"""What stands in the place of a pseudonym: this and the row's number."""


@dataclass(frozen=True, slots=True)
class Copy:
    """Something outside the store that may still hold the person: what it is, where, and since when."""

    what: str
    where: str
    created: int
    there: bool


class RunNamed(NamedTuple):
    """A run's name, and its uid: what files beside the store know it by."""

    name: str
    uid: str


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """What goes. ``dependents`` are other runs that were made from this person's steps, and go too; ``copies`` are
    left for people to delete. ``sessions`` are (study, version, kind, state)."""

    participant: int
    pseudonym: str
    sessions: tuple[tuple[str, int, str, str], ...]
    runs: tuple[RunNamed, ...]
    dependents: tuple[RunNamed, ...]
    trials: int
    answers: int
    notes: int
    copies: tuple[Copy, ...]


def what_goes(store: Store, pseudonym: str) -> Withdrawal:
    """What :func:`withdraw` would take. Raises UsageError where nobody has that pseudonym."""
    with store.snapshot():
        return _looked_at(store.reader(), store.path, pseudonym)


def withdraw(store: Store, pseudonym: str) -> Withdrawal:
    """Remove a participant's rows from the store, all of them in one transaction; :func:`wipe` does the rest.

    Their assignments can be claimed again. A row without a name stays, so that it is known how many withdrew. Raises
    UsageError where nobody has that pseudonym, or where the person sits just now.
    """

    def change(db: sqlite3.Connection) -> Withdrawal:
        db.execute("PRAGMA secure_delete = ON")
        found = _looked_at(db, store.path, pseudonym)
        _remove(db, found)
        store.vocabulary.forget()
        return found

    with ExitStack() as held:  # a session that goes on would write into rows that are gone
        uids = store.reader().execute(
            "SELECT s.uid FROM sessions AS s JOIN participants AS p ON p.id = s.participant"
            " WHERE p.pseudonym = ? COLLATE NOCASE AND s.uid <> '' AND s.state IN ('open', 'paused')",
            (encoding.to_text(pseudonym),),
        )
        for (uid,) in uids.fetchall():
            held.enter_context(the_only_sitting(store, uid, pseudonym))
        found = store.write(change, full=True, unchecked=True)
    _forget_drafts(store.path, found)
    return found


def unwiped(store: Store) -> bool:
    """Whether somebody was removed and the file has not been wiped since."""
    row = store.reader().execute("SELECT 1 FROM participants WHERE withdrawn IS NOT NULL AND details = ?", (_MARK,))
    return row.fetchone() is not None


def wipe(path: Path, *, patience_s: float = PATIENCE_S) -> None:
    """Rewrite the file without its free pages and empty its write-ahead log. The store must be closed here.

    Raises StoreError where others are reading it for too long: what was removed may then still stand in the log.
    """
    deadline = time.monotonic() + patience_s
    while True:
        try:
            if _wiped(path):
                return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) and "busy" not in str(error):
                raise StoreError(
                    f"the removed rows could not be wiped from the file: {error}",
                    where=str(path),
                    remedy="Nothing counts them any more; make room on the disk and give the command again",
                ) from error
        if time.monotonic() > deadline:
            raise StoreError(
                "the rows are removed, but the file is in use: its log and free pages may still hold them",
                where=str(path),
                remedy="Close the other programs that have this store open, then give the same command again",
            )
        time.sleep(0.1)


def _wiped(path: Path) -> bool:
    db = connect(path)
    try:
        db.execute("PRAGMA busy_timeout = 1000")
        db.execute("PRAGMA secure_delete = ON")
        db.execute("VACUUM")
        if not _log_emptied(db):
            return False
        db.execute("UPDATE participants SET details = '{}' WHERE withdrawn IS NOT NULL AND details = ?", (_MARK,))
        return _log_emptied(db)
    finally:
        db.close()


def _log_emptied(db: sqlite3.Connection) -> bool:
    busy, *_ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy


_MARK: Final = f'{{"{UNWIPED}":true}}'


# -- what there is of a person


def _looked_at(db: sqlite3.Connection, path: Path, pseudonym: str) -> Withdrawal:
    row = db.execute(
        "SELECT id, pseudonym FROM participants WHERE pseudonym = ? COLLATE NOCASE AND withdrawn IS NULL",
        (encoding.to_text(pseudonym),),
    ).fetchone()
    if row is None:
        raise UsageError(
            "there is no participant of that pseudonym in this store",
            where=pseudonym[:100],
            remedy="`phoropter study people FILE` lists them; stations have stores of their own",
        )
    participant, stored = row[0], encoding.from_text(row[1])
    sessions = db.execute(
        "SELECT s.id, s.uid, u.name, u.version, s.kind, s.state, s.study FROM sessions AS s"
        " JOIN studies AS u ON u.id = s.study WHERE s.participant = ? ORDER BY s.id",
        (participant,),
    ).fetchall()
    runs = _runs(db, [(session[0], session[1]) for session in sessions])
    dependents = _dependents(db, list(runs))
    of_sessions = "session IN (SELECT id FROM sessions WHERE participant = ?)"
    trials = db.execute(f"SELECT count(*) FROM trials WHERE {of_sessions}", (participant,)).fetchone()[0]
    answers = db.execute(
        f"SELECT count(*) FROM responses WHERE trial IN (SELECT id FROM trials WHERE {of_sessions})", (participant,)
    ).fetchone()[0]
    listed = encoding.to_json(list(runs))
    notes = db.execute(
        "SELECT count(*) FROM notes WHERE author = ?2 OR run IN (SELECT value FROM json_each(?1)) OR trajectory IN"
        " (SELECT id FROM trajectories WHERE run IN (SELECT value FROM json_each(?1)))",
        (listed, encoding.to_text(stored)),
    ).fetchone()[0]
    return Withdrawal(
        participant,
        stored,
        tuple((encoding.from_text(session[2]), *session[3:6]) for session in sessions),
        tuple(runs.values()),
        tuple(dependents.values()),
        trials,
        answers,
        notes,
        tuple(_copies(db, path, sessions)),
    )


def _runs(db: sqlite3.Connection, sessions: Sequence[tuple[int, str]]) -> dict[int, RunNamed]:
    """By row every run that holds trials of these sessions, practice and catch trials too."""
    rows = db.execute(
        "SELECT id, name, uid FROM runs WHERE id IN (SELECT run FROM sessions WHERE id IN"
        " (SELECT value FROM json_each(?1)) UNION SELECT j.run FROM trials AS t JOIN trajectories AS j"
        " ON j.id = t.trajectory WHERE t.session IN (SELECT value FROM json_each(?1)))"
        " OR json_extract(configuration, '$.identity_of_respondent.session') IN"
        " (SELECT value FROM json_each(?2) WHERE value <> '')",
        (
            encoding.to_json([row for row, _ in sessions]),
            encoding.to_json([uid for _, uid in sessions]),
        ),
    )
    return {row: RunNamed(encoding.from_text(name), uid) for row, name, uid in rows}


def _dependents(db: sqlite3.Connection, runs: Sequence[int]) -> dict[int, RunNamed]:
    """Runs of others that stand on steps of these, and those that stand on them in turn."""
    known, found = set(runs), dict[int, RunNamed]()
    while True:
        rows = db.execute(
            "SELECT DISTINCT r.id, r.name, r.uid FROM trajectories AS own JOIN steps AS p ON p.trajectory = own.id"
            " JOIN steps AS s ON s.parent = p.id JOIN trajectories AS t ON t.id = s.trajectory"
            " JOIN runs AS r ON r.id = t.run WHERE own.run IN (SELECT value FROM json_each(?1))"
            " UNION SELECT DISTINCT r.id, r.name, r.uid FROM trajectories AS own"
            " JOIN steps AS p ON p.trajectory = own.id"
            " JOIN trajectories AS t ON t.head = p.id JOIN runs AS r ON r.id = t.run"
            " WHERE own.run IN (SELECT value FROM json_each(?1))",
            (encoding.to_json(sorted(known)),),
        ).fetchall()
        new = {row: RunNamed(encoding.from_text(name), uid) for row, name, uid in rows if row not in known}
        if not new:
            return found
        found |= new
        known |= new.keys()


def _copies(db: sqlite3.Connection, path: Path, sessions: Sequence[tuple[Any, ...]]) -> Iterator[Copy]:
    """Exports of the person's studies and of everything, and backups beside the store. Those made before the person
    first sat are named too: what is certain is their order in the store, not the clocks of several stations."""
    if sessions:
        studies = encoding.to_json(sorted({session[6] for session in sessions}))
        for kind, target, created in db.execute(
            "SELECT kind, target, created FROM exports WHERE study IS NULL OR study IN (SELECT id FROM studies"
            " WHERE name IN (SELECT name FROM studies WHERE id IN (SELECT value FROM json_each(?)))) ORDER BY id",
            (studies,),
        ):
            where = encoding.from_text(target)
            yield Copy(f"export ({encoding.from_text(kind)})", where, created, Path(where).exists())
    for backup in sorted(path.parent.glob(f"{path.name}.backup-*")):
        yield Copy("backup of the store", str(backup), int(backup.stat().st_mtime * 1000), True)


# -- taking it away


def _remove(db: sqlite3.Connection, found: Withdrawal) -> None:
    person = found.participant
    rows = [row for (row,) in db.execute("SELECT id FROM sessions WHERE participant = ? ORDER BY id", (person,))]
    runs = _runs(db, db.execute("SELECT id, uid FROM sessions WHERE participant = ?", (person,)).fetchall())
    for run in (*_dependents(db, list(runs)), *runs):
        sweep.remove_run(db, run)
    for session in rows:
        assigning.give_back(db, session, answered=True)
    listed = encoding.to_json(rows)
    of_sessions = "session IN (SELECT value FROM json_each(?))"
    items = [row for (row,) in db.execute(f"SELECT DISTINCT item FROM trials WHERE {of_sessions}", (listed,))]
    for statement in (
        f"DELETE FROM events WHERE {of_sessions}",
        f"DELETE FROM responses WHERE trial IN (SELECT id FROM trials WHERE {of_sessions})",
        f"DELETE FROM trials WHERE {of_sessions}",
        f"DELETE FROM questionnaires WHERE {of_sessions}",
        f"DELETE FROM exclusions WHERE {of_sessions}",
        f"DELETE FROM wishes WHERE {of_sessions}",
        "DELETE FROM sessions WHERE id IN (SELECT value FROM json_each(?))",
    ):
        db.execute(statement, (listed,))
    _remove_writings(db, found.pseudonym)
    sweep.remove_items(db, items)
    now = encoding.now_ms()
    db.execute(
        "UPDATE participants SET pseudonym = ? || id, details = ?, created = ?, withdrawn = ? WHERE id = ?",
        (GONE, _MARK, now, now, person),
    )


def _remove_writings(db: sqlite3.Connection, pseudonym: str) -> None:
    """What the person wrote or graded under the same pseudonym: notes, tags, disputes, own scores, verdicts."""
    author = encoding.to_text(pseudonym)
    graded = is_grader(db, pseudonym)
    scorers = [row for (row,) in db.execute("SELECT id FROM scorers WHERE name = ?", (author,))] if graded else []
    for scorer in scorers:
        db.execute("DELETE FROM gradings WHERE scorer = ?", (scorer,))
        db.execute("DELETE FROM readings WHERE scorer = ?", (scorer,))
        db.execute("DELETE FROM scores WHERE scorer = ?", (scorer,))
        db.execute("DELETE FROM scorers WHERE id = ?", (scorer,))
    _remove_outcomes(db, author)
    for table in ("notes", "tags", "disputes", "verdicts"):
        db.execute(f"DELETE FROM {table} WHERE author = ?", (author,))
    db.execute("DELETE FROM earlier_notes WHERE note NOT IN (SELECT id FROM notes)")


def _remove_outcomes(db: sqlite3.Connection, author: str | bytes) -> None:
    """What was settled with the help of this person's verdicts: it is agreed by nobody any more."""
    steps = "SELECT step FROM verdicts WHERE author = ?"
    for (scorer,) in db.execute("SELECT id FROM scorers WHERE name = ?", (ADJUDICATED,)).fetchall():
        for table in ("gradings", "scores"):
            db.execute(f"DELETE FROM {table} WHERE scorer = ? AND step IN ({steps})", (scorer, author))


def _forget_drafts(path: Path, found: Withdrawal) -> None:
    """Words that somebody was typing about the person's answers, and where they had been looked at."""
    gone = [run.uid for run in (*found.runs, *found.dependents)]
    for ending in ("drafts", "left"):
        file = path.with_name(f"{path.name}.{ending}")
        if file.exists():
            drafts = Drafts(file)
            for place in [place for place in drafts if any(uid in place.run for uid in gone)]:
                del drafts[place]
