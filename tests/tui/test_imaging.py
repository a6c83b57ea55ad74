"""The picture protocol is decided once, and never by asking where nobody could answer."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from core.errors import UsageError
from tui.fitting import fit, picture_rows
from tui.imaging import Imaging, _understood, decide, wanted_kind

KITTY = b"\x1b[6;20;10t\x1bP>|kitty(0.35.2)\x1b\\\x1b_Gi=31;OK\x1b\\\x1b[?62;c"
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("answers", "kind", "cell"),
    [
        (b"\x1b[6;34;17t\x1b[?62;4;22c", "sixel", (17, 34)),
        (KITTY, "kitty", (10, 20)),
        (KITTY.replace(b"0.35", b"0.20"), "halfcell", (10, 20)),
        (KITTY.replace(b"kitty(0.35.2)", b"WezTerm 20240203-1.2"), "halfcell", (10, 20)),
        (b"\x1b[?1;2c", "halfcell", (10, 20)),
        (b"", "halfcell", (10, 20)),
        (b"qqq\x1b[6;0;0t", "halfcell", (10, 20)),
    ],
)
def test_what_a_terminal_answers_is_understood(answers: bytes, kind: str, cell: tuple[int, int]) -> None:
    assert _understood(answers) == (kind, cell)


@pytest.mark.parametrize(
    ("answers", "environ", "kind"),
    [
        (b"\x1bP>|iTerm2 3.5.11\x1b\\\x1b[?64;1;4;6c", {}, "iterm2"),
        (b"\x1b[?62;4c", {"LC_TERMINAL": "iTerm2"}, "iterm2"),
        (b"\x1b[?62;4c", {"TERM_PROGRAM": "iTerm.app"}, "iterm2"),
        (KITTY, {"TERM_PROGRAM": "iTerm.app"}, "kitty"),
        (b"\x1b[?1;2;4c", {"TMUX": "/tmp/tmux-0/default,1,0"}, "halfcell"),
        (b"\x1b[?1;2;4c", {"TERM": "tmux-256color"}, "halfcell"),
        (b"\x1bP>|tmux 3.5a\x1b\\\x1b[?1;2;4c", {"TERM": "xterm-256color"}, "halfcell"),
        (b"\x1b[?1;2;4c", {"STY": "1.pts", "LC_TERMINAL": "iTerm2"}, "halfcell"),
        (KITTY, {"ZELLIJ": "0"}, "halfcell"),
    ],
)
def test_iterm2_is_known_and_nothing_sharp_is_tried_within_a_multiplexer(
    answers: bytes, environ: dict[str, str], kind: str
) -> None:
    assert _understood(answers, environ)[0] == kind


def test_a_word_that_names_no_kind_is_told_with_the_nearest() -> None:
    for option, environ, preference, place in (
        ("sixle", {"PHOROPTER_IMAGES": "off"}, "auto", "--images"),
        ("", {"PHOROPTER_IMAGES": "sixle"}, "off", "PHOROPTER_IMAGES"),
        ("", {}, "sixle", r"\[app\] images"),
    ):
        with pytest.raises(UsageError, match=f"{place}: 'sixle'.*mean sixel"):
            decide(preference, environ, option=option)
    assert wanted_kind("off", {"PHOROPTER_IMAGES": "unicode"}, option="iterm2") == "iterm2"
    assert wanted_kind("off", {}, option="auto") is None


def test_without_a_terminal_nothing_is_asked_and_half_blocks_are_taken() -> None:
    assert decide(environ={"TERM": "xterm"}).kind == "halfcell"


def test_the_environment_comes_first() -> None:
    assert decide("sixel", {"PHOROPTER_IMAGES": "off"}).kind == "off"
    assert decide("unicode", {}).kind == "unicode"
    assert decide("kitty", {"TEXTUAL_DRIVER": "textual.drivers.web_driver:WebDriver"}).kind == "halfcell"


def test_a_terminal_is_asked_once_and_gets_its_mode_back() -> None:
    """Under a pseudo-terminal that answers as a sixel terminal does, in a fresh interpreter."""
    parent, child = pty.openpty()
    code = "import sys; from tui.imaging import decide; sys.stderr.write(repr(decide(timeout=5)))"
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=child,
        stdout=child,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT), "COLUMNS": "80", "LINES": "24"},
    )
    heard = b""

    def answer() -> None:
        nonlocal heard
        while b"\x1b[c" not in heard:
            heard += os.read(parent, 1024)
        os.write(parent, b"\x1b[6;30;15t\x1b[?62;4c")

    import fcntl
    import struct
    import termios

    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    said = process.communicate(timeout=30)[1]
    thread.join(timeout=5)
    os.close(parent)
    os.close(child)
    assert b"kind='sixel'" in said
    assert b"width=15, height=30" in said
    assert heard.count(b"\x1b[c") == 1


def test_a_picture_keeps_its_shape() -> None:
    assert fit((256, 256), 40, 15, (10, 20)) == (30, 15)
    assert fit((300, 100), 90, 15, (10, 20)) == (90, 15)
    assert fit((1, 10_000), 40, 15, (10, 20)) == (1, 15)
    assert fit((0, 0), 0, 0, (10, 20)) == (1, 1)


def test_the_pictures_of_small_screens_leave_room_for_the_steps() -> None:
    assert picture_rows(80, 24, 3) == 9
    assert picture_rows(120, 40, 3) == 15
    assert picture_rows(80, 12, 3) == 0
    assert picture_rows(30, 24, 3) == 0


def test_half_blocks_take_two_pixels_a_cell() -> None:
    assert Imaging("halfcell").pixels(30, 15) == (30, 30)
    assert Imaging("sixel").pixels(30, 15) == (300, 300)
