"""Tables on a terminal."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from core.tables import Line, Report, Table, Words
from tui.cli.formats.widths import Fold, cell_len, folded, widths
from tui.cli.output import console, put
from tui.inert import inert

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as Drawn

MANY: Final = 100
"""Rows that rich takes longer to lay out than a store to count ..."""
FEW: Final = 20
"""... and those from which it does where nobody sees its styles."""

CONTINUED: Final = ", continued"


def show(parts: Sequence[Table | Words]) -> None:
    """On stdout, as wide as the terminal is."""
    for part in parts:
        if isinstance(part, Words):
            put(part.text)
            continue
        for laid in laid_out(part, console().width):
            if (plain := _plainly(console(), laid)) is not None:
                put(plain)
            else:
                _draw(console(), laid)


def text(report: Report) -> str:
    """The same as text, for a file."""
    made = io.StringIO()
    out = console(made)
    for part in report.parts:
        if isinstance(part, Words):
            out.print(part.text, soft_wrap=True)
            continue
        for laid in laid_out(part, out.width):
            if (plain := _plainly(out, laid)) is not None:
                made.write(f"{plain}\n")
            else:
                _draw(out, laid)
    return "\n".join(line.rstrip() for line in made.getvalue().split("\n"))


# -- which form has room


class Laid(NamedTuple):
    """A table, and how wide its columns are; None where it has no room."""

    table: Table
    widths: list[int] | None


def laid_out(table: Table, room: int) -> list[Laid]:
    """The table in the widest form that has room: with its headers folded, without what can be spared, in a table for
    each value of its first column, with its words folded, and last column after column beneath each other."""
    lean = table.without_spare() if table.spare else table
    whole = [[table], [lean]] if table.spare else [[table]]
    apart = [list(lean.each_apart())] if table.apart and len(table.rows) <= MANY else []
    for forms, folds in (
        ([[table]], (Fold.NOTHING,)),
        (whole, (Fold.HEADERS,)),
        (apart, (Fold.NOTHING, Fold.HEADERS)),
        ([*whole, *apart], (Fold.SPACES,)),
    ):
        for form in forms:
            for fold in folds:
                laid = [Laid(each, _widths(each, room, fold)) for each in form]
                if all(each.widths is not None for each in laid):
                    return laid
    least = apart[0] if apart else [lean]
    for fold in (Fold.SPACES, Fold.ATOMS, Fold.ANYWHERE):
        for form in ([lean], *apart) if fold is not Fold.SPACES else ():
            laid = [Laid(each, _widths(each, room, fold)) for each in form]
            if all(each.widths is not None for each in laid):
                return laid
        pieces = [piece for each in least for piece in _pieces(each, room, fold)]
        if all(each.widths is not None for each in pieces):
            return pieces
    return [Laid(lean, None)]


def _pieces(table: Table, room: int, fold: Fold) -> list[Laid]:
    """As many columns in each as have room; one that has none alone is a piece with widths None."""
    count = len(table.header)
    keys = 0
    if count > 1 and table.words_at(0):
        keys = 1
    while keys < count - 1 and table.words_at(keys) and _widths(table.columns(range(keys + 1)), 2 * room // 3, fold):
        keys += 1
    pieces: list[list[int]] = []
    for index in range(keys, count):
        more = [*pieces[-1], index] if pieces else [*range(keys), index]
        if not pieces or _widths(table.columns(more), room, fold) is None:
            if pieces:
                more = [*range(keys), index]
            pieces.append(more)
        else:
            pieces[-1] = more
    tables = [table.columns(piece) for piece in pieces]
    last = len(tables) - 1
    named = [
        replace(
            each,
            title=each.title if not number else f"{each.title}{CONTINUED}" if each.title else "",
            notes=each.notes if number == last else (),
        )
        for number, each in enumerate(tables)
    ]
    return [Laid(each, _widths(each, room, fold)) for each in named]


def _lines(table: Table) -> tuple[list[list[str]], list[bool]]:
    lines = [[inert(cell) for cell in line] for line in (table.header, *(row for row, _ in table.told()))]
    return lines, [table.words_at(index) for index in range(len(table.header))]


def _widths(table: Table, room: int, fold: Fold) -> list[int] | None:
    return widths(*_lines(table), room - 3 * len(table.header) - 1, fold)


# -- and how it is drawn


def _plainly(onto: Console, laid: Laid) -> str | None:
    """A long table as rich draws it, without its styles; None for one that is not, or that has no room."""
    table, found = laid
    if len(table.rows) <= (MANY if onto.is_terminal else FEW) or found is None:
        return None
    from rich.box import HEAVY_HEAD as BOX

    parted = [False, *(parted for _, parted in table.told())]
    lines, words = _lines(table)
    outer = [width + 2 for width in found]

    def drawn(cells: Line, left: str, between: str, right: str, *, low: bool = False) -> Iterator[str]:
        in_lines = [folded(cell, width) for cell, width in zip(cells, found, strict=True)]
        high = max(map(len, in_lines))
        for at in range(high):
            padded = [
                _padded(_at(cell, at - high + len(cell) if low else at), width, is_words=is_words)
                for cell, width, is_words in zip(in_lines, found, words, strict=True)
            ]
            yield f"{left} {f' {between} '.join(padded)} {right}"

    out = [inert(table.title)] if table.title else []
    out += [BOX.get_top(outer), *drawn(lines[0], BOX.head_left, BOX.head_vertical, BOX.head_right, low=True)]
    out.append(BOX.get_row(outer, "head"))
    for cells, apart in zip(lines[1:], parted[1:], strict=True):
        out += [BOX.get_row(outer, "row")] if apart else []
        out += drawn(cells, BOX.mid_left, BOX.mid_vertical, BOX.mid_right)
    return "\n".join([*out, BOX.get_bottom(outer), *map(inert, filter(None, table.notes))])


def _at(lines: Sequence[str], index: int) -> str:
    return lines[index] if 0 <= index < len(lines) else ""


def _padded(cell: str, width: int, *, is_words: bool) -> str:
    if cell.isascii():
        return cell.ljust(width) if is_words else cell.rjust(width)
    room = " " * (width - cell_len(cell))
    return cell + room if is_words else room + cell


def _draw(out: Console, laid: Laid) -> None:
    one = _drawn(*laid)
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


def _drawn(table: Table, found: list[int] | None) -> Drawn:
    from rich.table import Table as Drawn

    drawn = Drawn(
        title=table.title or None,
        caption="\n".join(filter(None, table.notes)) or None,
        title_justify="left",
        caption_justify="left",
    )

    def fitted(cells: Line) -> list[str]:
        if found is None:
            return list(cells)
        return ["\n".join(folded(inert(cell), width)) for cell, width in zip(cells, found, strict=True)]

    for index, name in enumerate(fitted(table.header)):
        words = table.words_at(index)
        drawn.add_column(
            name,
            justify="left" if words else "right",
            overflow="fold",
            no_wrap=not words,
            width=found[index] if found is not None else None,
        )
    for row, parted in table.told():
        if parted:
            drawn.add_section()
        drawn.add_row(*fitted(row))
    return drawn
