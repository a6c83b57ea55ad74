"""A table of thousands of rows is drawn as rich draws it, only sooner."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.tables import Report, Table
from tui.cli.formats import terminal


def a_table(rows: int) -> Table:
    lines = [
        [f"run {n // 5}", ("describe", "应用")[n % 2], f"{n / 7:.2f}", "" if n % 3 else "2 failed"]
        for n in range(rows)
    ]
    words = ("run", "step", "left open")
    return Table(
        "voila: accuracy in %", ["run", "step", "all", "left open"], lines, words, ("a note",), 1, 1, apart=True
    )


def text(table: Table) -> list[str]:
    return terminal.text(Report("", [table], {}, [])).splitlines()


def test_a_long_table_looks_as_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    table = a_table(20)
    by_rich = text(table)
    monkeypatch.setattr(terminal, "MANY", 3)
    plain = text(table)
    assert [line.rstrip() for line in plain if line] == [line.rstrip() for line in by_rich if line]


def test_what_has_no_room_or_a_line_break_is_left_to_rich(monkeypatch: pytest.MonkeyPatch) -> None:
    table = a_table(20)
    by_rich = text(replace(table, rows=[[*table.rows[0][:3], "x" * 300], *table.rows]))
    monkeypatch.setattr(terminal, "MANY", 3)
    assert text(replace(table, rows=[[*table.rows[0][:3], "x" * 300], *table.rows])) == by_rich
    broken = replace(table, rows=[["run", "a\nb", "1.00", ""], *table.rows])
    assert any("│ a " in line for line in text(broken))


def test_controls_of_a_terminal_are_inert_there_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "MANY", 3)
    table = a_table(9)
    hostile = replace(table, rows=[["\x1b[31mred", "describe", "1.00", ""], *table.rows])
    assert not any("\x1b" in line for line in text(hostile))
