"""Commands that only read make no file and change none; empty texts and endings that nobody knows are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

READING = (
    ("report",),
    ("runs",),
    ("show", "1"),
    ("compare", "voila-WD-l2m-oracle", "voila-WD-l2m-noisy-0.8"),
    ("notes",),
    ("doctor",),
)
NEEDING_A_STORE = (
    *(("export", "jsonl"), ("export", "csv"), ("export", "notes"), ("report",), ("runs",), ("show", "1")),
    *(("score", "x"), ("runs", "rename", "x", "y"), ("runs", "delete", "x"), ("notes", "write", "1", "words")),
    ("run", "voila:WD", "--from", "x", "--intervene", "describe=gold"),
)


def files(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(file.relative_to(folder)): (file.stat().st_mtime_ns, file.read_bytes())
        for file in folder.rglob("*")
        if file.is_file()
    }


def test_what_only_reads_leaves_the_folder_as_it_was(command: Any, tmp_path: Path) -> None:
    store = str(tmp_path / "s.db")
    for who in ("oracle", "noisy:0.8"):
        assert command("run", "voila:WD", "--limit", "3", "--respondent", who, "--store", store)[0] == 0
    before = files(tmp_path)
    for words in READING:
        status, _, err = command(*words, "--store", store)
        assert status == 0, (words, err)
        assert files(tmp_path) == before, words


@pytest.mark.parametrize("there", [False, True], ids=["no-file", "file-of-no-bytes"])
def test_where_nothing_is_stored_nothing_is_made(command: Any, tmp_path: Path, there: bool) -> None:
    store = tmp_path / "s.db"
    if there:
        store.touch(0o600)
    before = files(tmp_path)
    for words in NEEDING_A_STORE:
        status, out, err = command(*words, "--store", str(store))
        assert (status, out) == (2, ""), words
        assert ("there is nothing in this file yet" if there else "there is no store here") in err
        assert files(tmp_path) == before, words


def test_an_import_that_fails_leaves_no_store(command: Any, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text("nonsense\n", encoding="utf-8")
    before = files(tmp_path)
    for words in (
        ("import", "jsonl", "in.jsonl"),
        ("import", "lmms-eval", "voila:WD", "in.jsonl"),
        ("run", "voila:WD", "--name", "a/b"),
    ):
        assert command(*words, "--store", str(tmp_path / "s.db"))[0] == 2
        assert files(tmp_path) == before, words


@pytest.mark.parametrize(
    "words",
    [
        ("run", "voila:WD", "--on", ""),
        ("run", "voila:WD", "--shard", ""),
        ("run", "voila:WD", "--judge", ""),
        ("run", "voila:WD", "--respondent", "oracle", "--respondent", ""),
        ("run", ""),
        ("report", "--by", ""),
        ("report", "--scorer", ""),
        ("report", "--gold", ""),
        ("report", ""),
        ("show", "1", "--save", ""),
        ("study", "sit", "study.toml", "--participant", ""),
        ("--run", ""),
        ("--store", "", "runs"),
    ],
)
def test_an_empty_text_is_not_taken_for_nothing(command: Any, tmp_path: Path, words: tuple[str, ...]) -> None:
    status, out, err = command(*words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "''" in err
    assert "empty" in err
    assert files(tmp_path) == {}


@pytest.mark.parametrize("words", [("report",), ("compare", "a", "b"), ("report", "--published", "voila")])
def test_an_ending_that_is_no_formats_is_refused(command: Any, tmp_path: Path, words: tuple[str, ...]) -> None:
    status, out, err = command(*words, "--out", "table.xyz")
    assert (status, out) == (2, "")
    assert "no format has the ending .xyz. Known: .csv" in err
    assert files(tmp_path) == {}


def test_a_file_without_an_ending_holds_a_table(command: Any, tmp_path: Path) -> None:
    for name, words in (("plain", "Table 2"), ("table.TXT", "Table 2"), ("page.htm", "<!doctype html>")):
        assert command("report", "--published", "voila", "--out", name)[0] == 0
        assert words.casefold() in (tmp_path / name).read_text(encoding="utf-8").casefold()
