"""An export that somebody changed, by accident or not: taken whole and sound, or refused, and nothing of it stays."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import PhoropterError
from sessions import doctor, reading
from sessions.entries import entries
from sessions.exchange.writing import write_lines
from sessions.reopening import reopen
from sessions.runs import runs
from sessions.store import Store
from tests.fuzzing import changed, damaged, fuzzed
from tests.sessions.exchange.lines import take_lines
from tests.sessions.exchange.test_lines import fill
from tests.sessions.exchange.test_merging import cells

_NUMBERS = count()


@cache
def exported(folder: Path) -> tuple[str, ...]:
    lines: list[str] = []
    with Store.open(folder / "source.db") as store:
        asyncio.run(fill(store))
        write_lines(store, None, lines.append)
    return tuple(lines)


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    return exported(tmp_path_factory.mktemp("fuzz"))


def taken(folder: Path, data: bytes) -> None:
    """Import it; what is there afterwards is sound and can be shown, counted, exported: or there is nothing."""
    from core.config import Config

    number = next(_NUMBERS)
    file = folder / f"{number}.jsonl"
    file.write_bytes(data)
    with Store.open(folder / f"{number}.db") as store:
        try:
            take_lines(store, file)
        except PhoropterError:
            assert runs(store) == []
            assert store.reader().execute("SELECT count(*) FROM steps").fetchone() == (0,)
            return
        found = doctor.examine(store.path)
        assert found.sound, [finding for finding in found if finding.state is doctor.State.BAD]
        assert isinstance(cells(store), list)
        for summary in runs(store):
            for item in reading.items(store, summary.run):
                reading.trajectories_of(store, item.id)
            with suppress(PhoropterError):
                reopen(store, summary.run, Config())
        assert isinstance(list(entries(store, past=True)), list)
        write_lines(store, None, lambda line: None)


@fuzzed(6, many=1500)
@given(data=st.data())
def test_fuzz_a_damaged_export_is_taken_whole_or_not_at_all(
    tmp_path: Path, lines: tuple[str, ...], data: st.DataObject
) -> None:
    taken(tmp_path, data.draw(damaged("".join(lines).encode())))


@fuzzed(14, many=3000)
@given(data=st.data())
def test_fuzz_a_line_of_another_shape_is_taken_whole_or_not_at_all(
    tmp_path: Path, lines: tuple[str, ...], data: st.DataObject
) -> None:
    stored: list[Any] = [json.loads(line) for line in lines]
    at = data.draw(st.integers(0, len(stored) - 1))
    how: Callable[[], Any] = {
        "changed": lambda: [*stored[:at], data.draw(changed(stored[at])), *stored[at + 1 :]],
        "gone": lambda: [*stored[:at], *stored[at + 1 :]],
        "twice": lambda: [*stored[:at], stored[at], *stored[at:]],
        "moved": lambda: [*stored[:at], *stored[at + 1 : -1], stored[at], stored[-1]],
    }[data.draw(st.sampled_from(("changed", "changed", "changed", "gone", "twice", "moved")))]
    out = how()
    if isinstance(out[-1], dict) and isinstance(out[-1].get("end"), dict) and data.draw(st.booleans()):
        out[-1] = {"end": {"lines": len(out)}}
    taken(tmp_path, "".join(json.dumps(line) + "\n" for line in out).encode())
