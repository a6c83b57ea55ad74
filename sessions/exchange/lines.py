"""A row as a JSON object and back: codes as words, JSON as JSON, hashes in hexadecimal, bytes in base64.

What comes back is what was there, to the byte; see docs/exchange.md for the format.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from core.records import Json
from sessions import encoding
from sessions.exchange.tables import Table

FORMAT: Final = "phoropter"
VERSION: Final = 1
END: Final = "end"
_TEXT: Final = "$text"
_BYTES: Final = "$base64"
_BIGGEST: Final = 2**63

_CODES: Final[Mapping[tuple[str, str], tuple[str, ...]]] = {
    ("steps", "status"): tuple(status.value for status in encoding.STATUSES),
    ("steps", "origin"): tuple(origin.value for origin in encoding.ORIGINS),
    ("steps", "made_by"): ("protocol", "person"),
    ("scores", "status"): tuple(parse.value for parse in encoding.PARSES),
    ("scores", "counted"): ("no", "own", "fork"),
    ("trajectories", "progress"): tuple(progress.value for progress in encoding.PROGRESSES),
    ("calls", "pending"): ("settled", "out", "answered", "again"),
}
_JSON: Final = {
    ("items", "groups"),
    ("items", "content"),
    ("prompts", "content"),
    ("golds", "content"),
    ("picture_sets", "content"),
    ("runs", "options"),
    ("runs", "configuration"),
    ("runs", "versions"),
    ("runs", "recipe"),
    ("calls", "texts"),
    ("readings", "parsed"),
    ("readings", "spans"),
    ("participants", "details"),
    ("studies", "configuration"),
    ("sessions", "details"),
    ("responses", "form"),
    ("events", "details"),
    ("exports", "details"),
    ("disputes", "corrected"),
}
_PACKED: Final = {("calls", "request"), ("calls", "reply")}
_HASHES: Final = {("calls", "request_hash"), ("trials", "item_hash")} | {
    (table, "hash") for table in ("items", "prompts", "texts", "golds", "picture_sets")
}
_RAW: Final = {("pictures", "bytes")}


class UnfitError(ValueError):
    """A value that its column cannot hold."""


@dataclass(frozen=True, slots=True)
class Column:
    """How a column is said and read: ``say`` takes what the store holds, ``read`` what a line holds (UnfitError)."""

    name: str
    say: Callable[[Any], Json]
    read: Callable[[Any], Any]


class Lines:
    """Rows of one table as objects."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.columns = tuple(_column(table, name) for name in table.columns)
        self._by_name = {column.name: column for column in self.columns}

    def said(self, row: tuple[Any, ...]) -> dict[str, Json]:
        """A row in the order of the table's columns; what is empty is left out."""
        return {
            column.name: column.say(value)
            for column, value in zip(self.columns, row, strict=True)
            if value is not None
        }

    def read(self, said: Mapping[str, Json]) -> dict[str, Any]:
        """Column and value. Raises UnfitError."""
        row = {}
        for name, value in said.items():
            column = self._by_name.get(name)
            if column is None:
                raise UnfitError(f"{self.table.name} has no field {name[:80]!r}")
            try:
                is_json = (self.table.name, name) in _JSON | _PACKED  # where null is a value like any
                row[name] = None if value is None and not is_json else column.read(value)
            except UnfitError as error:
                raise UnfitError(f"{name}: {error}") from None
        return row


def dumped(value: Json) -> str:
    """One line of JSON, in ASCII. Raises ValueError for what JSON cannot say (NaN)."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)


def _column(table: Table, name: str) -> Column:
    place = (table.name, name)
    if place in _CODES:
        words = _CODES[place]
        return Column(name, lambda code: words[code], lambda word: _code(words, word))
    if place in _JSON:
        return Column(name, _json_said, _json_read)
    if place in _PACKED:
        return Column(name, lambda held: _safe(encoding.unpack(held)), lambda said: encoding.pack(_unwrapped(said)))
    if place in _HASHES:
        return Column(name, encoding.from_hash, _hash)
    if place in _RAW:
        return Column(name, _base64, _bytes)
    type_ = table.types[name]
    if type_ == "TEXT":
        return Column(name, encoding.from_text, lambda said: encoding.to_text(_text(said)))
    if type_ == "BLOB":
        return Column(name, _blob_said, _blob_read)
    if type_ == "REAL":
        return Column(name, float, _real)
    return Column(name, lambda held: held, _integer)


def _code(words: tuple[str, ...], word: Json) -> int:
    if word not in words:
        raise UnfitError(f"one of {', '.join(words)}, not {str(word)[:80]!r}")
    return words.index(word)


def _text(said: Json) -> str:
    if not isinstance(said, str):
        raise UnfitError(f"a text, not {_kind(said)}")
    return said


def _hash(said: Json) -> str | bytes:
    held = encoding.to_hash(_text(said))
    return encoding.to_text(held) if isinstance(held, str) else held


def _integer(said: Json) -> int:
    if not isinstance(said, int) or isinstance(said, bool) or not -_BIGGEST <= said < _BIGGEST:
        raise UnfitError(f"a whole number of 64 bits, not {_kind(said)}")
    return said


def _real(said: Json) -> float:
    if not isinstance(said, int | float) or isinstance(said, bool):
        raise UnfitError(f"a number, not {_kind(said)}")
    try:
        return float(said)
    except OverflowError:
        raise UnfitError("a number of 64 bits") from None


def _kind(said: Json) -> str:
    return type(said).__name__ if not isinstance(said, int | float) else str(said)[:40]


def _json_said(held: str | bytes) -> Json:
    value = encoding.from_json(held)
    safe = _safe(value)
    return safe if safe is not value or encoding.to_json(value) == held else {_TEXT: encoding.from_text(held)}


def _json_read(said: Json) -> str | bytes:
    if _is_wrapped(said):
        _unwrapped(said)
        return encoding.to_text(said[_TEXT])
    return encoding.to_json(said)


def _safe(value: Json) -> Json:
    """The value, or its own JSON as a text where that is none other readers take, or looks like such a text."""
    if _is_wrapped(value):
        return {_TEXT: json.dumps(value)}
    try:
        dumped(value)
    except ValueError:
        return {_TEXT: json.dumps(value)}
    return value


def _is_wrapped(value: Json) -> bool:
    return isinstance(value, dict) and len(value) == 1 and isinstance(value.get(_TEXT), str)


def _unwrapped(said: Json) -> Json:
    if not _is_wrapped(said):
        return said
    try:
        return json.loads(said[_TEXT])
    except (ValueError, RecursionError):
        raise UnfitError(f"the text in {_TEXT} is no JSON") from None


def _base64(held: bytes) -> str:
    return base64.b64encode(held).decode("ascii")


def _bytes(said: Json) -> bytes:
    try:
        return base64.b64decode(_text(said).encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        raise UnfitError("this is no base64") from None


def _blob_said(held: str | bytes) -> Json:
    return held if isinstance(held, str) else {_BYTES: _base64(held)}


def _blob_read(said: Json) -> str | bytes:
    if isinstance(said, dict) and set(said) == {_BYTES}:
        return _bytes(said[_BYTES])
    return _text(said)
