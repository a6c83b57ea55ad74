"""One batch at a time on a run: two would ask, and pay for, the same turns twice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from core.errors import UsageError
from sessions.runs import Run
from sessions.store import Store


@contextmanager
def the_only_batch(store: Store, run: Run) -> Iterator[None]:
    """Holds the run for this process; a killed one lets go by itself. Raises UsageError where another holds it.

    The app may step on the same run meanwhile.
    """
    from filelock import FileLock, Timeout

    path = store.path.with_name(f"{store.path.name}.{run.uid[:16]}.lock")
    lock = FileLock(path, timeout=0, mode=0o600)
    try:
        lock.acquire()
    except Timeout:
        raise UsageError(
            "another process is running this run", where=run.name, remedy="Let it finish, or run with --fresh"
        ) from None
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        lock.release()
