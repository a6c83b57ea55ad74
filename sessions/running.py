"""One batch at a time on a run, and one of each judge: two would ask, and pay for, the same twice."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from core.errors import UsageError
from sessions.encoding import short_hash
from sessions.runs import Run
from sessions.store import Store


@contextmanager
def the_only_batch(store: Store, run: Run) -> Iterator[None]:
    """Holds the run for this process; a killed one lets go by itself. Raises UsageError where another holds it.

    The app may step on the same run meanwhile, and judges may judge it.
    """
    with _held(
        store, run.uid, run.name, "", "another process is running this run", "Let it finish, or run with --fresh"
    ):
        yield


@contextmanager
def the_only_judging(store: Store, run: Run, judge: str) -> Iterator[None]:
    """The same for one judge's work on the run."""
    with _held(
        store,
        run.uid,
        run.name,
        f".{short_hash(judge).hex()[:8]}",
        f"another process lets {judge} judge this run",
        "Let it finish",
    ):
        yield


@contextmanager
def the_only_sitting(store: Store, uid: str, pseudonym: str) -> Iterator[None]:
    """The same for a participant's session, by its uid: nobody sits at two terminals at once."""
    told = "this participant's session is open at another terminal"
    with _held(store, uid, pseudonym, ".sitting", told, "Go on there, or end it there first"):
        yield


@contextmanager
def _held(store: Store, uid: str, where: str, what: str, told: str, remedy: str) -> Iterator[None]:
    from filelock import FileLock, Timeout

    path = _lock_of(store, uid, what)
    lock = FileLock(path, timeout=0, mode=0o600, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        raise UsageError(told, where=where, remedy=remedy) from None
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        lock.release()


def is_run(store: Store, run: Run) -> bool:
    """Whether a batch, of this process or another, holds the run at this moment."""
    return _is_held(_lock_of(store, run.uid, ""))


@contextmanager
def looked_at(store: Store, run: Run) -> Iterator[None]:
    """While an app shows the run: nobody takes it away as one in which nothing was done. Many may look at once."""
    from filelock import FileLock

    path = _lock_of(store, run.uid, f"{_LOOKS}{os.getpid()}")
    lock = FileLock(path, timeout=0, mode=0o600, thread_local=False)
    with lock:
        yield
        path.unlink(missing_ok=True)


def others_look(store: Store, run: Run) -> bool:
    """Whether an app of another process shows the run."""
    every, own = _lock_of(store, run.uid, f"{_LOOKS}*"), _lock_of(store, run.uid, f"{_LOOKS}{os.getpid()}")
    return any(_is_held(path) for path in every.parent.glob(every.name) if path != own)


_LOOKS: Final = ".app-"


def _lock_of(store: Store, uid: str, what: str) -> Path:
    return store.path.with_name(f"{store.path.name}.{uid[:16]}{what}.lock")


def _is_held(path: Path) -> bool:
    from filelock import FileLock, Timeout

    if not path.exists():
        return False
    lock = FileLock(path, timeout=0, mode=0o600, thread_local=False)
    try:
        with lock:
            return False
    except Timeout:
        return True
