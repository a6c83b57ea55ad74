"""The VOILA authors' files are read as they are meant; what their scripts would do otherwise is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.errors import UsageError
from core.foreign.voila_results import read_results, read_verdicts
from tests.foreign_files import judge_line, put_json, put_lines, voila_entry

RIGHT = {"number": 1, "subject_type": 1, "action": 0}


def test_three_queries_are_three_steps_with_whole_replies(tmp_path: Path) -> None:
    entries = [voila_entry(0, ["two cats", "same", "The answer is ..."]), voila_entry(1, [["a list"], "b", "c"])]
    results = read_results(put_json(tmp_path / "molmo.json", entries))
    assert [(reply.row, reply.step, reply.text) for reply in results.replies] == [
        (0, "describe", "two cats"),
        (0, "relate", "same"),
        (0, "apply", "The answer is ..."),
        (1, "describe", "a list"),
        (1, "relate", "b"),
        (1, "apply", "c"),
    ]
    assert (results.model, results.subset) == ("molmo", "ND")
    assert [slip[:60] for slip in results.slips] == [
        "their scorer sends the judge the first letter alone of 5 rep",
        "their scorer wants a question's number, which 6 entries lack",
    ]
    assert results.replies[0].raw == entries[0]["query0"]


def test_a_question_s_number_names_the_item_and_rules_for_any_tell_the_subset(tmp_path: Path) -> None:
    entry = voila_entry(4, ["a", "b", "c"], question=17)
    entry["query2"]["query"] += " Otherwise, set it to 'any'."
    results = read_results(put_json(tmp_path / "x.json", [entry]))
    assert {reply.item for reply in results.replies} == {"voila-17"}
    assert results.subset == "WD"
    assert any("by place in the file" in slip for slip in results.slips)


def test_a_reply_that_is_missing_is_told(tmp_path: Path) -> None:
    entry = voila_entry(0, ["a", None])
    results = read_results(put_json(tmp_path / "x.json", [entry]))
    assert [reply.failed for reply in results.replies] == ["", "there is no reply"]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ([], "no list of objects"),
        ({"query0": {}}, "no list of objects"),
        ([1], "no list of objects"),
        ([{"answer": 1}], "entry 1 has no query0"),
        ([{"query0": 3}], "entry 1, query0: this is no object"),
        ([{"query0": {"row_index": 0, "generated_text": {"a": 1}}}], "generated_text is no text"),
        ([{"query0": {"generated_text": "x"}}], "neither row_index nor question"),
        ([{"query0": {"row_index": "first", "generated_text": "x"}}], "neither row_index nor question"),
    ],
)
def test_other_json_is_refused(tmp_path: Path, value: Any, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        read_results(put_json(tmp_path / "x.json", value))


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[1,", "torn"),
        (b"[" * 200_000, "nested|JSON"),
    ],
)
def test_torn_files_are_refused_in_one_line(tmp_path: Path, data: bytes, told: str) -> None:
    (tmp_path / "x.json").write_bytes(data)
    with pytest.raises(UsageError, match=told) as refused:
        read_results(tmp_path / "x.json")
    assert "\n" not in str(refused.value)
    with pytest.raises(UsageError, match="cannot be read"):
        read_results(tmp_path)


def test_a_judge_s_lines_are_verdicts_and_its_slips_are_told(tmp_path: Path) -> None:
    image = {"number": 1, "subject_type": 0, "action": 1}
    path = tmp_path / "results_step1.jsonl"
    lines = [
        judge_line(1, {"question": 1, "image_1": image, "image_2": RIGHT, "image_3": RIGHT}),
        judge_line(2, {"question": 9, "image_1": image | {"number": 2}, "image_2": RIGHT, "image_3": RIGHT}),
        judge_line(3, None),
        judge_line(4, "not json"),
        judge_line(5, {"question": 5, "image_1": image}),
        judge_line(6, {}, response=None, error={"code": "rate_limit"}),
        judge_line(1, {"question": 1, "image_1": RIGHT, "image_2": RIGHT, "image_3": RIGHT}),
    ]
    verdicts = read_verdicts(put_lines(path, lines))
    assert (verdicts.judge, verdicts.step) == ("gpt-4o-2024-08-06", "describe")
    assert [(one.item, one.error) for one in verdicts.judged] == [
        ("voila-1", ""),
        ("voila-2", ""),
        ("voila-3", "the judge said nothing"),
        ("voila-4", "the judge's reply is no JSON"),
        ("voila-5", "the judge said nothing"),
        ("voila-6", "the judge said nothing"),
        ("voila-1", ""),
    ]
    assert verdicts.judged[0].right["1.subject"] == 0
    assert verdicts.judged[0].right["1.number"] == 1
    assert verdicts.judged[1].right["1.number"] == 0, "only 1 is right"
    told = " / ".join(verdicts.slips)
    for words in ("4 lines without a verdict", "other values than 0 and 1", "the outer (custom_id)", "judged twice"):
        assert words in told


def test_which_step_was_judged_is_named_or_said(tmp_path: Path) -> None:
    lines = [judge_line(1, {"question": 1, **RIGHT})]
    assert read_verdicts(put_lines(tmp_path / "r_step3.jsonl", lines)).step == "apply"
    assert read_verdicts(put_lines(tmp_path / "r.jsonl", lines), "relate").judged[0].right == {
        "number": 1,
        "subject": 1,
        "action": 0,
    }
    with pytest.raises(UsageError, match="does not say which step"):
        read_verdicts(tmp_path / "r.jsonl")
    with pytest.raises(UsageError, match="line 1: there is no custom_id"):
        read_verdicts(put_lines(tmp_path / "step1.jsonl", [{"id": 1}]))
    with pytest.raises(UsageError, match="no line of it is a judge's reply"):
        read_verdicts(put_lines(tmp_path / "step1.jsonl", [judge_line(1, None, response=None)]))
