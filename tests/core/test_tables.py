"""Tables as data: what is said once, where lines part rows, what a narrow page leaves out."""

from __future__ import annotations

from core.tables import Report, Table

ROWS = [
    ["a", "describe", "1", "2"],
    ["a", "relate", "3", "4"],
    ["b", "relate", "5", "6"],
]
TABLE = Table("t", ("run", "step", "n", "spare"), ROWS, words=("run", "step"), merged=2, parted=1, spare=("spare",))


def test_what_is_said_once_is_said_again_where_what_stands_left_of_it_changes() -> None:
    assert [list(row) for row, _ in TABLE.told()] == [
        ["a", "describe", "1", "2"],
        ["", "relate", "3", "4"],
        ["b", "relate", "5", "6"],  # the same step, of another run
    ]
    assert [parted for _, parted in TABLE.told()] == [False, False, True]


def test_a_narrow_page_leaves_out_what_can_be_spared_and_names_each_run_above() -> None:
    lean = TABLE.without_spare()
    assert list(lean.header) == ["run", "step", "n"]
    assert lean.rows[2] == ["b", "relate", "5"]
    first, second = TABLE.each_apart()
    assert (first.title, list(first.header), len(first.rows), first.merged) == ("t\na", ["step", "n", "spare"], 2, 1)
    assert (second.title, second.rows) == ("t\nb", [["relate", "5", "6"]])


def test_a_reports_columns_are_those_of_all_its_records() -> None:
    report = Report("", (), {}, [{"b": 1}, {"a": 2, "b": 3}], fields=("c",))
    assert report.columns == ["c", "b", "a"]
    assert Report("", (), {}, [], fields=("c",)).columns == ["c"]
