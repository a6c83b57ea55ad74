"""``report --agreement``: how far a scorer agrees with another one, as VOILA's paper tables it (B.5)."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from itertools import groupby

from core.agreement import Agreement
from core.records import named
from core.tally import ALL
from tui.cli.output import console, markdown_table, put, put_json
from tui.inert import one_line

HEADER = ("run", "what-if", "step", "property", "FP", "FN", "TP + TN", "accuracy", "n")


def print_agreement(found: Sequence[Agreement], format_: str) -> None:
    """On stdout in one of the formats of ``report``."""
    if format_ == "json":
        put_json({"agreement": [row.to_json() for row in found]})
    elif format_ == "csv":
        put(_csv(found))
    elif format_ == "md":
        for title, rows in _tables(found):
            put(f"**{title}**\n\n{markdown_table(HEADER, rows)}")
    else:
        _print(found)


def _print(found: Sequence[Agreement]) -> None:
    from rich.table import Table

    for title, rows in _tables(found):
        table = Table(
            title=title,
            caption="FP: only the scorer holds it right; FN: only the reference; n: answers (describe: pictures)",
            title_justify="left",
            caption_justify="left",
        )
        for name in HEADER:
            words = name in HEADER[:4]
            table.add_column(name, justify="left" if words else "right", overflow="fold", no_wrap=not words)
        before = ""
        for row in rows:
            if row[2] != before and before:
                table.add_section()
            before = row[2]
            table.add_row(*row)
        console().print(table)


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


def _csv(found: Sequence[Agreement]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, [*Agreement.__dataclass_fields__, "agree"], lineterminator="\n")
    writer.writeheader()
    for row in found:
        writer.writerow(row.to_json())
    return text.getvalue()
