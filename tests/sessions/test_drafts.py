"""Drafts outlive the process, stay each in its place, and never stop anybody."""

from __future__ import annotations

import stat
from pathlib import Path

from filelock import FileLock

from sessions.drafts import Drafts, Place

HERE = Place("run", "voila-1", 0, 2)
THERE = Place("run", "voila-2", 0, 2)


def test_a_draft_is_there_again_and_is_gone_once_it_was_put_in(tmp_path: Path) -> None:
    file = tmp_path / "store.db.drafts"
    first = Drafts(file)
    first[HERE] = "half a \ud800 sentence"
    other = Drafts(file)
    other[THERE] = "another"
    assert dict(Drafts(file)) == {HERE: "half a \ud800 sentence", THERE: "another"}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    del first[HERE]
    assert dict(Drafts(file)) == {THERE: "another"}, "what another process wrote stays"
    del other[THERE]
    assert dict(Drafts(file)) == {}
    assert not file.exists()


def test_who_types_does_not_wait_for_the_file(tmp_path: Path) -> None:
    file = tmp_path / "store.db.drafts"
    drafts = Drafts(file)
    with FileLock(f"{file}.lock"):
        drafts[HERE] = "half"
        drafts[HERE] = "half a sentence"
        drafts[THERE] = "another"
        assert drafts[HERE] == "half a sentence"
        assert not file.exists(), "somebody else is writing"
    assert dict(Drafts(file)) == {HERE: "half a sentence", THERE: "another"}


def test_a_broken_file_or_folder_costs_nothing_but_the_file(tmp_path: Path) -> None:
    file = tmp_path / "drafts"
    for broken in (b"", b"{", b"[[1]]", b"\xff\xfe", b"null"):
        file.write_bytes(broken)
        assert dict(Drafts(file)) == {}
    nowhere = Drafts(tmp_path / "no" / "folder" / "drafts")
    nowhere[HERE] = "x"
    assert nowhere[HERE] == "x"


def test_a_file_of_drafts_that_is_none_counts_as_empty(tmp_path: Path) -> None:
    file = tmp_path / "drafts"
    file.write_text("[" * 100_000, encoding="utf-8")
    assert dict(Drafts(file)) == {}
