"""Where in a TOML file something is written, which its parser does not tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

Place: TypeAlias = tuple[str, ...]
"""Names from the outermost table inwards; an entry of a list by its number, from 0."""

Problem: TypeAlias = tuple[Place, str]

_KEY: Final = r"""[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*'"""
_KEYS: Final = rf"(?:{_KEY})(?:\s*\.\s*(?:{_KEY}))*"
_HEADER: Final = re.compile(rf"\s*(\[\[?)\s*({_KEYS})\s*\]")
_ENTRY: Final = re.compile(rf"\s*({_KEYS})\s*=")
_MARKS: Final = re.compile(r'"""|\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|[\[\]{}]|#.*')


def listed(problems: Sequence[Problem], text: str) -> str:
    """All problems as one text, each with its place and line, in the order of the file."""
    lines = places(text)
    told = sorted(((line_of(place, lines), place, what) for place, what in problems), key=lambda found: found[0])
    shown = [
        f"{'.'.join(place) or 'the file'}{f' (line {line})' if line else ''}: {what}" for line, place, what in told
    ]
    return shown[0] if len(shown) == 1 else f"{len(shown)} problems\n  " + "\n  ".join(shown)


def line_of(place: Place, lines: Mapping[Place, int]) -> int:
    """The line where a field or table is written, or else what it belongs to; 0 where nothing of it is."""
    while place:
        if place in lines:
            return lines[place]
        place = place[:-1]
    return 0


def places(text: str) -> dict[Place, int]:
    """The first line of each table, of each entry of an array of tables and of each field, counted from 1."""
    found: dict[Place, int] = {}
    table: Place = ()
    counts: dict[Place, int] = {}
    quote, depth = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        rest = line
        if not quote and not depth:
            if header := _HEADER.match(line):
                table = _current(tuple(_parts(header[2])), counts, array=header[1] == "[[")
                _remember(found, table, 0, number)
                continue
            if entry := _ENTRY.match(line):
                _remember(found, (*table, *_parts(entry[1])), len(table), number)
                rest = line[entry.end() :]
        quote, depth = _open_after(rest, quote, depth)
    return found


def _current(name: Place, counts: dict[Place, int], *, array: bool) -> Place:
    """The table's place: below an array of tables it lies in the array's newest entry."""
    out: Place = ()
    for part in name[:-1]:
        out = (*out, part)
        if out in counts:
            out = (*out, str(counts[out]))
    out = (*out, *name[-1:])
    if array:
        counts[out] = counts.get(out, -1) + 1
        out = (*out, str(counts[out]))
    return out


def _remember(found: dict[Place, int], place: Place, above: int, number: int) -> None:
    for length in range(above + 1, len(place) + 1):
        found.setdefault(place[:length], number)


def _open_after(rest: str, quote: str, depth: int) -> tuple[str, int]:
    """The quotes and the number of brackets that are still open at the end of a line."""
    at = 0
    while True:
        if quote:
            closing = rest.find(quote, at)
            while quote == '"""' and closing > 0 and _escaped(rest, closing):
                closing = rest.find(quote, closing + 1)
            if closing < 0:
                return quote, depth
            at, quote = closing + 3, ""
        mark = _MARKS.search(rest, at)
        if mark is None or mark[0].startswith("#"):
            return "", max(depth, 0)
        at = mark.end()
        if mark[0] in ('"""', "'''"):
            quote = mark[0]
        elif mark[0] in "[{":
            depth += 1
        elif mark[0] in "]}":
            depth -= 1


def _escaped(text: str, at: int) -> bool:
    slashes = len(text[:at]) - len(text[:at].rstrip("\\"))
    return slashes % 2 == 1


def _parts(name: str) -> Iterator[str]:
    for part in re.findall(_KEY, name):
        yield part[1:-1] if part[:1] in "\"'" else part
