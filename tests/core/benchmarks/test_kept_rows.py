"""Rows of every benchmark are read once for all passes, and again as soon as a pass could find something else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from core.benchmarks.dataset import Rows
from core.benchmarks.mmra.question import question
from core.errors import Problem
from core.records import Item
from core.stamps import Seen
from tests import mmra_data, voila_data, vrex_data
from tests.changing import overwritten, until_noted

NAMES = ("voila", "vrex", "mmra")


class Passes:
    """Counts the readings of a data set."""

    def __init__(self, data: Rows, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        really = data._read

        def read(seen: Seen, **rest: Any) -> Iterator[Item | list[Problem]]:
            self.count += 1
            return really(seen, **rest)

        monkeypatch.setattr(data, "_read", read)


def made(name: str, folder: Path) -> tuple[Path, Rows]:
    """A data file of five items, and its data set."""
    if name == "voila":
        file = voila_data.small_voila_file(folder, 5, "ND")
        return file, voila_data.loaded(file, "ND")
    if name == "vrex":
        file = vrex_data.write(folder, vrex_data.rows(5))
        return file, vrex_data.loaded(file)
    file = mmra_data.metadata(folder, mmra_data.made_rows({"US": 5}))
    return file, mmra_data.loaded(file)


@pytest.mark.parametrize("name", NAMES)
def test_four_passes_are_one_reading(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, data = made(name, tmp_path)
    passes = Passes(data, monkeypatch)
    assert data.problems() == []
    items = list(data)
    assert len(items) == 5
    assert list(data.good()) == list(data.outcomes()) == items
    assert passes.count == 1


@pytest.mark.parametrize(
    ("name", "old", "new", "id_"),
    [
        ("voila", b"image_questions_1.png", b"image_questions_8.png", "voila-8"),
        ("vrex", b'"id": "v-000"', b'"id": "v-008"', "v-008"),
        ("mmra", b'"id": "us-001"', b'"id": "us-008"', "us-008"),
    ],
)
def test_a_file_overwritten_in_place_is_read_anew(
    name: str, old: bytes, new: bytes, id_: str, tmp_path: Path
) -> None:
    file, data = made(name, tmp_path)
    first, *others = data
    overwritten(file, old, new)
    changed, *same = data
    assert (first.id != id_, changed.id) == (True, id_)
    assert same == others


def in_subfolder(folder: Path) -> tuple[Rows, str]:
    """VOILA questions whose pictures lie in ``sub``; the name of the first question's first picture."""
    names: list[str] = []

    def into(rows: list[dict[str, str]]) -> None:
        for row in rows:
            for column in ("img1", "img2", "img3"):
                row[column] = f"sub/{row[column]}"
        names.append(rows[0]["img1"])

    data = voila_data.loaded(voila_data.changed(voila_data.small_voila_file(folder, 5, "ND"), into), "ND")
    return data, names[0]


def test_a_picture_that_appears_in_a_subfolder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, name = in_subfolder(tmp_path)
    (tmp_path / "Test_Images").mkdir()
    passes = Passes(data, monkeypatch)

    def place() -> str:
        return next(iter(list(data))).pictures[0].path

    inner, outer = tmp_path / "Test_Images" / name, tmp_path / name
    assert place() == place() == str(inner)
    assert passes.count == 1
    outer.parent.mkdir()
    outer.touch()
    assert place() == str(outer)
    until_noted(outer.parent, lambda: outer.unlink(missing_ok=True) or (outer.parent / "other").touch())
    assert place() == str(inner)
    assert passes.count == 3


@pytest.mark.parametrize("name", ["vrex", "mmra"])
def test_a_link_that_leads_out_is_seen_whenever_it_comes(name: str, tmp_path: Path) -> None:
    _, data = made(name, tmp_path / "data")
    secret, picture = tmp_path / "secret.png", Path(next(iter(list(data))).pictures[0].path)
    secret.write_bytes(b"s")
    assert data.problems() == []
    beside = picture.with_name("beside")
    picture.rename(beside)
    picture.symlink_to(beside)
    assert data.problems() == []
    beside.unlink()
    beside.symlink_to(secret)
    problems = data.problems()
    assert problems
    assert all("leads out" in problem.what for problem in problems)


def test_the_target_of_a_link_counts_as_the_link(tmp_path: Path) -> None:
    _, data = made("vrex", tmp_path / "data")
    picture = Path(next(iter(list(data))).pictures[0].path)
    store, secret = tmp_path / "data" / "store", tmp_path / "secret.png"
    secret.write_bytes(b"s")
    store.mkdir()
    picture.rename(store / "1.png")
    picture.symlink_to(store / "1.png")
    assert data.problems() == []
    assert data.problems() == []
    (store / "1.png").unlink()
    (store / "1.png").symlink_to(secret)
    assert ["leads out" in problem.what for problem in data.problems()] == [True]


def test_descriptions_beside_the_data_are_read_when_they_come_and_change(tmp_path: Path) -> None:
    file, data = made("mmra", tmp_path)
    assert [question(item).descriptions[0] for item in data] == [""] * 5
    name = next(iter(data)).pictures[0].name
    beside = file.with_name("descriptions.jsonl")
    beside.write_text(json.dumps({"picture": name, "text": "A bench."}), encoding="utf-8")
    assert question(next(iter(list(data)))).descriptions[0] == "A bench."
    overwritten(beside, b"A bench.", b"A table.")
    assert question(next(iter(list(data)))).descriptions[0] == "A table."


def test_a_picture_described_by_its_bytes_is_read_again_where_they_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, data = made("mmra", tmp_path)

    def told() -> str:
        return question(next(iter(list(data)))).descriptions[0]

    picture = Path(next(iter(data)).pictures[0].path)
    line = {"picture": hashlib.sha256(picture.read_bytes()).hexdigest(), "text": "A bench."}
    file.with_name("descriptions.jsonl").write_text(json.dumps(line), encoding="utf-8")
    passes = Passes(data, monkeypatch)
    assert told() == told() == "A bench."
    assert passes.count == 1
    until_noted(picture, lambda: Image.new("RGB", (3, 3)).save(picture))
    assert told() == ""
