"""The store's write-ahead log as it lies there, looked at before SQLite recovers from it: it says nothing of what was
cut off or damaged, and takes the last commit that it can read for the last there was.

The format is SQLite's (https://sqlite.org/fileformat2.html, section 4; https://sqlite.org/walformat.html, 2.1).
"""

from __future__ import annotations

import struct
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

MOST: Final = 32 * 1024 * 1024
"""Bytes whose checksums are counted; of a longer log only the lengths are looked at."""

_MAGIC: Final = (0x377F0682, 0x377F0683)
_HEADER, _FRAME, _INDEX = 32, 24, 100
_AGAIN_S: Final = 0.3  # a process that writes meanwhile may be in the middle of a frame


@dataclass(frozen=True, slots=True)
class Log:
    """``commits`` that can be read in ``frames``; ``torn``: something of one more that was not finished. ``behind``:
    commits that stand behind a damaged frame, out of reach. ``missing``: frames that the index beside it still knows
    and the log no longer holds; ``indexed``: there is such an index. ``headless``: there is a log, and its header is
    damaged."""

    frames: int = 0
    commits: int = 0
    torn: bool = False
    behind: int = 0
    missing: int = 0
    headless: bool = False
    indexed: bool = False

    @property
    def damaged(self) -> bool:
        """Something that was committed cannot be read any more."""
        return bool(self.behind or self.missing or self.headless)


def look(store: Path) -> Log:
    """The log beside a store. Raises OSError where it cannot be read."""
    found = _look(store)
    if found.damaged:
        time.sleep(_AGAIN_S)
        again = _look(store)
        return again if again.damaged else replace(again, torn=False)
    return found


def _look(store: Path) -> Log:
    index = _read(store.with_name(store.name + "-shm"), _INDEX)  # first: a writer goes on with the log meanwhile
    data = _read(store.with_name(store.name + "-wal"), MOST)
    if not data:
        return Log(missing=_known(index, b""))
    if len(data) < _HEADER:
        return Log(headless=len(data) > 0 and _known(index, data) > 0)
    magic, _, page = struct.unpack(">III", data[:12])
    order = ">" if magic & 1 else "<"
    if magic not in _MAGIC or _summed(data[:24], order) != struct.unpack(">II", data[24:32]):
        return Log(headless=True)
    sums: tuple[int, int] | None = struct.unpack(">II", data[24:32])
    salts, size = data[16:24], _FRAME + page
    frames = commits = uncommitted = behind = 0
    torn = False
    for at in range(_HEADER, len(data), size):
        frame = data[at : at + size]
        if frame[8:16] != salts:  # left over from before the log began anew
            break
        if len(frame) < size:
            torn = len(data) < MOST
            break
        commit = frame[4:8] != b"\0\0\0\0"
        if sums is not None:
            sums = _summed(frame[:8] + frame[_FRAME:], order, sums)
            if sums != struct.unpack(">II", frame[16:24]):
                sums = None
        if sums is None:
            behind += commit
        elif commit:
            frames, commits, uncommitted = frames + uncommitted + 1, commits + 1, 0
        else:
            uncommitted += 1
    missing = 0 if behind or len(data) == MOST else max(0, _known(index, data) - frames)
    torn = torn or uncommitted > 0 or sums is None
    return Log(frames, commits, torn, behind, missing, indexed=bool(index))


def _known(index: bytes, log: bytes) -> int:
    """How many frames the index knows that are in no page of the store yet; 0 where it is of another log."""
    if len(index) < _INDEX or not index[12]:
        return 0
    of_this = len(log) < _HEADER or index[32:40] == log[16:24]
    known, kept = struct.unpack("=I", index[16:20])[0], struct.unpack("=I", index[96:100])[0]
    return known if of_this and kept < known else 0


def _summed(data: bytes, order: str, start: tuple[int, int] = (0, 0)) -> tuple[int, int]:
    first, second = start
    words = memoryview(data).cast("I") if order == _NATIVE else struct.unpack(f"{order}{len(data) // 4}I", data)
    for low, high in zip(words[::2], words[1::2], strict=True):
        first = (first + low + second) & 0xFFFFFFFF
        second = (second + high + first) & 0xFFFFFFFF
    return first, second


_NATIVE: Final = "<" if sys.byteorder == "little" else ">"


def _read(path: Path, most: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(most)
    except FileNotFoundError:
        return b""
