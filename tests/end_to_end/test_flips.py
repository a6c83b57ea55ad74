"""The report of an intervention, on all three benchmarks, and repeats as one answer beside plain accuracy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.commands import phoropter, told

WRONG = (
    ("voila:WD", "l2m", "describe=wrong:number", {"relate", "apply"}),
    ("vrex", "planning", "plan.1=wrong:answer", {"plan", "final"}),
    ("mmra", "dq", "answer=wrong:answer", set[str]()),
)


@pytest.mark.parametrize(("benchmark", "protocol", "intervention", "later"), WRONG, ids=[row[0] for row in WRONG])
def test_a_wrong_value_and_its_sham_from_a_run_are_reported(
    tmp_path: Path, benchmark: str, protocol: str, intervention: str, later: set[str]
) -> None:
    run = ("run", benchmark, "--protocol", protocol, "--respondent", "seeing:0.8", "--repeats", 2)
    plain = told(tmp_path, *run)["run"]
    changed = told(tmp_path, *run, "--intervene", intervention, "--from", plain)
    sham = told(tmp_path, *run, "--intervene", intervention, "--from", plain, "--sham")
    assert (changed["failed"], sham["failed"]) == (0, 0)
    document: dict[str, Any] = told(tmp_path, "report", changed["run"])
    rows = document.get("flips", [])
    step = intervention.partition("=")[0].partition(".")[0]
    assert {row["step"] for row in rows if row["compared"] == "intervention - plain"} == later
    assert {row["step"] for row in rows if row["compared"] == "sham - plain"} == later | {step}
    for row in rows:
        kinds = [row[name] for name in ("right_right", "right_wrong", "wrong_right", "wrong_wrong")]
        assert sum(kinds) == row["n"] > 0
        assert row["low"] <= row["change"] <= row["high"]
        assert (row["left_out"], row["asked_anew"]) == (0, False)
    if benchmark.startswith("voila"):
        (number,) = [r for r in rows if (r["step"], r["property"]) == ("relate", "number")
                     and r["compared"] == "intervention - plain"]  # fmt: skip
        assert number["wrong_right"] == 0
        assert number["p"] < 0.001
        table = phoropter(tmp_path, "report", changed["run"], "--format", "md").stdout
        assert table.count("| relate | number |") == 3
        assert sham["run"] in table


def test_without_a_plain_run_or_a_sham_the_report_says_what_is_missing(tmp_path: Path) -> None:
    run = ("run", "mmra", "--protocol", "dq", "--respondent", "noisy:0.7")
    ran = phoropter(tmp_path, *run, "--intervene", "answer=gold", "--sham")
    assert "no plain run to set it against" in ran.stderr
    phoropter(tmp_path, *run)
    assert "came" in phoropter(tmp_path, "report").stdout


def test_items_that_not_every_repeat_has_finished_are_counted_below_the_repeats(tmp_path: Path) -> None:
    run = ("run", "mmra", "--respondent", "noisy:0.6", "--name", "some")
    whole = told(tmp_path, *run, "--limit", 6, "--repeats", 3)
    assert whole["run"] == "some"
    assert "repeats_unfinished" not in told(tmp_path, "report", "some")
    told(tmp_path, *run, "--limit", 10)
    document = told(tmp_path, "report", "some")
    assert document["repeats_unfinished"] == [{"run": "some", "times": 3, "items": 10, "whole": 6}]
    assert {row["n"] for row in document["repeats"]} == {6}
    shown = " ".join(phoropter(tmp_path, "report", "some").stdout.split())
    assert (
        "some: 6 of 10 items were finished by all 3 repeats; a step counts those that each has answered (n)" in shown
    )


def test_which_repeat_is_taken_over_is_said_and_how_many_are_in_no_row(tmp_path: Path) -> None:
    run = ("run", "voila:WD", "--respondent", "seeing:0.8")
    phoropter(tmp_path, *run, "--repeats", 3, "--limit", 10, "--name", "plain")
    changed = (*run, "--intervene", "describe=gold", "--from", "plain", "--name")
    once = phoropter(tmp_path, *changed, "once", "--limit", 14)
    said = "of its 3 repeats of an item the first alone is"
    assert f"--from plain: {said} taken over (--repeats 3 takes all)" in once.stderr
    report = " ".join(phoropter(tmp_path, "report", "once").stdout.split())
    assert f"plain: {said} compared" in report
    assert "in no row: 4 trajectories of once, unfinished or without a finished counterpart in plain" in report
    thrice = phoropter(tmp_path, *changed, "thrice", "--limit", 10, "--repeats", 3)
    assert "taken over" not in thrice.stderr
    assert "repeats of an item the first" not in " ".join(phoropter(tmp_path, "report", "thrice").stdout.split())


def test_repeats_have_rows_of_their_own_and_plain_accuracy_stays_what_it_was(tmp_path: Path) -> None:
    run = ("run", "mmra", "--respondent", "noisy:0.6")
    once = told(tmp_path, *run)
    before = told(tmp_path, "report")
    assert "repeats" not in before
    told(tmp_path, *run, "--repeats", 3)
    document = told(tmp_path, "report")
    rows = {(row["scorer"], row["group"]): row for row in document["repeats"] if row["property"] == "answer"}
    assert {group for _, group in rows} == {"majority of 3", "best of 3", "all of 3"}
    assert {row["n"] for row in rows.values()} == {44}
    assert {cell["n"] for cell in document["cells"]} == {132}
    plain = document["cells"][0]["accuracy"]
    assert rows["rule", "all of 3"]["accuracy"] < plain < rows["rule", "best of 3"]["accuracy"]
    assert once["finished"] == 44
    shown = phoropter(tmp_path, "report").stdout
    assert "an item's repeats as one answer" in shown
    assert json.dumps(document["cells"]).count("majority") == 0
