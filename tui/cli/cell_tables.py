"""Accuracy cells as tables: a row for each run, lane, group and step, a column for each property."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from core.cells import ALL, NO_VALUE, STEPS, Cell, without_value
from core.records import named
from core.repeats import GROUP
from core.study.figures import PEOPLE
from core.tables import Table
from tui.inert import one_line

ANSWERED: Final = "of answered"
STRICT: Final = "strict"
MEANING: Final = {
    ANSWERED: "of answered: what was unparsed or refused left out",
    STRICT: "strict: failed calls counted as wrong",
}


def cell_tables(cells: Sequence[Cell], notes: Sequence[str] = ()) -> list[Table]:
    """One table a benchmark, subset, protocol and group, in the order they first come; people's answers taken as one
    stand with their own. ``notes`` stand below the last."""
    found: dict[tuple[str, str, str, str], list[Cell]] = {}
    for cell in cells:
        group_by = ALL if cell.group_by == PEOPLE else cell.group_by
        found.setdefault((cell.benchmark, cell.subset, cell.protocol, group_by), []).append(cell)
    tables = [_table(of_protocol) for of_protocol in found.values()]
    return [*tables[:-1], *(replace(last, notes=[*last.notes, *notes]) for last in tables[-1:])]


def _table(cells: Sequence[Cell]) -> Table:
    header, rows = _rows(cells)
    first = cells[0]
    intervals = sorted({cell.interval for cell in cells})
    gold = "" if first.gold == "published" else f"; gold: {first.gold}"
    scorers = ", ".join(dict.fromkeys(cell.scorer for cell in cells))
    meaning = "".join(f"; {words}" for name, words in MEANING.items() if name in header)
    return Table(
        f"{_heading(first)}: accuracy in %",
        header,
        rows,
        words=("run", "scorer", "what-if", "step", NO_VALUE, *([first.group_by] if first.group_by != ALL else [])),
        notes=(f"scored by {scorers}; intervals: {', '.join(intervals)}{gold}{meaning}",),
        merged=1,
        parted=1,
        apart=True,
    )


def _heading(cell: Cell) -> str:
    where = f"{named(cell.benchmark, cell.subset)}, {cell.protocol}"
    if cell.group_by == PEOPLE:
        return f"{where}, several people's answers to an item as one"
    return f"{where}, an item's repeats as one answer" if cell.group_by == GROUP else where


def _rows(cells: Sequence[Cell]) -> tuple[list[str], list[list[str]]]:
    """Header and rows: a row for each run, lane, group and step, a column for each property."""
    properties = [*dict.fromkeys(cell.property for cell in cells if cell.property != ALL), ALL]
    single = len(set(properties) - {STEPS, ALL}) == 1
    if single:  # all of one property is that property
        properties.remove(ALL)
    grouped = any(cell.group_by != ALL for cell in cells)
    what_if = any(cell.interventions for cell in cells)
    scorers = len({cell.scorer for cell in cells}) > 1
    header = ["run", *(["scorer"] if scorers else []), *(["what-if"] if what_if else [])]
    header += [*([cells[0].group_by] if grouped else []), "step", *properties]
    whole = properties[0] if single else ALL
    of_answers = any(cell.unparsed or cell.refused for cell in cells if cell.property == whole)
    strictly = any(cell.failed for cell in cells if cell.property == whole)
    header += [f"95% of {whole}", "n", *([ANSWERED] if of_answers else []), *([STRICT] if strictly else [])]
    header.append(NO_VALUE)
    rows = []
    for (run, scorer, lane, group, step), of_step in groupby(
        cells, key=lambda cell: (cell.run, cell.scorer, cell.interventions, cell.group, cell.step)
    ):
        by_property = {cell.property: cell for cell in of_step}
        last = by_property.get(ALL) or next(iter(by_property.values()))
        row = [one_line(run) + (" (baseline)" if last.kind == "baseline" else "")]
        row += [*([scorer] if scorers else []), *([lane or "-"] if what_if else []), *([group] if grouped else [])]
        row.append(step)
        row += [percent(by_property[name].accuracy) if name in by_property else "" for name in properties]
        told = bool(last.n) or not last.source
        row += [_between(last), str(last.n) if told else "-"]
        row += [percent(last.accuracy_answered)] if of_answers else []
        row += [*([percent(last.accuracy_strict)] if strictly else []), without_value(last)]
        rows.append(row)
    if not any(row[-1] for row in rows):
        return header[:-1], [row[:-1] for row in rows]
    return header, rows


def percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.2f}"


def _between(cell: Cell) -> str:
    """The interval; a published figure has none, and where nothing was scored it would say nothing."""
    return "-" if cell.low is None or not cell.n else f"{percent(cell.low)}-{percent(cell.high)}"
