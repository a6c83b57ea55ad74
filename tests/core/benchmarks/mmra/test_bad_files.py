"""Unusable MMRA data: every bad place is named, all of them together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.errors import DataError
from tests.mmra_data import loaded, made_rows, metadata

BAD: dict[str, tuple[dict[str, Any], str, str]] = {
    "options no dict": ({"options": "['x', 'y']"}, "options", "is no dict of options but a list"),
    "options a call": ({"options": "__import__('os').getcwd()"}, "options", "is no dict of options"),
    "options torn": ({"options": "{'A': 'x', 'B'"}, "options", "is no dict of options"),
    "options missing": ({"options": None}, "options", "a choice question has options"),
    "options a number": ({"options": 4}, "options", "is no dict of options but a int"),
    "options without B": ({"options": {"A": "x", "C": "y"}}, "options", "not A, B"),
    "one option": ({"options": {"A": "x"}}, "options", "one option"),
    "an empty option": ({"options": {"A": "x", "B": " "}}, "options", "option 'B' is empty"),
    "too many options": ({"options": {chr(65 + n): "x" for n in range(26)}}, "options", "25 are the most"),
    "a huge literal": ({"options": "[" * 5000}, "options", "too long or too deep"),
    "an answer that is no option": ({"answer": "E"}, "answer", "'E' is not an option (A, B, C, D)"),
    "yes to a choice": ({"answer": "Yes"}, "answer", "is not an option"),
    "no answer": ({"answer": None}, "answer", "is empty or missing"),
    "a letter to a true/false": ({"QA_type": "True or false QA", "answer": "A"}, "answer", "'A' is not Yes or No"),
    "an unknown kind": ({"QA_type": "Essay QA"}, "QA_type", "'Essay QA' is unknown"),
    "no kind": ({"QA_type": ""}, "QA_type", "is empty or missing"),
    "an unknown subtask": ({"subtask": "Smell"}, "subtask", "there is no subtask 'Smell'"),
    "no subtask": ({"subtask": None}, "subtask", "is empty or missing"),
    "no question": ({"question": " "}, "question", "is empty or missing"),
    "a question that is no text": ({"question": ["x"]}, "question", "is no text but a list"),
    "no second picture": ({"image2": None}, "image2", "the second picture is missing"),
    "an empty picture name": ({"image1": ""}, "image1", "the first picture is missing"),
    "half a character": ({"question": "\ud83d"}, "question", "half a surrogate pair"),
    "a NUL": ({"id": "a\0b"}, "id", "holds a NUL"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_value_is_named_with_its_row_and_field(tmp_path: Path, name: str) -> None:
    changes, field, says = BAD[name]
    rows = made_rows({"US": 4})
    rows[2] |= changes
    file = metadata(tmp_path, rows, pictures=False)
    (problem,) = loaded(file).problems()
    assert (problem.file, problem.row, problem.field) == (str(file), 3, field)
    assert says in problem.what
    assert [item.id for item in loaded(file).good()] == ["us-001", "us-002", "us-004"]
    with pytest.raises(DataError):
        list(loaded(file))


def test_all_bad_places_are_named_together(tmp_path: Path) -> None:
    rows: list[Any] = made_rows({"US": 4})
    rows[0] |= {"answer": "Q", "question": ""}
    rows[1] = "no object"
    rows[3]["id"] = rows[2]["id"]
    found = loaded(metadata(tmp_path, rows, pictures=False)).problems()
    assert [(problem.row, problem.field) for problem in found] == [(1, "question"), (1, "answer"), (2, ""), (4, "id")]
    assert "already that of row 3" in found[-1].what


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty (0 bytes)"),
        (b" \n", "empty (2 bytes)"),
        (b'[\n  {"id": "1"},\n]', "line 2, column 14: a comma with nothing after it"),
        (b'[{"id": "1",}]', "line 1, column 12: a comma with nothing after it"),
        (b'[{"id": "1"}', "line 1"),
        (b'[{"id": "\xff"}]', "not UTF-8 (line 1, byte 9)"),
        ('[{"id": "1"}]'.encode("utf-16"), "not UTF-8"),
        (b"PK\x03\x04 and more", "a zip archive"),
        (b"{}", "no list of objects"),
        (b'"text"', "no list of objects"),
        (b"[]", "no rows"),
        (b"[" * 200_000, "no JSON"),
    ],
)  # fmt: skip
def test_a_bad_file_is_named_once(tmp_path: Path, content: bytes, says: str) -> None:
    file = tmp_path / "metadata.json"
    file.write_bytes(content)
    (problem,) = loaded(file).problems()
    assert problem.file == str(file)
    assert says in problem.what


def test_a_byte_order_mark_is_no_harm(tmp_path: Path) -> None:
    file = metadata(tmp_path, made_rows({"US": 2}), pictures=False)
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert loaded(file).problems() == []


def test_where_there_is_no_data_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no metadata\.json"):
        loaded(tmp_path)
    with pytest.raises(DataError, match="there is no such file"):
        loaded(tmp_path / "metadata.json")
    with pytest.raises(DataError, match="there is no such file"):
        loaded(tmp_path / "nowhere")
