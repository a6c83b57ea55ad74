"""Reports as markdown."""

from __future__ import annotations

import re
from typing import Final

from core.tables import Line, Report, Table, Words
from tui.inert import inert, one_line

_MEANT: Final = re.compile(r"[\\`*|~]|(?<!\w)_|_(?!\w)|\](?=[(\[:])")
"""What markdown would read as markup; a bracket alone is none."""


def text(report: Report) -> str:
    """All parts, one below the other."""
    parts = [f"# {escaped(one_line(report.title))}\n"] if report.title else []
    return "\n".join([*parts, *(_words(part) if isinstance(part, Words) else table(part) for part in report.parts)])


def _words(part: Words) -> str:
    if part.heading:
        return f"## {escaped(one_line(part.text))}\n"
    return "\n".join(escaped(line) for line in inert(part.text).split("\n")) + "\n"


def table(shown: Table) -> str:
    """Its title in bold, the rows, and its notes."""
    title = [f"**{escaped(one_line(shown.title))}**", ""] if shown.title else []
    notes = [line for note in shown.notes if note for line in (escaped(one_line(note)) + "  ",)]
    marks = ["---" if shown.words_at(index) else "---:" for index in range(len(shown.header))]
    lines = [_row(shown.header), "|" + "|".join(marks) + "|", *(_row(row) for row in shown.rows)]
    return "\n".join([*title, *lines, *(["", *notes] if notes else []), ""])


def escaped(words: str) -> str:
    """Words that markdown shows as they are: no markup of theirs is read, and no HTML."""
    plain = words.replace("&", "&amp;").replace("<", "&lt;")
    return _MEANT.sub(r"\\\g<0>", plain)


def _row(values: Line) -> str:
    return "| " + " | ".join(escaped(one_line(value)) for value in values) + " |"
