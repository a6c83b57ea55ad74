"""Is the store sound? Everything is only read, and a damaged file ends in findings, never in an exception."""

# ruff: noqa: S608  (only identifiers from constants of this house are put into SQL; values are parameters)

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from core.errors import StoreError
from core.records import Json
from core.respondents.batch_book import Standing
from sessions import encoding, filesystem, migrations, sweep
from sessions.batches import batches_out
from sessions.store import HEADER, connect, default_path

LATE_MS: Final = 25 * 3_600_000  # a batch ends within 24 hours
LARGE_WAL: Final = 256 * 1024 * 1024
SHOWN: Final = 5


class State(StrEnum):
    """How much a finding matters."""

    OK = "ok"
    WARN = "warn"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: what was found, and what to do about it where that is not fine."""

    state: State
    check: str
    what: str
    remedy: str = ""

    def to_json(self) -> Json:
        return {"state": self.state.value, "check": self.check, "what": self.what, "remedy": self.remedy}


@dataclass(frozen=True, slots=True)
class Examination:
    """All findings on one store, and how many rows its tables hold (empty where it cannot be read)."""

    path: Path
    findings: tuple[Finding, ...]
    counts: dict[str, int]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    @property
    def sound(self) -> bool:
        """Nothing bad was found; warnings are nothing bad."""
        return all(finding.state is not State.BAD for finding in self.findings)

    def to_json(self) -> Json:
        return {
            "path": str(self.path),
            "sound": self.sound,
            "counts": self.counts,
            "findings": [finding.to_json() for finding in self.findings],
        }


_RESTORE: Final = (
    "Copy the file away first; a backup beside it (.backup-...) may be whole, and `sqlite3 STORE .recover` saves what"
    " can be read"
)
_HAND_MADE: Final = "This comes of changes made by other programs; what is reported may be incomplete"

# check, sentence after the count, query for the rows, state
_ORPHANS: Final = (
    (
        "steps",
        "steps belong to no trajectory and nothing stands on them",
        "SELECT s.id FROM steps AS s WHERE s.trajectory IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM steps AS c WHERE c.parent = s.id)"
        " AND s.id NOT IN (SELECT head FROM trajectories WHERE head IS NOT NULL)",
        State.WARN,
    ),
    (
        "steps",
        "steps name a trajectory that is gone",
        "SELECT id FROM steps WHERE trajectory IS NOT NULL AND trajectory NOT IN (SELECT id FROM trajectories)",
        State.BAD,
    ),
    (
        "steps",
        "steps follow a step that is gone",
        "SELECT id FROM steps WHERE parent IS NOT NULL AND parent NOT IN (SELECT id FROM steps)",
        State.BAD,
    ),
    (
        "scores",
        "scores belong to no step",
        "SELECT step FROM scores WHERE step NOT IN (SELECT id FROM steps)",
        State.BAD,
    ),
    (
        "readings",
        "readings belong to no score",
        "SELECT r.step FROM readings AS r WHERE NOT EXISTS"
        " (SELECT 1 FROM scores AS s WHERE s.step = r.step AND s.scorer = r.scorer)",
        State.BAD,
    ),
    (
        "heads",
        "trajectories point at a step that is gone",
        "SELECT id FROM trajectories WHERE head IS NOT NULL AND head NOT IN (SELECT id FROM steps)",
        State.BAD,
    ),
    (
        "heads",
        "trajectories are done without a step",
        "SELECT id FROM trajectories WHERE progress = 1 AND head IS NULL",
        State.BAD,
    ),
    (
        "heads",
        "trajectories point at a step of another item",
        "SELECT t.id FROM trajectories AS t JOIN steps AS s ON s.id = t.head"
        " JOIN trajectories AS o ON o.id = s.trajectory WHERE o.item <> t.item",
        State.BAD,
    ),
    (
        "prompts",
        "prompts are asked by no step",
        "SELECT id FROM prompts WHERE id NOT IN (SELECT prompt FROM steps)",
        State.WARN,
    ),
    (
        "texts",
        "texts are in no request",
        "SELECT id FROM texts WHERE id NOT IN"
        " (SELECT value FROM calls, json_each(calls.texts) WHERE calls.texts IS NOT NULL)",
        State.WARN,
    ),
    (
        "texts",
        "requests name a text that is gone",
        "SELECT calls.id FROM calls, json_each(calls.texts) WHERE calls.texts IS NOT NULL"
        " AND value NOT IN (SELECT id FROM texts)",
        State.BAD,
    ),
    (
        "golds",
        "golds are used by no step",
        "SELECT id FROM golds WHERE id NOT IN (SELECT gold FROM steps WHERE gold IS NOT NULL)",
        State.WARN,
    ),
    (
        "pictures",
        "sets of pictures were sent by no step",
        "SELECT id FROM picture_sets WHERE id NOT IN (SELECT sent FROM steps WHERE sent IS NOT NULL)"
        " AND id NOT IN (SELECT picture FROM steps WHERE picture IS NOT NULL)",
        State.WARN,
    ),
)


def examine(path: Path | None = None, *, mounts: str | None = None) -> Examination:
    """Look at the store at ``path`` (the default place without one). ``mounts`` stands in for the system's."""
    path = (default_path() if path is None else path).expanduser().absolute()
    findings: list[Finding] = list(_place(path, mounts))
    counts: dict[str, int] = {}
    try:
        head = path.open("rb").read(len(HEADER)) if path.is_file() else b""
    except OSError as error:
        findings.append(Finding(State.BAD, "file", f"cannot be read: {error.strerror}", "Give yourself permission"))
        return Examination(path, tuple(findings), counts)
    if head != HEADER:
        findings.append(_no_store(path, head))
        return Examination(path, tuple(findings), counts)
    findings += _permissions(path)
    try:
        db = connect(path, read_only=True)
    except (sqlite3.Error, StoreError) as error:
        findings.append(Finding(State.BAD, "file", f"cannot be opened: {error}", _RESTORE))
        return Examination(path, tuple(findings), counts)
    try:
        if _ours(db, findings):
            current = migrations.version_of(db) == len(migrations.MIGRATIONS)
            for check in (_integrity, _foreign_keys, *((_orphans, _pictures, _calls) if current else ())):
                findings += _safely(check, db)
            counts = _counts(db)
    finally:
        db.close()
    return Examination(path, tuple(findings), counts)


def _safely(check: Callable[[sqlite3.Connection], Iterator[Finding]], db: sqlite3.Connection) -> list[Finding]:
    found: list[Finding] = []
    name = check.__name__.strip("_").replace("_", " ")
    try:
        found.extend(check(db))
    except (sqlite3.Error, ValueError, TypeError, KeyError) as error:  # a torn row decodes to anything
        found.append(Finding(State.BAD, name, f"could not be looked at: {error}", _RESTORE))
    return found


# -- the file


def _place(path: Path, mounts: str | None) -> Iterator[Finding]:
    kind = filesystem.kind_of(path, mounts)
    if filesystem.is_network(kind):
        yield Finding(
            State.BAD,
            "file system",
            f"a network file system ({kind}): SQLite loses data there",
            "Keep a store on each machine's own disk (--store) and join them with `phoropter merge`",
        )
    else:
        yield Finding(State.OK, "file system", kind or "unknown")


def _no_store(path: Path, head: bytes) -> Finding:
    if path.is_dir():
        return Finding(State.BAD, "file", "this is a folder", "Name a file with --store")
    if not head:
        return Finding(State.WARN, "file", "there is no store here yet", "The first run makes it")
    return Finding(State.BAD, "file", "this file is not a store of Phoropter", "Name another file with --store")


def _permissions(path: Path) -> Iterator[Finding]:
    files = [path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))]
    files += sorted(path.parent.glob(path.name + ".backup-*"))
    open_ones = [file for file in files if file.exists() and file.stat().st_mode & 0o077]
    if open_ones:
        names = ", ".join(file.name for file in open_ones)
        yield Finding(State.BAD, "permissions", f"others may read {names}", "chmod 600 them")
    else:
        yield Finding(State.OK, "permissions", "readable by its owner only")
    log = path.with_name(path.name + "-wal")
    size, log_size = path.stat().st_size, log.stat().st_size if log.exists() else 0
    text = f"{size:,} bytes, write-ahead log {log_size:,} bytes"
    if log_size > LARGE_WAL:
        yield Finding(State.WARN, "size", text, "Some process keeps the store open for reading: close it")
    else:
        yield Finding(State.OK, "size", text)


def _ours(db: sqlite3.Connection, findings: list[Finding]) -> bool:
    """The file is a store of ours, of whatever version."""
    wanted = len(migrations.MIGRATIONS)
    try:
        if not migrations.is_ours(db):
            findings.append(
                Finding(State.BAD, "schema", "a database of another program", "Name another file with --store")
            )
            return False
        found = migrations.version_of(db)
    except sqlite3.Error as error:
        findings.append(Finding(State.BAD, "schema", f"cannot be read: {error}", _RESTORE))
        return False
    if found == wanted:
        findings.append(Finding(State.OK, "schema", f"version {found}"))
    elif found > wanted:
        what = f"version {found} of a newer Phoropter (this one's is {wanted})"
        findings.append(Finding(State.BAD, "schema", what, "Update Phoropter"))
    else:
        what = f"version {found}, this program's is {wanted}"
        findings.append(Finding(State.WARN, "schema", what, "It is migrated, after a backup, when next written to"))
    return True


# -- its rows


def _integrity(db: sqlite3.Connection) -> Iterator[Finding]:
    lines = [line for (text,) in db.execute("PRAGMA integrity_check(20)") for line in str(text).splitlines()]
    if lines == ["ok"]:
        yield Finding(State.OK, "integrity", "every page and index is whole")
    else:
        shown = "; ".join(lines[:SHOWN]) + ("; ..." if len(lines) > SHOWN else "")
        yield Finding(State.BAD, "integrity", shown, _RESTORE)


def _foreign_keys(db: sqlite3.Connection) -> Iterator[Finding]:
    broken: dict[tuple[str, str], int] = {}
    for table, _, parent, _ in db.execute("PRAGMA foreign_key_check"):
        broken[table, parent] = broken.get((table, parent), 0) + 1
    for (table, parent), count in broken.items():
        text = f"{count} rows of {table} refer to rows of {parent} that are gone"
        yield Finding(State.BAD, "references", text, _HAND_MADE)
    if not broken:
        yield Finding(State.OK, "references", "every reference is met")


def broken(db: sqlite3.Connection) -> str:
    """What is first found wrong with a current store's rows, in words; "" where each has what it belongs to."""
    for _, text, query, state in _ORPHANS:
        if state is State.BAD and db.execute(f"SELECT 1 FROM ({query}) LIMIT 1").fetchone():
            return text
    return ""


def _orphans(db: sqlite3.Connection) -> Iterator[Finding]:
    fine = True
    for check, text, query, state in _ORPHANS:
        rows = [row[0] for row in db.execute(query)]
        if rows:
            fine = False
            shown = ", ".join(str(row) for row in rows[:SHOWN]) + (", ..." if len(rows) > SHOWN else "")
            remedy = _HAND_MADE if state is State.BAD else "They take space and do no harm"
            yield Finding(state, check, f"{len(rows)} {text} ({shown})", remedy)
    if fine:
        yield Finding(State.OK, "orphans", "none")


def _pictures(db: sqlite3.Connection) -> Iterator[Finding]:
    wrong, kept = [], set()
    for digest, data in db.execute("SELECT hash, bytes FROM pictures"):
        kept.add(encoding.from_text(digest))
        if hashlib.sha256(data).hexdigest() != digest:
            wrong.append(encoding.from_text(digest))
    used = sweep.used_pictures(db)
    if wrong:
        shown = ", ".join(digest[:12] for digest in wrong[:SHOWN])
        text = f"{len(wrong)} of {len(kept)} are not what was sent: their bytes do not match their hash ({shown})"
        yield Finding(State.BAD, "pictures", text, "Answers to them stand; the pictures shown may be damaged")
    unused = len(kept - used)
    if unused:
        yield Finding(State.WARN, "pictures", f"{unused} are used nowhere", "They take space and do no harm")
    if not wrong and not unused:
        yield Finding(State.OK, "pictures", f"{len(kept)} kept, each as its hash says" if kept else "none kept")


def _calls(db: sqlite3.Connection) -> Iterator[Finding]:
    late = encoding.now_ms() - LATE_MS
    for batch in batches_out(db):
        what = f"{batch.requests} requests of {batch.run} are out in {batch.remote or 'one not known by the server'}"
        if batch.created < late:
            remedy = "It has ended: run the same command again, results are not kept for ever"
            yield Finding(State.WARN, "batches", what, remedy)
        else:
            yield Finding(State.OK, "batches", what)
    waiting = db.execute(
        "SELECT count(*) FROM calls WHERE pending IN (?, ?)", (Standing.ANSWERED, Standing.AGAIN)
    ).fetchone()[0]
    if waiting:
        what = f"{waiting} came back from batches and are in no step yet"
        yield Finding(State.WARN, "calls", what, "Run the same command again to go on with them")
    lost = db.execute(
        "SELECT count(*) FROM calls WHERE pending = ?"
        " AND ifnull(batch_id, '') NOT IN (SELECT token FROM batches WHERE ended = 0)",
        (Standing.OUT,),
    ).fetchone()[0]
    if lost:
        what = f"{lost} are waited for in no batch that is out"
        yield Finding(State.WARN, "calls", what, "They are asked again when their run goes on")


def _counts(db: sqlite3.Connection) -> dict[str, int]:
    out: dict[str, int] = {}
    try:
        tables = db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
            " AND name NOT LIKE '~_%' ESCAPE '~' ORDER BY name"
        ).fetchall()
    except sqlite3.Error:
        return out
    for (table,) in tables:
        try:
            quoted = table.replace('"', '""')
            out[table] = db.execute(f'SELECT count(*) FROM "{quoted}"').fetchone()[0]
        except sqlite3.Error:
            out[table] = -1
    return out
