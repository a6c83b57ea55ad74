"""What ``phoropter study plan`` prints."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict

from core.study.effects import Effects, Expected
from tui.cli.output import console, markdown_table, put, put_json

HEADER = ("raters", "items", "people", "answers", "per person", "95% width", "holds the truth", "Wilson width",
          "Wilson holds")  # fmt: skip


def print_expected(rows: Sequence[Expected], effects: Effects, format_: str) -> None:
    """Widths in points (hundredths), the shares of intervals that hold the truth in percent."""
    assumed = (
        f"accuracy {100 * effects.accuracy:g}%, people differ by {effects.person_sd:g} and items by"
        f" {effects.item_sd:g} logits (standard deviations); {rows[0].studies} made-up studies each"
    )
    if format_ == "json":
        put_json({"assumed": asdict(effects), "sizes": [asdict(row) for row in rows]})
        return
    if format_ == "csv":
        text = io.StringIO()
        writer = csv.DictWriter(text, list(Expected.__dataclass_fields__), lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(row) for row in rows)
        put(text.getvalue())
        return
    lines = [
        [
            str(row.raters), str(row.items), str(row.people), str(row.answers), f"{row.per_person:.1f}",
            f"{100 * row.width:.1f}", f"{100 * row.covered:.0f}%", f"{100 * row.pooled_width:.1f}",
            f"{100 * row.pooled_covered:.0f}%",
        ]
        for row in rows
    ]  # fmt: skip
    note = f"{assumed}. Wilson takes all answers for independent, which they are not."
    if format_ == "md":
        put(markdown_table(HEADER, lines))
        put(note)
        return
    from rich.table import Table

    table = Table(title="Width of the 95% interval of people's accuracy, in points", caption=note,
                  title_justify="left", caption_justify="left")  # fmt: skip
    for name in HEADER:
        table.add_column(name, justify="right")
    for line in lines:
        table.add_row(*line)
    console().print(table)
