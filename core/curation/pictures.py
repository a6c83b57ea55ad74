"""Pictures of a made set, copied as they are into its folder."""

from __future__ import annotations

from mimetypes import guess_extension
from pathlib import Path, PurePosixPath
from typing import Final

from core.errors import PictureError
from core.files import read_bytes
from core.pictures.sniffing import HEAD, sniff
from core.records import Picture

FOLDER: Final = "images"

_SAFE: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")


def copied(picture: Picture, folder: Path, name: str) -> str:
    """Copy a picture's bytes under a name of its item's; returns the name relative to the folder. Raises
    PictureError."""
    if picture.data is not None:
        data = picture.data
    else:
        try:
            data = read_bytes(Path(picture.path))
        except OSError as error:
            raise PictureError(f"cannot be read ({error.strerror or error})", where=picture.path) from error
    ending = PurePosixPath(picture.name).suffix.lower() or guess_extension(sniff(data[:HEAD])) or ""
    safe = "".join(mark if mark in _SAFE else "_" for mark in name).strip(".") or "picture"
    relative, number = f"{FOLDER}/{safe}{ending}", 1
    while (folder / relative).exists():
        number += 1
        relative = f"{FOLDER}/{safe}-{number}{ending}"
    (folder / FOLDER).mkdir(exist_ok=True)
    (folder / relative).write_bytes(data)
    return relative
