"""A set in its place whole or not at all: made in a folder beside it, then renamed.

What a killed fetch left is swept away by the next one; two at once do not disturb each other.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from core.errors import DataError, UsageError
from core.fetching import cards

_SET: Final = "set"
_OLD: Final = "old"
_WHERE: Final = "where"
_AWAY: Final = "Move that folder away and fetch the set again"
_YOUNG_S: Final = 600
"""A workplace of this very process is left alone that long."""
_FORGOTTEN_S: Final = 7 * 86_400
"""A workplace whose process cannot be asked after is left alone that long."""


@contextmanager
def workplace(parent: Path, name: str) -> Iterator[Path]:
    """A fresh folder in ``parent`` to make a set in; it is gone afterwards, whatever happens."""
    make_private(parent)
    sweep(parent, name)
    made = Path(tempfile.mkdtemp(prefix=f"{_prefix(name)}{_host()}-{os.getpid()}-", dir=parent))
    try:
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
        with suppress(FileNotFoundError):  # another fetch has just moved it
            target.rename(old)
    try:
        made.rename(target)
    except OSError as error:
        if old.exists() and not target.exists():
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
    try:
        empty = not any(target.iterdir())
    except FileNotFoundError:
        return
    if empty:
        return
    if not (target / cards.CARD).is_file() and target.exists():
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
        with suppress(OSError):
            if not _at_work(left, name):
                _put_back(left)
                shutil.rmtree(left, ignore_errors=True)


def _at_work(left: Path, name: str) -> bool:
    """Whether the process that made a workplace may still be at it: alive, or on another machine and not long ago."""
    age = time.time() - left.stat().st_mtime
    host, _, rest = left.name.removeprefix(_prefix(name)).partition("-")
    pid = rest.partition("-")[0]
    if host != _host() or not pid.isdecimal() or os.name == "nt":
        return age < _FORGOTTEN_S
    if int(pid) == os.getpid():
        return age < _YOUNG_S
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return age < _FORGOTTEN_S
    return True


def _host() -> str:
    """This machine in a file's name, without a dash."""
    return hashlib.sha256(socket.gethostname().encode()).hexdigest()[:8]


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
