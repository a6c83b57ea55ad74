"""Measures of whole trajectories, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.measures import Measure
from core.tally import ALL
from tui.cli.output import console, markdown_table, put
from tui.inert import one_line

if TYPE_CHECKING:
    from rich.table import Table

MEASURE_HEADER = ("measure", "run", "group", "value", "95%", "n", "note")


def _measure_rows(measures: Sequence[Measure]) -> list[list[str]]:
    rows = []
    for measure in measures:
        group = "" if measure.group == ALL else f"{measure.group_by} {measure.group}"
        value = "undefined" if measure.value is None else f"{measure.value:.4f}"
        low, high = measure.low, measure.high
        interval = f"{low:.4f}-{high:.4f}" if low is not None and high is not None else ""
        scorer = "" if measure.scorer == "rule" else f" ({measure.scorer})"
        rows.append(
            [measure.name + scorer, one_line(measure.run), group, value, interval, str(measure.n), measure.note]
        )
    return rows


def print_measures(measures: Sequence[Measure], format_: str) -> None:
    """Measures as a table or markdown; nothing where there are none."""
    if measures and format_ == "md":
        put("")
        put(markdown_table(MEASURE_HEADER, _measure_rows(measures)))
    elif measures:
        console().print(_measure_table(measures))


def _measure_table(measures: Sequence[Measure]) -> Table:
    from rich.table import Table

    table = Table(title="measures of whole trajectories", title_justify="left")
    for name in MEASURE_HEADER:
        table.add_column(name, justify="right" if name in ("value", "95%", "n") else "left", overflow="fold")
    for row in _measure_rows(measures):
        table.add_row(*row)
    return table
