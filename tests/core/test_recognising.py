"""What lies at a path is found out by the benchmarks' own loaders."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.config import Config
from core.errors import DataError, UsageError
from core.packs import pack
from core.planning import Request, prepare
from core.recognising import UnreadableError, recognise
from tests.voila_data import small_voila_file


@pytest.mark.parametrize(("name", "items"), [("voila:ND", 14), ("voila:WD", 38), ("vrex", 30), ("mmra", 44)])
def test_each_benchmarks_pack_is_known_by_its_content(name: str, items: int) -> None:
    benchmark, _, subset = name.partition(":")
    found = recognise(str(pack(benchmark, subset)))
    assert (found.name, found.benchmark, found.items, found.problems) == (name, benchmark, items, ())


def test_pictures_that_are_missing_are_counted_once_each_wherever_they_are_to_lie(tmp_path: Path) -> None:
    file = small_voila_file(tmp_path, 4, "ND")
    found = recognise(str(file))
    assert (found.items, found.missing) == (4, found.pictures)
    assert found.pictures > 0
    assert recognise(str(file), "drawn").missing == 0
    folder = tmp_path / "pictures"
    folder.mkdir()
    name = file.read_text(encoding="utf-8").split(".png")[0].rpartition(",")[2].rpartition('"')[2] + ".png"
    (folder / Path(name).name).write_bytes(b"x")
    assert recognise(str(file), str(folder)).missing in (found.pictures - 1, found.pictures)
    with pytest.raises(UsageError, match="no such folder"):
        recognise(str(file), str(tmp_path / "nowhere"))


def test_bad_rows_are_told_and_the_rest_is_there(tmp_path: Path) -> None:
    file = small_voila_file(tmp_path, 4, "ND")
    rows = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join([*rows[:2], rows[2].replace("two", "").replace(",", ",", 1)[:20], *rows[3:]]))
    found = recognise(str(file))
    assert found.items == 3
    assert found.problems


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (None, "there is no such file or folder"),
        ("", "no benchmark's data can be read there"),
        ("a,b\n1,2\n", "no benchmark's data can be read there"),
        ('{"a": 1}\n', "no benchmark's data can be read there"),
    ],
)
def test_what_is_no_data_is_refused_with_what_each_loader_says(tmp_path: Path, made: str | None, said: str) -> None:
    file = tmp_path / "data.csv"
    if made is not None:
        file.write_text(made)
    with pytest.raises(UsageError, match=said) as caught:
        recognise(str(file))
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)
    with pytest.raises(UsageError, match="name a file"):
        recognise("  ")


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (b"", "the file is empty (0 bytes)"),
        (b"\x00\xff\x07" * 99, "the file is no CSV: it holds no text"),
        (b'{"a": 1}\n', "the file is no CSV but JSON"),
        (
            b"a,b\n1,2\n",
            "desc_img1: the column is missing (desc_img1 or desc_im1 or img1); other columns are 'a', 'b'",
        ),
    ],
)
def test_what_a_loader_says_is_what_its_run_would_be_refused_with(tmp_path: Path, made: bytes, said: str) -> None:
    file = tmp_path / "data.csv"
    file.write_bytes(made)
    with pytest.raises(UnreadableError) as caught:
        recognise(str(file))
    assert list(caught.value.against) == ["voila", "vrex", "mmra"]
    assert caught.value.against["voila"][0] == said
    with pytest.raises(DataError) as refused:
        prepare(Request("voila:ND", data=file, respondent="oracle"), Config())
    assert [str(problem) for problem in refused.value.problems] == [
        f"{file}, {each}" if ": the column" in each else f"{file}: {each}" for each in caught.value.against["voila"]
    ]
