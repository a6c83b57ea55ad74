"""Folders: the hub's layout is found, its links into blobs are followed, and no other way leads out."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

import pytest

from core.errors import DataError, UsageError
from core.fetching.folders import copy, locate
from core.fetching.staging import Staged
from tests.hub import COMMIT, cached

FILES = {"data/test-00000.parquet": b"PAR1", "README.md": b"---\nlicense: mit\n---\n", ".gitattributes": b"*"}
OTHER = "f" * 40
REPOSITORY = "m-a-p/MMRA"


def copied(tmp_path: Path, folder: Path, repository: str = REPOSITORY, revision: str = "") -> Staged:
    located = locate(folder, repository, revision)
    (tmp_path / "made").mkdir()
    into = Staged(tmp_path / "made", located.origin)
    copy(located, into, lambda *_: None)
    return into


@pytest.mark.parametrize("entrance", ["cache", "repository", "snapshot"])
def test_a_download_is_found_from_the_cache_the_repository_or_the_snapshot(tmp_path: Path, entrance: str) -> None:
    folder = cached(tmp_path / "cache", REPOSITORY, FILES)
    at = {"cache": tmp_path / "cache", "repository": folder, "snapshot": folder / "snapshots" / COMMIT}[entrance]
    found = copied(tmp_path, at)
    assert sorted(map(str, found.files)) == ["README.md", "data/test-00000.parquet"]
    assert (found.origin.kind, found.origin.repository, found.origin.revision) == ("snapshot", REPOSITORY, COMMIT)
    assert not any(path.is_symlink() for path in found.folder.rglob("*"))


def test_of_several_revisions_main_or_the_one_named_is_taken(tmp_path: Path) -> None:
    folder = cached(tmp_path, REPOSITORY, FILES)
    cached(tmp_path, REPOSITORY, {"new.csv": b"a"}, OTHER, ref="v2")
    assert locate(folder, "", "").folder.name == COMMIT
    assert locate(folder, "", "v2").folder.name == OTHER
    assert locate(folder, "", "ffff").folder.name == OTHER
    with pytest.raises(UsageError, match="no such revision"):
        locate(folder, "", "abc")
    (folder / "refs" / "main").unlink()
    with pytest.raises(UsageError, match="several revisions"):
        locate(folder, "", "")
    (folder / "refs" / "main").write_text("e" * 40)
    with pytest.raises(UsageError, match="is not in the folder"):
        locate(folder, "", "")


@pytest.mark.parametrize("revision", ["../../secret", "/etc/passwd"])
def test_a_revision_is_no_way_out_of_the_folder(tmp_path: Path, revision: str) -> None:
    folder = cached(tmp_path, REPOSITORY, FILES)
    with pytest.raises(UsageError, match="no such revision"):
        locate(folder, "", revision)


def test_a_snapshot_is_not_another_revision(tmp_path: Path) -> None:
    folder = cached(tmp_path, REPOSITORY, FILES)
    with pytest.raises(UsageError, match=f"this is the revision {COMMIT}"):
        locate(folder / "snapshots" / COMMIT, REPOSITORY, OTHER)


def test_links_that_lead_out_are_refused_together_and_nothing_is_taken(tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("secret")
    (tmp_path / "elsewhere").mkdir()
    folder = cached(tmp_path / "cache", REPOSITORY, FILES)
    snapshot = folder / "snapshots" / COMMIT
    (snapshot / "out.csv").symlink_to(tmp_path / "secret.csv")
    (snapshot / "gone.csv").symlink_to(tmp_path / "nothing")
    (snapshot / "round.csv").symlink_to(snapshot / "round.csv")
    (snapshot / "folder").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DataError) as caught:
        copied(tmp_path, snapshot)
    said = str(caught.value)
    assert "4 problems" in said
    assert "leads out of the folder, to" in said
    assert "link to a folder" in said
    assert not list((tmp_path / "made").iterdir())


def test_a_pipe_in_a_folder_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    os.mkfifo(tmp_path / "source" / "data.csv")
    with pytest.raises(DataError, match="no regular file"):
        copied(tmp_path, tmp_path / "source")


def test_a_plain_folder_has_no_revisions(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("a")
    with pytest.raises(UsageError, match="only a download"):
        locate(tmp_path, "", "abc")


def test_a_placeholder_of_git_lfs_is_not_taken_for_data(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "data.parquet").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n")
    with pytest.raises(DataError, match="git LFS"):
        copied(tmp_path, source)


def test_the_one_folder_that_holds_all_is_left_away(tmp_path: Path) -> None:
    source = tmp_path / "source" / "outer" / "inner"
    (source / "images").mkdir(parents=True)
    (source / "a.jsonl").write_text("{}")
    (source / "images" / "b.png").write_bytes(b"x")
    assert set(copied(tmp_path, tmp_path / "source").files) == {
        PurePosixPath("a.jsonl"),
        PurePosixPath("images/b.png"),
    }
