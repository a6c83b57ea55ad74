"""A page of accuracies: figures in rows and columns as numbers, and the chart that shows the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from rich.cells import cell_len, set_cell_size

LEAST_NAME: Final = 12
"""Cells that the name of a row keeps, however narrow it is."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A share with its 95% interval (none for a published one) and the answers it stands on."""

    share: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0

    def told(self, *, between: bool) -> str:
        """``78`` or ``78 64-88``, in percent."""
        if self.share is None:
            return "-"
        shown = _percent(self.share)
        if not between or self.low is None or self.high is None:
            return shown
        return f"{shown} {_percent(self.low)}-{_percent(self.high)}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f}"


Value = str | Figure


@dataclass(frozen=True, slots=True)
class Bar:
    """One line of a chart: a share with its interval, and others' shares to be marked beside it, each by a sign."""

    label: str
    figure: Figure
    marks: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Curve:
    """Shares after each step, under a sign that tells it from the others without colour."""

    sign: str
    name: str
    shares: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Either bars, or curves over ``along``; ``legend`` says what the signs mean."""

    bars: tuple[Bar, ...] = ()
    curves: tuple[Curve, ...] = ()
    along: tuple[str, ...] = ()
    legend: str = ""

    @property
    def empty(self) -> bool:
        return not any(bar.figure.share is not None for bar in self.bars) and not self.curves


@dataclass(frozen=True, slots=True)
class Sheet:
    """``header`` and ``rows``; the last figure of a row keeps its interval longest. ``notes`` stand below."""

    title: str
    header: tuple[str, ...] = ()
    rows: tuple[tuple[Value, ...], ...] = ()
    notes: tuple[str, ...] = ()
    chart: Chart = field(default_factory=Chart)


def table_lines(sheet: Sheet, width: int) -> list[str]:
    """Header and rows in columns: with all intervals where there is room, else with one a row, else with none, and
    what stands first cut in the middle where that is too wide still."""
    if not sheet.rows:
        return []
    lines: list[str] = []
    for how in (_all, _last, _none):
        lines = _aligned([sheet.header, *(how(row) for row in sheet.rows)], _numbers(sheet.rows))
        if max(map(cell_len, lines)) <= width:
            return lines
    first = max(cell_len(texts[0]) for texts in (sheet.header, *map(_none, sheet.rows)))
    room = max(first - (max(map(cell_len, lines)) - width), LEAST_NAME)
    shorter = [[cut(texts[0], room), *texts[1:]] for texts in (sheet.header, *map(_none, sheet.rows))]
    return _aligned(shorter, _numbers(sheet.rows))


def cut(text: str, width: int) -> str:
    """In at most so many cells; where it is longer its middle is left out: names often differ at their ends alone."""
    if cell_len(text) <= width:
        return text
    tail = ""
    while cell_len(text[-len(tail) - 1 :]) <= width // 2:
        tail = text[-len(tail) - 1 :]
    return f"{set_cell_size(text, width - 1 - cell_len(tail)).rstrip()}…{tail}"


def _all(row: Sequence[Value]) -> list[str]:
    return [value if isinstance(value, str) else value.told(between=True) for value in row]


def _last(row: Sequence[Value]) -> list[str]:
    last = max((i for i, value in enumerate(row) if isinstance(value, Figure) and value.low is not None), default=-1)
    return [value if isinstance(value, str) else value.told(between=i == last) for i, value in enumerate(row)]


def _none(row: Sequence[Value]) -> list[str]:
    return [value if isinstance(value, str) else value.told(between=False) for value in row]


def _numbers(rows: Sequence[Sequence[Value]]) -> list[bool]:
    """Which columns are aligned to the right."""
    return [
        all(isinstance(v, Figure) or v in ("", "-") or v.isdecimal() for v in column)
        for column in zip(*rows, strict=True)
    ]


def _aligned(texts: Sequence[Sequence[str]], right: Sequence[bool]) -> list[str]:
    widths = [max(map(cell_len, column)) for column in zip(*texts, strict=True)]
    out = []
    for row in texts:
        cells = []
        for text, width, to_right in zip(row, widths, right, strict=True):
            padding = " " * (width - cell_len(text))
            cells.append(padding + text if to_right else set_cell_size(text, width))
        out.append("  ".join(cells).rstrip())
    return out
