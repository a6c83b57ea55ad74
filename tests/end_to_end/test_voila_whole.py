"""The main job on the published file (or one of its form and size): 3,689 questions, least-to-most."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.benchmarks import registry
from core.benchmarks.base import LoadOptions
from core.benchmarks.voila.load import load
from core.prompts import prompts_for
from core.records import Answer, Step
from tests.end_to_end.commands import cells, phoropter, told
from tests.voila_data import ND_COUNT, voila_file
from tests.voila_wordings import WORDINGS

VOILA = registry.get("voila")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return voila_file(tmp_path_factory.mktemp("data"))


def run(home: Path, data: Path, *more: object) -> dict[str, object]:
    document: dict[str, object] = told(
        home, "run", "voila:ND", "--data", data, "--pictures", "drawn", "--protocol", "l2m", *more
    )
    return document


def test_the_oracle_is_right_everywhere_and_a_second_run_asks_nothing(home: Path, data: Path) -> None:
    first = run(home, data, "--respondent", "oracle")
    assert (first["trajectories"], first["finished"], first["failed"]) == (ND_COUNT, ND_COUNT, 0)
    assert first["steps"] == 3 * ND_COUNT
    assert len(first["cells"]) == 12  # type: ignore[arg-type]
    assert {cell["accuracy"] for cell in first["cells"]} == {1.0}  # type: ignore[attr-defined]
    assert {cell["n"] for cell in cells(first, step="describe")} == {3 * ND_COUNT}
    assert {cell["n"] for cell in cells(first, step="apply")} == {ND_COUNT}

    again = run(home, data, "--respondent", "oracle")
    assert (again["run"], again["finished"], again["steps"]) == (first["run"], ND_COUNT, 0)
    assert again["cells"] == first["cells"]


def test_noise_is_right_as_often_as_it_says(home: Path, data: Path) -> None:
    noisy = run(home, data, "--respondent", "noisy:0.9")
    for name in ("number", "subject", "action"):
        (cell,) = cells(noisy, step="apply", property=name)
        assert abs(cell["accuracy"] - 0.9) <= 0.015, cell


def test_the_gold_in_ten_wordings_is_right_everywhere(home: Path, data: Path, tmp_path: Path) -> None:
    """Each question is answered in one of the wordings of each step, all wordings evenly over the file."""
    protocol = VOILA.protocols["l2m"]("ND", {}, prompts_for("voila"))
    assert all(len(WORDINGS[step]) >= 10 for step in protocol.steps)
    file = tmp_path / "replies.jsonl"
    with file.open("w", encoding="utf-8") as out:
        for index, item in enumerate(load(data, "ND", LoadOptions())):
            steps: list[Step] = []
            while (turn := protocol.next_turn(item, steps)) is not None:
                wordings = list(WORDINGS[turn.step].values())
                text = wordings[index % len(wordings)](item, turn.gold)
                out.write(json.dumps({"item": item.id, "step": turn.step, "text": text}) + "\n")
                steps.append(Step(turn, Answer(text)))
    document = run(home, data, "--respondent", f"replay:{file}")
    wrong = [cell for cell in document["cells"] if cell["accuracy"] != 1.0]  # type: ignore[attr-defined]
    assert wrong == []


def test_accuracy_by_rule_adds_up_to_the_whole(home: Path, data: Path) -> None:
    run(home, data, "--respondent", "noisy:0.9")
    whole = told(home, "report", "voila-ND-l2m-noisy-0.9")
    by_rule = told(home, "report", "voila-ND-l2m-noisy-0.9", "--by", "rule")
    groups = {cell["group"] for cell in by_rule["cells"]}
    assert groups == {"1", "5", "9", "13", "15", "17", "19"}
    for step in ("describe", "relate", "apply"):
        for name in ("number", "subject", "action", "all"):
            (total,) = cells(whole, step=step, property=name)
            parts = cells(by_rule, step=step, property=name)
            assert sum(part["right"] for part in parts) == total["right"]
            assert sum(part["n"] for part in parts) == total["n"]


def test_one_item_can_be_read_as_a_transcript(home: Path, data: Path) -> None:
    run(home, data, "--respondent", "oracle")
    document = told(home, "show", "voila-1", "--run", "voila-ND-l2m-oracle")
    (trajectory,) = document["trajectories"]
    assert [step["step"] for step in trajectory["steps"]] == ["describe", "relate", "apply"]
    last = trajectory["steps"][-1]["scores"][0]
    assert last["correct"]
    assert last["properties"] == {"number": True, "subject": True, "action": True}
    start, end = last["span"]["subject"]
    assert trajectory["steps"][-1]["text"][start:end]
    text = phoropter(home, "show", "voila-1", "--run", "voila-ND-l2m-oracle").stdout
    assert "The answer is number =" in text
