"""A store where nobody can write, with commits in its log: SQLite would have to write before it could read them.

It is read through a private copy that is gone afterwards; a large one without its log.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MOST: Final = 2 * 1024**3
"""Bytes of a store and its log that are copied."""

COPIED: Final = (
    "nobody can write here and the write-ahead log holds commits: read in a private copy, with all of them"
)
UNSEEN: Final = (
    "nobody can write here and the write-ahead log holds commits, which are not seen: it is too large to be copied"
)
ELSEWHERE: Final = "Copy STORE and STORE-wal together to where you can write: all of it can be read there"

_listeners: list[Callable[[str], object]] = []


def on_notice(listener: Callable[[str], object]) -> None:
    """``listener`` hears how a store is read that cannot be read as it lies."""
    if listener not in _listeners:
        _listeners.append(listener)


@dataclass(frozen=True, slots=True)
class Place:
    """Where to read. ``blind``: without the log. ``notice`` says so, "" where the store is read as it lies."""

    path: Path
    blind: bool = False
    notice: str = ""


@contextmanager
def place_of(path: Path, *, tell: bool = True) -> Iterator[Place]:
    """Where the store at ``path`` can be read, for as long as the context. Raises OSError."""
    log = path.with_name(f"{path.name}-wal")
    if not _stuck(path, log):
        yield Place(path)
        return
    import shutil  # hardly ever needed, and every command imports this
    import tempfile

    size = path.stat().st_size + log.stat().st_size
    if size <= MOST and size < shutil.disk_usage(tempfile.gettempdir()).free // 2:
        with tempfile.TemporaryDirectory(prefix="phoropter-") as folder:
            copy = Path(folder) / path.name
            for file in (path, log):
                shutil.copyfile(file, copy.with_name(file.name))
            yield _told(Place(copy, notice=COPIED), path, tell=tell)
    else:
        yield _told(Place(path, blind=True, notice=UNSEEN), path, tell=tell)


def _stuck(path: Path, log: Path) -> bool:
    """Whether there are commits that only somebody who may write here could read."""
    try:
        if not log.stat().st_size:
            return False
    except OSError:
        return False
    return not os.access(path.parent, os.W_OK) and not path.with_name(f"{path.name}-shm").exists()


def _told(place: Place, path: Path, *, tell: bool) -> Place:
    for listener in _listeners if tell else ():
        listener(f"{path}: {place.notice}. {ELSEWHERE}" if place.blind else f"{path}: {place.notice}")
    return place
