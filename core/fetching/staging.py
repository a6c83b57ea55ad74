"""Files on their way into a set: copied, hashed as they pass, readable by their owner alone."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Final, TypeAlias

from core.errors import DataError, Problem
from core.fetching.kinds import POINTER, is_data

CHUNK: Final = 1 << 20

Progress: TypeAlias = Callable[[str, int, int], None]
"""What is being done, how far, of how many."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a set comes from: ``kind`` is hub, snapshot, folder, zip or file; ``place`` a repository or a path.

    ``repository`` and ``revision`` are the hub's, "" where they do not apply or cannot be told.
    """

    kind: str
    place: str
    repository: str = ""
    revision: str = ""


def shown(path: Path) -> str:
    """An absolute path as text; bytes that are no text are blotted out."""
    return os.fsencode(path.absolute()).decode("utf-8", "replace")


@dataclass(slots=True)
class Staged:
    """The files brought into ``folder``, by path: their SHA-256 and size. ``left_out`` counts the others by kind."""

    folder: Path
    origin: Origin
    files: dict[PurePosixPath, tuple[str, int]] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def bytes(self) -> int:
        return sum(size for _, size in self.files.values())

    @property
    def data_files(self) -> list[PurePosixPath]:
        return sorted(path for path in self.files if is_data(path))

    def leave_out(self, path: PurePosixPath) -> None:
        self.left_out[path.suffix.lower() or path.name] += 1

    def take(self, stream: BinaryIO, path: PurePosixPath, limit: int | None = None) -> None:
        """Write a file of the set. Raises DataError where it holds more than ``limit`` bytes or is no data at all."""
        target = self.folder / path
        _make_folders(self.folder, target.parent)
        found, size, start = hashlib.sha256(), 0, b""
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as out:
            while chunk := stream.read(CHUNK):
                start = start or chunk[: len(POINTER)]
                size += len(chunk)
                if limit is not None and size > limit:
                    raise DataError([Problem(str(path), 0, "", f"holds more than the {limit:,} bytes it declares")])
                found.update(chunk)
                out.write(chunk)
            if is_data(path):
                out.flush()
                os.fsync(out.fileno())
        if start == POINTER:
            what = "only stands for a large file that was not downloaded with it (git LFS)"
            raise DataError([Problem(str(path), 0, "", what)], remedy="Download the files themselves")
        self.files[path] = (found.hexdigest(), size)

    def refuse_nothing(self) -> None:
        """Raise DataError where no data file is among the files, or one is empty."""
        if not self.data_files:
            others = ", ".join(f"{count} {kind}" for kind, count in self.left_out.most_common(6))
            what = "no .parquet, .csv, .jsonl or .json file is in it" + (f", only {others}" if others else "")
            remedy = "Name the ZIP itself with --source" if self.left_out[".zip"] else ""
            raise DataError([Problem(self.origin.place, 0, "", what)], remedy=remedy)
        empty = [path for path in self.data_files if not self.files[path][1]]
        if empty:
            raise DataError([Problem(str(path), 0, "", "the file is empty (0 bytes)") for path in empty])


def _make_folders(root: Path, folder: Path) -> None:
    """Folders up to ``folder``, each for its owner alone."""
    if folder == root or folder.is_dir():
        return
    _make_folders(root, folder.parent)
    folder.mkdir(mode=0o700)
