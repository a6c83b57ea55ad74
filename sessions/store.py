"""Opening the store: where it lies, who may read it, whether it is ours and up to date."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, TypeVar
from urllib.parse import quote

from core.errors import StoreError
from sessions import filesystem, migrations
from sessions.migrations import MIGRATIONS, Migration
from sessions.shape import is_half, made_by
from sessions.trouble import remedy_for
from sessions.vocabulary import Vocabulary
from sessions.writer import Writer

T = TypeVar("T")

BUSY_MS: Final = 30_000
RUN_FIRST: Final = "Run something first"
SIT_FIRST: Final = "Let somebody sit first (phoropter study sit FILE)"
"""What makes a store: for commands about runs, and for those about a study."""
HEADER: Final = b"SQLite format 3\0"
JOURNAL: Final = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
"""What a journal of SQLite's begins with that holds a change."""


def default_path() -> Path:
    """``phoropter.db`` in the user's data folder."""
    import platformdirs

    return Path(platformdirs.user_data_dir("phoropter", appauthor=False)) / "phoropter.db"


HALF: Final = "some of the store's tables are missing"
HALF_REMEDY: Final = "Put a backup that lies beside it (.backup-...) in its place, or move it away and run again"


class OlderStoreError(StoreError):
    """The store has an older schema and is open for reading only."""


class EmptyStoreError(StoreError):
    """There is nothing in the file: nobody has run anything yet, or making the store was broken off."""


class Store:
    """One SQLite file with everything in it. Open it with :meth:`open`, close it (or use ``with``).

    Reading may happen on any thread: each has a connection of its own. Writing goes through ``writer``, one thread
    for all; ``write`` is its form for code that is not asynchronous.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._writer: Writer | None = None
        self._closed = False
        self.vocabulary = Vocabulary()

    @classmethod
    def open(
        cls,
        path: Path | None = None,
        *,
        create: bool = True,
        read_only: bool = False,
        mounts: str | None = None,
        schema: Sequence[tuple[str, Migration]] = MIGRATIONS,
        first: str = RUN_FIRST,
    ) -> Store:
        """The store at ``path`` (the default place without one), made where there is none and ``create`` allows.

        An older one is migrated, after a backup beside it. Raises StoreError for what is no store of ours, a
        newer one, a folder, a network file system, or missing permission; nothing is changed then. ``mounts``
        and ``schema`` stand in for the system's mount table and the released migrations in tests. ``first`` is what
        makes a store, told where there is none or nothing in it.
        """
        path = (default_path() if path is None else path).expanduser().absolute()
        _refuse_unusable(path, mounts, create=create and not read_only, first=first)
        store = cls(path, read_only=read_only)
        try:
            if not read_only:
                _create_private(path)
            store._check_schema(schema, create=create and not read_only, first=first)
        except sqlite3.Error as error:
            store.close()
            raise _unreadable(path, error) from error
        except OSError as error:
            store.close()
            raise _forbidden(path, error) from error
        except BaseException:
            store.close()
            raise
        return store

    # -- reading and writing

    def reader(self) -> sqlite3.Connection:
        """This thread's connection for reading; writing through it fails."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if self._closed:
            raise StoreError("the store is closed", where=str(self.path))
        if connection is None:
            connection = self._local.connection = connect(self.path, read_only=True)
            with self._lock:
                self._connections.append(connection)
        return connection

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """What this thread reads inside it is of one moment, whatever is written meanwhile.

        Snapshots nest: the outermost says which moment. Hold none over an ``await``, where other tasks of the thread
        would read the same past.
        """
        db = self.reader()
        if db.in_transaction:
            yield
            return
        db.execute("BEGIN")
        try:
            yield
        finally:
            if not self._closed:  # a generator that is dropped half read may end after its store
                db.execute("COMMIT")

    @property
    def writer(self) -> Writer:
        """The one thread that writes, started when first asked for."""
        with self._lock:
            if self._closed or self.read_only:
                state = "closed" if self._closed else "open for reading only"
                raise StoreError(f"the store is {state}", where=str(self.path))
            if self._writer is None:
                self._writer = Writer(lambda: connect(self.path), str(self.path))
                self._writer.on_rollback(self.vocabulary.forget)
            return self._writer

    def write(self, change: Callable[[sqlite3.Connection], T], *, full: bool = False, unchecked: bool = False) -> T:
        """Run ``change`` in a transaction and wait until it is kept; inside an event loop, await
        ``writer.submit`` instead. ``full`` waits for the disk itself (a person's answer)."""
        return self.writer.run(change, full=full, unchecked=unchecked)

    def close(self) -> None:
        """Finish what is queued, then close every connection. Closing twice does nothing."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            writer, connections = self._writer, self._connections
            self._writer, self._connections = None, []
        for connection in connections:
            connection.close()
        if writer is not None:
            # last: the last connection folds the log into the file, and a reader that found a log may not
            writer.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- schema

    def _check_schema(self, schema: Sequence[tuple[str, Migration]], *, create: bool, first: str) -> None:
        """Refuse what is not ours or newer, and what is empty unless we may ``create``; migrate what is older, under
        a lock that other openers wait for."""
        wanted = len(schema)
        found = self._version(wanted)
        if found == wanted:
            return
        if not create and not found:
            raise _nothing_yet(self.path, first)
        if self.read_only:
            raise OlderStoreError(
                f"the store has an older schema (this program's is {wanted})",
                where=str(self.path),
                remedy="Open it once for writing, with any command that runs or scores, to bring it up to date",
            )
        from filelock import FileLock  # only where a schema changes

        with FileLock(f"{self.path}.lock", mode=0o600):
            found = self._version(wanted)
            if found == wanted:
                return
            if found:
                backup(self.path, self.path.with_name(f"{self.path.name}.backup-{found}-{_now()}"))
            connection = connect(self.path)
            try:
                if not found:
                    connection.execute("PRAGMA journal_mode = WAL")
                migrations.apply(connection, schema)
            finally:
                connection.close()

    def _version(self, wanted: int) -> int:
        connection = connect(self.path, read_only=self.read_only)
        try:
            if not migrations.is_ours(connection):
                raise StoreError(
                    "this is a database of another program",
                    where=str(self.path),
                    remedy="Name another file with --store",
                )
            older = migrations.version_of(connection) < wanted
            there = made_by(connection) if older else 0
            found = migrations.version_of(connection)  # after the tables: another process may migrate both meanwhile
            half = not found and not there and is_half(connection)
        finally:
            connection.close()
        if half:
            raise StoreError(HALF, where=str(self.path), remedy=HALF_REMEDY)
        if there > found:
            raise StoreError(
                f"the store says that its schema is version {found}, but its tables are those of version {there}",
                where=str(self.path),
                remedy="`phoropter doctor` says how to mend it",
            )
        if found > wanted:
            raise StoreError(
                f"the store was written by a newer Phoropter: its schema is version {found}, this program's {wanted}",
                where=str(self.path),
                remedy="Update Phoropter, or name another file with --store",
            )
        return found


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """A plain connection with our settings, in autocommit mode. Never makes a file.

    A reader of a store in a folder it may not write to falls back to an unlocked view, which is right as long as
    nobody writes: SQLite needs its shared-memory file otherwise. Where there is no log yet, a reader is one that may
    not write, but may remove the empty log that it has to make: one that is open for reading alone leaves it behind,
    and cannot put back what a change that was broken off left in a journal.
    """
    place = f"file:{quote(str(path))}?mode="
    logged = path.with_name(f"{path.name}-wal").exists()
    try:
        connection = _connect(place + ("ro" if read_only and logged else "rw"))
        if read_only:
            connection.execute("PRAGMA query_only = ON")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        log = path.with_name(path.name + "-wal")
        if not read_only or os.access(path.parent, os.W_OK) or (log.exists() and log.stat().st_size):
            raise
        connection = _connect(place + "ro&immutable=1")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA trusted_schema = OFF")  # a store from elsewhere may hold more than our tables
    return connection


def _connect(uri: str) -> sqlite3.Connection:
    # threads: a connection is used by one at a time, but closed by whoever closes the store
    return sqlite3.connect(uri, uri=True, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False)


def backup(source: Path, target: Path) -> None:
    """A consistent copy while others read and write, readable by its owner only."""
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        origin, copy = connect(source, read_only=True), connect(target)
        try:
            origin.backup(copy)
        finally:
            copy.close()
            origin.close()
    except BaseException:
        for end in ("", "-journal", "-wal", "-shm"):
            target.with_name(target.name + end).unlink(missing_ok=True)
        raise


def _now() -> str:
    return time.strftime("%Y%m%dT%H%M%S", time.gmtime()) + f"{time.time_ns() // 1000 % 1_000_000:06d}Z"


def _refuse_unusable(path: Path, mounts: str | None, *, create: bool, first: str) -> None:
    """Everything that can be said without opening the file; it is only ever read here."""
    where = str(path)
    elsewhere = "Name another file with --store"
    kind = filesystem.kind_of(path, mounts)
    if filesystem.is_network(kind):
        raise StoreError(
            f"the store would lie on a network file system ({kind}), where SQLite loses data",
            where=where,
            remedy="Keep a store on each machine's own disk (--store) and join them with `phoropter merge`",
        )
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        if create and path.parent.exists() and not path.parent.is_dir():
            raise StoreError(f"{path.parent} is not a folder", where=where, remedy=elsewhere) from None
        if not create:
            raise StoreError(
                "there is no store here", where=where, remedy=f"{first}, or name another file with --store"
            ) from None
        return
    except PermissionError as error:
        raise _forbidden(path, error) from error
    if stat.S_ISDIR(mode):
        raise StoreError("this is a folder, not a store", where=where, remedy="Name a file inside it with --store")
    if not stat.S_ISREG(mode):
        raise StoreError("this is not a file", where=where, remedy=elsewhere)
    try:
        with path.open("rb") as file:
            head = file.read(len(HEADER))
    except PermissionError as error:
        raise _forbidden(path, error) from error
    if head and head != HEADER and not was_broken_off(path):  # SQLite puts the first page back
        raise StoreError("this file is not a store of Phoropter", where=where, remedy=elsewhere)
    if not head and not create:
        raise _nothing_yet(path, first)


def was_broken_off(path: Path) -> bool:
    """Whether what stood in the file before a change that was broken off lies in a journal of SQLite's beside it.
    Another file of that name is somebody's, and nobody may open the two as a store: SQLite would remove it."""
    try:
        with path.with_name(f"{path.name}-journal").open("rb") as journal:
            return journal.read(len(JOURNAL)) == JOURNAL
    except OSError:
        return False


def _nothing_yet(path: Path, first: str) -> EmptyStoreError:
    remedy = f"{first}, or name another file with --store"
    return EmptyStoreError("there is nothing in this file yet", where=str(path), remedy=remedy)


def _create_private(path: Path) -> None:
    """The file exists afterwards and is its owner's alone; SQLite gives -wal and -shm the same permissions."""
    for folder in reversed([folder for folder in path.parents if not folder.exists()]):
        folder.mkdir(mode=0o700, exist_ok=True)
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        if not os.access(path, os.R_OK | os.W_OK):
            raise PermissionError(13, "no permission to read and write it") from None
        for file in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
            _tighten(file)


def _tighten(file: Path) -> None:
    try:
        found = file.stat()
        if found.st_mode & 0o077 and found.st_uid == os.getuid():
            file.chmod(0o600)
    except (FileNotFoundError, AttributeError):  # gone meanwhile; a system without owners
        pass


def _forbidden(path: Path, error: OSError) -> StoreError:
    return StoreError(
        f"the store cannot be opened: {error.strerror or error}",
        where=str(path),
        remedy="Give yourself permission to it and its folder, or name another file with --store",
    )


def _unreadable(path: Path, error: sqlite3.Error) -> StoreError:
    remedy = remedy_for(error, "`phoropter doctor` says what is damaged; backups lie beside the store")
    return StoreError(f"the store cannot be opened: {error}", where=str(path), remedy=remedy)
