"""Tables on a terminal."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from core.tables import Report, Table, Words
from tui.cli.output import console, fits, put

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as Drawn


def show(parts: Sequence[Table | Words]) -> None:
    """On stdout, as wide as the terminal is."""
    for part in parts:
        if isinstance(part, Words):
            put(part.text)
        else:
            _draw(console(), part)


def text(report: Report) -> str:
    """The same as text, for a file."""
    made = io.StringIO()
    out = console(made)
    for part in report.parts:
        if isinstance(part, Words):
            out.print(part.text, soft_wrap=True)
        else:
            _draw(out, part)
    return "\n".join(line.rstrip() for line in made.getvalue().split("\n"))


def _draw(out: Console, table: Table) -> None:
    for one in fitting(out, table):
        title = one.title
        if isinstance(title, str) and len(title) > _width(out, one):  # else it would be broken at the table's edge
            one.title = None
            out.print(title, soft_wrap=True)
        out.print(one)


def _width(out: Console, table: Drawn) -> int:
    title, table.title = table.title, None
    width = out.measure(table).maximum
    table.title = title
    return width


def fitting(out: Console, table: Table) -> list[Drawn]:
    """The widest form of the table that has room there; the narrowest where none has."""
    drawn: list[Drawn] = []
    for form in _forms(table):
        drawn = form
        if all(fits(out, one) for one in drawn):
            break
    return drawn


def _forms(table: Table) -> Iterator[list[Drawn]]:
    """From the widest to the narrowest."""
    yield [_drawn(table)]
    lean = table.without_spare() if table.spare else table
    if table.spare:
        yield [_drawn(table, narrow=True)]
        yield [_drawn(lean, narrow=True)]
    if table.apart:
        yield list(chain.from_iterable([_drawn(each)] for each in lean.each_apart()))


def _drawn(table: Table, *, narrow: bool = False) -> Drawn:
    from rich.table import Table as Drawn

    drawn = Drawn(
        title=table.title or None,
        caption="\n".join(filter(None, table.notes)) or None,
        title_justify="left",
        caption_justify="left",
    )
    for index, name in enumerate(table.header):
        words = table.words_at(index)
        shown = name.replace(" ", "\n") if narrow else name
        drawn.add_column(shown, justify="left" if words else "right", overflow="fold", no_wrap=not words)
    for row, parted in table.told():
        if parted:
            drawn.add_section()
        drawn.add_row(*row)
    return drawn
