"""What leaves the program: data to stdout, messages to stderr. What others wrote is inert on both."""

from __future__ import annotations

import errno
import io
import json
import os
import shutil
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO

from core.errors import PhoropterError
from tui.inert import inert

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

WIDE = 200
"""Width of tables where stdout is no terminal: nothing is folded that a program may read."""
WIDEST = 100_000
"""Room for any table, to measure one."""


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


def finish_output() -> None:
    """What is still held back goes out. Raises OutputError."""
    try:
        sys.stdout.flush()
    except OSError as error:
        _not_written(error)


def console(file: TextIO | None = None) -> Console:
    """A rich console on stdout, or into a file, for tables; what they hold is inert, and no markup is ever read from
    it."""
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

    width = shutil.get_terminal_size().columns if file is None and sys.stdout.isatty() else WIDE
    return Inert(file=file or sys.stdout, width=width, markup=False, highlight=False, emoji=False)


def put_table(table: Table, onto: Console | None = None) -> None:
    """A table of rich's own on stdout; where it is too wide, its words are folded between them as far as they can be,
    and its numbers (what stands on the right) are not."""
    from tui.cli.formats.widths import Fold, folded, widths

    out = onto or console()
    cells = [[inert(str(cell)) for cell in column.cells] for column in table.columns]
    heads = [inert(str(column.header)) for column in table.columns]
    lines = [heads, *map(list, zip(*cells, strict=True))]
    words = [column.justify != "right" for column in table.columns]
    natural = widths(lines, words, WIDEST, Fold.NOTHING) or []
    room = out.width - (out.measure(table, options=out.options.update(width=WIDEST)).maximum - sum(natural))
    for fold in Fold:
        found = widths(lines, words, room, fold)
        if found is None:
            continue
        for column, head, of_column, width in zip(table.columns, heads, cells, found, strict=True):
            column.width, column.header = width, "\n".join(folded(head, width))
            column._cells[:] = ["\n".join(folded(cell, width)) for cell in of_column]
        break
    out.print(table)


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
