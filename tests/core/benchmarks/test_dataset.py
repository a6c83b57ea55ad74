"""A small file is read once for all passes over its rows until it changes; a large one, or one with pictures in it,
each time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.benchmarks import dataset
from core.benchmarks.dataset import Rows
from core.errors import DataError, Problem
from core.records import Item, Picture
from core.stamps import Seen
from tests.changing import overwritten

BAD = Problem("rows.csv", 2, "rule", "there is no rule 20")


class Some(Rows):
    """So many rows, the second one bad where it is ``bad``; ``data`` is what their pictures hold, ``looked`` the
    files that they depend on."""

    def __init__(self, count: int, *, bad: bool = False, data: bytes | None = None) -> None:
        self.count, self.bad, self.data = count, bad, data
        self.passes = 0
        self.looked = [Path(__file__)]

    def _read(self, seen: Seen) -> Iterator[Item | list[Problem]]:
        self.passes += 1
        seen.look(*self.looked)
        picture = Picture("a.png", data=self.data)
        for number in range(self.count):
            yield [BAD] if self.bad and number == 1 else Item("voila", "ND", str(number), (picture,), {}, {})


def test_a_small_file_is_read_once() -> None:
    rows = Some(3, bad=True)
    assert rows.problems() == [BAD]
    assert [item.id for item in rows.good()] == ["0", "2"]
    with pytest.raises(DataError, match="there is no rule 20"):
        list(rows)
    assert list(rows.outcomes())[1] == [BAD]
    assert rows.passes == 1


def test_a_file_that_has_changed_is_read_anew(tmp_path: Path) -> None:
    rows = Some(3)
    rows.looked = [Path(__file__), tmp_path / "rows.csv"]
    rows.looked[1].write_bytes(b"3")
    assert len(list(rows)) == 3
    rows.count = 5
    overwritten(rows.looked[1], b"3", b"5")
    assert len(list(rows)) == len(list(rows.good())) == 5
    assert rows.passes == 2


def test_what_depends_on_nobody_knows_what_is_read_anew() -> None:
    rows = Some(3)
    rows.looked = []
    assert len(list(rows)) == 3
    rows.count = 5
    assert len(list(rows)) == len(list(rows.good())) == 5
    assert rows.passes == 3


def test_a_pass_that_was_broken_off_is_none() -> None:
    rows = Some(3)
    assert next(iter(rows)).id == "0"
    assert [item.id for item in rows] == ["0", "1", "2"]
    assert rows.passes == 2


@pytest.mark.parametrize("rows", [Some(5), Some(2, data=b"png")], ids=["large", "pictures"])
def test_what_takes_room_is_not_kept(rows: Some, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "KEPT", 4)
    assert list(rows) == list(rows.good())
    assert rows.passes == 2
