"""``report --published`` and ``report --against published``: the papers' own figures, alone or beside one's own."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from core.cells import Cell
from core.errors import UsageError
from core.published.beside import Block, labelled
from core.published.catalogue import findings, footnotes, known, rows
from core.records import Json, named
from core.tables import Report, Table, Words
from tui.cli.cell_tables import cell_tables
from tui.cli.formats.writing import Wanted, write
from tui.cli.output import say
from tui.cli.published_tables import Grid, finding_grids, grids


def report_published(benchmark: str, how: Wanted, *, alone: bool) -> int:
    """A paper's tables, footnotes and what follows from them; no store is opened."""
    if not alone:
        raise UsageError(
            "the papers' tables stand alone: no RUN, --by, --scorer or --against goes with them",
            where="--published",
            remedy="To set them beside runs: report RUN --against published",
        )
    known(benchmark)
    cells = [row.to_json() for row in rows(benchmark)]
    notes = footnotes(benchmark)
    document = {
        "cells": cells,
        "findings": [finding.to_json() for finding in findings(benchmark)],
        "footnotes": [footnote.to_json() for footnote in notes.values()],
    }
    shown: list[Table | Words] = [_table(grid) for grid in chain(grids(benchmark), finding_grids(benchmark))]
    if notes:
        shown.append(Words("Footnotes", heading=True))
        shown += [Words(f"[{number}] {note.text}") for number, note in enumerate(notes.values(), 1)]
    write(Report(f"{benchmark}: as published", shown, document, cells), how)
    if how.format == "csv":
        say("what follows from the tables, and the footnotes, are in the other formats")
    return 0


def beside_report(blocks: Sequence[Block]) -> Report:
    """Runs' cells with the published ones that compare; what compares not is named on stderr."""
    own: list[dict[str, Json]] = [cell.to_json() for block in blocks for cell in block.own]
    found = [each.row.to_json() for block in blocks for each in block.published]
    notes = {note.key: note.to_json() for block in blocks for note in block.footnotes}
    left_out = list(dict.fromkeys(chain.from_iterable(block.left_out for block in blocks)))
    document: dict[str, Json] = {"cells": [*own, *found], "footnotes": list(notes.values()), "left_out": left_out}
    parts: list[Table | Words] = []
    for block in blocks:
        parts += cell_tables(labelled(block))
        parts += [Words(f"[{number}] {note.text}") for number, note in enumerate(block.footnotes, 1)]
        _say_what_compares(block)
    return Report("", parts, document, [*own, *found], list(Cell.__dataclass_fields__))


def _say_what_compares(block: Block) -> None:
    first = block.own[0]
    where = f"{named(first.benchmark, first.subset)}, {first.protocol}"
    if block.published:
        say(f"{where}: published rows are the paper's, on its own items and scored its own way")
    else:
        say(f"{where}: nothing published compares")
    if block.left_out:
        say(f"{where}: published but asked or grouped otherwise: {'; '.join(block.left_out)}")


def _table(grid: Grid) -> Table:
    words = [*grid.header[: grid.labels], *(grid.header[-1:] if grid.wide else ())]
    return Table(grid.title, grid.header, grid.lines, words=words, merged=1)
