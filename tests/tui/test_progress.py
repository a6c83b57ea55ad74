"""What a batch says on stderr where nobody watches a bar."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from typing import ClassVar

import pytest

from core.events import Failed, Judged, Loading, StepDone, TrajectoryDone, Waiting, WaitOver
from core.planning import Request
from core.records import Answer, Item, Step, Trajectory, Turn
from sessions.store import Store
from tests.tui.stored import run_on
from tui.cli import progress as progress_module
from tui.cli.formats.writing import Wanted
from tui.cli.progress import BatchProgress, JudgingProgress, WorkProgress
from tui.cli.report import Asked, report_runs

ITEM = Item("voila", "ND", "voila-1", (), {}, {})


def busy(what: str, count: int) -> Waiting:
    return Waiting(Trajectory(ITEM), "describe", what, 5.0, count)


def test_without_a_terminal_each_reason_to_wait_is_a_line_every_half_minute(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with BatchProgress("run", 0, 2) as progress:
        for count in range(1, 13):  # a minute, one attempt each 5 s, the words new each time
            progress(busy(f"HTTP 429: try again in {count} s", count))
            now[0] += 5
        progress(busy("HTTP 500: \x1b[2J", 13))
        assert progress.waits() == "HTTP 500, waits 5 s, asked 13 times: ␛[2J"
        now[0] = 101.0
        progress(StepDone(Trajectory(ITEM), Step(Turn("describe", ()), Answer("B"))))
        assert progress.waits() == ""
    assert capsys.readouterr().err.splitlines() == [
        "run: HTTP 429, waits 5 s, asked once: try again in 1 s",
        "run: HTTP 429, waits 5 s, asked 7 times: try again in 7 s",
        "run: HTTP 500, waits 5 s, asked 13 times: ␛[2J",
    ]


@pytest.mark.parametrize(
    ("what", "words"),
    [
        (
            'the reply is no JSON (Unterminated string starting at: line 1 column 2 (char 1)): {"oops',
            "the reply is no JSON, waits 5 s, asked once"
            ' (Unterminated string starting at: line 1 column 2 (char 1)): {"oops',
        ),
        ("HTTP 429: slow down: (now)", "HTTP 429, waits 5 s, asked once: slow down: (now)"),
        (
            "nobody at http://127.0.0.1:9/v1 (refused)",
            "nobody at http://127.0.0.1:9/v1, waits 5 s, asked once (refused)",
        ),
        ("the stream broke off inside an event", "the stream broke off inside an event, waits 5 s, asked once"),
        ("HTTP 500: ", "HTTP 500, waits 5 s, asked once"),
    ],
)
def test_the_wait_stands_before_what_others_said_of_the_reason(what: str, words: str) -> None:
    assert busy(what, 1).words == words
    assert words.startswith(busy(what, 1).brief)


@pytest.mark.parametrize("kind", [BatchProgress, JudgingProgress])
def test_whose_calls_are_waited_for_is_told_until_they_are_over(
    kind: type[BatchProgress] | type[JudgingProgress], capsys: pytest.CaptureFixture[str]
) -> None:
    progress = BatchProgress("run", 0, 2) if kind is BatchProgress else JudgingProgress("run", 2)
    with progress:
        progress(Waiting(None, "describe", "HTTP 429: slow down", 5.0, 2, "judge gpt", "17"))
        progress(Waiting(None, "", "HTTP 503", 2.0, 1, "batches of gpt", "1"))
        assert progress.waits() == "batches of gpt: HTTP 503, waits 2 s, asked once"
        progress(WaitOver("batches of gpt", "1"))
        assert progress.waits(brief=True) == "judge gpt: HTTP 429, waits 5 s, asked 2 times"
        step = Step(Turn("describe", ()), Answer("B"))
        progress(Judged(ITEM, step, 1, None, "busy"))
        assert progress.waits(), "another answer was judged, not this one"
        progress(WaitOver("judge gpt", "17"))
        assert progress.waits() == ""
    assert capsys.readouterr().err.splitlines() == [
        "run: judge gpt: HTTP 429, waits 5 s, asked 2 times: slow down",
        "run: batches of gpt: HTTP 503, waits 2 s, asked once",
    ]


def test_rate_and_time_left_are_of_this_work_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Resumed at 2,000 of 2,100: what a killed process did in its hours is done, and says nothing of how fast it goes
    now. One that failed is not asked again by this command."""
    now = [500.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    step = Step(Turn("describe", ()), Answer("B"))
    with BatchProgress("run", 2000, 2100) as progress:
        for number in range(60):  # a trajectory of three steps each 6 s
            for _ in range(3):
                now[0] += 2
                progress(StepDone(Trajectory(ITEM), step))
            progress(
                Failed(Trajectory(ITEM), "describe", "no") if number % 10 == 9 else TrajectoryDone(Trajectory(ITEM))
            )
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "run: 2004/2100, 0.5 steps/s, 12 min left"
    assert lines[-1] == "run: 2054/2100, 0.5 steps/s, 4 min left, 5 failed"
    assert len(lines) == 12


def test_before_anything_has_ended_no_time_is_guessed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [500.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with BatchProgress("run", 90, 100) as progress:
        now[0] += 40
        progress(StepDone(Trajectory(ITEM), Step(Turn("describe", ()), Answer("B"))))
    assert capsys.readouterr().err.splitlines() == ["run: 90/100, 0.025 steps/s"]


class Bar:
    """What would be drawn."""

    shown: ClassVar[list[tuple[int, int | None, str]]] = []

    def __init__(self, name: str, done: int, total: int) -> None:
        self.shown.append((done, total, name))

    def show(self, done: int, words: str, total: int | None = None) -> None:
        self.shown.append((done, total, words))

    def stop(self) -> None:
        pass


def test_work_whose_amount_is_found_on_the_way_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with WorkProgress("page") as progress:
        progress.begin("what went wrong in mine")
        progress.expect(4)
        for _ in range(4):
            now[0] += 20
            progress.did()
    said = capsys.readouterr().err.splitlines()
    assert said == ["page: 2/4, what went wrong in mine, 40 s left", "page: 4/4, what went wrong in mine"]


def test_a_page_tells_on_a_terminal_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "_Bar", Bar)
    monkeypatch.setattr(Bar, "shown", [])
    request = Request("voila:ND", respondent="seeing:0.3")
    with Store.open(tmp_path / "store.db") as store:
        asyncio.run(run_on(store, request, limit=5))
    page = Wanted(out=tmp_path / "page.html", format="html")
    with monkeypatch.context() as terminal:
        terminal.setattr(sys.stderr, "isatty", lambda: True, raising=False)
        report_runs(tmp_path / "store.db", (), Asked(), page)
    wrong = (tmp_path / "page.html").read_text(encoding="utf-8").count('class="path"')
    done, total, _ = Bar.shown[-2]
    assert done == total
    assert total is not None
    assert total > wrong > 0
    assert any(words.startswith("drawing ") for _, _, words in Bar.shown)
    words = Bar.shown[-1][2]
    assert [each[0] for each in Bar.shown] == sorted(each[0] for each in Bar.shown)
    assert words.startswith("what went wrong in voila-ND-l2m-seeing-0.3")


def test_the_bar_says_how_far_a_model_is_that_is_being_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "_Bar", Bar)
    monkeypatch.setattr(Bar, "shown", [])
    with monkeypatch.context() as terminal:
        terminal.setattr(sys.stderr, "isatty", lambda: True, raising=False)
        with BatchProgress("run", 0, 2) as progress:
            progress(Loading(Trajectory(ITEM), "describe", "loading the weights"))
            assert Bar.shown[-1][2].startswith("loading the weights, ")
            progress(Loading(Trajectory(ITEM), "describe", ""))
            assert "loading" not in Bar.shown[-1][2]
