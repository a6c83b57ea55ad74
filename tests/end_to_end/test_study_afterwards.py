"""A study after its sessions, by the commands alone: report, exclude, export, compare, withdraw."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sessions.store import Store
from tests.end_to_end.commands import phoropter
from tests.sitting import a_study, says, sit
from tui.cli import run

STUDY = """
name = "pets"
benchmark = "mmra"
seed = 3
experimenter_key = "open"
[items]
sample = 6
[design]
raters = 2
per_session = 3
no_picture_twice = "off"
[exclude]
fastest_s = 0.5
[text.en]
consent = "I agree."
instructions = "Look, then answer."
"""


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def said(home: Path, *arguments: str) -> Done:
    """A command within this process: nothing here hangs on streams or exit codes of a process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.chdir(home), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run([*(() if "--store" in arguments else ("--store", "s.db")), *arguments])
    return Done(status, out.getvalue(), err.getvalue())


def told(home: Path, *arguments: str) -> Any:
    done = said(home, *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four simulated people have sat, and a run has answered the same items."""
    folder = tmp_path_factory.mktemp("study")
    (folder / "pets.toml").write_text(STUDY, encoding="utf-8")
    done = said(folder, "study", "simulate", "pets.toml", "4", "--skill", "0.7")
    assert done.returncode == 0, done.stderr
    done = said(folder, "run", "--study", "pets.toml", "--respondent", "noisy:0.5", "--repeats", "2",
                "--name", "model")  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder


def test_the_report_in_every_format(home: Path) -> None:
    document = told(home, "study", "report", "pets.toml", "--kind", "simulated")
    table = said(home, "study", "report", "pets", "--kind", "simulated")
    markdown = said(home, "study", "report", "pets", "--kind", "simulated", "--format", "md")
    rows = said(home, "study", "report", "pets", "--kind", "simulated", "--format", "csv").stdout.splitlines()
    written = said(home, "study", "report", "pets", "--kind", "simulated", "--out", "pets.html")

    (cell,) = [cell for cell in document["cells"] if cell["property"] == "all"]
    assert (cell["n"], cell["interval"]) == (12, "bootstrap over participants and items")
    assert document["completion"]["complete"] == 6
    assert {cell["group"] for cell in document["together"]} == {"majority of 2", "best of 2", "all of 2"}
    assert len(document["checklist"]) == 29
    for words in ("Krippendorff's alpha", "Response times in seconds", "Items, the hardest first", "majority of 2"):
        assert words in table.stdout
        assert words in markdown.stdout
    assert f"{100 * cell['accuracy']:.2f}" in table.stdout
    assert rows[0].startswith("sessions,step,property")
    assert written.returncode == 0
    page = (home / "pets.html").read_text("utf-8")
    assert "Krippendorff&#x27;s alpha" in page
    assert "Phoropter " in page
    assert document["versions"][0]["digest"][:16] in page
    assert "checklist: " in table.stderr
    people = said(home, "study", "report", "pets")
    assert people.returncode == 0
    assert "nothing has been answered yet" in people.stderr


def test_excluding_shows_no_accuracy(home: Path) -> None:
    listed = said(home, "study", "exclude", "pets", "--kind", "simulated")
    document = told(home, "study", "exclude", "pets", "--kind", "simulated")

    assert [one["participant"] for one in document["sessions"]] == [f"simulated:P0{n}" for n in range(1, 5)]
    for word in ("accuracy", "right", "correct", "%"):
        assert word not in listed.stdout
        assert word not in json.dumps(document)
    without = said(home, "study", "exclude", "pets", "simulated:P02", "--kind", "simulated")
    assert (without.returncode, "needs its reason" in without.stderr) == (2, True)
    done = said(home, "study", "exclude", "pets", "simulated:P02", "--kind", "simulated", "--reason", "talked")
    assert done.returncode == 0, done.stderr
    report = told(home, "study", "report", "pets", "--kind", "simulated")
    assert [(one["rule"], one["reason"]) for one in report["excluded"]] == [("", "talked")]
    assert sum(cell["n"] for cell in report["cells"]) < sum(cell["n"] for cell in report["cells_with_excluded"])
    done = said(home, "study", "exclude", "pets", "simulated:P02", "--kind", "simulated", "--lift")
    assert done.returncode == 0, done.stderr


def test_people_and_the_run_that_was_asked_the_same(home: Path) -> None:
    document = told(home, "compare", "simulated-people", "model")
    table = said(home, "compare", "simulated-people", "model")
    refused = said(home, "compare", "simulated-people")

    assert {row["rule"] for row in document["differences"]} == {"single answers", "majority"}
    assert all(row["n"] == 6 for row in document["differences"])
    assert not [row for row in document["differed"] if row["matters"]]
    assert "majority of 2 against majority of 2" in table.stdout
    assert "Spearman" in table.stdout
    assert (refused.returncode, "needs two" in refused.stderr) == (2, True)


def test_the_export_lies_where_it_was_asked_for(home: Path) -> None:
    done = said(home, "export", "study", "pets.toml", "--kind", "simulated", "--out", "tables", "--bom")

    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(home / "tables")
    assert (home / "tables" / "trials.csv").read_bytes().startswith(b"\xef\xbb\xbfstudy,")
    again = said(home, "export", "study", "pets.toml", "--kind", "simulated", "--out", "tables")
    assert again.returncode == 2
    assert "something of that name" in again.stderr


def test_planning_says_how_wide(home: Path) -> None:
    document = told(home, "study", "plan", "pets.toml", "--studies", "20", "--people", "4", "--people", "12")

    assert [(row["raters"], row["items"], row["people"]) for row in document["sizes"]] == [(2, 6, 4), (2, 6, 12)]
    assert all(row["width"] > row["pooled_width"] for row in document["sizes"])
    refused = said(home, "study", "plan", "--raters", "5", "--people", "3")
    assert (refused.returncode, "nobody answers an item twice" in refused.stderr.lower()) == (2, True)


def test_a_withdrawal_asks_first_and_names_what_is_left(home: Path) -> None:
    kept = phoropter(home, "--store", "s.db", "study", "withdraw", "simulated:P04", stdin="n\n")
    assert kept.returncode == 1
    assert "nothing was removed" in kept.stderr

    gone = said(home, "study", "withdraw", "simulated:P04", "--yes")

    assert gone.returncode == 0, gone.stderr
    assert "simulated:P04 is removed: 1 session of pets" in gone.stderr
    if (home / "tables").exists():
        assert "delete by hand: export (study) of" in gone.stderr
    again = said(home, "study", "withdraw", "simulated:P04", "--yes")
    assert (again.returncode, "no participant" in again.stderr) == (2, True)
    assert b"simulated:P04" not in (home / "s.db").read_bytes()
    assert told(home, "study", "report", "pets", "--kind", "simulated")["completion"]["people"] == 3


def test_people_beside_a_run_in_the_ordinary_tables(tmp_path: Path) -> None:
    async def held() -> None:
        with Store.open(tmp_path / "s.db") as store:
            record, prepared = a_study(store)
            for number, person in enumerate(("P01", "P02")):
                await sit(store, record, prepared, person, says(0.5, number))

    nobody = said(tmp_path, "run", "mmra", "--respondent", "noisy:0.5", "--name", "model")
    before = said(tmp_path, "report", "model", "--against", "people")
    asyncio.run(held())
    table = said(tmp_path, "report", "model", "--against", "people")
    document = told(tmp_path, "report", "model", "--against", "people")
    people = told(tmp_path, "compare", "people", "model")

    assert nobody.returncode == 0
    assert "no study in this store has asked people" in before.stderr
    assert "mmra-people" in table.stdout
    rows = {cell["run"]: cell for cell in document["cells"] if cell["property"] == "all"}
    assert rows["mmra-people"]["interval"] == "bootstrap over participants and items"
    assert (rows["mmra-people"]["n"], rows["mmra-people"]["kind"]) == (8, "human")
    assert {row["n"] for row in people["differences"]} == {8}
    refused = said(tmp_path, "report", "model", "--against", "somebody")
    assert (refused.returncode, "published, people" in refused.stderr) == (2, True)


def test_a_store_that_cannot_be_written_to_is_still_reported(home: Path) -> None:
    locked = home / "locked.db"
    locked.write_bytes((home / "s.db").read_bytes())
    locked.chmod(0o400)
    try:
        done = said(home, "--store", "locked.db", "study", "report", "pets", "--kind", "simulated")
    finally:
        locked.chmod(0o600)

    assert done.returncode == 0, done.stderr
    if os.geteuid():
        assert "cannot be written to" in done.stderr
