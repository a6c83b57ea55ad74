"""Flat records as csv."""

from __future__ import annotations

import csv
import io

from core.columns import FORMULA
from core.records import Json
from core.tables import Report
from tui.inert import inert


def text(report: Report, *, formula_safe: bool = False) -> str:
    """UTF-8 text with a header. ``formula_safe`` puts an apostrophe before what a spreadsheet would run; such a file
    no longer holds the texts as they were given."""
    columns, out = report.columns, io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for record in report.records:
        writer.writerow([cell(record.get(name), formula_safe=formula_safe) for name in columns])
    return out.getvalue()


def cell(value: Json, *, formula_safe: bool) -> Json:
    """A value as it stands in a cell."""
    if not isinstance(value, str):
        return value
    shown = inert(value)
    return f"'{shown}" if formula_safe and value.startswith(FORMULA) else shown
