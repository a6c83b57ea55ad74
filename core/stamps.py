"""How a file or a folder was when it was looked at, which tells whether it has changed since."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, NamedTuple

MOST: Final = 8192
"""So many paths are remembered of one reading, some 350 bytes each."""


class Stamp(NamedTuple):
    """Another one where a file has changed, or which names a folder holds.

    Size and ``modified`` can be put back after a change (``cp -p``, ``rsync --inplace -t``); ``changed`` cannot: the
    system keeps it. Windows keeps none, and has the time of creation there. Times are in nanoseconds.
    """

    modified: int
    changed: int
    size: int
    inode: int


def stamp_of(found: os.stat_result) -> Stamp:
    """Of what the system says of it."""
    return Stamp(found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)


def stamp(path: str | Path) -> Stamp | None:
    """Of what lies there, links followed; None where nothing does, or it cannot be looked at."""
    try:
        return stamp_of(os.stat(path))  # noqa: PTH116  (thousands of times a run: a Path costs more than the call)
    except (OSError, ValueError):
        return None


class Seen:
    """What a reading depends on: paths, each as it was when it was first looked at. False where that is nothing, or
    more than is remembered: then nobody can tell whether it is still the same."""

    def __init__(self) -> None:
        self._stamps: dict[str, Stamp | None] = {}

    def look(self, *paths: str | Path) -> None:
        """Call it before anything there is read."""
        for path in map(str, paths):
            if path not in self._stamps and len(self._stamps) <= MOST:
                self._stamps[path] = stamp(path)

    def __bool__(self) -> bool:
        return 0 < len(self._stamps) <= MOST

    def same(self) -> bool:
        """Whether all of it is known to be as it was."""
        return bool(self) and all(stamp(path) == known for path, known in self._stamps.items())
