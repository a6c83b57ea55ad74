"""Rows of a JSON-lines file, or of a JSON array, with everything that is wrong with the file as problems.

Knows no benchmark. A row comes as the object; a bad one as its problems, and reading goes on behind it. The row's
number is its line's in JSON lines, its place in an array.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from core.benchmarks.tables import Numbered
from core.errors import Problem

_START: Final = 2000
_BOM: Final = b"\xef\xbb\xbf"


def file_problems(file: Path) -> list[Problem]:
    """What makes the file unreadable as a whole; with any of these its rows are not worth reading."""
    name = str(file)
    try:
        with file.open("rb") as stream:
            start = stream.read(_START)
            while start and not start.strip(_BOM + b" \t\r\n"):
                more = stream.read(_START)
                if not more:
                    return [Problem(name, 0, "", "the file holds nothing but blank lines")]
                start = more
    except OSError as error:
        return [Problem(name, 0, "", f"cannot be read ({error.strerror or error})")]
    if not start:
        return [Problem(name, 0, "", "the file is empty (0 bytes)")]
    if start.startswith((b"\xff\xfe", b"\xfe\xff")) or start.count(0) > len(start) // 3:
        return [Problem(name, 0, "", "the file is UTF-16, not UTF-8; save it as UTF-8")]
    if start.startswith((b"PK\x03\x04", b"PAR1", b"\x1f\x8b")):
        kind = {b"PA": "parquet; its name must end in .parquet", b"PK": "a zip archive"}.get(start[:2], "compressed")
        return [Problem(name, 0, "", f"the file is no JSON but {kind}")]
    return []


def rows(file: Path) -> Iterator[Numbered]:
    """All rows in order, read anew. Call ``file_problems`` first."""
    with file.open("rb") as stream:
        first = next((line for line in stream if line.strip(_BOM + b" \t\r\n")), b"")
    if first.lstrip(_BOM + b" \t").startswith(b"["):
        yield from _array(file)
    else:
        yield from _lines(file)


def _lines(file: Path) -> Iterator[Numbered]:
    name = str(file)
    at = 0
    with file.open("rb") as stream:
        for number, raw in enumerate(stream, 1):
            line = raw.removeprefix(_BOM) if number == 1 else raw
            if line.strip():
                start = at + len(raw) - len(line)
                found = _parsed(name, number, line.rstrip(b"\r\n"), start, first_line=number)
                yield number, found
                if isinstance(found, list) and line.strip() == b"{":
                    what = "an object runs over several lines; put each on a line of its own, or all in an array [ ]"
                    yield number, [Problem(name, number, "", what)]
                    return
            at += len(raw)


def _array(file: Path) -> Iterator[Numbered]:
    name = str(file)
    raw = file.read_bytes()
    found = _value(name, 0, raw.removeprefix(_BOM), len(raw) - len(raw.removeprefix(_BOM)), first_line=1)
    if isinstance(found, Problem):
        yield 0, [found]
        return
    if not found:
        yield 0, [Problem(name, 0, "", "the file's array is empty")]
    for number, row in enumerate(found, 1):
        yield number, row if isinstance(row, dict) else [Problem(name, number, "", f"{_kind(row)}, not an object")]


def _parsed(name: str, number: int, line: bytes, at: int, *, first_line: int) -> dict[str, Any] | list[Problem]:
    found = _value(name, number, line, at, first_line=first_line)
    if isinstance(found, Problem):
        return [found]
    return (
        found if isinstance(found, dict) else [Problem(name, number, "", f"the line holds {_kind(found)}, no object")]
    )


def _value(name: str, number: int, raw: bytes, at: int, *, first_line: int) -> Any:
    """The JSON value, or the Problem that it has. ``at`` and ``first_line`` say where in the file it begins."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return Problem(name, number, "", f"not UTF-8 (byte {at + error.start} of the file)")
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        return Problem(name, number, "", f"no JSON: {_why(error, text, first_line)}")
    except RecursionError:
        return Problem(name, number, "", "the JSON is nested too deep")
    except ValueError as error:
        return Problem(name, number, "", f"no usable JSON: {error}")


def _why(error: json.JSONDecodeError, text: str, first_line: int) -> str:
    """The decoder's words with line and column in the file; a trailing comma by its name, which it hides."""
    what, position = error.msg[0].lower() + error.msg[1:], error.pos
    before = text[: error.pos + 1].rstrip() if text[error.pos : error.pos + 1] == "," else text[: error.pos].rstrip()
    if before.endswith(",") and text[len(before) :].lstrip()[:1] in ("}", "]"):
        what, position = "a trailing comma", len(before) - 1
    line = text.count("\n", 0, position)
    column = position - (text.rfind("\n", 0, position) + 1) + 1
    return f"{what} at line {first_line + line}, column {column}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object; raises ValueError where a key stands in it twice, of which the decoder would keep the last."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return found


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "true or false", int: "a number", float: "a number", str: "text", list: "an array"}
    return names.get(type(value), "an object")
