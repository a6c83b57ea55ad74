"""A report as one HTML page that needs nothing else: no script, no file, no address of another place.

Everything that others wrote is escaped and inert. A policy in the page forbids scripts and anything from outside.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from typing import Final

from core.tables import Line, Report, Table
from tui.inert import inert, one_line

_STYLE: Final = "page.css"


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure for the page: its ``svg`` element, and its numbers as a table."""

    title: str
    svg: str
    numbers: Table


def said(words: str) -> str:
    """Somebody's words on one line, with a direction of their own."""
    return f"<bdi>{escape(one_line(words))}</bdi>"


def block(words: str) -> str:
    """Somebody's words as they stand, line by line."""
    return f'<pre dir="auto">{escape(inert(words))}</pre>'


def text(
    report: Report, drawings: Sequence[Drawing] = (), paths: Sequence[str] = (), notes: Sequence[str] = ()
) -> str:
    """The page. ``paths`` are sections of trajectories, ready as HTML; ``notes`` say what the page lacks."""
    style = (resources.files(__package__) / _STYLE).read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    title = escape(one_line(report.title))
    sections = [("tables", "Tables", "".join(_parts(report)))]
    if drawings or notes:
        told = "".join(f"<p>{escape(one_line(note))}</p>" for note in notes)
        sections.append(("figures", "Figures", told + "".join(map(_drawing, drawings))))
    if paths:
        sections.append(("failing", "Trajectories that went wrong", "".join(paths)))
    links = "".join(f'<li><a href="#{place}">{name}</a></li>' for place, name, _ in sections)
    body = "".join(f'<section id="{place}"><h2>{name}</h2>{inner}</section>' for place, name, inner in sections)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#tables">To the tables</a>\n<header><h1>{title}</h1>'
        f'<nav aria-label="Parts of this page"><ul>{links}</ul></nav></header>\n'
        f"<main>{body}</main>\n</body>\n</html>\n"
    )


def _parts(report: Report) -> Iterator[str]:
    for part in report.parts:
        if isinstance(part, Table):
            yield table(part)
        elif part.heading:
            yield f"<h3>{said(part.text)}</h3>"
        else:
            yield f'<p class="lines" dir="auto">{escape(inert(part.text))}</p>'


def table(shown: Table) -> str:
    """A table with its caption and notes; a wide one scrolls, also by the keyboard."""
    head = "".join(
        f'<th scope="col"{_kind(shown, index)}>{said(name)}</th>' for index, name in enumerate(shown.header)
    )
    notes = "".join(f'<p dir="auto">{escape(one_line(note))}</p>' for note in shown.notes if note)
    caption = f"<caption>{said(shown.title)}</caption>" if shown.title else ""
    label = escape(one_line(shown.title)) or "table"
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{label}"><table>{caption}'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(_rows(shown))}</tbody></table></div>"
        + (f'<div class="notes">{notes}</div>' if notes else "")
    )


def _rows(shown: Table) -> Iterator[str]:
    rows = list(shown.rows)
    parted = [apart for _, apart in shown.told()]
    for at, row in enumerate(rows):
        cells = []
        for index, value in enumerate(row):
            span = 1
            if index < shown.merged:
                if at and _same(rows[at - 1], row, index):
                    continue
                while at + span < len(rows) and _same(row, rows[at + span], index):
                    span += 1
            across = f' rowspan="{span}"' if span > 1 else ""
            head = index < max(1, shown.merged) and shown.words_at(index)
            tag, scope = ("th", ' scope="rowgroup"' if span > 1 else ' scope="row"') if head else ("td", "")
            cells.append(f"<{tag}{scope}{across}{_kind(shown, index)}>{said(value)}</{tag}>")
        kind = ' class="parted"' if parted[at] else ""
        yield f"<tr{kind}>{''.join(cells)}</tr>"


def _same(one: Line, other: Line, index: int) -> bool:
    return list(one[: index + 1]) == list(other[: index + 1])


def _kind(shown: Table, index: int) -> str:
    return "" if shown.words_at(index) else ' class="number"'


def _drawing(drawing: Drawing) -> str:
    return (
        f"<figure><figcaption>{said(drawing.title)}</figcaption>{drawing.svg}"
        f"<details><summary>The numbers of this figure</summary>{table(drawing.numbers)}</details></figure>"
    )
