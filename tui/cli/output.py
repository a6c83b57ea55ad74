"""What leaves the program: data to stdout, messages to stderr. What others wrote is inert on both."""

from __future__ import annotations

import errno
import io
import json
import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TextIO

from core.errors import PhoropterError
from tui.inert import inert

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

WIDE = 200
"""Width of tables where stdout is no terminal: nothing is folded that a program may read."""


class OutputError(PhoropterError):
    """stdout takes no more, and not because its reader has gone."""


def ready_streams() -> None:
    """Closed streams lead nowhere; a character that a stream's encoding lacks is escaped, not refused.

    The descriptors are taken too: the next file opened would be stdout, and messages would be written into it.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, closefd=False, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(message: str) -> None:
    """One message for a person, on stderr; where nobody takes it, it is lost and nothing else."""
    try:
        print(inert(message), file=sys.stderr, flush=True)
    except OSError:
        _silence(sys.stderr)


def put(text: str) -> None:
    """Data, on stdout. Where its reader has gone the rest is dropped. Raises OutputError."""
    shown = inert(text)
    try:
        sys.stdout.write(shown if shown.endswith("\n") else shown + "\n")
    except OSError as error:
        _not_written(error)


def put_exactly(text: str) -> None:
    """Data for a program, as it is; on a terminal it is inert like all else. Raises OutputError."""
    try:
        sys.stdout.write(inert(text) if sys.stdout.isatty() else text)
    except OSError as error:
        _not_written(error)


def put_json(document: Any) -> None:
    """One JSON document on stdout, in ASCII: no terminal acts on it and every encoding has it."""
    indent = 2 if sys.stdout.isatty() else None
    put(json.dumps(document, ensure_ascii=True, indent=indent, default=str))


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table as markdown has it."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join([*lines, ""])


def finish_output() -> None:
    """What is still held back goes out. Raises OutputError."""
    try:
        sys.stdout.flush()
    except OSError as error:
        _not_written(error)


def console() -> Console:
    """A rich console on stdout for tables; what they hold is inert, and no markup is ever read from it."""
    from rich.console import Console
    from rich.text import Text

    class Inert(Console):
        def render_str(self, text: str, **how: Any) -> Text:
            return super().render_str(inert(text), **how)

        def on_broken_pipe(self) -> None:
            _silence(sys.stdout)

        def print(self, *objects: Any, **how: Any) -> None:
            try:
                super().print(*objects, **how)
            except OSError as error:
                _not_written(error)

    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDE
    return Inert(file=sys.stdout, width=width, markup=False, highlight=False, emoji=False)


def fits(out: Console, table: Table) -> bool:
    """Whether the table has room there without a fold. (What ``measure`` says by itself never passes the width.)"""
    return out.measure(table, options=out.options.update(width=10_000)).maximum <= out.width


MANY: Final = 500
"""Rows that rich takes longer to lay out than a store to count."""


def print_rows(out: Console, table: Table, rows: Sequence[Sequence[str]]) -> bool:
    """Prints a table of these rows where it has room without a fold, and says whether it had."""
    lines = [[inert(cell) for cell in line] for line in ([str(column.header) for column in table.columns], *rows)]
    widths = [max(map(_width, of_column)) for of_column in zip(*lines, strict=True)]
    if sum(widths) + 3 * len(widths) + 1 > out.width:
        return False
    if len(rows) > MANY and not any("\n" in cell for line in lines for cell in line):
        _print_plainly(table, lines, widths)
    else:
        for column, width in zip(table.columns, widths, strict=True):
            column.width = width
        out.print(table)
    return True


def _width(text: str) -> int:
    from rich.cells import cell_len

    return len(text) if text.isascii() else cell_len(text)


def _print_plainly(table: Table, lines: Sequence[Sequence[str]], widths: Sequence[int]) -> None:
    """As rich draws it, without its styles."""
    box = table.box
    assert box is not None
    outer = [width + 2 for width in widths]
    left = [column.justify == "left" for column in table.columns]

    def line(cells: Sequence[str], edges: str) -> str:
        padded = [
            cell + " " * (width - _width(cell)) if to_left else " " * (width - _width(cell)) + cell
            for cell, width, to_left in zip(cells, widths, left, strict=True)
        ]
        return f"{edges[0]} {f' {edges[1]} '.join(padded)} {edges[2]}"

    drawn = [str(table.title), box.get_top(outer)]
    drawn += [line(lines[0], box.head_left + box.head_vertical + box.head_right), box.get_row(outer, "head")]
    edges = box.mid_left + box.mid_vertical + box.mid_right
    for cells, row in zip(lines[1:], table.rows, strict=True):
        drawn.append(line(cells, edges))
        if row.end_section and row is not table.rows[-1]:
            drawn.append(box.get_row(outer, "row"))
    put("\n".join([*drawn, box.get_bottom(outer), str(table.caption or "")]))


def _not_written(error: OSError) -> None:
    """A reader that goes away has had enough: the work's own status stands. Anything else is told."""
    _silence(sys.stdout)
    if not isinstance(error, BrokenPipeError):
        what = os.strerror(error.errno) if error.errno is not None else str(error)
        remedy = "Make room, or write elsewhere" if error.errno in (errno.ENOSPC, errno.EDQUOT) else ""
        raise OutputError(f"the data could not be written ({what})", where="stdout", remedy=remedy) from None


def _silence(stream: TextIO) -> None:
    """What it holds and is still given goes nowhere: the interpreter flushes it once more when it ends."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
