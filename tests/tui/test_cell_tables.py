"""Cells as tables: what stands where nothing was scored."""

from __future__ import annotations

from core.cells import Cell
from tui.cli.cell_tables import cell_tables

NOTHING = Cell(
    "apply", "number", 0, 0, None, 0.0, 1.0, "wilson", 0, 0, 0, 0, None, "judge",
    run="mine", benchmark="voila", subset="WD", protocol="l2m", respondent="gpt", judge_errors=4,
)  # fmt: skip
SCORED = Cell(
    "apply", "number", 0, 4, 0.0, 0.0, 0.49, "wilson", 0, 0, 0, 0, 0.0, "rule",
    run="mine", benchmark="voila", subset="WD", protocol="l2m", respondent="gpt",
)  # fmt: skip


def test_a_cell_of_nothing_has_no_interval() -> None:
    (table,) = cell_tables([SCORED, NOTHING])
    rows = [dict(zip(table.header, row, strict=True)) for row in table.rows]
    assert [(row["number"], row["95% of number"], row["n"]) for row in rows] == [
        ("0.00", "0.00-49.00", "4"),
        ("-", "-", "0"),
    ]
    assert rows[1]["no value"] == "4 judge_error"
