"""Whatever is wrong with a file is said with file, row and field, all of it together."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import DataError, Problem
from tests.voila_data import changed, loaded, small_voila_file

Rows = list[dict[str, str]]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return small_voila_file(tmp_path, 14, "ND")


def only_problem(file: Path, subset: str = "ND") -> Problem:
    (problem,) = loaded(file, subset).problems()
    assert problem.file == str(file)
    with pytest.raises(DataError):
        list(loaded(file, subset))
    return problem


def one_change(row: int, **cells: str) -> Callable[[Rows], None]:
    return lambda rows: rows[row - 1].update(cells)


def test_a_whole_file_has_no_problems(file: Path) -> None:
    assert loaded(file).problems() == []


def test_a_missing_column_is_named_with_the_nearest_there_is(file: Path) -> None:
    file.write_bytes(file.read_bytes().replace(b",rule,", b",rules,", 1))
    problem = only_problem(file)
    assert (problem.row, problem.field) == (0, "rule")
    assert "nearest is 'rules'" in problem.what


def test_all_missing_columns_are_named_together(file: Path) -> None:
    file.write_text("a,b\r\n1,2\r\n")
    assert [problem.field for problem in loaded(file).problems()] == [
        "desc_img1", "desc_img2", "desc_img3", "desc_im4", "rule",
    ]  # fmt: skip


def test_a_column_named_twice_is_refused(file: Path) -> None:
    file.write_bytes(file.read_bytes().replace(b",question,", b",rule,", 1))
    problem = only_problem(file)
    assert problem.field == "rule"
    assert "more than once" in problem.what


@pytest.mark.parametrize("rule", ["", "x", "1.5", "-1", "one", "٣"])
def test_a_rule_that_is_no_whole_number_is_named(file: Path, rule: str) -> None:
    problem = only_problem(changed(file, one_change(5, rule=rule)))
    assert (problem.row, problem.field) == (5, "rule")
    assert "no whole number" in problem.what


@pytest.mark.parametrize("rule", ["0", "20", "999999"])
def test_a_rule_there_is_not_is_named(file: Path, rule: str) -> None:
    problem = only_problem(changed(file, one_change(5, rule=rule)))
    assert (problem.row, problem.field) == (5, "rule")
    assert f"no rule {rule}" in problem.what


def test_a_rule_as_a_spreadsheet_writes_it_is_read(file: Path) -> None:
    def floats(rows: Rows) -> None:
        for row in rows:
            row["rule"] += ".0"

    assert loaded(changed(file, floats)).problems() == []


def test_a_rule_that_does_not_fit_is_named_with_the_one_that_does(file: Path) -> None:
    problem = only_problem(changed(file, one_change(1, rule="5")))
    assert (problem.row, problem.field) == (1, "rule")
    assert "rule 5 (SCS) does not fit the three pictures; rule 1 (CSS) does" in problem.what


def test_pictures_that_no_rule_fits_are_named(file: Path) -> None:
    same = {f"desc_img{place}": "two cats walking" for place in (1, 2, 3)} | {"desc_im4": "two cats walking"}
    problem = only_problem(changed(file, one_change(2, **same, img1="", img2="", img3="")))
    assert (problem.row, problem.field) == (2, "rule")
    assert "none does" in problem.what


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("five cats walking", "must begin with one, two, three or four"),
        ("two cats flying", "must end with one of the 13 actions"),
        ("two lions walking", "'lions' is none of the 14 subjects"),
        ("any cats walking", "must begin with one"),
        ("[bold]two[/]", "must begin with one"),
    ],
)
def test_a_content_outside_the_vocabulary_is_named(file: Path, text: str, why: str) -> None:
    problem = only_problem(changed(file, one_change(3, desc_img2=text)))
    assert (problem.row, problem.field) == (3, "desc_img2")
    assert text in problem.what
    assert why in problem.what


def test_a_row_that_shows_nothing_is_named(file: Path) -> None:
    problem = only_problem(changed(file, one_change(3, desc_img3="", img3="")))
    assert (problem.row, problem.field) == (3, "desc_img3")


def test_a_picture_named_for_something_else_is_named(file: Path) -> None:
    problem = only_problem(changed(file, one_change(3, img1="one_fox_typing_3.png")))
    assert (problem.row, problem.field) == (3, "img1")
    assert "one_fox_typing_3.png" in problem.what


@pytest.mark.parametrize("name", ["../secret.png", "/etc/x.png", "C:\\x.png", "a/../../x.png", "\\\\host\\x.png"])
def test_a_picture_outside_its_folder_is_refused(file: Path, name: str) -> None:
    problem = only_problem(changed(file, one_change(3, img1=name)))
    assert (problem.row, problem.field) == (3, "img1")
    assert "leads out" in problem.what


def test_an_answer_that_does_not_follow_is_named_with_what_does(file: Path) -> None:
    with file.open(encoding="utf-8") as stream:
        right = list(csv.DictReader(stream))[6]["desc_im4"]
    problem = only_problem(changed(file, one_change(7, desc_im4="four foxes typing")))
    assert (problem.row, problem.field) == (7, "desc_im4")
    assert "four foxes typing" in problem.what
    assert f"the three pictures give {right!r}" in problem.what


def test_an_empty_answer_is_named(file: Path) -> None:
    problem = only_problem(changed(file, one_change(7, desc_im4="", img4="")))
    assert (problem.row, problem.field) == (7, "desc_im4")
    assert "empty" in problem.what


def test_an_id_used_twice_is_named(file: Path) -> None:
    problem = only_problem(changed(file, one_change(9, question="image_questions_2.png")))
    assert (problem.row, problem.field) == (9, "question")
    assert "voila-2" in problem.what


def test_all_bad_rows_come_together_and_in_order(file: Path) -> None:
    def several(rows: Rows) -> None:
        rows[1].update(rule="x", desc_img1="nothing")
        rows[4].update(question="image_questions_1.png")
        rows[12].update(desc_im4="two cats walking")

    found = loaded(changed(file, several)).problems()
    assert [(problem.row, problem.field) for problem in found] == [
        (2, "rule"), (2, "desc_img1"), (5, "question"), (13, "desc_im4"),
    ]  # fmt: skip


def test_the_good_rows_of_a_bad_file_can_be_had(file: Path) -> None:
    changed(file, lambda rows: rows[1].update(rule="x"))
    assert [item.id for item in loaded(file).good()] == [f"voila-{row}" for row in range(1, 15) if row != 2]


def test_the_files_own_spelling_is_what_a_problem_names(file: Path) -> None:
    file.write_bytes(file.read_bytes().replace(b"desc_im4", b"desc_img4", 1))
    changed(file, lambda rows: rows[0].update(desc_img4="two cats"))
    assert only_problem(file).field == "desc_img4"


def test_an_empty_file_is_named(file: Path) -> None:
    file.write_bytes(b"")
    assert "0 bytes" in only_problem(file).what


def test_a_file_of_blank_lines_is_named(file: Path) -> None:
    file.write_bytes(b"\r\n\r\n")
    assert "blank lines" in only_problem(file).what


def test_a_header_without_rows_is_named(file: Path) -> None:
    file.write_bytes(file.read_bytes().split(b"\r\n")[0] + b"\r\n")
    assert "no rows" in only_problem(file).what


def test_a_file_without_a_question_of_the_subset_is_named(tmp_path: Path) -> None:
    file = changed(small_voila_file(tmp_path, 19, "WD"), lambda rows: rows.__delitem__(slice(2, None)))
    changed(file, lambda rows: rows.__delitem__(0))
    assert "no row has a rule of the subset ND" in only_problem(file, "ND").what


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_recognised(file: Path, encoding: str) -> None:
    file.write_bytes(file.read_text(encoding="utf-8").encode(encoding))
    assert "UTF-16" in only_problem(file).what


@pytest.mark.parametrize("start", [b'[{"rule": 1}]', b'\xef\xbb\xbf\n{\n  "rows": []}', b"[]"])
def test_json_is_told_in_one_line(file: Path, start: bytes) -> None:
    file.write_bytes(start)
    assert only_problem(file).what == "the file is no CSV but JSON"


@pytest.mark.parametrize("content", [bytes(range(256)) * 12, b"\x89PNG\r\n\x1a\n" + bytes(40), bytes(3000)])
def test_a_binary_file_is_told_in_one_line(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    assert only_problem(file).what == "the file is no CSV: it holds no text"


def test_a_byte_that_is_not_utf_8_is_named_with_row_field_and_offset(file: Path) -> None:
    changed(file, one_change(4, Real_relations="MARK"))
    data = file.read_bytes()
    file.write_bytes(data.replace(b"MARK", b"caf\xe9"))
    problem = only_problem(file)
    assert (problem.row, problem.field) == (4, "Real_relations")
    assert f"byte {data.index(b'MARK') + 3}" in problem.what


def test_a_nul_is_named_with_row_field_and_offset(file: Path) -> None:
    changed(file, one_change(4, Real_relations="MARK"))
    data = file.read_bytes()
    file.write_bytes(data.replace(b"MARK", b"caf\0"))
    problem = only_problem(file)
    assert (problem.row, problem.field) == (4, "Real_relations")
    assert "NUL" in problem.what
    assert f"byte {data.index(b'MARK') + 3}" in problem.what


def test_bad_bytes_do_not_hide_other_bad_rows(file: Path) -> None:
    changed(file, lambda rows: (rows[3].update(Real_relations="MARK"), rows[8].update(rule="x"))[0])
    file.write_bytes(file.read_bytes().replace(b"MARK", b"caf\xe9"))
    assert [(problem.row, problem.field) for problem in loaded(file).problems()] == [
        (4, "Real_relations"),
        (9, "rule"),
    ]


@pytest.mark.parametrize(("cut", "count"), [(b",image_questions_3.png", 11), (b"", 13)])
def test_a_row_with_too_few_or_too_many_fields_is_named(file: Path, cut: bytes, count: int) -> None:
    lines = file.read_bytes().split(b"\r\n")
    lines[3] = lines[3].replace(cut, b"") if cut else lines[3] + b",more"
    file.write_bytes(b"\r\n".join(lines))
    problem = only_problem(file)
    assert problem.row == 3
    assert f"{count} fields, the header 12" in problem.what


def test_a_huge_field_is_named_and_the_rows_behind_it_are_read(file: Path) -> None:
    def huge(rows: Rows) -> None:
        rows[1].update(Real_relations="x" * 200_000)
        rows[5].update(rule="x")

    first, second = loaded(changed(file, huge)).problems()
    assert first.row == 2
    assert "131,072" in first.what
    assert (second.row, second.field) == (6, "rule")


def test_an_open_quote_is_named_where_it_opens(file: Path) -> None:
    lines = file.read_bytes().split(b"\r\n")
    lines[4] = lines[4].replace(b",two", b',"two').replace(b",one", b',"one').replace(b",three", b',"three')
    lines[4] = b'"' + lines[4]
    file.write_bytes(b"\r\n".join(lines[:5]) + b"\r\n" + b"\r\n".join(line.replace(b'"', b"") for line in lines[5:]))
    found = loaded(file).problems()
    assert found[0].row == 4
    assert found[0].what


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        loaded(tmp_path / "none.csv")


def test_a_folder_without_data_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no \.csv and no \.parquet"):
        loaded(tmp_path)


def test_a_device_is_no_file() -> None:
    with pytest.raises(DataError, match="no regular file"):
        loaded(Path("/dev/null"))


@pytest.mark.parametrize(("start", "kind"), [(b"PK\x03\x04", "spreadsheet"), (b"PAR1", "parquet")])
def test_another_kind_of_file_is_recognised(file: Path, start: bytes, kind: str) -> None:
    file.write_bytes(start + b"rest" * 100)
    assert kind in only_problem(file).what


@given(st.binary(max_size=3000))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_any_bytes_give_problems_and_never_another_error(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "any.csv"
    file.write_bytes(content)
    assert loaded(file).problems()


@given(st.data())
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_torn_file_gives_problems_or_whole_rows(file: Path, data: st.DataObject) -> None:
    whole = file.read_bytes()
    torn = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 4))):
        torn[data.draw(st.integers(0, len(torn) - 1))] = data.draw(st.integers(0, 255))
    copy = file.with_name("torn.csv")
    copy.write_bytes(bytes(torn))
    found = loaded(copy)
    if not found.problems():
        assert all(item.id.startswith("voila-") for item in found)
