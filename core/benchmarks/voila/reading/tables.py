"""Markdown tables, and JSON lists of one value a picture, put into the order in which prose would say them."""

from __future__ import annotations

from typing import Final

from core.benchmarks.voila.reading import kinds as t
from core.benchmarks.voila.reading import numbers
from core.benchmarks.voila.reading.kinds import Token

_BODY: Final = frozenset((t.SUBJ, t.ACT, t.NUM))
_HEADS: Final = frozenset((t.IMG, t.LABEL, t.SAME, t.CHANGE))


def unrolled(tokens: list[Token], *, by_row: bool) -> list[Token]:
    """Every body cell becomes ``row's head: column's head: cell`` on a line of its own.

    With ``by_row`` the cells of a property's row stay on one line, so that they can be set against each other.
    """
    lines = _lines(tokens)
    out: list[Token] = []
    header: list[list[Token]] | None = None
    held: list[Token] = []
    for line in lines:
        cells = _cells(line)
        if cells is None:
            out += held
            out += line
            header, held = None, []
            continue
        if header is None:
            named = [_head(cell) for cell in cells]
            if not any(token.kind in _BODY for cell in cells for token in cell):
                header, held = named, line
            else:
                out += line
            continue
        if not any(cells):
            continue
        held = []
        out += _row(header, cells, by_row=by_row)
    return out + held


def _lines(tokens: list[Token]) -> list[list[Token]]:
    lines: list[list[Token]] = [[]]
    for token in tokens:
        lines[-1].append(token)
        if token.kind == t.LINE:
            lines.append([])
    return lines


def _cells(line: list[Token]) -> list[list[Token]] | None:
    """The cells of a table's row, None for another line. A rule (``|---|``) is a row of empty cells."""
    bars = [index for index, token in enumerate(line) if token.value == "|"]
    if len(bars) < 2 and not (len(bars) == 1 and len(line) < 12):
        return None
    body = line[:-1] if line and line[-1].kind == t.LINE else line
    cells: list[list[Token]] = [[]]
    for token in body:
        if token.value == "|":
            cells.append([])
        elif token.value != "-":
            cells[-1].append(token)
    if body and body[0].value == "|":
        cells = cells[1:]
    if body and body[-1].value == "|":
        cells = cells[:-1]
    return [cell if any(token.kind != t.COLON for token in cell) else [] for cell in cells]


def _head(cell: list[Token]) -> list[Token]:
    return [token for token in cell if token.kind in _HEADS]


def _row(header: list[list[Token]], cells: list[list[Token]], *, by_row: bool) -> list[Token]:
    out: list[Token] = []
    first = cells[0] if cells else []
    head: list[Token] = []
    start = 0
    if not (header and any(token.kind == t.LABEL for token in header[0])):
        head, start = _row_head(first), 1
    if not head and start:
        head, start = [], 0
    joined = by_row and bool(head) and head[0].kind == t.LABEL
    if joined:
        out += [*head, Token(t.COLON, ":", head[0].end, head[0].end)]
        head = []
    for column in range(start, len(cells)):
        cell = cells[column]
        if not cell:
            continue
        said = header[column] if column < len(header) else []
        at = cell[0].start
        colon = Token(t.COLON, ":", at, at)
        images = [token for token in (*head, *said) if token.kind == t.IMG]
        other = [token for token in (*head, *said) if token.kind != t.IMG]
        out += images
        if other:
            out += [*other, colon]
        out += cell
        out.append(Token(t.COMMA if joined else t.LINE, "|", cell[-1].end, cell[-1].end))
    if joined and out:
        out.append(Token(t.LINE, "\n", out[-1].end, out[-1].end))
    return out


def _row_head(cell: list[Token]) -> list[Token]:
    """A picture or a property; a bare count at the head of a row is a picture's number."""
    named = [token for token in cell if token.kind in (t.IMG, t.LABEL)]
    if named:
        return named[:1]
    if len(cell) == 1 and cell[0].kind == t.NUM and cell[0].value in numbers.CARDINALS:
        token = cell[0]
        return [Token(t.IMG, "", token.start, token.end, (numbers.CARDINALS[token.value],))]
    return []
