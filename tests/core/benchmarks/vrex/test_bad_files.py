"""Every bad row is named with file, row and field, all together, and nothing is guessed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.errors import DataError
from tests.vrex_data import Row, changed, loaded, rows, write


def planning(row: Row) -> Any:
    return row["steps"][0]["planning"]


def gold_of(row: Row) -> Any:
    return planning(row)["options"][planning(row)["answer"]]


def distractor(row: Row) -> Any:
    return next(option for option in planning(row)["options"].values() if option["kind"] != "gold")


def letter_of(row: Row, option: Any) -> str:
    return next(letter for letter, each in planning(row)["options"].items() if each is option)


def put(path: str, value: Any) -> Callable[[Row], None]:
    """Sets what stands at a dotted path; numbers are indices."""

    def change(row: Row) -> None:
        *holders, last = path.split(".")
        holder: Any = row
        for part in holders:
            holder = holder[int(part)] if part.isdecimal() else holder[part]
        holder[last] = value

    return change


def drop(path: str) -> Callable[[Row], None]:
    def change(row: Row) -> None:
        *holders, last = path.split(".")
        holder: Any = row
        for part in holders:
            holder = holder[int(part)] if part.isdecimal() else holder[part]
        del holder[last]

    return change


BAD: list[tuple[Callable[[Row], object], str, str]] = [
    (drop("question"), "question", "is missing"),
    (put("question", ["What?"]), "question", "is not text"),
    (put("question", "   "), "question", "is not text"),
    (drop("options"), "options", "is missing"),
    (put("options", ["Oak Street", "Mill Lane"]), "options", "is not an object of options by letter"),
    (put("options", "A, B or C"), "options", "is not an object of options by letter"),
    (put("options", {"A": "Oak Street"}), "options", "holds 1 option"),
    (put("options", {}), "options", "holds 0 options"),
    (put("options", {"A": "Oak Street", "BB": "Mill Lane"}), "options", "'BB' is no letter"),
    (put("options", {"A": "Oak Street", "1": "Mill Lane"}), "options", "'1' is no letter"),
    (put("options", {"A": "Oak Street", "a": "Mill Lane"}), "options", "a letter stands twice"),
    (put("options.A", ""), "options.A", "is missing"),
    (put("options.A", {"text": "Oak Street"}), "options.A", "is not text"),
    (drop("answer"), "answer", "is missing"),
    (put("answer", "E"), "answer", "'E' is none of the options A, B, C, D"),
    (put("answer", ["A"]), "answer", "is none of the options"),
    (drop("image"), "image", "is missing"),
    (put("image", ""), "image", "is missing"),
    (put("image", 7.5), "image", "is not"),
    (put("image", "../out.png"), "image", "leads out of the folder"),
    (drop("steps"), "steps", "there are none"),
    (put("steps", []), "steps", "there are none"),
    (put("steps", "first, second"), "steps", "is not an array of steps"),
    (put("steps", {"1": {}}), "steps", "is not an array of steps"),
    (put("steps", ["Where?"]), "steps[1]", "is not an object"),
    (drop("steps.0.question"), "steps[1].question", "is missing"),
    (drop("steps.0.planning"), "steps[1].planning", "is missing"),
    (put("steps.0.planning", "A"), "steps[1].planning", "is not an object"),
    (put("steps.0.planning", {}), "steps[1].planning", "is not an object"),
    (drop("steps.0.planning.options"), "steps[1].planning.options", "is missing"),
    (drop("steps.0.planning.answer"), "", ""),
    (put("steps.0.planning.answer", "G"), "steps[1].planning.answer", "'G' is none of the options"),
    (put("steps.0.planning.options", [1, 2]), "steps[1].planning.options", "is not an object of options"),
    (put("steps.0.planning.options.A", "Where?"), "steps[1].planning.options.A", "is not an object of question"),
    (drop("steps.0.planning.options.B.question"), "steps[1].planning.options.B.question", "is missing"),
    (drop("steps.0.planning.options.B.answer"), "steps[1].planning.options.B.answer", "is missing"),
    (put("steps.0.planning.options.B.kind", "silly"), "steps[1].planning.options.B.kind", "'silly' is none of gold"),
    (put("steps.0.planning.options.B.kind", 3), "steps[1].planning.options.B.kind", "3 is none of gold"),
    (
        lambda row: gold_of(row).update(kind="step"),
        "steps[1].planning.options",
        "none of the options is of kind gold",
    ),
    (lambda row: distractor(row).update(kind="gold"), "steps[1].planning.options", "are both of kind gold"),
    (
        lambda row: planning(row).update(answer=letter_of(row, distractor(row))),
        "steps[1].planning.answer",
        "but the option of kind gold is",
    ),
    (lambda row: gold_of(row).pop("kind"), "steps[1].planning.options", "none of the options is of kind gold"),
    (lambda row: distractor(row).pop("kind"), "steps[1].planning.options.", "is missing, while other options have"),
    (
        lambda row: planning(row)["options"].update(G={"question": "Q?", "answer": "a", "kind": "step"}),
        "steps[1].planning.options",
        "'G' is no letter from A to F",
    ),
    (put("steps.0.following.answer", "Z"), "steps[1].following.answer", "'Z' is none of the options"),
    (put("steps.0.following.options", ["in the park"]), "steps[1].following.options", "is not an object"),
    (put("steps.0.following.options", {"A": "in the park"}), "steps[1].following.options", "holds 1 option"),
    (put("id", "v-000"), "id", "is that of row 1 already"),
    (lambda row: row["steps"].extend(row["steps"] * 5), "steps", "at most 9"),
]


@pytest.mark.parametrize(("change", "field", "said"), BAD)
def test_a_bad_row_is_named_with_its_row_and_field(
    tmp_path: Path, change: Callable[[Row], object], field: str, said: str
) -> None:
    file = changed(tmp_path, change)
    problems = loaded(file, protocol="planning").problems()
    if not field:
        assert problems == []
        return
    assert [(p.file, p.row) for p in problems] == [(str(file), 2)], problems
    assert problems[0].field.startswith(field)
    assert said in problems[0].what
    good = [item.id for item in loaded(file, protocol="planning").good()]
    assert good == ["v-000", "v-002"]
    with pytest.raises(DataError, match="row 2"):
        list(loaded(file, protocol="planning"))


def test_all_bad_rows_come_together(tmp_path: Path) -> None:
    made = rows(4)
    del made[0]["question"], made[0]["image"], made[3]["steps"][2]["following"]["answer"]
    made[2]["answer"] = "Z"
    places = [(p.row, p.field) for p in loaded(write(tmp_path, made, images=False)).problems()]
    assert places == [(1, "question"), (1, "image"), (3, "answer"), (4, "steps[3].following.answer")]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"answer": "', '"answer": , "', "line 2, column"),
        ("}]}", "},]}", "a trailing comma at line 2, column"),
        ("}]}", "}],}", "a trailing comma at line 2, column"),
        ("}]}", "}]", "line 2, column"),
        ('"id"', "'id'", "line 2, column 2"),
        ('{"id"', 'x{"id"', "line 2, column 1"),
        ('"id":', '"id": "x", "id":', "the key 'id' stands twice"),
        ('"v-001"', "NaN", "NaN is no number"),
    ],
)
def test_bad_json_is_named_with_line_and_column(tmp_path: Path, old: str, new: str, said: str) -> None:
    file = write(tmp_path, rows(3), images=False)
    lines = file.read_text(encoding="utf-8").splitlines()
    lines[1] = new.join(lines[1].rsplit(old, 1)) if old.startswith("}") else lines[1].replace(old, new, 1)
    file.write_text("\n".join(lines), encoding="utf-8")
    (problem,) = loaded(file).problems()
    assert (problem.row, problem.field) == (2, "")
    assert said in problem.what
    assert [item.id for item in loaded(file).good()] == ["v-000", "v-002"]


def test_the_column_of_a_trailing_comma_is_the_commas(tmp_path: Path) -> None:
    file = tmp_path / "vrex.jsonl"
    file.write_text('\n{"id": "a", "options": {"A": "x", "B": "y",}}\n', encoding="utf-8")
    (problem,) = loaded(file).problems()
    assert problem.what == "no JSON: a trailing comma at line 2, column 43"


def test_a_trailing_comma_in_an_array_is_named_in_the_whole_file(tmp_path: Path) -> None:
    file = tmp_path / "vrex.json"
    file.write_text('[\n  {"id": "a"},\n  {"id": "b"},\n]\n', encoding="utf-8")
    (problem,) = loaded(file).problems()
    assert problem.what == "no JSON: a trailing comma at line 3, column 14"


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "the file is empty"),
        (b"\n \n\r\n", "nothing but blank lines"),
        (b"\xef\xbb\xbf\n", "nothing but blank lines"),
        ('{"id": 1}\n'.encode("utf-16"), "UTF-16"),
        (b"PK\x03\x04more", "a zip archive"),
        (b"PAR1more", "parquet"),
        (b"[]", "array is empty"),
        (b"[1, null]", "a number, not an object"),
        (b'"words"\n', "the line holds text, no object"),
        (b"null\n", "the line holds null, no object"),
        (b'{\n "id": "a"\n}\n', "an object runs over several lines"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"id": ' + b"9" * 5000 + b"}\n", "no usable JSON"),
    ],
)
def test_what_is_no_such_file_says_what_it_is(tmp_path: Path, raw: bytes, said: str) -> None:
    file = tmp_path / "vrex.jsonl"
    file.write_bytes(raw)
    assert any(said in problem.what for problem in loaded(file).problems())


def test_bytes_that_are_not_utf8_are_named_by_their_place(tmp_path: Path) -> None:
    file = write(tmp_path, rows(3), images=False)
    raw = file.read_bytes().replace(b"street 1-0", b"stra\xdfe 1-0")
    file.write_bytes(raw)
    (problem,) = loaded(file).problems()
    assert problem.row == 2
    assert f"byte {raw.index(0xDF)} of the file" in problem.what


def test_a_torn_parquet_file_and_an_empty_one_say_so(tmp_path: Path) -> None:
    file = tmp_path / "vrex.parquet"
    file.write_bytes(b"PAR1 and no more")
    assert "torn" in loaded(file).problems()[0].what
    file.write_bytes(b"")
    assert "empty" in loaded(file).problems()[0].what


def test_numbers_of_rows_are_lines(tmp_path: Path) -> None:
    file = tmp_path / "vrex.jsonl"
    made = rows(2)
    del made[1]["question"]
    file.write_text("\n\n".join(map(json.dumps, made)), encoding="utf-8")
    assert [p.row for p in loaded(file).problems()] == [3]
