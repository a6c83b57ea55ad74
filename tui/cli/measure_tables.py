"""Measures of whole trajectories, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from core.cells import ALL
from core.measures import Measure
from core.tables import Table
from tui.inert import one_line

HEADER = ("measure", "run", "group", "value", "95%", "n", "note")


def measure_table(measures: Sequence[Measure]) -> list[Table]:
    """One table; none where there are no measures."""
    if not measures:
        return []
    words = ("measure", "run", "group", "note")
    return [Table("measures of whole trajectories", HEADER, _rows(measures), words=words)]


def _rows(measures: Sequence[Measure]) -> list[list[str]]:
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
