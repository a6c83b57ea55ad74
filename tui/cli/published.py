"""``report --published`` and ``report --against published``: the papers' own figures, alone or beside one's own."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from itertools import chain

from core.errors import UsageError
from core.measures import Measure
from core.published.beside import Block, beside, labelled
from core.published.catalogue import findings, footnotes, known, rows
from core.records import Json, named
from core.tally import Cell
from tui.cli.measure_tables import print_measures
from tui.cli.output import console, put, put_json, say
from tui.cli.published_tables import Grid, finding_grids, grids
from tui.cli.report import FORMATS, print_cells


def report_published(benchmark: str, format_: str, *, alone: bool) -> int:
    """A paper's tables, footnotes and what follows from them; no store is opened."""
    if not alone:
        raise UsageError(
            "the papers' tables stand alone: no RUN, --by, --scorer or --against goes with them",
            where="--published",
            remedy="To set them beside runs: report RUN --against published",
        )
    if format_ not in FORMATS:
        raise UsageError(f"there is no format {format_!r}", where="--format", remedy=f"Known: {', '.join(FORMATS)}")
    known(benchmark)
    if format_ == "json":
        put_json(
            {
                "cells": [row.to_json() for row in rows(benchmark)],
                "findings": [finding.to_json() for finding in findings(benchmark)],
                "footnotes": [footnote.to_json() for footnote in footnotes(benchmark).values()],
            }
        )
    elif format_ == "csv":
        put(_csv([row.to_json() for row in rows(benchmark)]))
        say("what follows from the tables, and the footnotes, are in the other formats")
    else:
        for grid in chain(grids(benchmark), finding_grids(benchmark)):
            _print(grid, format_)
        _print_footnotes(benchmark, format_)
    return 0


def print_beside(cells: Sequence[Cell], format_: str, measures: Sequence[Measure] = ()) -> None:
    """A run's cells with the published ones that compare, its measures last; what compares not is named on stderr."""
    blocks = beside(cells)
    if format_ in ("json", "csv"):
        own: list[dict[str, Json]] = [cell.to_json() for cell in cells]
        found = [each.row.to_json() for block in blocks for each in block.published]
        if format_ == "csv":
            put(_csv([*own, *found]))
        else:
            notes = {note.key: note.to_json() for block in blocks for note in block.footnotes}
            left_out = list(dict.fromkeys(chain.from_iterable(block.left_out for block in blocks)))
            document: dict[str, Json] = {"cells": [*own, *found], "footnotes": list(notes.values())}
            put_json(document | {"left_out": left_out, "measures": [measure.to_json() for measure in measures]})
    else:
        for block in blocks:
            print_cells(labelled(block), format_)
            for number, note in enumerate(block.footnotes, 1):
                put(f"[{number}] {note.text}")
        print_measures(measures, format_)
    for block in blocks:
        _say_what_compares(block)


def _say_what_compares(block: Block) -> None:
    first = block.own[0]
    where = f"{named(first.benchmark, first.subset)}, {first.protocol}"
    if block.published:
        say(f"{where}: published rows are the paper's, on its own items and scored its own way")
    else:
        say(f"{where}: nothing published compares")
    if block.left_out:
        say(f"{where}: published but asked or grouped otherwise: {'; '.join(block.left_out)}")


def _print(grid: Grid, format_: str) -> None:
    if format_ == "md":
        put(f"**{grid.title}**\n\n")
        put("| " + " | ".join(grid.header) + " |")
        put("|" + "---|" * len(grid.header))
        for line in grid.lines:
            put("| " + " | ".join(value.replace("|", "\\|") for value in line) + " |")
        put("")
        return
    from rich.table import Table

    put(grid.title)
    table = Table()
    for index, name in enumerate(grid.header):
        text = index < grid.labels
        table.add_column(name, justify="left" if text else "right", overflow="fold")
    if grid.wide:
        table.columns[-1].justify = "left"
    last = ""
    for line in grid.lines:
        head, rest = line[0], line[1:]
        table.add_row(head if head != last else "", *rest)
        last = head
    console().print(table)


def _print_footnotes(benchmark: str, format_: str) -> None:
    if format_ == "md":
        put("**Footnotes**\n\n")
    for number, note in enumerate(footnotes(benchmark).values(), 1):
        put(f"[{number}] {note.text}" + ("\n" if format_ == "md" else ""))


def _csv(documents: Sequence[dict[str, Json]]) -> str:
    text = io.StringIO()
    names = list(dict.fromkeys(chain.from_iterable(documents)))
    writer = csv.DictWriter(text, names, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(documents)
    return text.getvalue()
