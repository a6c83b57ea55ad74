"""The monitor's words and columns, without a terminal."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from sessions.studies.coverage import Coverage, ItemCoverage
from sessions.studies.watched import QUIET_MS, Seen, Watched
from tui.monitor.state import Board, ago, where

NOW = 1_790_000_000_000
ONE = Watched(
    1, "u1", "P01", "main", "open", "station1", "AB", 1, "main", "started", 7, 20, NOW - 42_000, NOW - 3000,
    NOW - 600_000, 12.34, 3, 4,
)  # fmt: skip
ITEMS = tuple(ItemCoverage(f"i{number}", "", 3, done, 1, 0) for number, done in enumerate((0, 0, 1, 2)))
SEEN = Seen(
    "test", "lab.db", NOW, NOW, 1, "live", 3, (ONE,), {"ended": 4}, Coverage("main", ITEMS, {}), 12_300_000_000
)


def text(board: Board, width: int, index: int = 0) -> str:
    return "".join(words for words, _ in board.line(index, width))


def test_a_line_says_where_somebody_is() -> None:
    line = text(Board(SEEN), 120).split()
    assert " ".join(line) == "P01 open station1 AB main item 7 of 20 0:42 3 s 12.3 s 3/4"


@pytest.mark.parametrize("width", range(20, 200, 7))
def test_no_line_is_wider_than_the_screen(width: int) -> None:
    named = replace(ONE, person="simulated:P01", station="the one at the window", kind="simulated")
    board = Board(replace(SEEN, sessions=(named, replace(named, station="窓の所のやつです"))))
    wide = max(cell_len(text(board, width, index)) for index in range(2))
    assert wide <= width
    assert cell_len(board.titles(width)) == wide


def test_what_is_wrong_is_said_in_words() -> None:
    silent = replace(ONE, seen=NOW - QUIET_MS - 1)
    board = Board(replace(SEEN, sessions=(silent,), free_bytes=200_000_000, trouble="it\nis gone", read=NOW - 5000))
    assert ("silent  ", "warning") in board.line(0, 80)
    said = dict(board.health())
    assert said == {
        "! the store cannot be read (what stands here is 5 s old): it is gone": "warning",
        "! only 0.2 GB free on its disk": "warning",
        "! no sign of life: P01": "warning",
    }


def test_somebody_who_is_done_is_never_silent() -> None:
    board = Board(replace(SEEN, sessions=(replace(ONE, state="ended", seen=NOW - 10 * QUIET_MS),)))
    assert not [words for words, _ in board.health() if words.startswith("!")]
    assert {style for _, style in board.line(0, 80)[1:]} == {"muted"}


def test_coverage_counts_items_by_their_answers() -> None:
    lines = Board(SEEN).coverage()
    assert lines[0] == " 3 of 12 answers of main sessions; 4 with people now; 5 free"
    assert [line.split()[0:3:2] for line in lines[1:]] == [["0", "2"], ["1", "1"], ["2", "1"], ["3", "0"]]
    assert [line.count("█") for line in lines[1:]] == [24, 12, 12, 0]
    assert Board(replace(SEEN, coverage=None)).coverage() == [" nothing has been dealt yet: the first session deals"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"at": "catch"}, "catch trial"),
        ({"at": "practice"}, "practice"),
        ({"at": "", "number": 0}, "started"),
        ({"at": "", "number": 6}, "6 of 20 done"),
        ({"state": "left", "number": 6}, "6 of 20"),
    ],
)
def test_between_the_items(changes: dict[str, str | int], said: str) -> None:
    assert where(replace(ONE, **changes)) == said  # type: ignore[arg-type]


def test_lengths_of_time() -> None:
    assert [ago(ms) for ms in (-5, 59_999, 60_000, 7_200_000, 200_000_000)] == ["0 s", "59 s", "1 min", "2 h", "2 d"]


def test_the_session_pointed_at_stays_so_when_lines_move() -> None:
    other = replace(ONE, session=2, person="P02")
    board = Board(replace(SEEN, sessions=(ONE, other)))
    board.point(1)
    board.update(replace(SEEN, sessions=(other, ONE)))
    assert (board.index, board.chosen) == (0, other)
    board.update(replace(SEEN, sessions=(ONE,)))
    assert board.chosen == ONE
    board.update(replace(SEEN, sessions=()))
    assert (board.chosen, board.index) == (None, 0)
