"""Tables at 80 columns: no word is broken where it can be avoided, no number ever, and nothing is left out."""

from __future__ import annotations

import io

import pytest
from rich.cells import cell_len
from rich.table import Table as Drawn

from core.tables import Report, Table
from tui.cli import output
from tui.cli.formats import terminal
from tui.cli.formats.widths import Fold, folded, widths

HEADER = ("run", "what-if", "step", "number", "subject", "action", "all", "95% of all", "n", "of answered", "strict",
          "no value")  # fmt: skip
WORDS = ("run", "what-if", "step", "no value")
ROWS = [
    ["gpt-4o-of-august (baseline)", lane, step, "100.00", "98.00", "97.00", "88.25", "72.25-100.00", "1440", "91.00",
     "88.00", open_]
    for lane, open_ in (("before describe=gold", "12 unparsed, 3 refused"), ("describe=gold", "144 failed"))
    for step in ("describe", "relate", "apply")
]  # fmt: skip


def drawn(table: Table, monkeypatch: pytest.MonkeyPatch, width: int = 80) -> str:
    monkeypatch.setattr(output, "WIDE", width)
    return terminal.text(Report("", [table], {}, []))


@pytest.mark.parametrize("few", [terminal.FEW, 1], ids=["by rich", "plainly"])
@pytest.mark.parametrize("apart", [True, False])
def test_a_report_is_continued_beneath_with_every_word_whole(
    monkeypatch: pytest.MonkeyPatch, few: int, *, apart: bool
) -> None:
    monkeypatch.setattr(terminal, "FEW", few)
    table = Table("voila:ND, l2m: accuracy in %", HEADER, ROWS, WORDS, ("scored by rule",), 1, 1, apart=apart)
    text = drawn(table, monkeypatch)
    assert max(map(cell_len, text.splitlines())) <= 80
    for cell in {*HEADER[1 if apart else 0 :], *(cell for row in ROWS for cell in row)}:
        for word in cell.split():
            assert word in text.split(), word
    assert text.count("scored by rule") == 1
    pieces = text.split(", continued")
    assert len(pieces) > 1
    assert {piece.count("relate") for piece in pieces} == {2}, "each row is named in each piece"


def test_what_has_room_is_drawn_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table("t", ("run", "all of them"), [["a-b c", "100.00"]], ("run",))
    assert drawn(table, monkeypatch).splitlines()[2] == "┃ run   ┃ all of them ┃"
    assert drawn(table, monkeypatch, 18).splitlines()[2:4] == ["┃       ┃ all of ┃", "┃ run   ┃   them ┃"]


def test_a_name_without_spaces_is_folded_behind_its_hyphens_and_then_anywhere() -> None:
    assert folded("other-run-of-noise", 12) == ["other-run-", "of-noise"]
    assert folded("a=bb cc", 4) == ["a=bb", "cc"]
    assert folded("x" * 9, 4) == ["xxxx", "xxxx", "x"]
    assert folded("应用应用", 4) == ["应用", "应用"]
    lines, words = [["run", "n"], ["voila-ND-direct", "12345"]], [True, False]
    assert widths(lines, words, 20, Fold.NOTHING) == [15, 5]
    assert widths(lines, words, 19, Fold.SPACES) is None
    assert widths(lines, words, 13, Fold.ATOMS) == [8, 5]
    assert widths(lines, words, 9, Fold.ANYWHERE) == [4, 5]
    assert widths(lines, words, 8, Fold.ANYWHERE) is None


def test_a_list_folds_its_words_between_them(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Drawn(box=None, pad_edge=False)
    for name in ("run", "asks", "finished", "made"):
        table.add_column(name, justify="right" if name == "finished" else "left", overflow="fold")
    table.add_row("voila-WD-l2m-noisy-0.6-describe-gold", "voila:WD l2m", "14", "2026-11-30 19:39")
    out = io.StringIO()
    monkeypatch.setattr(output, "WIDE", 50)
    output.put_table(table, output.console(out))
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    assert max(map(len, lines)) <= 50
    assert {"finished", "voila:WD", "l2m", "2026-11-30", "19:39"} <= set(" ".join(lines).split())
    assert "".join(line.split()[0] for line in lines[1:]) == "voila-WD-l2m-noisy-0.6-describe-gold"
