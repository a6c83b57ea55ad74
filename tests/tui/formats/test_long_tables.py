"""A table of thousands of rows is drawn as rich draws it, only sooner."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from core.tables import Report, Table
from tui.cli.formats import terminal
from tui.cli.output import WIDE
from tui.cli.report import FAILING, ON_A_PAGE, failing_of_each


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
    monkeypatch.setattr(terminal, "FEW", 3)
    plain = text(table)
    assert [line.rstrip() for line in plain if line] == [line.rstrip() for line in by_rich if line]


def test_words_without_room_are_folded_and_numbers_never(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "FEW", 3)
    table = a_table(20)
    said = " ".join(f"word{n}" for n in range(60)) + " 应用" * 40 + "y" * 300
    lines = text(replace(table, rows=[[*table.rows[0][:3], said], *table.rows]))
    rows = [line for line in lines if line.startswith(("┃", "│"))]
    assert len({cell_len(line) for line in rows}) == 1
    assert cell_len(rows[0]) <= WIDE
    folded = "".join(line.split("│")[4].strip() for line in rows[1:] if line.count("│") == 5)
    assert folded.replace(" ", "").startswith(said.replace(" ", ""))


def test_what_has_a_line_break_or_only_numbers_is_left_to_rich(monkeypatch: pytest.MonkeyPatch) -> None:
    table = a_table(20)
    wide = replace(table, rows=[[*table.rows[0][:2], "9" * 300, ""], *table.rows])
    by_rich = text(wide)
    monkeypatch.setattr(terminal, "FEW", 3)
    assert text(wide) == by_rich
    broken = replace(table, rows=[["run", "a\nb", "1.00", ""], *table.rows])
    assert any("│ a " in line for line in text(broken))


def test_controls_of_a_terminal_are_inert_there_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "FEW", 3)
    table = a_table(9)
    hostile = replace(table, rows=[["\x1b[31mred", "describe", "1.00", ""], *table.rows])
    assert not any("\x1b" in line for line in text(hostile))


def test_a_page_has_room_for_so_many_trajectories_of_all_runs() -> None:
    assert [failing_of_each(None, runs) for runs in (1, 50, 100, 1000)] == [FAILING, 12, ON_A_PAGE // 100, 0]
    assert failing_of_each(40, 1000) == 40
