"""The one thread that writes: whatever is queued goes into one transaction, and waiters hear after its commit."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

from core.errors import StoreError
from sessions.trouble import remedy_for

T = TypeVar("T")
Change: TypeAlias = Callable[[sqlite3.Connection], Any]

FOLD_S: Final = 0.25
"""So long after the log was folded into the file it is folded again, if anything was written."""

LATE_S: Final = 1.0
"""So long somebody who is cancelled waits for a change that was submitted."""

PATIENCE_S: Final = 120.0  # beyond SQLite's own waiting: another process may hold the store for a long import


class _Job:
    """One queued change and whoever waits for it: a future of a loop, or a thread on an event."""

    __slots__ = ("change", "error", "full", "future", "loop", "ready", "result", "settled", "unchecked")

    def __init__(
        self,
        change: Change,
        full: bool,
        loop: asyncio.AbstractEventLoop | None = None,
        future: asyncio.Future[Any] | None = None,
        ready: threading.Event | None = None,
        unchecked: bool = False,
    ) -> None:
        self.change = change
        self.full = full
        self.unchecked = unchecked
        self.loop = loop
        self.future = future
        self.ready = ready
        self.settled = False
        self.result: Any = None
        self.error: BaseException | None = None


class Writer:
    """Group commit on a connection of its own.

    A change is a function of the connection; it may be called again after a rollback, so it must not keep what it
    learnt in the transaction anywhere but in ``on_rollback``-cleared caches. One that raises fails alone: its
    neighbours are applied without it. A full disk or an I/O error reaches the waiters as StoreError and the
    writer goes on with what comes next.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection], where: str) -> None:
        self._connect = connect
        self._where = where
        self._queue: list[_Job] = []
        self._held: list[_Job] = []
        self._wake = threading.Condition()
        self._closing = False
        self._forgetters: list[Callable[[], None]] = []
        self._full = False
        self._folded = time.monotonic()
        self._thread = threading.Thread(target=self._work, name="store writer", daemon=True)
        self._thread.start()

    def on_rollback(self, forget: Callable[[], None]) -> None:
        """``forget`` is called in the writing thread whenever a transaction was undone: row ids learnt in it are
        void."""
        self._forgetters.append(forget)

    async def submit(self, change: Callable[[sqlite3.Connection], T], *, full: bool = False) -> T:
        """What ``change`` returns, once it is committed. ``full`` waits for the disk itself.

        All that is submitted in one turn of the event loop goes together, at the end of that turn: a writer that
        were woken for the first of them would commit it alone, and fight the loop for the interpreter meanwhile.

        What was submitted is written. Whoever is cancelled meanwhile hears what came of it, so that what is stored is
        told and counted too, and is cancelled where it waits next; no later than after :data:`LATE_S`.
        """
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            await asyncio.sleep(0)  # it was put off once: now it ends
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        with self._wake:
            self._refuse_closed()
            if not self._held or self._held[-1].loop is not loop:
                loop.call_soon(self._release)  # before it is held: else an interrupt between leaves it held for good
            job = _Job(change, full, loop=loop, future=future)
            self._held.append(job)
        try:
            return await future
        except asyncio.CancelledError:
            if task is None or not await _comes_late(job):
                raise
        task.uncancel()
        task.cancel()
        result: T = job.result
        return result

    def run(self, change: Callable[[sqlite3.Connection], T], *, full: bool = False, unchecked: bool = False) -> T:
        """The same for a thread that can wait. ``unchecked`` leaves foreign keys out, in a transaction of its own:
        for removals that keep them whole by themselves."""
        job = _Job(change, full, ready=threading.Event(), unchecked=unchecked)
        self._release(job)
        assert job.ready is not None
        job.ready.wait()
        if job.error is not None:
            raise job.error
        result: T = job.result
        return result

    def close(self) -> None:
        """Write what is queued, then end the thread."""
        with self._wake:
            self._release()
            self._closing = True
            self._wake.notify()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    # -- the thread

    def _release(self, *jobs: _Job) -> None:
        """To the thread: what was submitted and, behind it, these."""
        with self._wake:
            if jobs:
                self._refuse_closed()
            self._queue += self._held
            self._queue += jobs
            self._held.clear()
            if self._queue:
                self._wake.notify()

    def _refuse_closed(self) -> None:
        if self._closing:
            raise StoreError("the store is closed", where=self._where)

    def _work(self) -> None:
        connection: sqlite3.Connection | None = None
        while True:
            with self._wake:
                while not self._queue and not self._closing:
                    self._wake.wait()
                jobs, self._queue = self._queue, []
                if not jobs:
                    break
            try:
                if connection is None:
                    connection = self._connect()
                    connection.execute("PRAGMA wal_autocheckpoint = 0")  # see _fold
                self._together(connection, jobs)
            except BaseException as error:  # noqa: BLE001  (a dead writer would leave everyone waiting)
                for job in jobs:
                    job.error = self._told(error)
            _answer(jobs)
            if connection is not None:
                self._fold(connection)
        if connection is not None:
            connection.close()

    def _fold(self, connection: sqlite3.Connection) -> None:
        """The log into the file. SQLite by itself does it within a commit, whose waiters then wait for the disk, tens
        of milliseconds; here they have heard already."""
        now = time.monotonic()
        if now >= self._folded + FOLD_S:
            with suppress(sqlite3.Error):  # the log is as good, and the next time may do
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            self._folded = time.monotonic()

    def _together(self, connection: sqlite3.Connection, jobs: Sequence[_Job]) -> None:
        """All in one transaction; where that fails, each in one of its own."""
        try:
            if any(job.unchecked for job in jobs):
                self._one_by_one(connection, jobs)
            else:
                self._transact(connection, jobs)
        except Exception as error:  # noqa: BLE001  (a change is foreign code: whatever it raises is its waiter's)
            if len(jobs) == 1 and not isinstance(error, sqlite3.IntegrityError):
                jobs[0].error = self._told(error)
                return
            # alone, and with empty caches: a row they named may have been swept by another process
            self._one_by_one(connection, jobs)

    def _one_by_one(self, connection: sqlite3.Connection, jobs: Sequence[_Job]) -> None:
        for job in jobs:
            try:
                connection.execute(f"PRAGMA foreign_keys = {'OFF' if job.unchecked else 'ON'}")
                self._transact(connection, [job])
            except Exception as error:  # noqa: BLE001  (its waiter's, as above)
                job.error = self._told(error)
        connection.execute("PRAGMA foreign_keys = ON")

    def _transact(self, connection: sqlite3.Connection, jobs: Sequence[_Job]) -> None:
        full = any(job.full for job in jobs)
        if full is not self._full:
            connection.execute(f"PRAGMA synchronous = {'FULL' if full else 'NORMAL'}")
            self._full = full
        if not Path(self._where).exists():
            raise StoreError(
                "the store's file is gone", where=self._where, remedy="Put it back: what was stored before lay in it"
            )
        self._begin(connection)
        try:
            for job in jobs:
                job.result = job.change(connection)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            for forget in self._forgetters:
                forget()
            raise

    def _begin(self, connection: sqlite3.Connection) -> None:
        """SQLite waits for another writer by itself; a writer that holds on for longer is waited for here."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                connection.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                if ("locked" not in str(error) and "busy" not in str(error)) or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)

    def _told(self, error: BaseException) -> BaseException:
        """SQLite's own trouble in our family's words; anything else as it is."""
        if not isinstance(error, sqlite3.DatabaseError) or isinstance(error, sqlite3.ProgrammingError):
            return error
        text = str(error)
        remedy = remedy_for(error, "`phoropter doctor` says what is wrong with the store")
        if isinstance(error, sqlite3.IntegrityError):
            remedy = "A run or item it belongs to was removed meanwhile; run the same command again"
        told = StoreError(f"nothing could be written: {text}", where=self._where, remedy=remedy)
        told.__cause__ = error
        return told


def _answer(jobs: Sequence[_Job]) -> None:
    """Wake every waiter, with one call into each event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
    for job in jobs:
        if job.ready is not None:
            job.ready.set()
        elif job.loop is not None:
            by_loop.setdefault(job.loop, []).append(job)
    for loop, its_jobs in by_loop.items():
        try:
            loop.call_soon_threadsafe(_settle, its_jobs)
        except RuntimeError:  # the loop is closed: nobody waits any more, and the change is kept
            continue


async def _comes_late(job: _Job) -> bool:
    """Whether the change of somebody who was cancelled is stored after all; it is waited for a moment."""
    if not job.settled:
        job.future = asyncio.get_running_loop().create_future()
        await asyncio.wait((job.future,), timeout=LATE_S)
        if job.future.done():
            job.future.exception()
    return job.settled and job.error is None


def _settle(jobs: Sequence[_Job]) -> None:
    for job in jobs:
        assert job.future is not None
        job.settled = True
        if job.future.done():  # cancelled while it was written
            continue
        if job.error is not None:
            job.future.set_exception(job.error)
        else:
            job.future.set_result(job.result)
