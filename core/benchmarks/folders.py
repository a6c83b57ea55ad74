"""Data in a folder: which file it is, and where the pictures that it names lie. Nothing leads out of the folder.

A data file is somebody else's: a name in it must not make this program read, and send to a server, a file that does
not belong to it. A download in the hub's cache is a folder of symbolic links into ``blobs`` beside ``snapshots``:
those are followed, any other way out is refused.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from core.benchmarks.tables import Table, needs_pyarrow
from core.errors import DataError, Problem
from core.stamps import Seen

NO_DATA: Final = frozenset(
    {"card.json", "config.json", "dataset_info.json", "dataset_infos.json", "package.json", "state.json"}
)
"""JSON files that lie in folders of data and hold none."""

_LEADS_OUT: Final = re.compile(r"\A[/\\]|\A[A-Za-z]:|(?:\A|[/\\])\.\.(?:[/\\]|\Z)|\0")


def find_data(path: Path, endings: Sequence[str], *, named: str = "", hint: str = "") -> Table:
    """The data file at a path, or the one in a folder: of the first ending that the folder has, nearest to its top.

    A file called ``named`` goes before all endings. It may lie in several folders beside each other, and parquet
    comes in shards, so that several files are one set. Of several others that one is taken whose name holds ``hint``
    as a word. Raises DataError where there is none, no telling which, or where it is a link that leads out of the
    folder; and for parquet where pyarrow is missing.
    """
    try:
        if path.is_dir():
            return needs_pyarrow(Table(_in_folder(path, endings, named, hint)))
        if path.is_file():
            return needs_pyarrow(Table((path,)))
        what = "is no regular file" if path.exists() else "there is no such file"
    except OSError as error:
        raise DataError([Problem(str(path), 0, "", f"cannot be read ({error.strerror or error})")]) from error
    raise DataError([Problem(str(path), 0, "", what)])


def _in_folder(folder: Path, endings: Sequence[str], named: str, hint: str) -> tuple[Path, ...]:
    files = sorted(
        file for file in folder.rglob("*")
        if (file.suffix.lower() in endings or file.name == named) and file.name not in NO_DATA and file.is_file()
        and not any(part.startswith(".") for part in file.relative_to(folder).parts)
    )  # fmt: skip
    if found := _nearest([file for file in files if file.name == named]):
        return _inside(folder, found)
    for ending in endings:
        found = _nearest([file for file in files if file.suffix.lower() == ending])
        if ending != ".parquet" and len(found) > 1:
            found = [file for file in found if hint and hint.casefold() in _words(file.stem)] or found
            if len(found) > 1:
                names = ", ".join(file.name for file in found)
                what = f"the folder holds several data files ({names}); name one of them"
                raise DataError([Problem(str(folder), 0, "", what)])
        if found:
            return _inside(folder, found)
    *others, last = [f"no {name}" for name in (named, *endings) if name]
    what = f"the folder holds no data file: {', '.join(others)} and {last}"
    raise DataError([Problem(str(folder), 0, "", what)])


def _nearest(files: Sequence[Path]) -> list[Path]:
    """Those nearest to the top."""
    depth = min((len(file.parts) for file in files), default=0)
    return [file for file in files if len(file.parts) == depth]


def _words(stem: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in stem.casefold()).split()


def _inside(folder: Path, files: Sequence[Path]) -> tuple[Path, ...]:
    inside = Inside(folder)
    what = "leads out of the folder of the data"
    problems = [Problem(str(file), 0, "", what) for file in files if not inside.holds(file)]
    if problems:
        raise DataError(problems, remedy="Copy it there, or name the file it links to")
    return tuple(files)


class Inside:
    """A folder, and whether a file of it really lies in it, links followed. ``seen`` is shown what tells that."""

    def __init__(self, folder: Path, seen: Seen | None = None) -> None:
        self._seen = Seen() if seen is None else seen
        self._base = str(folder.absolute())  # a stored item is looked at from anywhere
        self._homes = (folder.resolve(), *_blobs(folder))
        self._links = lru_cache(maxsize=1024)(self._links_in)  # most pictures lie in few folders

    def holds(self, file: Path) -> bool:
        """It is in the folder, or a link into the hub's cache that the folder belongs to."""
        try:
            real = file.resolve()
        except (OSError, RuntimeError):  # a loop of links
            return False
        return any(real.is_relative_to(home) for home in self._homes)

    def named(self, name: str) -> str | None:
        """The path of a picture by its name in the data, None where that leads out of the folder.

        There may be no such file. Backslashes part folders too.
        """
        if _LEADS_OUT.search(name):
            return None
        file = f"{self._base}/{name}".replace("\\", "/") if "\\" in name else f"{self._base}/{name}"
        folder, _, last = file.rpartition("/")
        links = self._links(folder)
        if links is None:
            return None
        if last in links:
            self._seen.look(file)
            return file if self.holds(Path(file)) else None
        return file

    def _links_in(self, folder: str) -> frozenset[str] | None:
        """The names of links in a folder, so that not every file has to be looked at; None where it lies outside."""
        self._seen.look(folder)
        if not self.holds(Path(folder)):
            return None
        try:
            with os.scandir(folder) as entries:
                return frozenset(entry.name for entry in entries if entry.is_symlink())
        except (FileNotFoundError, NotADirectoryError):
            return frozenset()
        except OSError:
            return None


def _blobs(folder: Path) -> list[Path]:
    """``REPOSITORY/blobs`` for a folder at or below ``REPOSITORY/snapshots/REVISION``."""
    for start in (folder.absolute(), folder.resolve()):
        for place in (start, *start.parents):
            if place.parent.name == "snapshots" and (place.parents[1] / "blobs").is_dir():
                return [(place.parents[1] / "blobs").resolve()]
    return []
