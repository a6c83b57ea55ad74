"""The stepping screen in a real terminal: step, go back, gold, fork, quit, reopen; and its end by signals."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.end_to_end.terminals import Tmux

Opened = Callable[[int, int], Tmux]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    made: list[Tmux] = []

    def open_(width: int, height: int) -> Tmux:
        made.append(Tmux(tmp_path, width, height))
        made[-1].start("demo", "voila:ND", "--respondent", "noisy:0.6", "--store", str(tmp_path / "demo.db"))
        made[-1].wait_for("next: space asks")
        return made[-1]

    yield open_
    for tmux in made:
        tmux.kill()


@pytest.mark.parametrize(("width", "height"), [(120, 40), (80, 24)])
def test_step_back_gold_fork_quit_and_reopen(opened: Opened, tmp_path: Path, width: int, height: int) -> None:
    tmux = opened(width, height)
    tmux.wait_for("half blocks")
    tmux.press("Space")
    tmux.wait_for("score")
    tmux.press("Space")
    tmux.wait_for("2 relate  noisy:0.6")
    tmux.press("b")
    tmux.wait_for("1 describe  noisy:0.6")
    tmux.press("g")
    tmux.wait_for("╰ describe: gold put in")
    tmux.wait_for("gold put in")
    tmux.press("r")
    before = tmux.wait_until_still("3 apply  noisy:0.6")
    tmux.press("q")
    tmux.wait_for("ENDED 0")
    tmux.start("demo", "voila:ND", "--respondent", "noisy:0.6", "--store", str(tmp_path / "demo.db"))
    tmux.wait_for("╰ describe: gold put in")
    after = tmux.wait_until_still("n3 │")  # accuracy is read behind the screen
    assert _tree(after) == _tree(before)
    assert _strip(after) == _strip(before)


def _tree(screen: str) -> list[str]:
    """The rows of the tree, without the sign of the path looked at."""
    return [line.split("│")[0].lstrip(" ▌").rstrip() for line in screen.splitlines() if _in_tree(line)]


def _in_tree(line: str) -> bool:
    left = line.split("│")[0].lstrip(" ▌")
    return "│" in line and left.startswith(("1 ", "2 ", "3 ", "╰ "))


def _strip(screen: str) -> list[str]:
    """The steps of the accuracy strip's plain line, whichever of them shows its properties."""
    line = next(line for line in screen.splitlines() if line.startswith(" % right"))
    return [part.split()[-1] for part in line.split("│")]


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_it_with_its_status_and_the_terminal_sane(
    opened: Opened, number: signal.Signals, status: int
) -> None:
    tmux = opened(80, 24)
    os.kill(tmux.app_pid(), number)
    shown = tmux.wait_for(f"ENDED {status}")
    assert "echo" in tmux.wait_for("echo")
    assert "Traceback" not in shown


def test_resizing_and_coming_back_from_the_shell_redraw_it(opened: Opened) -> None:
    tmux = opened(120, 40)
    for width, height in ((60, 15), (200, 50), (40, 12), (80, 24)):
        tmux.resize(width, height)
    tmux.wait_for("q quit")
    tmux.press("Space")
    tmux.wait_for("score")


def test_a_dumb_terminal_is_refused_with_one_line(tmp_path: Path) -> None:
    import subprocess
    import sys

    from tests.end_to_end.terminals import ROOT

    code = "import sys; from tui.app import PhoropterApp, run_app; sys.exit(run_app(PhoropterApp()))"
    environment = {**os.environ, "TERM": "dumb", "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "TERM is dumb" in done.stderr
