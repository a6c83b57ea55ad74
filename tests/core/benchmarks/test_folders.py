"""What lies in a folder of data, and what only says so: one rule for every benchmark."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.benchmarks.base import LoadOptions
from core.benchmarks.folders import Inside, find_data
from core.errors import DataError, UsageError
from tests.voila_data import loaded, small_voila_file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """``data`` with one picture, beside a secret."""
    (tmp_path / "data" / "images").mkdir(parents=True)
    (tmp_path / "data" / "images" / "a.png").write_bytes(b"a")
    (tmp_path / "secret.png").write_bytes(b"s")
    return tmp_path / "data"


@pytest.mark.parametrize("name", ["images/a.png", "images\\a.png", "images/none.png", "none/a.png", "..a.png"])
def test_a_name_in_the_folder_is_a_path_whether_or_not_there_is_a_file(folder: Path, name: str) -> None:
    assert Inside(folder).named(name) == str(folder / name.replace("\\", "/"))


@pytest.mark.parametrize(
    "name", ["../secret.png", "/etc/passwd", "C:x", "images/..", "images\\..\\..\\x", "\\x", "a\0"]
)
def test_a_name_that_leads_out_is_none(folder: Path, name: str) -> None:
    assert Inside(folder).named(name) is None


def test_links_within_the_folder_are_followed_and_no_others(folder: Path) -> None:
    (folder / "near.png").symlink_to(folder / "images" / "a.png")
    (folder / "far.png").symlink_to(folder.parent / "secret.png")
    (folder / "away").symlink_to(folder.parent)
    (folder / "round").symlink_to(folder / "round")
    inside = Inside(folder)
    assert inside.named("near.png") == str(folder / "near.png")
    assert [inside.named(name) for name in ("far.png", "away/secret.png", "away/data/none.png")] == [
        None, None, str(folder / "away/data/none.png"),
    ]  # fmt: skip
    assert inside.named("round/x.png") in (None, str(folder / "round/x.png"))  # as the system resolves a loop


def test_the_folder_itself_may_be_a_link(folder: Path) -> None:
    link = folder.parent / "link"
    link.symlink_to(folder)
    assert Inside(link).named("images/a.png") == str(link / "images/a.png")


def test_a_name_that_stands_in_several_folders_is_one_set_and_goes_before_endings(tmp_path: Path) -> None:
    for name in ("x/metadata.json", "y/metadata.json", "y/deep/metadata.json", "table.csv", ".hidden/metadata.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = find_data(tmp_path, (".csv",), named="metadata.json").files
    assert found == (tmp_path / "x/metadata.json", tmp_path / "y/metadata.json")
    assert find_data(tmp_path, (".csv",)).files == (tmp_path / "table.csv",)
    with pytest.raises(DataError, match=r"no \.jsonl and no \.parquet"):
        find_data(tmp_path, (".jsonl", ".parquet"))


def test_a_voila_file_keeps_to_its_folder_too(tmp_path: Path) -> None:
    file = small_voila_file(tmp_path, 7, "ND")
    name = next(iter(loaded(file))).pictures[0].name
    (tmp_path / "pictures").mkdir()
    (tmp_path / "secret.png").touch()
    (tmp_path / "pictures" / name).symlink_to(tmp_path / "secret.png")
    problems = loaded(file, pictures=tmp_path / "pictures").problems()
    assert problems
    assert {(problem.field, problem.what.partition(" leads ")[2]) for problem in problems} <= {
        (f"img{place}", "out of the folder of pictures") for place in (1, 2, 3)
    }
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "VOILA.csv").symlink_to(file)
    with pytest.raises(DataError, match="leads out of the folder"):
        loaded(tmp_path / "other")
    assert loaded(tmp_path / "other" / "VOILA.csv").problems() == []


def test_a_folder_of_pictures_that_is_not_there_is_refused_before_any_file_is_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such folder of pictures"):
        LoadOptions(pictures=tmp_path / "none")


def test_pictures_of_a_folder_named_from_here_are_found_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert Inside(Path("pics")).named("a.png") == str(tmp_path / "pics" / "a.png")
