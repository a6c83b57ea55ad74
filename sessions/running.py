"""One batch at a time on a run, and one of each judge: two would ask, and pay for, the same twice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

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

    path = store.path.with_name(f"{store.path.name}.{uid[:16]}{what}.lock")
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
