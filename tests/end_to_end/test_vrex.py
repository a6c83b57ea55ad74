"""V-REX through the commands: baselines, replay, interventions with their controls, reports and refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.commands import cells, phoropter, told
from tests.vrex_data import items, rows, write

COUNT = 300
ROWS = rows(COUNT, seed=21)
KINDS = {"planning": "plan", "following": "follow"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def data(home: Path) -> Path:
    return write(home / "data", ROWS)


@pytest.fixture(scope="module")
def runs(home: Path, data: Path) -> dict[tuple[str, str], Any]:
    """Oracle and random under every protocol."""
    found = {}
    for protocol in ("planning", "following", "direct"):
        for respondent in ("oracle", "random"):
            found[protocol, respondent] = run(home, data, "--protocol", protocol, "--respondent", respondent)
    return found


def run(home: Path, data: Path, *more: object) -> Any:
    return told(home, "run", "vrex", "--data", data, *more)


def measures(home: Path, *runs: str) -> dict[tuple[str, str, str], Any]:
    """By name, run and group."""
    return {(m["name"], m["run"], m["group"]): m for m in told(home, "report", *runs)["measures"]}


# -- baselines


def test_the_oracle_is_right_in_every_cell_of_every_protocol(runs: dict[tuple[str, str], Any]) -> None:
    for protocol in ("planning", "following", "direct"):
        found = runs[protocol, "oracle"]
        assert (found["finished"], found["failed"]) == (COUNT, 0)
        assert {cell["accuracy"] for cell in found["cells"]} == {1.0}
        assert {cell["step"] for cell in found["cells"]} == {
            "final",
            *([KINDS[protocol]] if protocol in KINDS else []),
        }
    steps = sum(len(row["steps"]) for row in ROWS)
    assert runs["planning", "oracle"]["steps"] == steps + COUNT
    (pooled,) = cells(runs["planning", "oracle"], step="plan", property="steps")
    assert (pooled["n"], pooled["right"]) == (steps, steps)
    (mean,) = cells(runs["planning", "oracle"], step="plan", property="answer")
    assert mean["n"] == COUNT


def test_chance_lies_within_the_intervals_of_random(runs: dict[tuple[str, str], Any]) -> None:
    for protocol, step, chance in (
        ("planning", "plan", 1 / 6),
        ("following", "follow", 1 / 4),
        ("planning", "final", 1 / 4),
        ("direct", "final", 1 / 4),
    ):
        (cell,) = cells(runs[protocol, "random"], step=step, property="answer")
        assert cell["low"] <= chance <= cell["high"], cell


def test_a_second_run_asks_nothing(home: Path, data: Path, runs: dict[tuple[str, str], Any]) -> None:
    again = run(home, data, "--protocol", "planning", "--respondent", "random")
    assert (again["run"], again["steps"]) == (runs["planning", "random"]["run"], 0)
    assert again["cells"] == runs["planning", "random"]["cells"]


def test_planning_is_the_default_and_a_name_without_a_subset_does(home: Path, data: Path) -> None:
    shown = told(home, "run", "vrex", "--data", data, "--dry-run")
    assert shown["step"] == "plan.1"
    assert (shown["trajectories"], shown["steps"]) == (COUNT, COUNT + sum(len(row["steps"]) for row in ROWS))
    done = phoropter(home, "run", "vrex:ND", "--data", data)
    assert done.returncode == 2
    assert "vrex has no subset ND" in done.stderr


# -- reports


def test_the_measures_stand_beside_the_cells_and_agree(home: Path, runs: dict[tuple[str, str], Any]) -> None:
    names = [found["run"] for (_, respondent), found in runs.items() if respondent == "random"]
    found = measures(home, *names)
    for protocol, kind in KINDS.items():
        name = runs[protocol, "random"]["run"]
        (cell,) = cells(runs[protocol, "random"], step=kind, property="answer")
        ability = found[protocol, name, "all"]
        assert [ability[key] for key in ("value", "n", "low", "high")] == [
            pytest.approx(cell[key]) for key in ("accuracy", "n", "low", "high")
        ]
        (cell,) = cells(runs[protocol, "random"], step="final", property="answer")
        assert found[f"acc_{kind}", name, "all"]["value"] == pytest.approx(cell["accuracy"])
        direct = found["acc", runs["direct", "random"]["run"], "all"]["value"]
        names_of_both = f"{name} vs {runs['direct', 'random']['run']}"
        change = found[f"change_{kind}", names_of_both, "all"]
        assert change["value"] == pytest.approx((cell["accuracy"] - direct) / direct)
        by_wrong = [m for key, m in found.items() if key[0] == f"acc_{kind}_by_wrong_steps"]
        assert sum(m["n"] for m in by_wrong) == COUNT
        failed = sum(m["n"] for m in by_wrong if m["group"] != "0")
        recovered = sum(m["n"] * m["value"] for m in by_wrong if m["group"] != "0")
        recovery = found[f"recovery_{kind}", name, "all"]
        assert (recovery["n"], recovery["value"]) == (failed, pytest.approx(recovered / failed))


def test_accuracy_by_category_adds_up(home: Path, runs: dict[tuple[str, str], Any]) -> None:
    name = runs["planning", "random"]["run"]
    by_category = told(home, "report", name, "--by", "category")
    for step in ("plan", "final"):
        (whole,) = cells(runs["planning", "random"], step=step, property="answer")
        parts = cells(by_category, step=step, property="answer")
        assert {part["group"] for part in parts} == {"Deduction", "Guessing", "Navigation", "Retrieval"}
        assert sum(part["right"] for part in parts) == pytest.approx(whole["right"])
        assert sum(part["n"] for part in parts) == whole["n"]


def test_a_page_shows_the_steps_in_order_and_groups_only_where_asked(
    home: Path, runs: dict[tuple[str, str], Any]
) -> None:
    name = runs["planning", "random"]["run"]
    page = phoropter(home, "report", name, "--format", "md").stdout
    assert page.index("| plan |") < page.index("| final |")
    assert "**vrex, planning: accuracy in %**" in page
    assert "planning_mean_of_categories" in page
    assert "scenario Map" not in page
    assert "scenario Map" in phoropter(home, "report", name, "--format", "md", "--by", "scenario").stdout


# -- replay


def replay(home: Path, name: str, answers: dict[tuple[str, str], str]) -> Path:
    file = home / name
    lines = [json.dumps({"item": item, "step": step, "text": text}) for (item, step), text in answers.items()]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("on_unparsed", "steps", "plan", "finals"),
    [
        ("continue", ["plan.1", "plan.2", "final"], 0.5, 1),
        ("reask", ["plan.1", "plan.1.again", "plan.2", "final"], 1.0, 1),
        ("stop", ["plan.1"], 0.0, 0),
    ],
)
def test_what_cannot_be_read_goes_on_is_asked_again_or_stops(
    home: Path, on_unparsed: str, steps: list[str], plan: float, finals: int
) -> None:
    made = rows(2)[1:]
    file = write(home / "one", made)
    (item,) = items(made, home / "one")
    facts = item.facts["steps"]
    answers = {
        (item.id, "plan.1"): "Let me think about the legend.",
        (item.id, "plan.1.again"): f"({facts[0]['planning']['answer']})",
        (item.id, "plan.2"): f"({facts[1]['planning']['answer']})\n\nIt comes next.",
        (item.id, "final"): f"({item.facts['answer']})",
    }
    recorded = replay(home, "recorded.jsonl", answers)
    found = run(home, file, "--respondent", f"replay:{recorded}", "--set", f"on_unparsed={on_unparsed}")
    assert (found["finished"], found["failed"]) == (1, 0)
    (cell,) = cells(found, step="plan", property="answer")
    assert (cell["accuracy"], cell["n"]) == (plan, 1)
    assert len(cells(found, step="final", property="answer")) == finals
    shown = told(home, "show", item.id, "--run", found["run"])
    (trajectory,) = shown["trajectories"]
    assert [step["step"] for step in trajectory["steps"]] == steps
    assert trajectory["steps"][0]["choice"] is None
    assert trajectory["steps"][0]["scores"][0]["status"] == "no_answer"
    if finals:
        assert trajectory["steps"][-2]["choice"] == facts[1]["planning"]["answer"]
        assert trajectory["steps"][-2]["scores"][0]["span"] == {"answer": [1, 2]}


def test_scoring_again_leaves_what_happened_as_it_was(home: Path, runs: dict[tuple[str, str], Any]) -> None:
    name = runs["planning", "random"]["run"]
    before = told(home, "show", "v-004", "--run", name)
    told(home, "score", name)
    after = told(home, "show", "v-004", "--run", name)
    assert after == before
    assert run_cells(home, name) == runs["planning", "random"]["cells"]


def run_cells(home: Path, name: str) -> Any:
    return told(home, "report", name)["cells"]


def test_a_call_that_fails_fails_its_trajectory_alone_and_is_counted(home: Path) -> None:
    made = rows(3)
    file = write(home / "failing", made)
    recorded = replay(home, "failing.jsonl", {
        (row["id"], step): f"({row['steps'][0]['planning']['answer']})"
        for row, steps in zip(made, (("plan.1", "final"), ("plan.1",), ()), strict=True)
        for step in steps
    })  # fmt: skip
    done = phoropter(home, "run", "vrex", "--data", file, "--respondent", f"replay:{recorded}", "--json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert (found["finished"], found["failed"]) == (1, 2)
    (plan,) = cells(found, step="plan", property="answer")
    assert (plan["n"], plan["failed"], plan["accuracy"], plan["accuracy_strict"]) == (2, 2, 1.0, (1 + 1 / 2 + 0) / 3)
    (final,) = cells(found, step="final", property="answer")
    assert (final["n"], final["failed"]) == (1, 2)


def test_a_step_sent_to_somebody_else_is_asked_again_of_the_same(home: Path) -> None:
    made = rows(1)
    file = write(home / "other", made)
    recorded = replay(home, "other.jsonl", {(made[0]["id"], "plan.1"): "", (made[0]["id"], "plan.1.again"): "(A)"})
    sent = ("--respondent-at", f"plan.1=replay:{recorded}", "--set", "on_unparsed=reask")
    found = run(home, file, "--respondent", "oracle", *sent)
    (trajectory,) = told(home, "show", made[0]["id"], "--run", found["run"])["trajectories"]
    assert [(step["step"], step["text"]) for step in trajectory["steps"]][:2] == [
        ("plan.1", ""),
        ("plan.1.again", "(A)"),
    ]


# -- interventions


def test_who_is_sent_in_for_a_numbered_step_leaves_no_plain_accuracy_of_half_a_chain(home: Path, data: Path) -> None:
    found = run(home, data, "--respondent", "random", "--respondent-at", "plan.2=oracle", "--name", "sent in")
    (begun,) = cells(found, step="plan", property="steps", interventions="before plan.2=@oracle")
    assert begun["n"] == sum(1 + (len(row["steps"]) < 2) * (len(row["steps"]) - 1) for row in ROWS)
    assert not cells(found, interventions="")


def test_the_gold_at_a_step_with_its_sham_from_a_run(
    home: Path, data: Path, runs: dict[tuple[str, str], Any]
) -> None:
    base = runs["planning", "random"]["run"]
    common = ("--protocol", "planning", "--respondent", "random", "--intervene", "plan.2=gold", "--from", base)
    gold = run(home, data, *common, "--name", "gold at 2")
    sham = run(home, data, *common, "--sham", "--name", "sham at 2")
    longer = [row for row in ROWS if len(row["steps"]) >= 2]
    for found in (gold, sham):
        assert (found["finished"], found["failed"]) == (COUNT, 0)
    (final,) = cells(gold, step="final", property="answer")
    assert (final["interventions"], final["n"]) == ("plan.2=gold", len(longer))
    (rest,) = cells(gold, step="plan", property="steps")
    assert (rest["interventions"], rest["n"]) == ("plan.2=gold", sum(len(row["steps"]) - 2 for row in longer))
    (again,) = cells(sham, step="plan", property="steps", interventions="plan.2=sham")
    assert again["n"] == sum(len(row["steps"]) - 1 for row in longer)
    assert not told(home, "report", "gold at 2").get("measures")


def test_gold_and_wrong_are_put_in_as_a_letter_and_acted_on(home: Path, data: Path) -> None:
    for what, right in (("gold", True), ("wrong:answer", False)):
        found = run(home, data, "--respondent", "oracle", "--intervene", f"plan.1={what}", "--where", "id=v-002")
        (trajectory,) = told(home, "show", "v-002", "--run", found["run"])["trajectories"]
        step, then = trajectory["steps"][0], trajectory["steps"][1]
        planning = ROWS[2]["steps"][0]["planning"]
        assert (step["choice"] == planning["answer"]) is right
        assert step["text"] == f"({step['choice']})"
        assert then["step"] == "plan.2"
        text = phoropter(home, "show", "v-002", "--run", found["run"]).stdout
        assert f"Answer: {planning['options'][step['choice']]['answer']}" in text


def test_a_step_that_no_chain_has_is_refused(home: Path, data: Path) -> None:
    done = phoropter(home, "run", "vrex", "--data", data, "--respondent", "oracle", "--intervene", "plan.7=gold")
    assert done.returncode == 2
    assert "no item is asked plan.7" in done.stderr
    done = phoropter(home, "run", "vrex", "--data", data, "--respondent", "oracle", "--intervene", "follow.1=gold")
    assert done.returncode == 2
    assert "no step 'follow.1'" in done.stderr


# -- refusals


def test_bad_rows_are_refused_together_and_nothing_is_run(home: Path) -> None:
    made = rows(4)
    made[0]["options"], made[1]["answer"], made[2]["steps"] = ["left", "right"], "Q", []
    file = write(home / "bad", made)
    done = phoropter(home, "run", "vrex", "--data", file, "--respondent", "oracle", "--store", home / "none.db")
    assert done.returncode == 2
    assert "3 problems in the data" in done.stderr
    for row, field in ((1, "options"), (2, "answer"), (3, "steps")):
        assert f"row {row}, {field}" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (home / "none.db").exists()
    found = run(home, file, "--respondent", "oracle", "--skip-bad")
    assert found["finished"] == 1
    found = run(home, file, "--respondent", "oracle", "--skip-bad", "--protocol", "direct")
    assert found["finished"] == 2


def test_missing_pictures_are_named_where_somebody_looks(home: Path) -> None:
    file = write(home / "blind", rows(2), images=False)
    assert run(home, file, "--respondent", "oracle")["finished"] == 2
    done = phoropter(home, "run", "vrex", "--data", file, "--respondent", "openai:m@http://127.0.0.1:9/v1")
    assert done.returncode == 2
    assert "v-000" in done.stderr
    assert "v-001" in done.stderr
    done = phoropter(home, "run", "vrex", "--data", file, "--pictures", "drawn")
    assert done.returncode == 2
    assert "no drawn pictures" in done.stderr


def test_items_are_listed_and_shown(home: Path, data: Path) -> None:
    listed = told(home, "items", "vrex", "--data", data, "--where", "scenario=Map")
    assert {item["groups"]["category"] for item in listed} == {"Navigation"}
    shown = phoropter(home, "items", "vrex", "v-003", "--data", data).stdout
    assert ROWS[3]["question"] in shown
    assert "asked first (plan.1)" in shown


def test_options_of_the_protocol_are_part_of_the_run(home: Path, data: Path) -> None:
    found = run(home, data, "--respondent", "oracle", "--set", "options=rotate", "--set", "seed=5", "--limit", "20")
    assert {cell["accuracy"] for cell in found["cells"]} == {1.0}
    assert found["cells"][0]["options"] == "on_unparsed=continue,options=rotate,seed=5"
    again = run(home, data, "--respondent", "oracle", "--set", "options=rotate", "--set", "seed=5", "--limit", "20")
    assert (again["run"], again["steps"]) == (found["run"], 0)
