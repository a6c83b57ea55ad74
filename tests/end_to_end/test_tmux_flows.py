"""The main flows in a real terminal: own words, two paths side by side, an own score, a batch, and its killing."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.end_to_end.terminals import Tmux
from tests.servers import FaultServer, Received, Reply, says

Opened = Callable[[str], Tmux]
ITEMS, STEPS = 14, 3 * 14
"""Of the built-in pack without distraction."""


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    tmux = Tmux(tmp_path, 100, 30)

    def open_(respondent: str) -> Tmux:
        tmux.start("demo", "voila:ND", "--respondent", respondent, "--store", str(tmp_path / "demo.db"))
        tmux.wait_for("% right (demo)")
        return tmux

    yield open_
    tmux.kill()


def _rows(folder: Path, query: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(f"file:{folder / 'demo.db'}?mode=ro", uri=True) as db:
        return db.execute(query).fetchall()


def test_own_words_two_paths_side_by_side_and_an_own_score(opened: Opened, tmp_path: Path) -> None:
    tmux = opened("noisy:0.6")
    tmux.wait_for("next: space asks")
    tmux.press("r")
    tmux.wait_until_still("3 apply  noisy:0.6")
    tmux.press("b", "b", "e")
    tmux.wait_for("your answer to describe")
    tmux.press("C-l")
    tmux.press("-l", "one ")
    tmux.paste("\x1b[1m[bold]dog[/]\x1b[0m \x1b\x1b[38;5;9mruns")
    tmux.wait_for("one [bold]dog[/] runs")
    tmux.press("C-s")
    tmux.wait_for("╰ describe: own words")
    tmux.press("r")
    tmux.wait_until_still("3 apply  noisy:0.6")

    tmux.press("c")
    tmux.wait_for("plain path")
    tmux.press("Enter")
    shown = tmux.wait_until_still("◀ first difference")
    assert "one [bold]dog[/] runs" in shown
    assert re.search(r"1 of 3 steps differs|[23] of 3 steps differ\b", shown)

    tmux.press("Escape")
    tmux.wait_until_still("q quit")
    tmux.press("v")
    tmux.wait_for("your score of apply")
    tmux.press("a", "C-s")
    tmux.wait_until_still("q quit")
    assert _rows(tmp_path, "SELECT name FROM scorers")[-1] != ("rule",)

    tmux.press("q")
    tmux.wait_for("ENDED 0")
    assert _rows(tmp_path, "SELECT text FROM steps WHERE origin = 3") == [("one [bold]dog[/] runs",)]


async def test_a_batch_begun_on_the_screen_and_killed_is_gone_on_with(opened: Opened, tmp_path: Path) -> None:
    """kill -9 while it runs: nothing answered is lost, and no more is asked twice than was in flight."""
    asked: Counter[str] = Counter()
    slow = [0.04]

    async def script(received: Received) -> Reply:
        asked[str(received.messages)] += 1
        await asyncio.sleep(slow[0])
        return says("number = two, subject = dogs, action = walking")

    def stored() -> set[object]:
        return {row for (row,) in _rows(tmp_path, "SELECT id FROM steps")}

    def killed_while_asking(respondent: str) -> set[object]:
        tmux = opened(respondent)
        tmux.wait_for("next: space asks")
        tmux.press("B")
        tmux.wait_for("No batch has been started here")
        tmux.press("n")
        tmux.wait_for("a batch on 14 items")
        tmux.press("Enter")
        tmux.wait_for("▶ running")
        until = time.monotonic() + 30
        while asked.total() < ITEMS + 10 and time.monotonic() < until:
            time.sleep(0.01)
        os.kill(tmux.app_pid(), signal.SIGKILL)
        tmux.wait_for("ENDED 137")
        return stored()

    def gone_on_with(respondent: str) -> str:
        tmux = opened(respondent)
        tmux.wait_for("% right (demo)")
        tmux.press("B")
        tmux.wait_for("broken off")
        tmux.press("s")
        shown = tmux.wait_for("✓ done 14/14")
        tmux.press("q")
        tmux.wait_for("q quit")
        tmux.press("q")
        tmux.wait_for("ENDED 0")
        return shown

    async with FaultServer(script) as server:
        respondent = f"openai:model@{server.url}"
        kept = await asyncio.to_thread(killed_while_asking, respondent)
        before, slow[0] = asked.total(), 0.0
        assert 0 < len(kept) < STEPS
        shown = await asyncio.to_thread(gone_on_with, respondent)
    assert kept <= stored()
    assert len(stored()) == STEPS
    assert re.search(r"14 finished|14/14", shown)
    assert asked.total() - before == STEPS - len(kept)
    assert asked.total() - STEPS <= ITEMS  # each waits for its step to be stored before it asks on
    assert _rows(tmp_path, "PRAGMA integrity_check") == [("ok",)]
