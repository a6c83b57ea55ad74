"""Interventions, their controls and the paper's ablations as flags of a batch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.commands import cells, phoropter, told
from tests.voila_data import small_voila_file

ITEMS = 70


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return small_voila_file(tmp_path, ITEMS, "WD")


def run(home: Path, data: Path, *more: object) -> Any:
    return told(home, "run", "voila:WD", "--data", data, "--respondent", "noisy:0.6", *more)


def test_gold_in_the_middle_has_a_row_of_its_own_and_no_plain_cell(tmp_path: Path, data: Path) -> None:
    document = run(tmp_path, data, "--intervene", "describe=gold")
    assert document["run"] == "voila-WD-l2m-noisy-0.6-describe-gold"
    assert {(cell["interventions"], cell["step"]) for cell in document["cells"]} == {
        ("describe=gold", "relate"),
        ("describe=gold", "apply"),
    }


def test_steps_of_another_run_are_reused_and_not_asked_again(tmp_path: Path, data: Path) -> None:
    plain = run(tmp_path, data)
    forked = run(tmp_path, data, "--intervene", "apply=gold:number", "--from", plain["run"])
    assert forked["steps"] == ITEMS
    assert forked["cells"] == []  # the answer that it changed is the other run's
    shown = told(tmp_path, "show", "voila-1", "--run", forked["run"])["trajectories"][0]["steps"]
    assert [step["origin"] for step in shown] == ["respondent", "respondent", "gold"]
    assert shown[-1]["scores"][0]["properties"]["number"] is True


def test_the_sham_asks_again_and_is_told_apart(tmp_path: Path, data: Path) -> None:
    plain = run(tmp_path, data)
    sham = run(tmp_path, data, "--intervene", "relate=gold", "--sham", "--from", plain["run"])
    assert sham["run"] != plain["run"]
    (again,) = cells(sham, step="relate", property="all")
    assert (again["interventions"], again["n"]) == ("relate=sham", ITEMS)
    anew = run(tmp_path, data, "--intervene", "relate=gold", "--sham")
    (first,) = cells(anew, step="relate", property="all", interventions="before relate=sham")
    assert first["right"] == cells(plain, step="relate", property="all")[0]["right"]


def test_no_table_takes_what_came_before_an_intervention_for_plain(tmp_path: Path, data: Path) -> None:
    gold = run(tmp_path, data, "--intervene", "relate=gold", "--intervene", "apply=gold:number", "--repeats", "2")
    report = told(tmp_path, "report", gold["run"])
    label = "before relate=gold+apply=gold:number"
    assert {cell["interventions"] for cell in cells(report, step="describe")} == {label}
    repeats = [cell["interventions"] for cell in report["repeats"] if cell["step"] == "describe"]
    assert set(repeats) == {label}


def test_worked_examples_at_the_third_step_keep_the_first_two_frozen(tmp_path: Path, data: Path) -> None:
    plain = run(tmp_path, data)
    thinking = run(tmp_path, data, "--set", "cot=yes", "--from", plain["run"])
    assert thinking["steps"] == ITEMS
    assert {cell["step"] for cell in thinking["cells"]} == {"apply"}


def test_relating_in_three_turns_is_also_counted_as_a_whole(tmp_path: Path, data: Path) -> None:
    document = run(tmp_path, data, "--set", "subprompts=yes")
    for name in ("number", "subject", "action"):
        (part,) = cells(document, step=f"relate.{name}", property=name)
        (whole,) = cells(document, step="relate", property=name)
        assert (part["right"], part["n"]) == (whole["right"], whole["n"])
    (together,) = cells(document, step="relate", property="all")
    assert together["n"] == ITEMS
    assert together["right"] <= min(cell["right"] for cell in cells(document, step="relate"))


def test_repeats_are_trajectories_of_their_own_and_hang_together_by_item(tmp_path: Path, data: Path) -> None:
    once = run(tmp_path, data, "--protocol", "direct")
    more = run(tmp_path, data, "--protocol", "direct", "--repeats", 3)
    assert more["run"] == once["run"]
    assert (more["trajectories"], more["steps"]) == (3 * ITEMS, 2 * ITEMS)
    (cell,) = cells(more, step="apply", property="all")
    assert cell["n"] == 3 * ITEMS
    assert cell["interval"] == "bootstrap over clusters"


def test_a_run_with_a_changed_prompt_is_a_new_one_and_says_which(tmp_path: Path, data: Path) -> None:
    arguments = ["run", "voila:WD", "--data", data, "--respondent", "noisy:0.6"]
    phoropter(tmp_path, *arguments)
    prompts = tmp_path / "mine.toml"
    prompts.write_text('[voila]\nrelate = "What differs between image 1 and image 2?"\n', encoding="utf-8")
    done = phoropter(tmp_path, *arguments, "--prompts", prompts)
    assert "new run voila-WD-l2m-noisy-0.6-2: prompt voila.relate changed" in done.stderr


def test_filter_sample_and_limit_choose_items(tmp_path: Path, data: Path) -> None:
    some = run(tmp_path, data, "--where", "rule=3,4", "--where", "rule=19", "--protocol", "direct")
    listed = told(tmp_path, "items", "voila:WD", "--data", data, "--where", "rule=3,4,19")
    assert some["trajectories"] == len(listed)
    assert {item["groups"]["rule"] for item in listed} == {"3", "4", "19"}
    sampled = [
        {item["id"] for item in told(tmp_path, "items", "voila:WD", "--data", data, "--sample", 9, "--seed", seed)}
        for seed in (1, 1, 2)
    ]
    assert sampled[0] == sampled[1] != sampled[2]
    assert len(sampled[0]) == 9
    first = run(tmp_path, data, "--limit", 5)
    rest = run(tmp_path, data)
    assert (first["run"], first["finished"], rest["steps"]) == (rest["run"], 5, 3 * (ITEMS - 5))


def test_another_respondent_answers_one_step(tmp_path: Path, data: Path) -> None:
    """Its answer is not counted as this respondent's, and what follows stands in a lane of its own."""
    document = run(tmp_path, data, "--respondent-at", "describe=oracle")
    assert document["run"] == "voila-WD-l2m-noisy-0.6-describe-by-oracle"
    assert {(cell["interventions"], cell["step"]) for cell in document["cells"]} == {
        ("describe=@oracle", "relate"),
        ("describe=@oracle", "apply"),
    }
    shown = told(tmp_path, "show", "voila-1", "--run", document["run"])["trajectories"][0]["steps"]
    assert [step["origin"] for step in shown] == ["other", "respondent", "respondent"]


def test_what_comes_before_another_respondents_step_is_no_plain_answer(tmp_path: Path, data: Path) -> None:
    """As before any intervention: the plain accuracy is the plain run's."""
    document = run(tmp_path, data, "--respondent-at", "relate=oracle")
    assert {(cell["interventions"], cell["step"]) for cell in document["cells"]} == {
        ("before relate=@oracle", "describe"),
        ("relate=@oracle", "apply"),
    }


def test_scoring_again_asks_nobody_and_changes_nothing(tmp_path: Path, data: Path) -> None:
    document = run(tmp_path, data)
    again = told(tmp_path, "score", document["run"])
    assert (again["added"], again["changed"]) == (0, [])
    assert told(tmp_path, "report", document["run"])["cells"] == document["cells"]


def test_runs_are_listed_renamed_and_deleted(tmp_path: Path, data: Path) -> None:
    document = run(tmp_path, data)
    assert phoropter(tmp_path, "runs", "rename", document["run"], "first try").returncode == 0
    assert [entry["run"] for entry in told(tmp_path, "runs")] == ["first try"]
    assert phoropter(tmp_path, "runs", "delete", "first try").returncode == 2  # nobody to ask
    assert phoropter(tmp_path, "runs", "delete", "first try", "--yes").returncode == 0
    assert told(tmp_path, "runs") == []


def test_reports_come_in_four_forms(tmp_path: Path, data: Path) -> None:
    name = run(tmp_path, data)["run"]
    table = phoropter(tmp_path, "report", name).stdout
    markdown = phoropter(tmp_path, "report", name, "--format", "md").stdout
    rows = phoropter(tmp_path, "report", name, "--format", "csv").stdout.splitlines()
    assert "describe" in table
    assert "(baseline)" in table
    assert markdown.count("| describe |") == 1
    assert rows[0].startswith("step,property,right,n,accuracy")
    assert len(rows) == 1 + 12
    assert phoropter(tmp_path, "report", name, "--format", "html5").returncode == 2


def test_new_questions_are_made_and_run(tmp_path: Path) -> None:
    done = phoropter(tmp_path, "make", "voila", "--subset", "ND", "--count", 14, "--out", "mine", "--size", 64)
    assert done.returncode == 0, done.stderr
    file = tmp_path / "mine" / "VOILA_ND.csv"
    document = told(tmp_path, "run", "voila:ND", "--data", file, "--respondent", "oracle")
    assert {cell["accuracy"] for cell in document["cells"]} == {1.0}
    again = phoropter(tmp_path, "make", "voila", "--subset", "ND", "--count", 14, "--out", "mine")
    assert (again.returncode, "not empty" in again.stderr) == (2, True)
    counts = told(tmp_path, "make", "voila", "--subset", "WD", "--dry-run")
    totals = counts["rows"][-1]
    assert {9_199_008, 7_495_488, 11_518_747_968, 6_473_376} <= set(totals.values())
    assert not (tmp_path / "VOILA_WD.csv").exists()


def test_a_dry_run_shows_the_first_request_and_asks_nothing(tmp_path: Path, data: Path) -> None:
    done = phoropter(
        tmp_path,
        *["run", "voila:WD", "--data", data, "--pictures", "drawn", "--respondent", "openai:m@http://127.0.0.1:9/v1"],
        "--dry-run",
    )
    assert done.returncode == 0, done.stderr
    assert "For each of the three images" in done.stdout
    assert f"{ITEMS} trajectories, {3 * ITEMS} steps" in done.stdout
    assert '"model": "m"' in done.stdout
    assert not (tmp_path / "data").exists()


def test_the_doctor_finds_a_sound_store_and_a_damaged_one(tmp_path: Path, data: Path) -> None:
    run(tmp_path, data)
    store = tmp_path / "data" / "phoropter" / "phoropter.db"
    sound = told(tmp_path, "doctor")
    assert {f["state"] for f in sound if f["area"] == "store"} <= {"ok", "warn"}
    body = bytearray(store.read_bytes())
    body[8192:12288] = bytes(4096)
    store.write_bytes(body)
    damaged = phoropter(tmp_path, "doctor", "--json")
    assert damaged.returncode == 1
    assert '"bad"' in damaged.stdout


def test_without_a_terminal_the_demo_is_a_batch_and_a_report(tmp_path: Path) -> None:
    done = phoropter(tmp_path, "demo")
    assert done.returncode == 0, done.stderr
    assert "demonstration" in done.stderr
    for word in ("oracle", "eyes-recorded", "describe", "apply"):
        assert word in done.stdout
