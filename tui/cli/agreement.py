"""``report --agreement``: how far a scorer agrees with another one, as VOILA's paper tables it (B.5)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from core.agreement import Agreement
from core.cells import ALL
from core.records import named
from core.tables import Report, Table
from sessions.provenance import Provenance
from tui.cli.provenance_tables import COLUMNS, beside, provenance_table
from tui.inert import one_line

NOTE = "FP: only the scorer holds it right; FN: only the reference; n: answers (describe: pictures)"
HEADER = ("run", "what-if", "step", "property", "FP", "FN", "TP + TN", "accuracy", "n")


def agreement_report(found: Sequence[Agreement], told: Provenance) -> Report:
    """A table for each benchmark, subset and protocol."""
    tables = [Table(title, HEADER, rows, words=HEADER[:4], notes=(NOTE,), parted=3) for title, rows in _tables(found)]
    rows = [row.to_json() for row in found]
    parts = [*tables, provenance_table(told)] if tables else []
    document = {"agreement": rows, "about": told.to_json()}
    fields = [*Agreement.__dataclass_fields__, "agree", *COLUMNS]
    return Report("Agreement of scorers", parts, document, beside(told, rows), fields)


def _tables(found: Sequence[Agreement]) -> list[tuple[str, list[list[str]]]]:
    """One a benchmark, subset and protocol: its title and rows."""
    out = []
    for (benchmark, subset, protocol), rows in groupby(found, lambda row: (row.benchmark, row.subset, row.protocol)):
        of_table = list(rows)
        first, first_of = of_table[0], {row.step: row.property for row in reversed(of_table)}
        title = f"{named(benchmark, subset)}, {protocol}: {first.scorer} against {first.reference}"
        several = {row.step for row in of_table if row.property not in (ALL, first_of[row.step])}
        shown = [row for row in of_table if row.property != ALL or row.step in several]  # all of one is that one
        out.append((one_line(title), [_row(row) for row in shown]))
    return out


def _row(row: Agreement) -> list[str]:
    return [
        one_line(row.run),
        one_line(row.interventions) or "-",
        row.step,
        "all (question)" if row.property == ALL else row.property,
        str(row.fp),
        str(row.fn),
        str(row.tp + row.tn),
        f"{100 * row.accuracy:.1f}%",
        str(row.n),
    ]
