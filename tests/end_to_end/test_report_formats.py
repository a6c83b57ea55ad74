"""Reports from the command line: six formats, figures, and one page with what went wrong, whatever models said."""

from __future__ import annotations

import csv
import io
import json
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sessions import failing
from tests import vrex_data
from tests.end_to_end.commands import ROOT, environment
from tests.html_page import Seen

SAID = "<img src=x onerror=alert(1)> javascript:alert(2) \x1b[2J \u202eevil </pre><script>x</script> A"
NAME = "<script>alert('run')</script>".replace("/", "-")


@pytest.fixture
def evil(command: Any, tmp_path: Path) -> Any:
    """A run whose item, name and answers are full of markup."""
    rows = vrex_data.rows(4)
    rows[0]["id"] = '"><svg onload=alert(3)>'
    rows[0]["question"] += " <iframe src=https://evil.example></iframe>"
    file = vrex_data.write(tmp_path, rows)
    answers = tmp_path / "answers.jsonl"
    lines = []
    for row in rows:
        steps = [f"plan.{n}" for n in range(1, len(row["steps"]) + 1)]
        lines += [json.dumps({"item": row["id"], "step": step, "text": SAID}) for step in (*steps, "final")]
    answers.write_text("\n".join(lines), encoding="utf-8")
    done = command("run", "vrex", "--data", str(file), "--respondent", f"replay:{answers}", "--name", NAME)
    assert done[0] in (0, 1), done
    return command


def test_a_page_is_of_one_moment_whatever_is_written_meanwhile(
    command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        assert (
            command("run", "voila:ND", "--respondent", "noisy:0.3", "--limit", "3", "--fresh", "--name", name)[0] == 0
        )
    found = failing.failing

    def after_more_was_stored(*given: Any) -> failing.Failing:
        assert command("run", "voila:ND", "--respondent", "noisy:0.3", "--limit", "9", "--name", "one")[0] == 0
        return found(*given)

    monkeypatch.setattr(failing, "failing", after_more_was_stored)
    status, _, err = command("report", "--out", "r.html")
    assert status == 0, err
    text = (tmp_path / "r.html").read_text("utf-8")
    assert "voila-3" in text
    assert "voila-9" not in text


def test_a_page_of_evil_answers_holds_words_alone(evil: Any, tmp_path: Path) -> None:
    status, out, err = evil("report", "--out", "r.html")
    assert (status, out) == (0, ""), err
    page = tmp_path / "r.html"
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    text = page.read_text("utf-8")
    seen = Seen(text)
    assert not {"script", "iframe", "object", "link", "base", "form"} & {tag for tag, _ in seen.elements}
    for tag, attributes in seen.elements:
        assert not any(name.startswith("on") or name == "style" for name in attributes), (tag, attributes)
        for name in ("href", "src"):
            assert (attributes.get(name) or "#").startswith(("#", "data:image/")), (tag, attributes)
    pictures = [attributes for tag, attributes in seen.elements if tag == "img"]
    assert pictures
    assert all(each["alt"] for each in pictures)
    assert "<img src=x onerror=alert(1)>" in seen.words
    assert '"><svg onload=alert(3)>' in seen.words
    assert NAME in seen.words
    assert not {"\x1b", "\u202e"} & set(text)
    assert any(tag == "svg" for tag, _ in seen.elements)
    assert "first wrong step" in seen.words


def test_other_formats_of_the_same(evil: Any) -> None:
    for form in ("table", "md", "tex", "csv"):
        status, out, err = evil("report", "--format", form)
        assert status == 0, err
        assert "\x1b" not in out
        assert "\u202e" not in out
    assert "<script" not in evil("report", "--format", "md")[1]


@pytest.fixture
def demo(command: Any) -> Any:
    for who in ("seeing:0.8", "noisy:0.6"):
        assert command("run", "voila:WD", "--respondent", who, "--limit", "6", "--where", "rule=1,2,3")[0] == 0
    return command


def test_everything_names_what_it_stands_on(demo: Any) -> None:
    document = json.loads(demo("report", "--json")[1])
    about = document["about"]
    identities = [each["identity"] for each in about["runs"]]
    assert len(set(identities)) == 2
    assert about["runs"][0]["filter"] == {"where": {"rule": ["1", "2", "3"]}} | {
        key: value for key, value in about["runs"][0]["filter"].items() if key != "where"
    }
    for form in ("table", "md", "tex", "html"):
        text = demo("report", "--format", form, "--failing", "1")[1].replace("\\textbar{}", "|").replace("\\|", "|")
        for words in (identities[0][:16], identities[1][:16], "rule=1|2|3", f"Phoropter {about['version']}"):
            assert words in text, (form, words)
    rows = list(csv.DictReader(io.StringIO(demo("report", "--format", "csv")[1])))
    assert {(row["identity"], row["filter"], row["version"]) for row in rows} == {
        (identity, "rule=1|2|3", about["version"]) for identity in identities
    }
    assert [row["right"] for row in rows] == [str(cell["right"]) for cell in document["cells"]]
    sides = [each["run"] for each in about["runs"]]
    compared = json.loads(demo("compare", *sides, "--json")[1])
    assert [each["identity"] for each in compared["about"]["runs"]] == identities
    assert identities[0][:16] in demo("compare", *sides, "--format", "tex")[1]
    rows = list(csv.DictReader(io.StringIO(demo("compare", *sides, "--format", "csv")[1])))
    assert rows
    for side, run, identity in zip("ab", sides, identities, strict=True):
        found = {(row[side], row[f"identity_{side}"], row[f"filter_{side}"], row["version"]) for row in rows}
        assert found == {(run, identity, "rule=1|2|3", about["version"])}


def test_figures_and_their_numbers(demo: Any, tmp_path: Path) -> None:
    status, _, err = demo("report", "--figures", "figures", "--against", "published", "--by", "rule")
    assert status == 0, err
    folder = tmp_path / "figures"
    stem = folder / "accuracy-voila-WD-l2m"
    assert all(stem.with_suffix(f".{ending}").stat().st_size > 0 for ending in ("svg", "pdf", "png", "csv"))
    assert {stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()} == {0o600}
    assert {each.stem for each in folder.glob("*.csv")} == {
        "accuracy-voila-WD-l2m", "accuracy-by-rule-voila-WD-l2m", "survival-voila-WD-l2m", "runs",
    }  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(stem.with_suffix(".csv").read_text("utf-8"))))
    cells = {
        (f"{cell['run']} (baseline)", cell["property"], cell["step"]): str(cell["accuracy"])
        for cell in json.loads(demo("report", "--json")[1])["cells"]
    }
    own = {(row["series"], row["panel"], row["x"]): row["value"] for row in rows if row["whose"] == "run"}
    assert own == cells
    assert {row["whose"] for row in rows} == {"run", "people", "published"}
    runs = list(csv.DictReader(io.StringIO((folder / "runs.csv").read_text("utf-8"))))
    assert [row["filter"] for row in runs] == ["rule=1|2|3"] * 2
    again = demo("report", "--figures", "figures")
    assert again[0] == 2
    assert "a file of that name" in again[2]


def test_the_worked_example_is_written_from_the_page_alone(command: Any) -> None:
    for more in ((), ("--intervene", "describe=gold"), ("--intervene", "describe=gold", "--sham")):
        assert command("run", "voila:WD", "--respondent", "seeing:0.8", *more)[0] == 0
    shown = " ".join(Seen(command("report", "--against", "published", "--format", "html")[1]).words.split())
    written = (ROOT / "docs" / "reporting.md").read_text("utf-8")
    paragraph = " ".join(line[2:] for line in written.splitlines() if line.startswith("> "))
    figures = [figure for figure in re.findall(r"[-+]?\d+\.\d+|[0-9a-f]{16}", paragraph) if figure != "0.8"]
    assert len(figures) > 25
    assert [figure for figure in figures if figure not in shown] == []
    assert "35 trajectories with a wrong step" in shown
    assert "First wrong at describe (12 of 35)" in shown


def test_without_matplotlib_the_page_says_so(demo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "tui.cli.formats.plotting", raising=False)
    monkeypatch.delattr("tui.cli.formats.plotting", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    status, _, err = demo("report", "--figures", "f")
    assert status == 2
    assert "phoropter[plots]" in err
    status, out, _ = demo("report", "--format", "html")
    assert status == 0
    assert "No figures" in out
    assert "<svg" not in out


def test_what_cannot_be_written_is_refused_before_anything_is_read(demo: Any, tmp_path: Path) -> None:
    (tmp_path / "there.md").write_text("mine", encoding="utf-8")
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    for arguments, words in (
        (("--out", "there.md"), "--force"),
        (("--out", "no/such.md"), "no such folder"),
        (("--format", "pdf"), "no format"),
        (("--formula-safe",), "only csv"),
        (("--figures", "file"), "no folder"),
        (("--tags", "--figures", "new"), "not broken down"),
    ):
        status, out, err = demo("report", *arguments)
        assert (status, out) == (2, ""), arguments
        assert words in err
    assert (tmp_path / "there.md").read_text() == "mine"
    assert demo("report", "--out", "there.md", "--force")[0] == 0
    assert (tmp_path / "there.md").read_text().startswith("# Report of ")


def test_only_figures_import_matplotlib(demo: Any, tmp_path: Path) -> None:
    code = (
        "import sys; from tui.cli import run;"
        "assert run(['report', '--format', 'tex']) == 0;"
        "assert not {'matplotlib', 'textual', 'openai', 'torch'} & set(sys.modules), 'too much'"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment(tmp_path, XDG_DATA_HOME=str(tmp_path)),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
