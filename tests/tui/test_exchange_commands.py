"""``export``, ``import`` and ``merge`` as commands: what they write, say and refuse."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import shutil
import sqlite3
import stat
from pathlib import Path
from typing import Any

import pytest

from core.packs import pack
from sessions.store import Store
from tests.foreign_files import put_json, put_lines, sample, voila_entry
from tests.stored import exports_in
from tui.cli import run as phoropter


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def done(capfd: Any, *arguments: object, status: int = 0) -> tuple[str, str]:
    """stdout and stderr of a command that ends with that status."""
    capfd.readouterr()
    found = phoropter([str(argument) for argument in arguments])
    out, err = capfd.readouterr()
    assert found == status, err
    return out, err


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two small runs, made once."""
    path = tmp_path_factory.mktemp("built") / "a.db"
    for respondent in ("noisy:0.7", "random"):
        arguments = ["run", "voila:ND", "--respondent", respondent, "--limit", "4", "--store", str(path)]
        assert phoropter(arguments) == 0
    return path


@pytest.fixture
def store(home: Path, built: Path) -> Path:
    path = home / "a.db"
    shutil.copy(built, path)
    return path


def test_a_store_is_copied_whole_while_it_is_written_to(store: Path, home: Path, capfd: Any) -> None:
    """What lies in the log alone, which a copy of the file would leave out, is in the copy."""
    with contextlib.closing(sqlite3.connect(store)) as writing:
        writing.execute("UPDATE runs SET name = 'in the log' WHERE id = 2")
        writing.commit()
        assert b"in the log" not in store.read_bytes()
        out, err = done(capfd, "export", "store", "--out", "copy.db", "--store", store)
    assert (out, err) == ("", f"2 runs in {home / 'copy.db'}\n")
    assert stat.S_IMODE((home / "copy.db").stat().st_mode) == 0o600
    with contextlib.closing(sqlite3.connect(home / "copy.db")) as copy:
        assert copy.execute("SELECT name FROM runs WHERE id = 2").fetchall() == [("in the log",)]
    with Store.open(store, create=False) as open_store:
        assert [row[0] for row in exports_in(open_store)] == ["store"]
    assert sorted(path.name for path in home.glob("copy*")) == ["copy.db"]
    refused = done(capfd, "export", "store", "--out", "copy.db", "--store", store, status=2)[1]
    assert "there is a file of that name. Name another with --out" in refused


def test_what_was_exported_is_reported_and_shown_alike_after_import(store: Path, home: Path, capfd: Any) -> None:
    asked = [("report", "--json"), ("report", "--by", "rule", "--json"), ("show", "voila-1", "--json"), ("report",),
             ("show", "voila-2")]  # fmt: skip
    before = [done(capfd, *command, "--store", store)[0] for command in asked]
    doctor = json.loads(done(capfd, "doctor", "--store", store, "--json")[0])
    _, told = done(capfd, "export", "jsonl", "--store", store, "--out", "all.jsonl")
    assert "2 runs" in told
    again = home / "b.db"
    done(capfd, "import", "jsonl", "all.jsonl", "--store", again)
    assert [done(capfd, *command, "--store", again)[0] for command in asked] == before
    examined = json.loads(done(capfd, "doctor", "--store", again, "--json")[0])
    assert _told(examined) == _told(doctor)
    out, _ = done(capfd, "import", "jsonl", "all.jsonl", "--store", again, "--json")
    assert json.loads(out)["added"] == {}


def _told(examined: Any) -> str:
    """All that doctor says but for the file's path and size."""
    text = json.dumps([finding for finding in _findings(examined) if finding.get("check") not in ("size",)])
    return text.replace("a.db", "X.db").replace("b.db", "X.db")


def _findings(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [value] if "check" in value else [found for held in value.values() for found in _findings(held)]
    return [found for held in value for found in _findings(held)] if isinstance(value, list) else []


def test_exports_to_stdout_and_to_files_are_the_same_and_noted(store: Path, home: Path, capfd: Any) -> None:
    out, _ = done(capfd, "export", "csv", "--store", store)
    done(capfd, "export", "csv", "--store", store, "--out", "t.csv")
    assert (home / "t.csv").read_text(encoding="utf-8") == out
    assert stat.S_IMODE((home / "t.csv").stat().st_mode) == 0o600
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 24
    name = rows[0]["run"]
    out, _ = done(capfd, "export", "csv", name, "--store", store)
    assert {row["run"] for row in csv.DictReader(io.StringIO(out))} == {name}
    done(capfd, "export", "parquet", "--store", store, "--out", "t.parquet")
    done(capfd, "export", "notes", "--store", store)
    with Store.open(store) as opened:
        noted = [(kind, target, len(runs)) for kind, target, runs in exports_in(opened)]
        assert noted == [
            ("csv", "stdout", 2),
            ("csv", str(home / "t.csv"), 2),
            ("csv", "stdout", 1),
            ("parquet", str(home / "t.parquet"), 2),
            ("notes", "stdout", 2),
        ]
    assert [path.name for path in home.iterdir() if path.name.startswith(".")] == []


def test_a_store_that_may_only_be_read_is_exported_and_that_is_said(
    store: Path, capfd: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.chmod(0o400)
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, mode, **how: mode == os.R_OK and real(path, mode, **how))
    out, told = done(capfd, "export", "csv", "--store", store)
    assert len(out.splitlines()) > 24
    assert "not noted" in told


def test_files_that_stand_are_kept_unless_forced_and_the_store_always(store: Path, home: Path, capfd: Any) -> None:
    (home / "t.csv").write_text("mine")
    _, told = done(capfd, "export", "csv", "--store", store, "--out", "t.csv", status=2)
    assert "there is a file of that name" in told
    assert (home / "t.csv").read_text() == "mine"
    done(capfd, "export", "csv", "--store", store, "--out", "t.csv", "--force")
    assert (home / "t.csv").read_text() != "mine"
    for out, why in ((store, "this is a store"), (home, "a folder"), (home / "no" / "t.csv", "cannot be written")):
        _, told = done(capfd, "export", "csv", "--store", store, "--out", out, "--force", status=2)
        assert why in told


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("export", "csv", "nobody", "--store", "a.db"), "there is no run of that name"),
        (("export", "csv", "--store", "empty.db"), "holds no run"),
        (("export", "inspect", "voila-ND-l2m-random", "--store", "a.db", "--out", "x.txt"), "ends in .eval"),
        (("import", "jsonl", "nothing.jsonl", "--store", "a.db"), "cannot be read"),
        (("import", "jsonl", "a.db", "--store", "b.db"), "line 1"),
        (("import", "voila-results", "a.db", "--store", "a.db"), "not UTF-8|no JSON"),
        (("import", "lmms-eval", "mmra", "a.db", "--store", "a.db"), "not UTF-8|no JSON"),
        (("import", "vlmevalkit", "mmra", "a.db", "--store", "a.db"), "no table|not UTF-8"),
        (("import", "vlmevalkit", "cats", "x.tsv", "--store", "a.db"), "cats|cannot be read"),
        (("merge", "a.db", "a.db"), "into itself"),
        (("merge", "a.db", "nothing.db"), "there is no store here"),
        (("merge", "nothing.db", "a.db"), "there is no store here"),
        (("merge", "a.db", "empty.db", "--into", "a.db"), "there is a file of that name"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    store: Path, home: Path, capfd: Any, arguments: tuple[str, ...], why: str
) -> None:
    import re

    Store.open(home / "empty.db").close()
    before = store.read_bytes()
    out, told = done(capfd, *arguments, status=2)
    assert re.search(why, told)
    assert "Traceback" not in told
    assert "fault of Phoropter" not in told
    assert not out
    assert store.read_bytes() == before


def test_stores_are_merged_into_a_third(store: Path, home: Path, capfd: Any) -> None:
    done(capfd, "run", "voila:ND", "--respondent", "random", "--limit", "6", "--store", "b.db")
    before = store.read_bytes()
    out, told = done(capfd, "merge", store, "b.db", "--into", "c.db", "--json")
    (merged,) = json.loads(out)["merged"]
    assert merged["runs"] == [{"theirs": "voila-ND-l2m-random", "name": "voila-ND-l2m-random", "added": False}]
    assert merged["added"]["trajectories"] == 2
    assert "joined with" in told
    assert store.read_bytes() == before
    assert stat.S_IMODE((home / "c.db").stat().st_mode) == 0o600
    done(capfd, "merge", store, "t.txt", "--into", "d.db", status=2)
    assert not (home / "d.db").exists()


def test_replies_of_other_tools_are_imported_and_listed_so(home: Path, capfd: Any) -> None:
    out, _ = done(capfd, "items", "mmra", "--json")
    items = json.loads(out)
    lines = [sample(row, "(A)", item["facts"]["answer"]) for row, item in enumerate(items)]
    lines.append(sample(5000, "(A)", "A"))
    put_lines(home / "x_samples_mmra.jsonl", lines)
    asked = ("import", "lmms-eval", "mmra", "x_samples_mmra.jsonl", "--respondent", "m", "--store", "m.db")
    out, told = done(capfd, *asked, "--json", status=1)
    document = json.loads(out)
    assert (document["matched"], document["unmatched"]) == (
        len(items),
        [f"x_samples_mmra.jsonl, line {len(items) + 1}: no item matches"],
    )
    assert "not imported: " in told
    (listed,) = json.loads(done(capfd, "runs", "--store", "m.db", "--json")[0])
    assert listed["imported"]["tool"] == "lmms-eval"
    assert "imported from lmms-eval" in done(capfd, "runs", "--store", "m.db")[0]
    rows = [{"index": place, "answer": "", "prediction": "(A)"} for place in range(len(items))]
    put_json(home / "m_MMRA.json", rows)
    done(capfd, "import", "vlmevalkit", "mmra", "m_MMRA.json", "--store", "m.db")
    assert len(json.loads(done(capfd, "runs", "--store", "m.db", "--json")[0])) == 2


def voila_replies(home: Path, asked: str = " Answer in one line.") -> str:
    """Two items of the authors' inference script; ``asked`` ends the prompt of the last step, "" leaves it out."""
    entries = [voila_entry(row, ["a", "b", "c"]) for row in range(2)]
    for entry in entries:
        entry["query2"]["query"] = asked and entry["query2"]["query"] + asked
    return put_json(home / "molmo.json", entries).name


@pytest.mark.parametrize("kind", ["ND", "WD"])
def test_voila_replies_are_of_the_subset_that_their_data_is_of(home: Path, capfd: Any, kind: str) -> None:
    data = pack("voila", kind)
    told = " Say any where nothing fixes it." if kind == "WD" else " Answer in one line."
    for name, asked in (("told", told), ("untold", "")):
        file = voila_replies(home, asked)
        done(capfd, "import", "voila-results", file, "--data", data, "--name", name, "--store", "s.db")
        about = json.loads(done(capfd, "report", name, "--json", "--store", "s.db")[0])["about"]["runs"]
        assert [one["benchmark"] for one in about] == [f"voila:{kind}"]


def test_prompts_that_contradict_the_data_are_refused_in_one_line(home: Path, capfd: Any) -> None:
    file, wide = voila_replies(home), pack("voila", "WD")
    for benchmark in ((), ("--benchmark", "voila")):
        said = done(capfd, "import", "voila-results", file, "--data", wide, *benchmark, status=2)[1]
        assert "its prompts are those of ND, and the data is WD" in said
        assert "--benchmark voila:WD" in said
    said = done(capfd, "import", "voila-results", file, "--data", wide, "--benchmark", "voila:nd", status=2)[1]
    assert "the data is WD, of whose rows ND has only some, and replies are matched by row" in said
    said = done(capfd, "import", "voila-results", file, "--data", wide, "--benchmark", "voila:WD")[1]
    assert "its prompts are those of ND, and the items are WD" in said
