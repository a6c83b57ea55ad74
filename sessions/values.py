"""Does every cell hold what its column is for? SQLite takes a text where a number belongs, and anything for JSON."""

# ruff: noqa: S608  (only identifiers of the schema are put into SQL; values are parameters)

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

from core.planning import Request
from core.records import Json
from sessions import encoding, shape
from sessions.contents import Wrong
from sessions.identity import RunConfig

BREAKS: Final = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
    zlib.error,
)
"""What reading a value that another hand wrote may end in."""

LAST_MS: Final = 7_258_118_400_000  # the year 2200: a time beyond it is none

_KINDS: Final = {
    "INTEGER": "typeof({0}) NOT IN ('integer', 'null')",
    "REAL": "typeof({0}) NOT IN ('real', 'integer', 'null')",
    "TEXT": "typeof({0}) NOT IN ('text', 'null')",
    "BLOB": "typeof({0}) NOT IN ('blob', 'null')",
}
# a seed may be any number; what somebody sat through is measured by a person's own clock
_SIGNED: Final = frozenset({"seed", "uncertain", "first_ms", "final_ms", "at_ms", "lease_until"})
_TIMES: Final = frozenset({"created", "updated"})
_EITHER: Final = frozenset({("calls", "request_hash")})  # a hash that is not hexadecimal stays a text


def odd(db: sqlite3.Connection) -> Iterator[Wrong]:
    """Cells of another kind than their column's, numbers below zero, times that are none, texts that are no UTF-8,
    JSON that is none or of another form than is read there."""
    for table in shape.tables():
        yield from _kinds(db, table)
    for table, columns, read in _READ:
        key = _key(table)
        torn = [
            row for row, *values in db.execute(f"SELECT {key}, {columns} FROM {table}") if not _reads(read, values)
        ]
        if torn:
            yield Wrong(table, f"rows hold values that cannot be read ({columns})", tuple(torn))


def _kinds(db: sqlite3.Connection, table: str) -> Iterator[Wrong]:
    """One look at the table: the first column of each row that is not as it should be."""
    key, cases = _key(table), []
    columns = shape.columns(table)
    for name, kind, _ in columns:
        if kind not in _KINDS:
            continue
        wrong = [] if (table, name) in _EITHER else [_KINDS[kind].format(f'"{name}"')]
        if kind in ("INTEGER", "REAL") and name not in _SIGNED:
            wrong.append(f'"{name}" < 0')
        if name in _TIMES:
            wrong.append(f'"{name}" > {LAST_MS:d}')
        cases += [f"WHEN {' OR '.join(wrong)} THEN '{name}'"] if wrong else []
    found: dict[str, list[int | str]] = {}
    query = f"SELECT {key}, CASE {' '.join(cases)} END AS wrong FROM {table} WHERE wrong IS NOT NULL"
    for row, name in db.execute(query).fetchall():
        found.setdefault(name, []).append(row)
    texts = {name for name, kind, _ in columns if kind == "TEXT"}
    for name, rows in found.items():
        if name in texts:  # a text with a lone surrogate is kept as its bytes
            held = db.execute(
                f"SELECT {key}, \"{name}\" FROM {table} WHERE typeof(\"{name}\") NOT IN ('text', 'null')"
            )
            rows = [row for row, value in held if not _is_text(value)]
        if rows:
            yield Wrong(table, f"rows hold what is no {_WORDS.get(name, name)}", tuple(rows))


_WORDS: Final = {"created": "time they were made at", "updated": "time they were changed at"}


def _is_text(value: object) -> bool:
    try:
        return isinstance(value, bytes) and encoding.to_text(encoding.from_text(value)) == value
    except ValueError:
        return False


def _key(table: str) -> str:
    """What rows are told by."""
    return next((f'"{column.name}"' for column in shape.columns(table) if column.key == 1), "rowid")


# -- JSON, read as it is read elsewhere

_Read: TypeAlias = Callable[..., object]


def _reads(read: _Read, values: list[Any]) -> bool:
    try:
        read(*values)
    except BREAKS:
        return False
    return True


def _object(value: str) -> Json:
    stored = encoding.from_json(value)
    if not isinstance(stored, dict):
        raise TypeError(stored)
    return stored


def _words(value: str) -> Json:
    stored = _object(value)
    if not all(isinstance(word, str) for word in stored.values()):
        raise TypeError(stored)
    return stored


def _objects(*values: str) -> None:
    for value in values:
        _object(value)


def _run(options: str, configuration: str, versions: str, recipe: str) -> None:
    _words(options)
    _object(versions)
    RunConfig.from_json(_object(configuration)).identity()
    asked = encoding.from_json(recipe)
    if asked is not None and "benchmark" in _object(recipe):
        Request.from_json(asked)


def _item(groups: str, content: str) -> None:
    _words(groups)
    encoding.item_of("", "", "", groups, content, {})


def _gold(content: str) -> None:
    values, text = encoding.from_json(content)
    if not isinstance(values, dict) or not isinstance(text, str):
        raise TypeError(content)


def _reading(parsed: str, spans: str | None) -> None:
    encoding.spans_from_json(_words(parsed), spans)


def _corrected(corrected: str) -> None:
    for value, text in _object(corrected).values():
        if not isinstance(value, str) or not isinstance(text, str):
            raise TypeError(corrected)


_READ: Final[tuple[tuple[str, str, _Read], ...]] = (
    ("runs", "options, configuration, versions, recipe", _run),
    ("items", "groups, content", _item),
    ("prompts", "content", lambda content: encoding.Prompt("", content)),
    ("golds", "content", _gold),
    ("picture_sets", "content", encoding.pictures_from_json),
    ("readings", "parsed, spans", _reading),
    ("disputes", "corrected", _corrected),
    ("participants", "details", _objects),
    ("studies", "configuration", _objects),
    ("sessions", "details", _objects),
    ("trials", "details", _objects),
    ("responses", "form, details", _objects),
    ("events", "details", _objects),
    ("exports", "details", _objects),
)
