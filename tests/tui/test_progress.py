"""What a batch says on stderr where nobody watches a bar."""

from __future__ import annotations

import time

import pytest

from core.events import Judged, StepDone, Waiting, WaitOver
from core.records import Answer, Item, Step, Trajectory, Turn
from tui.cli.progress import BatchProgress, JudgingProgress

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
