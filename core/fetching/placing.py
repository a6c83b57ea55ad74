"""A set in its place whole or not at all: made in a folder beside it, then renamed.

What a killed fetch left is swept away by the next one; two at once do not disturb each other.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from core.errors import DataError, UsageError
from core.fetching import cards

_LOCK: Final = "lock"
_SET: Final = "set"
_OLD: Final = "old"
_WHERE: Final = "where"
_AWAY: Final = "Move that folder away and fetch the set again"
_YOUNG_S: Final = 600
"""A workplace without a lock is left alone that long: its owner may be about to lock it."""


@contextmanager
def workplace(parent: Path, name: str) -> Iterator[Path]:
    """A fresh folder in ``parent`` to make a set in; it is gone afterwards, whatever happens."""
    make_private(parent)
    sweep(parent, name)
    made = Path(tempfile.mkdtemp(prefix=_prefix(name), dir=parent))
    lock = FileLock(made / _LOCK)
    try:
        with lock:
            (made / _SET).mkdir(mode=0o700)
            yield made / _SET
    finally:
        shutil.rmtree(made, ignore_errors=True)


def place(made: Path, target: Path, *, replace: bool) -> bool:
    """Rename the finished set to ``target``. False where another set is there already and was not to be replaced."""
    make_private(target.parent)
    old = made.parent / _OLD
    if replace and target.exists():
        (made.parent / _WHERE).write_text(str(target), encoding="utf-8")
        target.rename(old)
    try:
        made.rename(target)
    except OSError as error:
        if old.exists():
            old.rename(target)
        if target.is_dir() and any(target.iterdir()):
            return False
        what = f"the set could not be put in its place ({error.strerror})"
        raise UsageError(what, where=str(target), remedy="Name another place with --out") from error
    return True


def refuse_occupied(target: Path, benchmark: str) -> None:
    """Raise UsageError where ``target`` holds anything but a set of this benchmark."""
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise UsageError("is no folder", where=str(target), remedy="Name a new folder with --out")
    if not target.exists() or not any(target.iterdir()):
        return
    if not (target / cards.CARD).is_file():
        raise UsageError(
            "the folder is not empty, and holds no fetched set", where=str(target), remedy="Name a new one with --out"
        )
    try:
        card = cards.read(target)
    except DataError as error:
        raise UsageError("the card of the set there cannot be read", where=str(target), remedy=_AWAY) from error
    if card is not None and card.benchmark != benchmark:
        raise UsageError(
            f"the folder holds a set of {card.name}", where=str(target), remedy="Name another with --out"
        )


def sweep(parent: Path, name: str) -> None:
    """Remove what fetches that were killed left in ``parent``; a set one of them had moved aside is put back."""
    for left in parent.glob(f"{_prefix(name)}*"):
        lock = left / _LOCK
        try:
            if not lock.exists() and time.time() - left.stat().st_mtime < _YOUNG_S:
                continue
            with FileLock(lock, timeout=0):
                _put_back(left)
                shutil.rmtree(left, ignore_errors=True)
        except (Timeout, OSError):
            continue


def _put_back(left: Path) -> None:
    with suppress(OSError):
        target = Path((left / _WHERE).read_text(encoding="utf-8"))
        if (left / _OLD).is_dir() and not target.exists():
            (left / _OLD).rename(target)


def _prefix(name: str) -> str:
    return f".{name}.partial-"


def make_private(folder: Path) -> None:
    """The folder, made for its owner alone where it is not there yet."""
    for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)
