"""A path that somebody typed, and the bytes of a file: whatever is no regular file is refused before it can block."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

from core.errors import PhoropterError, UsageError

LARGEST_TEXT: Final = 64 * 1024 * 1024
"""A configuration, a prompt or an answer is no larger than this."""

_UNUSABLE: Final = {
    errno.ENAMETOOLONG: "the path is too long",
    errno.ELOOP: "its symbolic links go round in a circle",
    errno.EINVAL: "this is no path",
}
_KINDS: Final = (
    (stat.S_ISDIR, "it is a folder"),
    (stat.S_ISFIFO, "it is a pipe, not a file"),
    (stat.S_ISSOCK, "it is a socket, not a file"),
    (stat.S_ISCHR, "it is a device, not a file"),
    (stat.S_ISBLK, "it is a device, not a file"),
)
_SHOWN: Final = 200


def user_path(text: str | Path, where: str = "") -> Path:
    """The path with ``~`` put in. Raises UsageError for one that no file can have; whether it exists is not asked."""
    name = str(text)
    shown = where or name
    shown = shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"
    if not name:
        raise UsageError("a path cannot be empty", where=shown or "''", remedy="Leave it out, or name one")
    if "\0" in name:
        raise UsageError("a path cannot hold a NUL", where=shown)
    try:
        path = Path(name).expanduser()
    except RuntimeError:
        raise UsageError("there is no such home folder", where=shown) from None
    if not path.is_absolute():
        try:
            Path.cwd()
        except OSError:
            raise UsageError(
                "the working folder is gone", where=shown, remedy="Change to one that is there, or name a whole path"
            ) from None
    try:
        path.stat()
    except OSError as error:
        if error.errno in _UNUSABLE:
            raise UsageError(_UNUSABLE[error.errno], where=shown) from None
    except ValueError as error:
        raise UsageError(f"this is no path ({error})", where=shown) from None
    return path


def read_bytes(path: Path, *, limit: int | None = None) -> bytes:
    """A regular file's bytes. Raises OSError, which says in words what it is instead, or that it is too large."""
    file = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(file, "rb") as stream:  # noqa: PTH123  a descriptor, so that what is checked is what is read
        mode = os.fstat(file).st_mode
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, _kind(mode), str(path))
        data = stream.read() if limit is None else stream.read(limit + 1)
    if limit is not None and len(data) > limit:
        raise OSError(errno.EFBIG, f"it is larger than {limit // 1024**2} MB", str(path))
    return data


def read_text(
    path: Path, what: str, where: str = "", *, error: type[PhoropterError] = UsageError, limit: int = LARGEST_TEXT
) -> str:
    """A regular UTF-8 file's text, without a byte order mark. Raises ``error``, which begins with ``what``."""
    where = where or str(path)
    try:
        return read_bytes(path, limit=limit).decode("utf-8-sig")
    except UnicodeDecodeError as bad:
        raise error(f"{what} is not UTF-8 (byte {bad.start})", where=where, remedy="Save it as UTF-8") from None
    except OSError as bad:
        raise error(f"{what} cannot be read ({bad.strerror or bad})", where=where) from None


def _kind(mode: int) -> str:
    return next((words for test, words in _KINDS if test(mode)), "it is no regular file")
