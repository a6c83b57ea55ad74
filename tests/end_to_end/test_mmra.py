"""MMRA through the command line: every setting, resume, a captioner behind a server, interventions, bad data."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.commands import cells, phoropter, told
from tests.mmra_data import every_subtask, made_rows, metadata, pack
from tests.servers import FaultServer, Received, Reply, says


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pack(tmp_path_factory.mktemp("data"), 5)


def run(home: Path, data: Path, *more: object) -> Any:
    return told(home, "run", "mmra", "--data", data, *more)


@pytest.mark.parametrize("protocol", ["iq", "dq", "idq", "qo"])
def test_the_oracle_is_right_everywhere_and_a_second_run_asks_nothing(home: Path, data: Path, protocol: str) -> None:
    first = run(home, data, "--protocol", protocol)
    assert (first["trajectories"], first["finished"], first["failed"]) == (55, 55, 0)
    assert {(cell["step"], cell["scorer"]) for cell in first["cells"]} == {
        ("answer", "rule"),
        ("answer", "published"),
    }
    assert {(cell["accuracy"], cell["n"]) for cell in first["cells"]} == {(1.0, 55)}
    again = run(home, data, "--protocol", protocol)
    assert (again["run"], again["steps"], again["cells"]) == (first["run"], 0, first["cells"])


def test_accuracy_by_subtask_adds_up_and_the_measures_come_with_the_report(home: Path, data: Path) -> None:
    seeing = run(home, data, "--respondent", "noisy:0.8")["run"]
    blind = run(home, data, "--protocol", "qo", "--respondent", "random")["run"]
    whole = told(home, "report", seeing, blind)
    by_subtask = told(home, "report", seeing, "--by", "subtask")
    (total,) = cells(whole, run=seeing, scorer="rule", property="all")
    parts = cells(by_subtask, scorer="rule", property="all")
    assert len(parts) == 11
    assert sum(part["right"] for part in parts) == total["right"]
    measures = {(m["name"], m["run"], m["scorer"], m["group"]): m for m in whole["measures"]}
    assert measures["accuracy", seeing, "rule", "all"]["value"] == total["accuracy"]
    (chance,) = cells(whole, run=blind, scorer="rule", property="all")
    gain = measures["gain_over_question_only", seeing, "rule", "all"]["value"]
    assert gain == pytest.approx(total["accuracy"] - chance["accuracy"])
    assert ("leakage", blind, "published", "US") in measures
    assert measures["leakage_flags", blind, "rule", "all"]["n"] == 11
    assert "leakage_flags" in phoropter(home, "report", seeing, blind).stdout


def test_sequence_perception_runs_on_its_subtasks_and_says_what_is_left_out(home: Path, data: Path) -> None:
    done = phoropter(home, "run", "mmra", "--data", data, "--set", "swap=yes", "--json")
    document = json.loads(done.stdout)
    assert document["trajectories"] == 16
    assert "asks nothing of them: 39 items" in done.stderr
    assert "US 5" in done.stderr
    report = told(home, "report", document["run"])
    overall = [m["value"] for m in report["measures"] if m["name"] == "sequence_overall"]
    assert overall == [1.0, 1.0]
    refused = phoropter(home, "run", "mmra", "--data", data, "--set", "swap=yes", "--where", "subtask=US")
    assert refused.returncode == 2
    assert "asks nothing of any of these items" in refused.stderr


async def test_a_captioner_behind_a_server_describes_each_picture_once_for_all_runs(home: Path, data: Path) -> None:
    def script(received: Received) -> Reply:
        content = received.messages[-1]["content"]
        pictures = [part for part in content if part["type"] == "image_url"] if isinstance(content, list) else []
        return says("A caption." if pictures else "[A]")

    pictures = {row[name] for row in made_rows(every_subtask()) for name in ("image1", "image2")}
    async with FaultServer(script) as server:
        captioner = f"describe=openai:captioner@{server.url}"
        arguments = ("run", "mmra", "--data", data, "--respondent", "oracle", "--respondent-at", captioner)
        dry = await asyncio.to_thread(phoropter, home, *arguments, "--protocol", "dq", "--dry-run")
        assert "step describe.1" in dry.stdout, dry.stderr
        first = await asyncio.to_thread(told, home, *arguments, "--protocol", "dq")
        assert (first["failed"], first["steps"]) == (0, 165)
        assert len(server.received) == len(pictures)
        other = await asyncio.to_thread(told, home, *arguments, "--protocol", "idq")
        assert (other["failed"], other["steps"]) == (0, 165)
        assert len(server.received) == len(pictures)
    shown = told(home, "show", "rp-001", "--run", first["run"])
    (trajectory,) = shown["trajectories"]
    assert [step["step"] for step in trajectory["steps"]] == ["describe.1", "describe.2", "answer"]
    assert trajectory["steps"][0]["text"] == "A caption."


async def test_a_model_is_shown_both_pictures_and_then_the_printed_prompt(home: Path, data: Path) -> None:
    async with FaultServer(lambda received: says("The answer is [B].")) as server:
        model = f"openai:model@{server.url}"
        document = await asyncio.to_thread(run, home, data, "--respondent", model, "--where", "id=us-002")
        content = server.received[0].messages[-1]["content"]
    assert document["failed"] == 0
    assert [part["type"] for part in content] == ["image_url", "image_url", "text"]
    assert content[2]["text"].startswith("You will be giving one question, two images, and four options")


def test_interventions_are_lanes_of_their_own(home: Path, data: Path) -> None:
    gold = run(home, data, "--respondent", "random", "--intervene", "answer=gold")
    assert gold["finished"] == 55
    assert [cell for cell in gold["cells"] if not cell["interventions"] and cell["n"]] == []
    caption = home / "caption.txt"
    caption.write_text("Nothing at all.")
    told_ = run(home, data, "--protocol", "dq", "--intervene", f"describe.1=text:{caption}")
    assert {cell["interventions"] for cell in told_["cells"]} == {"describe.1=text"}


def test_bad_rows_refuse_the_run_together_and_can_be_skipped(home: Path, tmp_path: Path) -> None:
    rows = made_rows({"US": 4})
    rows[1]["answer"] = "Z"
    rows[2]["QA_type"] = "Riddle"
    file = metadata(tmp_path, rows)
    (tmp_path / rows[3]["image1"]).unlink()
    done = phoropter(home, "run", "mmra", "--data", file)
    assert done.returncode == 2
    assert "row 2, answer" in done.stderr
    assert "row 3, QA_type" in done.stderr
    assert "Traceback" not in done.stderr
    rest = run(home, file, "--skip-bad")
    assert rest["trajectories"] == 2


def test_items_can_be_listed_and_chosen_by_subtask_level_and_kind(home: Path, data: Path) -> None:
    listed = phoropter(home, "items", "mmra", "--data", data, "--where", "subtask=OA", "--where", "qa=true-false")
    assert "oa-005" in listed.stdout
    assert "oa-004" not in listed.stdout
    assert phoropter(home, "items", "mmra", "us-001", "--data", data).returncode == 0


@pytest.mark.parametrize("protocol", ["iq", "dq", "idq", "qo"])
def test_the_built_in_pack_runs_in_every_setting(home: Path, protocol: str) -> None:
    document = told(home, "run", "mmra", "--protocol", protocol)
    assert (document["trajectories"], document["failed"]) == (44, 0)
    assert {cell["accuracy"] for cell in document["cells"]} == {1.0}
    by_subtask = told(home, "report", document["run"], "--by", "subtask")
    assert {cell["n"] for cell in by_subtask["cells"]} == {4}


def test_chance_on_the_pack_is_chance(home: Path) -> None:
    runs = [told(home, "run", "mmra", "--respondent", "random", "--seed", seed)["cells"] for seed in range(3)]
    expected = (22 / 2 + 17 / 4 + 5 / 3) / 44
    inside = [cell["low"] <= expected <= cell["high"] for found in runs for cell in found]
    assert all(inside)
