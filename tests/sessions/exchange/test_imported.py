"""Other tools' replies become runs: right items, our scores, marked, twice is once."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from core.errors import UsageError
from core.foreign import lmms_eval, vlmevalkit, voila_results
from core.planning import Request, load
from core.records import Item
from sessions import reading
from sessions.cells import cells_of
from sessions.exchange.imported import Taken, take_results
from sessions.exchange.marks import source_of
from sessions.grading import grade
from sessions.runs import runs
from sessions.store import Store
from tests.foreign_files import judge_line, put_json, put_lines, sample, voila_entry
from tests.sessions.exchange.test_merging import contents

VOILA = Request("voila:ND", protocol="l2m", respondent="molmo")
MMRA = Request("mmra", protocol="iq", respondent="llava")


def items_of(request: Request) -> list[Item]:
    return list(load(request)[2])


def gold(item: Item) -> str:
    number, subject, action = item.facts["answer"]
    return f"The answer is number = {number}, subject = {subject}, action = {action}"


def molmo(path: Path, count: int = 4, wrong: int = 1) -> Path:
    """Results on the first items: descriptions right, the answer of the first ``wrong`` ones wrong."""
    entries = []
    for row, item in enumerate(items_of(VOILA)[:count]):
        told = " ".join(f"Image {n}: {' '.join(content)}." for n, content in enumerate(item.facts["contents"], 1))
        answer = "The answer is number = five, subject = whale, action = flying" if row < wrong else gold(item)
        entries.append(voila_entry(row, [told, item.facts["relations"], answer]))
    return put_json(path / "molmo.json", entries)


def accuracy(store: Store, **wanted: Any) -> tuple[float, int]:
    cells = [cell.to_json() for cell in cells_of(store, [summary.run for summary in runs(store)])]
    (cell,) = [cell for cell in cells if all(cell[key] == value for key, value in wanted.items())]
    return cell["right"], cell["n"]


def test_the_authors_results_are_scored_by_our_rule_and_marked(store: Store, tmp_path: Path) -> None:
    take_results(store, voila_results.read_results(molmo(tmp_path)), VOILA)
    assert accuracy(store, step="apply", property="all", scorer="rule") == (3, 4)
    assert accuracy(store, step="describe", property="all", scorer="rule") == (12, 12)
    (summary,) = runs(store)
    assert summary.run.name == "voila-ND-l2m-molmo-imported"
    source = source_of(summary.run)
    assert (source["tool"], source["file"], len(source["sha256"])) == ("voila-results", "molmo.json", 64)
    assert summary.run.versions["imported"] == "voila-results"
    found = reading.trajectory(store, 1, calls=True)
    assert found is not None
    trajectory = found[1]
    call = trajectory.steps[0].answer.call
    assert call is not None
    assert call.request["prompt"].startswith("Describe the content")
    assert call.reply["row_index"] == 0
    assert trajectory.steps[2].answer.text == "The answer is number = five, subject = whale, action = flying"


def test_the_same_file_again_adds_nothing(store: Store, tmp_path: Path) -> None:
    results = voila_results.read_results(molmo(tmp_path))
    take_results(store, results, VOILA)
    once = contents(store)
    again = take_results(store, results, VOILA)
    assert again.resumed
    assert contents(store) == once


def test_a_judge_s_verdicts_stand_beside_the_rule(store: Store, tmp_path: Path) -> None:
    results = voila_results.read_results(molmo(tmp_path))
    numbers = [int(item.id.removeprefix("voila-")) for item in items_of(VOILA)[:4]]
    verdict = {"number": 1, "subject_type": 1, "action": 0}
    lines = [judge_line(number, {"question": number, **verdict}) for number in numbers[:3]]
    lines += [judge_line(numbers[3], None), judge_line(9999, {"question": 9999, **verdict})]
    verdicts = voila_results.read_verdicts(put_lines(tmp_path / "results_step3.jsonl", lines))
    taken = take_results(store, results, VOILA, judged=[verdicts])
    assert taken.verdicts == {"results_step3.jsonl": 3}
    assert [line.partition(": ")[2] for line in taken.unjudged] == [
        "no answer of voila-9999 is stored",
        "the judge said nothing",
    ]
    judge = {"step": "apply", "scorer": "gpt-4o-2024-08-06"}
    assert accuracy(store, property="subject", **judge) == (3, 3)
    assert accuracy(store, property="all", **judge) == (0, 3)
    once = contents(store)
    assert take_results(store, results, VOILA, judged=[verdicts]).verdicts == {"results_step3.jsonl": 0}
    assert contents(store) == once


def test_a_judge_with_a_grader_s_name_is_refused(store: Store, tmp_path: Path) -> None:
    results = voila_results.read_results(molmo(tmp_path))
    take_results(store, results, VOILA)
    grade(store, 1, "gpt-4o-2024-08-06", 1, 7)
    lines = [judge_line(1, {"question": 1, "number": 1, "subject_type": 1, "action": 1})]
    verdicts = voila_results.read_verdicts(put_lines(tmp_path / "step3.jsonl", lines))
    with pytest.raises(UsageError, match="pseudonym of somebody who graded"):
        take_results(store, results, VOILA, judged=[verdicts])


def test_rows_beyond_the_data_and_missing_steps_are_named(store: Store, tmp_path: Path) -> None:
    path = put_json(tmp_path / "x.json", [voila_entry(0, ["a"]), voila_entry(99_999, ["a", "b", "c"])])
    taken = take_results(store, voila_results.read_results(path), VOILA)
    assert taken.matched.left == (
        "x.json, entry 2, query0: no item matches",
        "x.json, entry 2, query1: no item matches",
        "x.json, entry 2, query2: no item matches",
    )
    assert taken.totals.failed == 1
    assert "holds no reply of" in next(iter(taken.totals.reasons))


def mmra_samples(path: Path, items: list[Item], **more: Any) -> Path:
    lines = [sample(row, item.facts["answer"], item.facts["answer"], **more) for row, item in enumerate(items)]
    return put_lines(path / "a_samples_mmra.jsonl", lines)


def take_mmra(store: Store, path: Path) -> Taken:
    return take_results(store, lmms_eval.read_results(path), MMRA)


def test_samples_are_matched_by_row_and_checked_by_what_is_right(store: Store, tmp_path: Path) -> None:
    items = items_of(MMRA)
    path = mmra_samples(tmp_path, items)
    assert not take_mmra(store, path).matched.left
    assert accuracy(store, step="answer", property="answer", scorer="rule") == (len(items), len(items))


def test_samples_of_other_data_match_no_item(store: Store, tmp_path: Path) -> None:
    items = items_of(MMRA)
    other = [item for item in items[1:] if item.facts["answer"] != items[0].facts["answer"]][:1]
    path = put_lines(tmp_path / "a_samples_mmra.jsonl", [sample(0, "A", other[0].facts["answer"])])
    with pytest.raises(UsageError, match=r"none of its replies matches an item: .*the right answer there"):
        take_mmra(store, path)
    assert not runs(store)


def test_a_question_s_words_go_before_the_row(store: Store, tmp_path: Path) -> None:
    items = items_of(Request("vrex"))
    last = items[-1]
    doc = {"question": "  " + last.facts["question"].upper()}
    path = put_lines(tmp_path / "x_samples_vrex.jsonl", [sample(0, last.facts["answer"], "", doc=doc)])
    taken = take_results(store, lmms_eval.read_results(path), Request("vrex", protocol="direct", respondent="m"))
    assert [item.id for item in taken.matched.items] == [last.id]


def test_several_replies_are_repeats_and_failed_ones_are_failures(store: Store, tmp_path: Path) -> None:
    item = items_of(MMRA)[0]
    answer = item.facts["answer"]
    path = put_lines(tmp_path / "a_samples_mmra.jsonl", [sample(0, "", answer, resps=[[answer], ["no idea"]])])
    taken = take_mmra(store, path)
    assert taken.totals.finished == 2
    table = put_json(
        tmp_path / "m_MMRA.json",
        [{"index": 0, "answer": answer, "prediction": "Failed to obtain answer via API."},
         {"index": 1, "answer": "", "prediction": "A \ud800"}],
    )  # fmt: skip
    failed = take_results(store, vlmevalkit.read_results(table), dataclasses.replace(MMRA, respondent="m"))
    assert (failed.totals.finished, failed.totals.failed) == (1, 1)


def test_a_tool_of_one_turn_cannot_answer_a_protocol_of_several(store: Store, tmp_path: Path) -> None:
    path = put_lines(tmp_path / "a_samples_voila.jsonl", [sample(0, "A", "")])
    with pytest.raises(UsageError, match="asks one turn an item"):
        take_results(store, lmms_eval.read_results(path), VOILA)
