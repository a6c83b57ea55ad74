"""The notebook from the command line, and reports by another gold: one store, from a run to an export."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tui.cli import run

ITEM = "voila-3"


def cells(command: Any, *arguments: str) -> dict[tuple[str, str], tuple[float, int]]:
    """Right and n of ``all`` by scorer and step."""
    _, out, _ = command("report", "--json", *arguments)
    found = json.loads(out)["cells"]
    return {(c["scorer"], c["step"]): (c["right"], c["n"]) for c in found if c["property"] == "all"}


def test_a_gold_that_several_runs_share_is_disputed_without_naming_one(command: Any) -> None:
    for who in ("noisy:0.6", "oracle"):
        assert command("run", "voila:ND", "--respondent", who, "--limit", "3")[0] == 0
    assert command("notes", "dispute", ITEM, "blurred", "--step", "apply", "--right", "action=jumping")[0] == 0
    assert "disputed by you at apply" in command("show", ITEM)[1]
    assert command("notes", "dispute", ITEM, "--step", "apply", "--withdraw")[0] == 0
    assert "it has no step 'aply'" in command("notes", "dispute", ITEM, "blurred", "--step", "aply")[2]
    assert "several runs have it" in command("notes", "tag", ITEM, "odd", "--step", "apply")[2]


def test_a_letter_that_means_something_else_in_each_run_is_disputed_in_a_run_that_is_named(command: Any) -> None:
    for seed in ("1", "2", "3"):
        turned = ("--set", "options=rotate", "--set", f"seed={seed}")
        asked = ("run", "vrex", "--protocol", "direct", "--respondent", "oracle", "--limit", "1")
        assert command(*asked, *turned)[0] == 0
    item = json.loads(command("items", "vrex", "--json")[1])[0]["id"]
    step = json.loads(command("show", item, "--json")[1])["trajectories"][0]["steps"][0]["step"]
    assert "several runs have it" in command("notes", "dispute", item, "why", "--step", step)[2]


def test_from_a_run_to_an_export(command: Any, tmp_path: Path) -> None:
    assert command("run", "voila:ND", "--respondent", "noisy:0.6")[0] == 0
    (tmp_path / "phoropter.toml").write_text('[notebook]\npseudonym = "ann"\n', encoding="utf-8")
    before = cells(command)
    assert command("notes", "grade", ITEM, "3.action=right", "--step", "describe", "--reason", "parser-wrong")[0] == 0
    assert command("notes", "grade", ITEM, "action=wrong", "--step", "apply", "--note", "=SUM(1)\n[no]")[0] == 0
    assert command("notes", "tag", ITEM, "Perception")[0] == 0
    assert command("notes", "write", ITEM, "the \x1b[31mhat\u202e 日本", "--step", "relate")[0] == 0
    assert command("notes", "dispute", ITEM, "jumping", "--step", "apply", "--right", "action=JUMPING")[0] == 0
    assert command("notes", "dispute", "voila-4", "blurred")[0] == 0

    after = cells(command)
    assert {key: after[key] for key in before} == before
    assert after["rule+ann", "describe"] == (before["rule", "describe"][0] + 1, before["rule", "describe"][1])
    assert after["ann", "apply"] == (0, 1)
    published, corrected = cells(command, "--gold", "published"), cells(command, "--gold", "corrected")
    assert corrected["rule", "apply"] == (published["rule", "apply"][0] - 1, 14)
    assert cells(command, "--gold", "undisputed")["rule", "apply"][1] == 12
    assert list(cells(command, "--scorer", "rule+ann")) == [("rule+ann", s) for s in ("describe", "relate", "apply")]

    status, out, err = command("report", "--gold", "corrected")
    assert (status, "gold: corrected" in out, "1 with corrected values" in err) == (0, True, True)
    assert json.loads(command("report", "--tags", "--json")[1])["tags"] == [
        {
            "run": "voila-ND-l2m-noisy-0.6",
            "respondent": "noisy:0.6",
            "step": "describe",
            "tag": "perception",
            "count": 1,
        }
    ]
    assert "accuracy" in command("report", "--agreement", "ann")[1]

    _, shown, _ = command("show", ITEM)
    assert "ann (version 1): right" in shown
    assert "ann, why: parser wrong" in shown
    assert "gold disputed by ann at apply: jumping (right: action jumping)" in shown
    assert "tags: #perception" in shown
    assert "\x1b" not in shown
    document = json.loads(command("show", ITEM, "--json")[1])
    assert document["item"]["disputes"][0]["right"] == {"action": {"value": "jumping", "text": ""}}
    assert document["trajectories"][0]["steps"][0]["tags"] == [{"tag": "perception", "author": "ann"}]

    lines = [json.loads(line) for line in command("export", "notes", "--format", "jsonl")[1].splitlines()]
    assert [line["kind"] for line in lines] == ["note", "tag", "grade", "grade", "dispute", "dispute"]
    assert lines[0]["text"] == "the \x1b[31mhat\u202e 日本"
    assert lines[3]["values"] == {"number": True, "subject": True, "action": False}
    rows = list(csv.DictReader(io.StringIO(command("export", "notes")[1])))
    assert [row["kind"] for row in rows] == [line["kind"] for line in lines]
    assert "## voila:ND voila-3" in command("export", "notes", "--format", "md")[1]
    assert [entry["text"] for entry in json.loads(command("notes", "--tag", "perception", "--json")[1])] == [
        "perception"
    ]

    assert command("notes", "dispute", ITEM, "--step", "apply", "--withdraw")[0] == 0
    assert command("notes", "tag", ITEM, "perception")[0] == 0
    assert command("notes", "write", ITEM, "", "--step", "relate")[0] == 2
    assert command("notes", "write", ITEM, "--delete", "--step", "relate")[0] == 0
    left = [json.loads(line) for line in command("export", "notes", "--format", "jsonl")[1].splitlines()]
    assert [line["kind"] for line in left] == ["grade", "grade", "dispute"]
    past = command("export", "notes", "--format", "jsonl", "--past")[1].splitlines()
    assert [json.loads(line)["past"] for line in past] == [True, False, False, True, False, True]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("notes", "tag", ITEM, "a,b", "--step", "apply"), "a tag is a word"),
        (("notes", "tag", "nothing", "rule"), "nothing is stored on it"),
        (("notes", "tag", ITEM, "rule", "--step", "dance"), "it has no step 'dance'"),
        (("notes", "tag", ITEM, "rule"), "no step of it is wrong"),
        (("notes", "grade", ITEM, "taste=right", "--step", "apply"), "no property 'taste'"),
        (("notes", "grade", ITEM, "action=maybe", "--step", "apply"), "right, wrong or unscored"),
        (("notes", "grade", ITEM, "action=right", "--step", "apply", "--reason", "luck"), "no reason 'luck'"),
        (("notes", "dispute", ITEM), "needs a reason"),
        (("notes", "dispute", ITEM, "x", "--right", "action=jumping"), "belong to a step"),
        (("notes", "dispute", ITEM, "x", "--step", "apply", "--right", "action=flying"), "cannot be 'flying'"),
        (("notes", "dispute", ITEM, "--withdraw"), "disputes nothing"),
        (("report", "--gold", "golden"), "no gold 'golden'"),
        (("report", "--tags", "--gold", "corrected"), "not broken down"),
        (("report", "--agreement", "rule", "--gold", "corrected"), "not broken down"),
        (("report", "--scorer", "rule+you"), "no scorer 'rule+you'"),
        (("report", "--published", "voila", "--gold", "corrected"), "--published"),
        (("export", "notes", "--format", "xml"), "no format 'xml'"),
    ],
)
def test_bad_input_is_one_line(command: Any, stored: Path, arguments: tuple[str, ...], says: str) -> None:
    status, out, err = command(*arguments, "--store", str(stored))
    assert (status, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in which everything is right."""
    path = tmp_path_factory.mktemp("right") / "phoropter.db"
    assert run(["run", "voila:ND", "--respondent", "oracle", "--limit", "4", "--store", str(path)]) == 0
    return path


@pytest.mark.parametrize("name", ["", "two words", "x" * 41])
def test_a_pseudonym_that_is_none_is_refused(command: Any, stored: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "phoropter.toml").write_text(f'[notebook]\npseudonym = "{name}"\n', encoding="utf-8")
    status, _, err = command("notes", "write", ITEM, "x", "--store", str(stored))
    assert (status, "notebook.pseudonym (line 2)" in err) == (2, True)
