"""Where a data file's pictures lie: in its folder, and nowhere else.

A data file is somebody else's: a name in it must not make this program read, and send to a server, a file that
does not belong to it. Symlinks may point anywhere within the folder, and from a snapshot in the hub's cache to the
blobs of the same repository, as that cache is laid out.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

_DRIVE = re.compile(r"[A-Za-z]:")


class Folder:
    """A folder of pictures, named by paths relative to it."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self._allowed = (base.resolve(), *_blobs(base))

    def place(self, name: str) -> Path | None:
        """The path of that name, whether or not there is a file; None where it leads out of the folder."""
        relative = PurePosixPath(name.replace("\\", "/"))
        if relative.is_absolute() or ".." in relative.parts or _DRIVE.match(name) or "\0" in name:
            return None
        path = self.base / relative
        try:
            resolved = path.resolve()
        except (OSError, RuntimeError):  # a loop of symlinks
            return None
        return path if any(resolved.is_relative_to(allowed) for allowed in self._allowed) else None


def _blobs(base: Path) -> list[Path]:
    """``REPOSITORY/blobs`` for a folder at or below ``REPOSITORY/snapshots/REVISION``."""
    for start in (base.absolute(), base.resolve()):
        for folder in (start, *start.parents):
            if folder.parent.name == "snapshots":
                return [(folder.parent.parent / "blobs").resolve()]
    return []
