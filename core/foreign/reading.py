"""Files of other tools: bytes, JSON, JSON lines; each refusal is one line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from core.errors import UsageError
from core.files import read_bytes
from core.records import Json

LARGEST: Final = 2 * 1024**3


def read_file(path: Path) -> tuple[bytes, str]:
    """A file's bytes and their SHA-256. Raises UsageError where it cannot be read, or is empty."""
    try:
        data = read_bytes(path, limit=LARGEST)
    except OSError as error:
        raise UsageError(f"the file cannot be read ({error.strerror or error})", where=str(path)) from None
    if not data.strip():
        raise UsageError("the file is empty", where=str(path))
    return data, hashlib.sha256(data).hexdigest()


def as_json(data: bytes, path: Path) -> Json:
    """The whole file as one JSON document. Raises UsageError."""
    return _loaded(data, str(path))


def as_lines(data: bytes, path: Path) -> Iterator[tuple[int, Json]]:
    """Each line that is not blank as a JSON document, with its number. Raises UsageError that names the line."""
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            yield number, _loaded(line, f"{path}, line {number}")


def _loaded(data: bytes, where: str) -> Json:
    try:
        return json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UsageError(f"this is not UTF-8 (byte {error.start})", where=where) from None
    except RecursionError:
        raise UsageError("this is nested too deeply", where=where) from None
    except ValueError as error:
        raise UsageError(
            f"this is no JSON, or it is torn ({' '.join(str(error).split())[:120]})", where=where
        ) from None


def text_of(value: Json) -> str | None:
    """A text, or the only text of a list as some tools write it; None for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and len(value) == 1:
        return text_of(value[0])
    return None


def whole_of(value: Json) -> int | None:
    """A whole number, also as text or as a float without a fraction; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
        return int(number) if number.is_integer() else None
    except (ValueError, OverflowError):
        return None
