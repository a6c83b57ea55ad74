"""Runs that were broken off are gone on with: nothing that is stored is asked again, and the store does not grow."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from core.config import Config
from core.errors import CallError
from core.planning import Request, prepare
from core.records import Answer
from core.respondents.base import OnDelta
from core.respondents.base import Request as Asking
from core.totals import Totals
from sessions.opening import open_prepared
from sessions.store import Store
from tests.voila_data import small_voila_file

ITEMS = 60


class Counting:
    """Answers the gold and remembers whom it was asked about; dies at the request of that number."""

    def __init__(self, dies_at: int = 0) -> None:
        self.asked: list[tuple[str, str]] = []
        self.dies_at = dies_at

    async def answer(self, asking: Asking, on_delta: OnDelta | None = None) -> Answer:
        if self.dies_at and len(self.asked) + 1 >= self.dies_at:
            raise CallError("killed", fatal=True)
        self.asked.append((asking.item.id, asking.turn.step))
        return Answer(asking.turn.gold_text)


async def run(path: Path, data: Path, monkeypatch: pytest.MonkeyPatch, dies_at: int = 0) -> tuple[Counting, Totals]:
    """One process's part of the run: the store is opened and closed in it."""
    counting = Counting(dies_at)
    prepared = prepare(Request("voila:ND", data=data, respondent="oracle"), Config())
    monkeypatch.setattr(type(prepared.plan.respondent), "answer", lambda _, *given: counting.answer(*given))
    with Store.open(path) as store:
        engine = open_prepared(store, prepared).engine()
        with contextlib.suppress(CallError):
            await engine.run(prepared.selection, in_flight=1)
        return counting, engine.totals


async def test_what_runs_before_had_done_is_not_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """re02: 47 of 60 done and killed; killed at once; resumed: 13 are asked. re05: steps are stored as they come."""
    data, path = small_voila_file(tmp_path, ITEMS, "ND"), tmp_path / "p.db"
    first, _ = await run(path, data, monkeypatch, dies_at=47 * 3 + 1)
    assert len(first.asked) == 47 * 3
    second, _ = await run(path, data, monkeypatch, dies_at=1)
    assert second.asked == []
    third, totals = await run(path, data, monkeypatch)
    assert len({item for item, _ in third.asked}) == 13
    assert len(third.asked) == 13 * 3
    assert not set(first.asked) & set(third.asked)
    assert (totals.before, totals.finished) == (47, 13)


async def test_resuming_again_and_again_adds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """re07"""
    data, path = small_voila_file(tmp_path, ITEMS, "ND"), tmp_path / "p.db"
    await run(path, data, monkeypatch)
    size = path.stat().st_size
    for _ in range(3):
        again, totals = await run(path, data, monkeypatch)
        assert (again.asked, totals.before) == ([], ITEMS)
    assert path.stat().st_size <= 1.1 * size


async def test_a_torn_end_loses_no_more_than_what_was_torn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """re01: the log of a killed process is cut in the middle; what was whole stands, the rest is asked again.

    What has been folded into the file is not torn: SQLite has it on the disk first.
    """
    monkeypatch.setattr("sessions.writer.FOLD_S", float("inf"))
    data, path = small_voila_file(tmp_path, 20, "ND"), tmp_path / "p.db"
    await run(path, data, monkeypatch, dies_at=10)
    torn = tmp_path / "torn" / "p.db"
    torn.parent.mkdir()
    holder = sqlite3.connect(path)  # a second connection keeps the log from being folded in
    holder.execute("SELECT count(*) FROM steps").fetchone()
    await run(path, data, monkeypatch, dies_at=30)
    log = path.with_name("p.db-wal")
    assert log.stat().st_size > 30_000
    shutil.copy(path, torn)
    shutil.copy(log, torn.with_name("p.db-wal"))
    holder.close()
    os.truncate(torn.with_name("p.db-wal"), torn.with_name("p.db-wal").stat().st_size * 2 // 3)
    with sqlite3.connect(torn) as db:
        kept = db.execute("SELECT count(*) FROM steps").fetchone()[0]
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert 9 <= kept < 9 + 29
    rest, totals = await run(torn, data, monkeypatch)
    assert len(rest.asked) == 20 * 3 - kept
    assert totals.before + totals.finished == 20
