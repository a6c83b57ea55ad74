"""A download from the hub: parquet with both pictures inside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.benchmarks.mmra.question import question
from tests.mmra_data import Row, every_subtask, loaded, made_rows, pack


def embedded(folder: Path, rows: list[Row], form: str) -> list[Row]:
    """The rows as the hub has them: ``Task`` for the subtask, no ids, pictures as a struct or as bytes."""
    out = []
    for row in rows:
        new: Row = {key: row[key] for key in ("question", "answer", "options", "QA_type")} | {"Task": row["subtask"]}
        for name in ("image1", "image2"):
            data = (folder / row[name]).read_bytes()
            new[name] = {"bytes": data, "path": Path(row[name]).name} if form == "struct" else data
        out.append(new)
    return out


def written(out: Path, rows: list[Row]) -> Path:
    out.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), out, row_group_size=7)
    return out


@pytest.mark.parametrize("form", ["struct", "bytes"])
def test_the_same_questions_come_with_their_pictures_bytes(tmp_path: Path, form: str) -> None:
    file = pack(tmp_path)
    rows = made_rows(every_subtask())
    data = loaded(written(tmp_path / "hub/train.parquet", embedded(tmp_path, rows, form)))
    assert data.problems() == []
    for number, (item, plain) in enumerate(zip(data, loaded(file), strict=True), 1):
        assert item.id == str(number)
        assert question(item) == question(plain)
        for picture, other in zip(item.pictures, plain.pictures, strict=True):
            assert picture.data == Path(other.path).read_bytes()


def test_shards_are_one_set_and_rows_are_counted_through(tmp_path: Path) -> None:
    pack(tmp_path)
    rows = embedded(tmp_path, made_rows(every_subtask()), "struct")
    hub = tmp_path / "hub"
    written(hub / "data/train-00000-of-00002.parquet", rows[:20])
    written(hub / "data/train-00001-of-00002.parquet", rows[20:])
    (hub / "README.md").touch()
    data = loaded(hub)
    assert data.problems() == []
    assert [item.id for item in data] == [str(number) for number in range(1, 56)]
    assert len(data.digest) == 64


def test_a_missing_picture_is_named_with_its_shard_and_row(tmp_path: Path) -> None:
    pack(tmp_path)
    rows = embedded(tmp_path, made_rows(every_subtask()), "struct")
    rows[3]["image2"] = None
    rows[5]["image1"] = {"bytes": b"", "path": None}
    file = written(tmp_path / "hub/train.parquet", rows)
    found = loaded(file).problems()
    assert [(problem.row, problem.field) for problem in found] == [(4, "image2"), (6, "image1")]


def test_options_may_be_a_struct(tmp_path: Path) -> None:
    pack(tmp_path)
    rows: list[dict[str, Any]] = embedded(tmp_path, made_rows({"US": 2}), "bytes")
    rows[0]["options"], rows[1]["options"] = (
        dict(zip("ABC", "xyz", strict=True)),
        dict(zip("ABCD", "xyzw", strict=True)),
    )
    first, second = loaded(written(tmp_path / "hub/train.parquet", rows))
    assert list(question(first).options) == ["A", "B", "C"]
    assert list(question(second).options) == ["A", "B", "C", "D"]
