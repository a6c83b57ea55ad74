"""A download from the hub: parquet with the pictures inside."""

from __future__ import annotations

import builtins
import csv
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.errors import DataError
from tests.voila_data import loaded, small_voila_file


def parquet(file: Path, out: Path, rows: slice = slice(None), form: str = "struct") -> Path:
    """The rows with an embedded picture each: the hub's struct of bytes and path, or bytes alone."""
    with file.open(encoding="utf-8", newline="") as stream:
        table: list[dict[str, Any]] = list(csv.DictReader(stream))[rows]
    for row in table:
        row["rule"] = int(row["rule"])
        for place in "123":
            data = f"picture {row[f'img{place}']}".encode()
            row[f"image{place}"] = {"bytes": data, "path": row[f"img{place}"]} if form == "struct" else data
            if form == "struct":
                del row[f"img{place}"]
    out.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(table), out, row_group_size=5)
    return out


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return small_voila_file(tmp_path, 38, "WD")


@pytest.mark.parametrize("form", ["struct", "bytes"])
def test_the_same_questions_come_with_their_pictures_bytes(file: Path, tmp_path: Path, form: str) -> None:
    data = loaded(parquet(file, tmp_path / "hub" / "test.parquet", form=form))
    assert data.problems() == []
    assert data.subset == "WD"
    for item, plain in zip(data, loaded(file), strict=True):
        assert (item.id, item.groups, item.facts) == (plain.id, plain.groups, plain.facts)
        for picture, other in zip(item.pictures, plain.pictures, strict=True):
            assert picture.data == f"picture {other.name}".encode()
            assert (picture.name, picture.depicts, picture.path) == (other.name, other.depicts, "")


def test_the_shards_of_a_hub_folder_are_one_data_set(file: Path, tmp_path: Path) -> None:
    hub = tmp_path / "hub"
    parquet(file, hub / "data" / "test-00000-of-00002.parquet", slice(0, 20))
    parquet(file, hub / "data" / "test-00001-of-00002.parquet", slice(20, None))
    (hub / "README.md").touch()
    data = loaded(hub)
    assert data.problems() == []
    assert [item.id for item in data] == [f"voila-{row}" for row in range(1, 39)]
    assert data.source == str(hub / "data")
    assert len(data.digest) == 64


def test_bad_rows_are_named_in_parquet_too(file: Path, tmp_path: Path) -> None:
    table = pq.read_table(parquet(file, tmp_path / "hub" / "test.parquet")).to_pylist()
    table[6]["rule"] = 33
    table[9]["desc_img2"] = None
    table[9]["image2"]["path"] = None
    pq.write_table(pa.Table.from_pylist(table), tmp_path / "bad.parquet")
    found = loaded(tmp_path / "bad.parquet", "WD").problems()
    assert [(problem.row, problem.field) for problem in found] == [(7, "rule"), (10, "desc_img2")]


@pytest.mark.parametrize("content", [b"", b"PAR1 and no more", b"x" * 5000])
def test_a_torn_parquet_file_is_named(tmp_path: Path, content: bytes) -> None:
    torn = tmp_path / "torn.parquet"
    torn.write_bytes(content)
    (problem,) = loaded(torn).problems()
    assert problem.file == str(torn)


def test_a_torn_page_is_named_and_not_a_traceback(file: Path, tmp_path: Path) -> None:
    whole = parquet(file, tmp_path / "hub" / "test.parquet").read_bytes()
    torn = tmp_path / "torn.parquet"
    torn.write_bytes(whole[:200] + b"\xff" * 900 + whole[1100:])
    assert loaded(torn, "WD").problems()
    with pytest.raises(DataError):
        list(loaded(torn, "WD"))


def test_without_pyarrow_the_extra_is_named(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = parquet(file, tmp_path / "hub" / "test.parquet")
    real = builtins.__import__

    def without(name: str, *args: Any, **more: Any) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(DataError, match=r"phoropter\[data\]"):
        list(loaded(hub))
