"""``report --published`` and ``report --against published`` as a user meets them."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tests.end_to_end.commands import cells, phoropter, told

BENCHMARKS = ("voila", "vrex", "mmra")


@pytest.mark.parametrize("benchmark", BENCHMARKS)
@pytest.mark.parametrize("form", ["table", "md", "csv", "json"])
def test_a_papers_tables_are_printed_in_every_format_without_a_store(
    tmp_path: Path, benchmark: str, form: str
) -> None:
    done = phoropter(tmp_path, "report", "--published", benchmark, "--format", form)
    assert done.returncode == 0, done.stderr
    assert {"voila": "71.36", "vrex": "86.1", "mmra": "67.29"}[benchmark] in done.stdout or form in ("csv", "json")
    assert not (tmp_path / "data").exists()
    if form in ("table", "md"):
        for name in {"voila": ["Table 19", "[1] Qwen2-VL"], "vrex": ["Table 3"], "mmra": ["Table 4"]}[benchmark]:
            assert name in done.stdout
        assert "what follows from the tables" in done.stdout


def test_findings_and_footnotes_are_in_the_document(tmp_path: Path) -> None:
    document = told(tmp_path, "report", "--published", "vrex")
    assert set(document) == {"cells", "findings", "footnotes"}
    value = {finding["name"]: finding["value"] for finding in document["findings"]}
    assert round(value["pearson_following_overall"], 3) == 0.948
    assert round(value["pearson_planning_overall"], 3) == 0.857
    assert {"name", "value", "note"} == set(document["findings"][0])
    assert {note["key"] for note in document["footnotes"]} == {"recovery", "pearson", "samples"}
    (cell,) = cells(document, source="table 1", respondent="GPT-5", protocol="planning", group="Deduction")
    assert (cell["accuracy"], cell["scorer"], cell["step"], cell["n"]) == (0.939, "published", "plan", None)


def test_the_csv_is_one_table_of_all_cells(tmp_path: Path) -> None:
    done = phoropter(tmp_path, "report", "--published", "mmra", "--format", "csv")
    lines = list(csv.DictReader(io.StringIO(done.stdout)))
    assert len(lines) == 344
    assert lines[0]["accuracy"] == "0.6729"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--published", "nothing"], "voila, vrex, mmra"),
        (["--published", "vrx"], "Did you mean vrex?"),
        (["--published", "voila", "--format", "pdf"], "no format"),
        (["some-run", "--published", "voila"], "--against published"),
        (["--published", "voila", "--by", "rule"], "stand alone"),
        (["--against", "mine"], "published"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_message(tmp_path: Path, arguments: list[str], named: str) -> None:
    done = phoropter(tmp_path, "report", *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert named in done.stderr
    assert "Traceback" not in done.stderr


def test_published_rows_stand_beside_a_runs_own(tmp_path: Path) -> None:
    ran = phoropter(tmp_path, "run", "voila:ND", "--respondent", "oracle", "--name", "mine")
    assert ran.returncode == 0, ran.stderr
    plain = told(tmp_path, "report", "mine")
    document = told(tmp_path, "report", "mine", "--against", "published")
    assert cells(document, source="") == plain["cells"]
    (gpt,) = cells(document, respondent="GPT-4o", step="apply", property="all")
    assert (gpt["accuracy"], gpt["scorer"], gpt["source"]) == (0.2903, "published", "table 2")
    (people,) = cells(document, kind="human", step="apply", property="number")
    assert (people["accuracy"], people["protocol"]) == (0.924, "direct")
    assert {note["key"] for note in document["footnotes"]} == {"qwen-nd", "seed-size"}
    assert any("images=collage" in reason for reason in document["left_out"])

    shown = phoropter(tmp_path, "report", "mine", "--against", "published")
    assert "GPT-4o (published)" in shown.stdout
    assert "[1] Qwen2-VL, ND" in shown.stdout
    assert "asked or grouped otherwise" in shown.stderr
    lines = phoropter(tmp_path, "report", "mine", "--against", "published", "--format", "csv").stdout
    assert {line["source"] for line in csv.DictReader(io.StringIO(lines))} >= {"", "table 2", "table 11"}
    assert "(published)" in phoropter(tmp_path, "report", "--against", "published", "--format", "md").stdout
