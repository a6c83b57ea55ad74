"""Data in a folder: which file it is, and where the pictures that it names lie. Nothing leads out of the folder.

A download in the hub's cache is a folder of symbolic links into ``blobs`` beside ``snapshots``: those are followed,
any other way out is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from core.benchmarks.tables import Table
from core.errors import DataError, Problem

NO_DATA: Final = frozenset(
    {"card.json", "config.json", "dataset_info.json", "dataset_infos.json", "package.json", "state.json"}
)
"""JSON files that lie in folders of data and hold none."""

_LEADS_OUT: Final = re.compile(r"\A[/\\]|\A[A-Za-z]:|(?:\A|[/\\])\.\.(?:[/\\]|\Z)")
_SNAPSHOTS: Final = "snapshots"
_BLOBS: Final = "blobs"


def find_data(path: Path, endings: Sequence[str]) -> Table:
    """The data file at a path, or the one in a folder: of the first ending that the folder has, nearest to its top.

    Parquet comes in shards, so that several files are one table. Raises DataError where there is none, no telling
    which, or where it is a link that leads out of the folder.
    """
    try:
        if path.is_dir():
            return _in_folder(path, endings)
        if path.is_file():
            return _of_kind(path, endings)
        what = "is no regular file" if path.exists() else "there is no such file"
    except OSError as error:
        raise DataError([Problem(str(path), 0, "", f"cannot be read ({error.strerror or error})")]) from error
    raise DataError([Problem(str(path), 0, "", what)])


def _of_kind(path: Path, endings: Sequence[str]) -> Table:
    if path.suffix.lower() not in endings:
        what = f"the file's name ends in none of {', '.join(endings)}"
        raise DataError([Problem(str(path), 0, "", what)])
    return Table((path,))


def _in_folder(folder: Path, endings: Sequence[str]) -> Table:
    files = sorted(
        file for file in folder.rglob("*")
        if file.suffix.lower() in endings and file.name not in NO_DATA and file.is_file()
        and not any(part.startswith(".") for part in file.relative_to(folder).parts)
    )  # fmt: skip
    for ending in endings:
        found = [file for file in files if file.suffix.lower() == ending]
        nearest = min((len(file.parts) for file in found), default=0)
        found = [file for file in found if len(file.parts) == nearest]
        if len(found) > 1 and ending != ".parquet":
            names = ", ".join(file.name for file in found)
            what = f"the folder holds several data files ({names}); name one of them"
            raise DataError([Problem(str(folder), 0, "", what)])
        if found:
            inside = Inside(folder)
            problems = [Problem(str(file), 0, "", OUT) for file in found if not inside.holds(file)]
            if problems:
                raise DataError(problems, remedy="Copy it there, or name the file it links to")
            return Table(tuple(found))
    raise DataError([Problem(str(folder), 0, "", f"the folder holds no data file ({', '.join(endings)})")])


OUT: Final = "leads out of the folder of the data"


class Inside:
    """A folder, and whether a file of it really lies in it, links followed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._homes = [folder.resolve()]
        whole = folder.absolute()
        for at, part in enumerate(whole.parts):
            blobs = Path(*whole.parts[:at]) / _BLOBS if at else whole
            if at and part == _SNAPSHOTS and blobs.is_dir():
                self._homes.append(blobs.resolve())

    def holds(self, file: Path) -> bool:
        """It is in the folder, or a link into the hub's cache that the folder belongs to."""
        real = file.resolve()
        return any(real.is_relative_to(home) for home in self._homes)

    def named(self, name: str) -> str | None:
        """The path of a picture by its name in the data, None where that leads out of the folder."""
        return _placed(self, name)


@lru_cache(maxsize=4096)
def _placed(inside: Inside, name: str) -> str | None:
    if _LEADS_OUT.search(name) or "\0" in name:
        return None
    file = inside.folder / name
    return str(file) if inside.holds(file) else None
