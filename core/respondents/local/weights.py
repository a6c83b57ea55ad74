"""Tells the weights of one folder from another's without reading gigabytes."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final

from core.respondents import eyes

PIECE: Final = 1 << 20
"""Of a large file, this much from its start, its middle and its end."""

_BIG: Final = 3 * PIECE
_COUNTED: Final = frozenset({".json", ".jinja", ".safetensors", ".bin", ".pt", ".pth", ".model", ".txt", ".py"})


def folder_of(model: str) -> Path | None:
    """The folder that a model's name means, None where it is a hub id."""
    if model == eyes.MODEL:
        return eyes.folder()
    path = Path(model).expanduser()
    if path.is_dir():
        return path
    return path if path.is_absolute() or model.startswith((".", "~", os.sep)) or model.count("/") > 1 else None


def fingerprint(folder: Path, *, parts: bool = False) -> str:
    """Hex of what is in the files that make the model; "" where there is no such folder.

    Small files whole, of large ones their size and three pieces: training changes every piece. ``parts``: the files
    in its folders too (a pipeline keeps each of its models in one).
    """
    summed = hashlib.sha256()
    try:
        found = folder.glob("*/*") if parts else ()
        files = sorted(path for path in (*folder.iterdir(), *found) if path.suffix in _COUNTED and path.is_file())
        for path in files:
            summed.update(f"{path.relative_to(folder).as_posix()}\0{path.stat().st_size}\0".encode())
            summed.update(_sample(path))
    except OSError:
        return ""
    return summed.hexdigest()[:16] if files else ""


def _sample(path: Path) -> bytes:
    size = path.stat().st_size
    with path.open("rb") as file:
        if size <= _BIG:
            return file.read()
        out = file.read(PIECE)
        for place in (size // 2, size - PIECE):
            file.seek(place)
            out += file.read(PIECE)
    return out
