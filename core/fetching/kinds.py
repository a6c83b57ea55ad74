"""Which files of a source belong to a data set, and under which names they can be kept."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Final

DATA: Final = (".parquet", ".csv", ".tsv", ".jsonl", ".ndjson", ".json")
PICTURES: Final = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff")
WORDS: Final = ("readme", "license", "licence", "citation", "notice")
"""Beginnings of the names of files that say what a set is."""

_NOT_DATA: Final = (
    "source.json",
    "dataset_infos.json",
    "dataset_info.json",
    "dataset_dict.json",
    "state.json",
    "package.json",
)

PATTERNS: Final = (
    *(f"*{spelt}" for ending in (*DATA, *PICTURES) for spelt in (ending, ending.upper())),
    *(f"{word}*" for name in WORDS for word in (name.upper(), name, name.title())),
)
"""The same for the hub's own choice of files."""

_DRIVE: Final = re.compile(r".:")
_DEVICE: Final = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|:|$)", re.IGNORECASE)

POINTER: Final = b"version https://git-lfs.github.com/spec/"
"""How a file begins that only stands for a large one."""


def is_data(path: PurePosixPath) -> bool:
    return path.suffix.lower() in DATA and path.name.lower() not in _NOT_DATA


def belongs(path: PurePosixPath) -> bool:
    """Whether a file is data, a picture or words about them; nothing in a hidden folder is."""
    if any(part.startswith((".", "__MACOSX")) for part in path.parts):
        return False
    return is_data(path) or path.suffix.lower() in PICTURES or path.name.lower().startswith(WORDS)


def unusable_name(name: str) -> str:
    """Why a file cannot be kept under this name, "" where it can."""
    path = PurePosixPath(name)
    if not name or path.is_absolute() or "\\" in name or _DRIVE.match(name):
        return "is no relative path"
    if ".." in path.parts:
        return "leads out of the folder"
    if any(_DEVICE.match(part) for part in path.parts):
        return "is the name of a device on Windows"
    if any(unicodedata.category(mark) in ("Cc", "Cs") for mark in name):
        return "holds control characters or bytes that are no text"
    if any(len(part.encode()) > 255 for part in path.parts):
        return "is too long"
    return ""


def lifted(names: Sequence[PurePosixPath]) -> dict[PurePosixPath, PurePosixPath]:
    """Where each file goes: its own path, without the one outermost folder that all of them lie in."""
    paths = list(names)
    while paths and all(len(path.parts) > 1 for path in paths) and len({path.parts[0] for path in paths}) == 1:
        paths = [PurePosixPath(*path.parts[1:]) for path in paths]
    return dict(zip(names, paths, strict=True))
