"""Answers that were cut off, empty or refused are told of after a run and under every report, and count as before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CUT, EMPTY, REFUSED = ("<think>one two", "length"), ("", "stop"), ("I cannot help", "content_filter")


def replies(folder: Path, said: tuple[tuple[str, str], ...]) -> None:
    lines = [
        {"item": f"voila-{number}", "step": step, "text": text, "finish_reason": finished}
        for number in range(1, 40)
        for step, (text, finished) in zip(("describe", "relate", "apply"), said, strict=True)
    ]
    (folder / "said.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")


RUN = ("run", "voila:WD", "--respondent", "replay:said.jsonl", "--limit", "4", "--name", "mine")
ALL_CUT = "12 answers cut off at the token limit (raise max_tokens)"


def test_a_run_cut_off_everywhere_says_so_and_where_to_turn(command: Any, tmp_path: Path) -> None:
    replies(tmp_path, (CUT, CUT, CUT))
    status, _, err = command(*RUN)
    assert status == 0, err
    assert f"\n  {ALL_CUT}\n" in err
    before = json.loads(command("report", "--json")[1])["cells"]
    assert all(cell["unparsed"] == cell["n"] for cell in before), "what a cell counts is as before"
    for form in ("table", "md", "tex", "html"):
        text = " ".join(command("report", "--format", form, "--failing", "0")[1].replace("\\_", "_").split())
        assert f"mine: {ALL_CUT}" in text, form
    again = command(*RUN, "--json")
    document = json.loads(again[1])
    assert document["statuses"] == {"truncated": 12, "empty": 0, "refusal": 0}, "also what was stored before"
    assert document["steps"] == 0
    assert ALL_CUT in again[2]


def test_each_is_counted_apart_and_a_whole_run_says_nothing(command: Any, tmp_path: Path) -> None:
    replies(tmp_path, (CUT, EMPTY, REFUSED))
    status, _, err = command(*RUN)
    assert status == 0, err
    words = "4 answers cut off at the token limit (raise max_tokens), 4 empty, 4 refused"
    assert f"\n  {words}\n" in err
    (about,) = json.loads(command("report", "--json")[1])["about"]["runs"]
    assert (about["truncated"], about["empty"], about["refused"]) == (4, 4, 4)
    status, out, err = command("run", "voila:WD", "--respondent", "oracle", "--limit", "4", "--json")
    assert json.loads(out)["statuses"] == {"truncated": 0, "empty": 0, "refusal": 0}
    whole = json.loads(out)["run"]
    for text in (err, command("report", whole)[1]):
        for word in ("cut off", "empty", "refused"):
            assert word not in text
