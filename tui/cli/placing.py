"""New files: there whole or not at all, readable by their owner alone, and replaced only where that was asked for."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from core.errors import UsageError

_DATABASE: Final = b"SQLite format 3\0"


def refuse_place(out: Path, *, force: bool) -> None:
    """Raises UsageError where no file can be written there: a store is kept, other files without ``force``."""
    where = str(out)
    if out.is_dir():
        raise UsageError("this is a folder", where=where, remedy="Name a file with --out")
    if not out.parent.is_dir():
        raise UsageError("the file cannot be written (there is no such folder)", where=where)
    if out.is_file() and _is_database(out):
        raise UsageError("this is a store", where=where, remedy="Name another file with --out")
    if out.exists() and not force:
        raise UsageError(
            "there is a file of that name", where=where, remedy="Name another, or replace it with --force"
        )


@contextmanager
def new_file(out: Path, *, force: bool) -> Iterator[Path]:
    """A file to be written that takes its name when all of it is there. Raises UsageError where it cannot be."""
    refuse_place(out, force=force)
    where = str(out)
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{out.stem[:80]}.", suffix=out.suffix[:20], dir=out.parent)
    except OSError as error:
        raise UsageError(f"the file cannot be written ({error.strerror})", where=where) from None
    os.close(descriptor)
    path = Path(name)
    try:
        yield path
        path.replace(out)
    except OSError as error:
        raise UsageError(f"the file cannot be written ({error.strerror})", where=where) from None
    finally:
        path.unlink(missing_ok=True)


def write_file(out: Path, data: bytes, *, force: bool) -> None:
    """All of it at once. Raises UsageError."""
    with new_file(out, force=force) as path:
        path.write_bytes(data)


def _is_database(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            return stream.read(len(_DATABASE)) == _DATABASE
    except OSError:
        return False
