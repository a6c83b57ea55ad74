"""``study monitor`` and ``study grade`` as commands: documents, tables, and what they refuse."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import pytest

from sessions.runs import find_run
from sessions.store import Store
from sessions.studies.grading import keeping, offer
from sessions.studies.grading_pool import gradable
from tests.tui.lab import busy, lab
from tests.tui.stored import a_file, batch
from tui.cli import run as main


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "s.db"


def test_the_monitor_without_a_terminal_is_one_document(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Store.open(place) as store:
        made = lab(store, place.parent)
        asyncio.run(busy(made))
        made.close()
    assert main(["study", "monitor", "test", "--store", str(place)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [one["person"] for one in document["sessions"] if one["state"] in ("open", "paused")] == [
        "P03", "P04", "P05",
    ]  # fmt: skip
    assert document["coverage"]["wanted"] == 40
    assert document["health"]["reachable"] is True


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["monitor", "nobody"], "this store holds no such study"),
        (["monitor", "nobody", "--kind", "all"], "there are no 'all' sessions"),
        (["grade", "nothing", "--grader", "G1"], "nothing"),
        (["grade", "nothing.toml", "--grader", "G1"], "no such file"),
    ],
)
def test_what_is_not_there_is_one_line(
    arguments: list[str], said: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Store.open(place).close()
    assert main(["study", *arguments, "--store", str(place)]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(error.strip().splitlines()) == 1


def test_no_store_at_all(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "monitor", "test", "--store", str(place)]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert not place.exists()


@pytest.mark.parametrize("command", ["people", "report"])
def test_without_a_store_somebody_has_to_sit_first(
    command: str, place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "pilot.toml"
    assert main(["study", "new", str(file), "--benchmark", "voila:ND"]) == 0
    capsys.readouterr()
    assert main(["study", command, str(file) if command == "people" else "pilot", "--store", str(place)]) == 2
    assert "there is no store here. Let somebody sit first (phoropter study sit FILE)" in capsys.readouterr().err
    assert not place.exists()


def test_graders_and_what_the_paper_tables(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Store.open(place) as store:
        name = asyncio.run(batch(store, a_file(place.parent, 4), "noisy:0.5", protocol="direct")).name
        found = gradable(store, [find_run(store, name)])
        for author in ("G1", "G2"):
            for number, answer in enumerate(offer(store, found, author).answers):
                for bit in answer.bits:
                    store.write(keeping(store.vocabulary, answer, author, bit, (number + bit) % 3 > 0))
    at = ["--store", str(place)]
    assert main(["study", "grade", name, "--table", *at]) == 0
    out = capsys.readouterr().out
    assert "G1 grades: 4 of 4 answers, 12 judgements" in out
    assert "G1 / G2" in out
    assert "(--adjudicate)" in out
    assert main(["study", "grade", name, "--json", *at]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["open"] > 0
    assert {row["property"] for row in document["agreement"]} == {"number", "subject", "action", "all"}
    assert main(["report", name, "--agreement", "rule", "--against", "G1", "--format", "json", *at]) == 0
    rows = json.loads(capsys.readouterr().out)["agreement"]
    assert {row["property"]: row["n"] for row in rows} == {"number": 4, "subject": 4, "action": 4, "all": 4}
    with Store.open(place) as store:
        for answer in offer(store, gradable(store, [find_run(store, name)]), "G3", settles=True).answers[:1]:
            for bit in answer.bits:
                store.write(keeping(store.vocabulary, answer, "G3", bit, True, settles=True))
    assert main(["report", name, "--agreement", "rule", "--against", "adjudicated", *at]) == 0
    told = capsys.readouterr()
    assert "graders still differ on" in told.err
    assert "rule against adjudicated" in told.out


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_looking_needs_no_permission_to_write(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Store.open(place) as store:
        name = asyncio.run(batch(store, a_file(place.parent, 1), protocol="direct")).name
    place.chmod(0o400)
    assert main(["study", "grade", name, "--table", "--store", str(place)]) == 0
    assert "nobody has judged" in capsys.readouterr().out


def test_grading_wants_a_pseudonym_and_a_terminal(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Store.open(place) as store:
        name = asyncio.run(batch(store, a_file(place.parent, 1), protocol="direct")).name
    at = ["--store", str(place)]
    for more, said in (
        ([], "a grader needs a pseudonym"),
        (["--grader", "Ann Smith"], "looks like a name"),
        (["--grader", "adjudicated"], "no person"),
        (["--grader", "G1", "--property", "colour"], "no answer has a property 'colour'"),
        (["--grader", "G1", "--adjudicate"], "no answer has been judged by two graders yet"),
        (["--grader", "G1"], "grading needs a terminal"),
    ):
        assert main(["study", "grade", name, *more, *at]) == 2
        error = capsys.readouterr().err
        assert said in error
        assert len(error.strip().splitlines()) == 1
