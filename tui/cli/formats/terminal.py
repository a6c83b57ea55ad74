"""Tables on a terminal."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import chain
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from core.tables import Line, Report, Table, Words
from tui.cli.output import console, fits, put
from tui.inert import inert

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as Drawn

MANY: Final = 100
"""Rows that rich takes longer to lay out than a store to count ..."""
FEW: Final = 20
"""... and those from which it does where nobody sees its styles."""
NARROWEST: Final = 12
"""Characters that a column of words is folded to at most."""


def show(parts: Sequence[Table | Words]) -> None:
    """On stdout, as wide as the terminal is."""
    for part in parts:
        if isinstance(part, Words):
            put(part.text)
        elif (plain := _plainly(console(), part)) is not None:
            put(plain)
        else:
            _draw(console(), part)


def text(report: Report) -> str:
    """The same as text, for a file."""
    made = io.StringIO()
    out = console(made)
    for part in report.parts:
        if isinstance(part, Words):
            out.print(part.text, soft_wrap=True)
        elif (plain := _plainly(out, part)) is not None:
            made.write(f"{plain}\n")
        else:
            _draw(out, part)
    return "\n".join(line.rstrip() for line in made.getvalue().split("\n"))


def _plainly(onto: Console, table: Table) -> str | None:
    """A long table as rich draws it, without its styles; None for one that is not, or that has no room even with
    its words folded."""
    if len(table.rows) <= (MANY if onto.is_terminal else FEW):
        return None
    from rich.box import HEAVY_HEAD as BOX

    told = list(table.told())
    lines = [[inert(cell) for cell in line] for line in (table.header, *(row for row, _ in told))]
    words = [table.words_at(index) for index in range(len(table.header))]
    widths = _narrowed([max(map(_cells, of_column)) for of_column in zip(*lines, strict=True)], words, onto.width)
    if widths is None or any("\n" in cell for line in lines for cell in line):
        return None
    outer = [width + 2 for width in widths]

    def drawn(cells: Line, left: str, between: str, right: str) -> Iterator[str]:
        folded = [_folded(cell, width) for cell, width in zip(cells, widths, strict=True)]
        for at in range(max(map(len, folded))):
            padded = [
                _padded(cell[at] if at < len(cell) else "", width, is_words=is_words)
                for cell, width, is_words in zip(folded, widths, words, strict=True)
            ]
            yield f"{left} {f' {between} '.join(padded)} {right}"

    out = [inert(table.title)] if table.title else []
    out += [BOX.get_top(outer), *drawn(lines[0], BOX.head_left, BOX.head_vertical, BOX.head_right)]
    out.append(BOX.get_row(outer, "head"))
    for cells, (_, parted) in zip(lines[1:], told, strict=True):
        out += [BOX.get_row(outer, "row")] if parted else []
        out += drawn(cells, BOX.mid_left, BOX.mid_vertical, BOX.mid_right)
    return "\n".join([*out, BOX.get_bottom(outer), *map(inert, filter(None, table.notes))])


def _narrowed(widths: Sequence[int], words: Sequence[bool], room: int) -> list[int] | None:
    """The columns' widths, those of words narrowed until all have room; None where they cannot."""
    found = list(widths)
    spare = room - 3 * len(found) - 1
    while sum(found) > spare:
        widest = max((width, index) for index, width in enumerate(found) if words[index]) if any(words) else (0, 0)
        if widest[0] <= NARROWEST:
            return None
        found[widest[1]] = max(NARROWEST, widest[0] - max(1, min(sum(found) - spare, widest[0] // 4)))
    return found


def _folded(cell: str, width: int) -> list[str]:
    if len(cell) <= width and cell.isascii():
        return [cell]
    if _cells(cell) <= width:
        return [cell]
    from rich.cells import chop_cells

    return [part for line in wrap(cell, width) or [""] for part in (chop_cells(line, width) or [""])]


def _padded(cell: str, width: int, *, is_words: bool) -> str:
    if cell.isascii():
        return cell.ljust(width) if is_words else cell.rjust(width)
    room = " " * (width - _cells(cell))
    return cell + room if is_words else room + cell


def _cells(text: str) -> int:
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


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
