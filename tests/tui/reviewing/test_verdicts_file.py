"""``make review --verdicts FILE``: every line is heard, or said to be none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import DataError
from sessions.curating.desk import Desk
from sessions.store import Store
from tests.sessions.curating.test_desk import desk, made
from tui.cli.making.review import _from_file


@pytest.fixture
def waits(path: Path, tmp_path: Path) -> Iterator[Desk]:
    with Store.open(path) as store:
        yield desk(made(store, tmp_path), "R1")


def written(folder: Path, *lines: object) -> Path:
    file = folder / "verdicts.jsonl"
    said = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    file.write_text("\n".join(said), encoding="utf-8")
    return file


def test_a_verdict_on_what_the_run_has_not_is_named_and_the_others_are_kept(
    waits: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    item = next(waits.all()).trajectory.item.id
    said = {"item": item, "verdict": "reject", "reason": "two lines\u2028of one reason"}
    file = written(tmp_path, said, {"item": "nowhere", "verdict": "accept"}, said | {"repeat": 1})
    with pytest.raises(DataError) as refused:
        _from_file(waits, file, as_json=False)
    assert [(one.row, one.field) for one in refused.value.problems] == [(2, "nowhere"), (3, item)]
    assert "R1: 1 verdict kept; 2 items left" in capsys.readouterr().err
    assert _from_file(waits, written(tmp_path, said), as_json=False) == 0
    assert "0 verdicts kept; 2 items left; 1 line of what does not wait for R1" in capsys.readouterr().err


def test_lines_that_hold_no_verdict_are_named_together(waits: Desk, tmp_path: Path) -> None:
    file = written(tmp_path, "[" * 100_000, "hello", [1], {"item": "x", "verdict": "maybe"})
    with pytest.raises(DataError) as refused:
        _from_file(waits, file, as_json=False)
    assert [one.row for one in refused.value.problems] == [1, 2, 3, 4]
    assert len(waits.rows()) == 3
