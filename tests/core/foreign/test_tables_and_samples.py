"""lmms-eval's samples and VLMEvalKit's tables, in every form that those tools write."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from core.errors import UsageError
from core.foreign import lmms_eval, vlmevalkit
from tests.foreign_files import put_json, put_lines, sample


def test_samples_by_line_with_all_replies(tmp_path: Path) -> None:
    folder = tmp_path / "llava-hf__llava-1.5-7b"
    folder.mkdir()
    lines = [
        sample(0, "The answer is (A)", "A"),
        sample(1, "", "B", resps=[["B"], ["C"]]),
        {"doc_id": 2, "target": "C", "filtered_resps": ["C"]},
        sample(3, "D", "D", doc={"id": "us-001", "question": "Which?", "image": "dropped"}),
    ]
    results = lmms_eval.read_results(put_lines(folder / "20260101_120000_samples_mmra.jsonl", lines))
    assert results.model == "llava-hf/llava-1.5-7b"
    assert [(reply.row, reply.text, reply.repeat, reply.target) for reply in results.replies] == [
        (0, "The answer is (A)", 0, "A"),
        (1, "B", 0, "B"),
        (1, "C", 1, "B"),
        (2, "C", 0, "C"),
        (3, "D", 0, "D"),
    ]
    assert (results.replies[4].item, results.replies[4].question) == ("us-001", "Which?")
    assert results.replies[0].asked == "the prompt"
    assert "1 samples keep only what their filters left" in results.slips[0]


def test_the_older_json_with_logs(tmp_path: Path) -> None:
    stored = {"args": {}, "model_configs": {}, "logs": [sample(5, "B", "B")]}
    assert lmms_eval.read_results(put_json(tmp_path / "log.json", stored)).replies[0].row == 5


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ([1], "line 1: this is no sample"),
        ({"results": {}}, "line 1: this is no sample"),
        ({"resps": ["x"]}, "nothing says which item"),
        ({"doc_id": 0, "resps": [[{"a": 1}]]}, "resps holds no text"),
    ],
)
def test_other_lines_are_refused(tmp_path: Path, line: object, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        lmms_eval.read_results(put_lines(tmp_path / "x.jsonl", [line]))


ROWS = [
    {"index": 1, "question": "Which?", "A": "x", "answer": "A", "prediction": "A. x"},
    {"index": 2, "question": "What?", "A": "y", "answer": "B", "prediction": "Failed to obtain answer via API."},
]


def written(tmp_path: Path, form: str) -> Path:
    path = tmp_path / f"GPT4o_MMRA.{form}"
    if form == "xlsx":
        book = openpyxl.Workbook()
        book.active.append(list(ROWS[0]))
        for row in ROWS:
            book.active.append(list(row.values()))
        book.save(path)
    elif form in ("tsv", "csv"):
        mark = "\t" if form == "tsv" else ","
        lines = [mark.join(ROWS[0])] + [mark.join(map(str, row.values())) for row in ROWS]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    elif form == "jsonl":
        put_lines(path, ROWS)
    elif form == "json":
        put_json(path, ROWS)
    else:
        path = put_json(
            path.with_suffix(".json"), {name: {i: r[name] for i, r in enumerate(ROWS)} for name in ROWS[0]}
        )
    return path


@pytest.mark.parametrize("form", ["xlsx", "tsv", "csv", "json", "jsonl", "columns"])
def test_predictions_in_every_form(tmp_path: Path, form: str) -> None:
    results = vlmevalkit.read_results(written(tmp_path, form))
    first, second = results.replies
    assert results.model == "GPT4o"
    assert (first.text, first.question, first.target, first.row, first.failed) == ("A. x", "Which?", "A", 0, "")
    assert second.failed.startswith("Failed to obtain answer")
    assert (second.row, results.slips) == (
        1,
        ("1 predictions say that the call failed: they are no answers and count as failed here",),
    )


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "empty"),
        (b"\x80\x04\x95", "a pickle can run programs"),
        (b"PK\x03\x04 torn", "no xlsx that can be read"),
        (b"index,answer\n1,A\n", "no column prediction"),
        (b"index\tprediction\n", "no rows"),
        (b"hello", "no table"),
        (b"a\x00,b\n", "no table"),
        (b"\xff\xfea,b", "not UTF-8"),
        (b'index,prediction\n1,"open', "cannot be read"),
        (b"{}", "no table"),
        (b"[1, 2]", "no table"),
    ],
)
def test_other_files_are_refused_in_one_line(tmp_path: Path, data: bytes, told: str) -> None:
    (tmp_path / "x.tsv").write_bytes(data)
    with pytest.raises(UsageError, match=told) as refused:
        vlmevalkit.read_results(tmp_path / "x.tsv")
    assert "\n" not in str(refused.value)
