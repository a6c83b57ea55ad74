"""A folder that appears complete or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import UsageError


def refuse_used(out: Path) -> None:
    """Raises UsageError where something is there already: nothing is overwritten."""
    if out.is_dir():
        if any(out.iterdir()):
            remedy = "Name a new one; nothing is overwritten."
            raise UsageError("the folder is not empty", where=str(out), remedy=remedy)
    elif out.exists() or out.is_symlink():
        raise UsageError("there is a file of that name, not a folder", where=str(out))


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A folder beside ``out`` that takes its place when the block ends well, and vanishes when it does not."""
    refuse_used(out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    except OSError as error:
        raise UsageError(f"the folder cannot be made ({error.strerror})", where=str(out)) from error
    try:
        folder = beside / "new"
        folder.mkdir()
        yield folder
        if out.is_dir():
            out.rmdir()
        folder.rename(out)
    except OSError as error:
        what = f"the data set cannot be written ({error.strerror or error})"
        raise UsageError(what, where=str(out), remedy="Nothing was left behind.") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
