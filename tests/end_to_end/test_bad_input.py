"""Bad input: one message that names file, row and field, all bad rows together, status 2, nothing written."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.end_to_end.commands import phoropter
from tests.voila_data import small_voila_file

Break = Callable[[Path], None]


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def write_rows(file: Path, rows: list[dict[str, str]]) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def without_column(file: Path) -> None:
    write_rows(file, [{k: v for k, v in row.items() if k != "rule"} for row in rows_of(file)])


def with_rules(file: Path) -> None:
    rows = rows_of(file)
    rows[2]["rule"], rows[5]["rule"] = "20", "no"
    write_rows(file, rows)


def emptied(file: Path) -> None:
    file.write_bytes(b"")


def recoded(file: Path) -> None:
    file.write_bytes(file.read_text(encoding="utf-8").replace("cats", "cäts").encode("latin-1"))


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (without_column, ["rule"]),
        (with_rules, ["row 3", "row 6", "rule", "20"]),
        (emptied, ["0 bytes"]),
        (recoded, ["UTF-8"]),
    ],
)
def test_a_bad_file_is_refused_whole_with_every_problem_named(tmp_path: Path, spoil: Break, named: list[str]) -> None:
    file = small_voila_file(tmp_path, 14, "ND")
    spoil(file)
    done = phoropter(tmp_path, "run", "voila:ND", "--data", file, "--pictures", "drawn")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    for word in [str(file), *named]:
        assert word in done.stderr
    assert not (tmp_path / "data").exists()


def test_the_rest_runs_where_that_is_asked_for(tmp_path: Path) -> None:
    file = small_voila_file(tmp_path, 14, "ND")
    with_rules(file)
    done = phoropter(tmp_path, "run", "voila:ND", "--data", file, "--pictures", "drawn", "--skip-bad")
    assert done.returncode == 0
    assert "12 finished" in done.stderr
    assert "row 3" in done.stderr


def test_missing_pictures_are_refused_for_a_respondent_that_looks(tmp_path: Path) -> None:
    file = small_voila_file(tmp_path, 14, "ND")
    looks = "openai:model@http://127.0.0.1:9/v1"
    done = phoropter(tmp_path, "run", "voila:ND", "--data", file, "--respondent", looks)
    assert done.returncode == 2
    assert "--pictures drawn" in done.stderr
    assert "missing" in done.stderr
    assert not (tmp_path / "data").exists()


def test_a_baseline_that_does_not_look_runs_without_pictures(tmp_path: Path) -> None:
    file = small_voila_file(tmp_path, 14, "ND")
    assert phoropter(tmp_path, "run", "voila:ND", "--data", file, "--respondent", "random").returncode == 0


@pytest.mark.parametrize("content", [b"", b"just words", b"\x89PNG\r\n\x1a\n"])
def test_a_file_that_is_no_picture_is_named(tmp_path: Path, content: bytes) -> None:
    file = small_voila_file(tmp_path, 14, "ND")
    for row in rows_of(file):
        for column in ("img1", "img2", "img3"):
            (tmp_path / row[column]).write_bytes(content)
    looks = "openai:model@http://127.0.0.1:9/v1"
    done = phoropter(tmp_path, "run", "voila:ND", "--data", file, "--respondent", looks, "--limit", "2")
    if content.startswith(b"\x89PNG"):  # what shows only when decoded fails that item alone
        assert done.returncode == 1
        assert "2 failed" in done.stderr
    else:
        assert done.returncode == 2
        assert rows_of(file)[0]["img1"] in done.stderr


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["run", "viola"], "Did you mean voila"),
        (["run", "voila:XX"], "ND, WD"),
        (["run", "voila:ND", "--respondent", "orakel"], "oracle"),
        (["run", "voila:ND", "--protocol", "l2n"], "l2m"),
        (["run", "voila:ND", "--set", "imges=collage"], "images"),
        (["run", "voila:ND", "--set", "images"], "KEY=VALUE"),
        (["run", "voila:ND", "--where", "rule=3"], "1, 5, 9, 13"),
        (["run", "voila:ND", "--intervene", "describe=silver"], "STEP=gold"),
        (["run", "voila:ND", "--sham"], "--intervene"),
        (["run", "voila:ND", "--data", "nowhere.csv"], "nowhere.csv"),
        (["run", "voila:ND", "--pictures", "nowhere"], "nowhere"),
        (["run", "voila:ND", "--prompts", "nowhere.toml"], "nowhere.toml"),
        (["run", "voila:ND", "--config", "nowhere.toml"], "nowhere.toml"),
        (["run", "voila:ND", "--respondent", "replay:nowhere.jsonl"], "nowhere.jsonl"),
        (["run", "voila:ND", "--from", "nothing"], "no store"),
        (
            ["run", "voila:ND", "--set", "generate=yes", "--respondent", "openai:m@http://127.0.0.1:9/v1"],
            "cannot make pictures",
        ),
        (["run", "voila:ND", "--unknown"], "--unknown"),
        (["report"], "no store"),
        (["show", "voila-1"], "no store"),
        (["runs"], "no store"),
        (["items", "voila:ND", "voila-999"], "voila-"),
        (["make", "voila", "--subset", "XX"], "WD, ND"),
        (["make", "voila", "--count", "14"], "--out"),
        (["frobnicate"], "frobnicate"),
    ],
)
def test_a_bad_argument_gets_one_message_and_status_2(tmp_path: Path, arguments: list[str], named: str) -> None:
    done = phoropter(tmp_path, *arguments)
    assert done.returncode == 2, done.stderr
    assert named in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_what_is_no_database_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("my notes")
    for arguments in (["run", "voila:ND"], ["report"], ["runs"], ["show", "voila-1"], ["score", "x"]):
        done = phoropter(tmp_path, *arguments, "--store", file)
        assert done.returncode == 2, (arguments, done.stderr)
        assert "not a store" in done.stderr
    assert file.read_text() == "my notes"


def test_the_app_without_a_terminal_says_so(tmp_path: Path) -> None:
    done = phoropter(tmp_path)
    assert done.returncode == 2
    assert "terminal" in done.stderr
