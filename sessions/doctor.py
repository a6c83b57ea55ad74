"""Is the store sound? Everything is only read, and a damaged file ends in findings, never in an exception."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final

from core.errors import PhoropterError, StoreError
from sessions import filesystem, migrations, rows, shape, unwritable, write_ahead
from sessions.findings import RESTORE, Examination, Finding, State
from sessions.recounting import SAMPLE, Tell
from sessions.schema import APPLICATION_ID
from sessions.store import HALF, HALF_REMEDY, HEADER, connect, default_path, was_broken_off
from sessions.values import BREAKS

__all__ = ["Examination", "Finding", "State", "examine"]

LARGE_WAL: Final = 256 * 1024 * 1024


def examine(
    path: Path | None = None, *, most: int | None = SAMPLE, tell: Tell | None = None, mounts: str | None = None
) -> Examination:
    """Look at the store at ``path`` (the default place without one). ``mounts`` stands in for the system's.

    Rows are all looked at; so many trajectories at ``most`` (None: all) are read again with their scores and turns,
    and ``tell`` hears how far that is.
    """
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
    findings += _log(
        path
    )  # before anybody opens the store: SQLite would put the log in order, as far as it can read it
    with ExitStack() as held:
        try:
            place = held.enter_context(unwritable.place_of(path, tell=False))
            db = held.enter_context(closing(connect(place.path, read_only=True, blind=place.blind)))
        except (sqlite3.Error, StoreError, OSError) as error:
            findings.append(Finding(State.BAD, "file", f"cannot be opened: {error}", RESTORE))
            return Examination(path, tuple(findings), counts)
        if place.notice:
            findings.append(Finding(State.WARN, "log", place.notice, unwritable.ELSEWHERE))
        if (version := _version(db, findings)) is not None:
            current = version == len(migrations.MIGRATIONS)
            for check in _CURRENT if current else _OF_ANY:
                findings += _safely(check, db)
            if current:
                findings += _safely(lambda db: rows.recounted(db, most, tell), db, "answers")
            counts = rows.counted(db)
    return Examination(path, tuple(findings), counts)


def damage(path: Path) -> Finding | None:
    """The first bad finding among the rows of a current store, None where there is none, and where it is none."""
    try:
        with (
            unwritable.place_of(path, tell=False) as place,
            closing(connect(place.path, read_only=True, blind=place.blind)) as db,
        ):
            if migrations.version_of(db) != len(migrations.MIGRATIONS):
                return None
            found = (finding for check in _CURRENT for finding in _safely(check, db))
            return next((finding for finding in found if finding.state is State.BAD), None)
    except (sqlite3.Error, StoreError, OSError):
        return None


_CUT: Final = (
    "Copy the three files away before anything opens the store: opened, it forgets these commits. Put the log back"
    " whole, from a backup or the file system's own; else the same command as before asks again for what is gone"
)
_OF_ANY: Final = (rows.integrity, rows.foreign_keys)
_CURRENT: Final = (
    *_OF_ANY,
    rows.schema,
    rows.values,
    rows.company,
    rows.agreement,
    rows.ends,
    rows.hashes,
    rows.pictures,
    rows.calls,
)


def _safely(
    check: Callable[[sqlite3.Connection], Iterator[Finding]], db: sqlite3.Connection, name: str = ""
) -> list[Finding]:
    found: list[Finding] = []
    name = name or check.__name__.replace("_", " ")
    try:
        found.extend(check(db))
    except (sqlite3.Error, *BREAKS, PhoropterError) as error:  # a torn row decodes to anything
        found.append(Finding(State.BAD, name, f"could not be looked at: {error}", RESTORE))
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
    if was_broken_off(path):
        what = "a change was broken off in the middle, and what stood there before lies in the journal beside it"
        return Finding(State.WARN, "file", what, "`phoropter runs` puts it back")
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


def _log(path: Path) -> Iterator[Finding]:
    try:
        log = write_ahead.look(path)
    except OSError as error:
        yield Finding(State.BAD, "log", f"cannot be read: {error.strerror}", "Give yourself permission")
        return
    if log.headless:
        yield Finding(
            State.BAD, "log", "the head of the write-ahead log is damaged, and nothing in it can be read", _CUT
        )
    elif log.behind:
        what = f"the write-ahead log is damaged after {log.commits} commits: {log.behind} behind them cannot be read"
        yield Finding(State.BAD, "log", what, _CUT)
    elif log.missing:
        what = f"the write-ahead log was cut off or removed: {log.missing} pages that it held are gone"
        yield Finding(State.BAD, "log", what, _CUT)
    elif log.torn and not log.indexed:
        what = f"the write-ahead log ends in the middle of a commit, after {log.commits} whole ones"
        remedy = "Was it copied while somebody wrote? Copy STORE, STORE-wal and STORE-shm together while nobody does"
        yield Finding(State.WARN, "log", what, remedy)
    elif log.torn:
        what = f"{log.commits} commits, and one that a process was killed in: nobody was told that it was stored"
        yield Finding(State.OK, "log", what)


def _version(db: sqlite3.Connection, findings: list[Finding]) -> int | None:
    """Which version's tables a store of ours has; None for what is none."""
    wanted = len(migrations.MIGRATIONS)
    try:
        ours, older = migrations.is_ours(db), migrations.version_of(db) < wanted
        there = shape.made_by(db) if older or not ours else wanted
        found = migrations.version_of(db)  # after the tables: another process may migrate both meanwhile
        half = not found and not there and shape.is_half(db)
    except sqlite3.Error as error:
        findings.append(Finding(State.BAD, "schema", f"cannot be read: {error}", RESTORE))
        return None
    if not ours and not there:
        findings.append(
            Finding(State.BAD, "schema", "a database of another program", "Name another file with --store")
        )
        return None
    if not ours:
        what = "its tables are a store's, but it does not say so any more"
        findings.append(Finding(State.BAD, "schema", what, _set("application_id", APPLICATION_ID)))
    if there > found:
        what = f"it says version {found}, but its tables are those of version {there}"
        findings.append(Finding(State.BAD, "schema", what, _set("user_version", there)))
    elif half:
        findings.append(Finding(State.BAD, "schema", HALF, HALF_REMEDY))
        return None
    elif not found and not there:
        findings.append(Finding(State.WARN, "schema", "there is nothing in it yet", "The first run fills it"))
    elif found < wanted and (what := shape.unlike(db, found)):
        findings.append(Finding(State.BAD, "schema", f"it says version {found}, but {what}", HALF_REMEDY))
        return 0  # of no version: its rows are looked at by SQLite alone
    elif found == wanted:
        findings.append(Finding(State.OK, "schema", f"version {found}"))
    elif found > wanted:
        what = f"version {found} of a newer Phoropter (this one's is {wanted})"
        findings.append(Finding(State.BAD, "schema", what, "Update Phoropter"))
    else:
        what = f"version {found}, this program's is {wanted}"
        findings.append(Finding(State.WARN, "schema", what, "It is migrated, after a backup, when next written to"))
    return there


def _set(pragma: str, value: int) -> str:
    return f'Copy the file away, then: sqlite3 STORE "PRAGMA {pragma} = {value}"'
