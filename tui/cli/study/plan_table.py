"""What ``phoropter study plan`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from core.study.effects import Effects, Expected
from core.tables import Report, Table

HEADER = ("raters", "items", "people", "answers", "per person", "95% width", "holds the truth", "Wilson width",
          "Wilson holds")  # fmt: skip


def expected_report(rows: Sequence[Expected], effects: Effects) -> Report:
    """Widths in points (hundredths), the shares of intervals that hold the truth in percent."""
    assumed = (
        f"accuracy {100 * effects.accuracy:g}%, people differ by {effects.person_sd:g} and items by"
        f" {effects.item_sd:g} logits (standard deviations); {rows[0].studies} made-up studies each"
    )
    lines = [
        [
            str(row.raters), str(row.items), str(row.people), str(row.answers), f"{row.per_person:.1f}",
            f"{100 * row.width:.1f}", f"{100 * row.covered:.0f}%", f"{100 * row.pooled_width:.1f}",
            f"{100 * row.pooled_covered:.0f}%",
        ]
        for row in rows
    ]  # fmt: skip
    note = f"{assumed}. Wilson takes all answers for independent, which they are not."
    title = "Width of the 95% interval of people's accuracy, in points"
    records = [asdict(row) for row in rows]
    document = {"assumed": asdict(effects), "sizes": records}
    return Report("", [Table(title, HEADER, lines, notes=(note,))], document, records)
