"""The app at a raw terminal line: what others wrote never commands it, and it is left as it was found."""

from __future__ import annotations

import base64
import os
import pty
import re
import select
import signal
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.end_to_end.commands import environment

HOSTILE = """
import sys
from dataclasses import replace
from tests.tui.stage import Told, items, plan
from tests.memory_journal import MemoryJournal
from tests.tui.stage import drawn
from tui.app import PhoropterApp, run_app
from tui.imaging import Imaging
from tui.state.ready import Ready
from tui.state.roster import shelved
from tui.state.stepping import Stepping

EVIL = ("[bold]m[/ [@click=app.quit]q[/] \\x1b]0;EVIL\\x07\\x1b[31;4242mEVIL\\x1b[4242J \\x1b]52;c;RVZJTA==\\x07"
        " \\x9b31;4242mEVIL \\x1bP+q4556\\x1b\\\\ \\x0eSO \\x08\\x7f \\u202eלום\\u202c \\u2066x"
        " 👩‍🔬🏳️‍🌈 日本語 \\ud800 \\x00\\r\\nEVIL")
LONG = EVIL + "word " * 40_000
LINES = (EVIL + "\\n") * 5_000

told = Told(EVIL, LONG, LINES)
told.name = EVIL
made = plan(told)
first = items(1)[0]
hostile = replace(
    first,
    id=EVIL,
    groups={name: EVIL for name in first.groups},
    pictures=tuple(replace(picture, depicts=EVIL) for picture in first.pictures),
)
shelf = shelved(made.benchmark)
shelf.add([hostile])
state = Stepping(made, MemoryJournal(), shelf, first=hostile, clock=lambda: 0.0)
state.note = EVIL
app = PhoropterApp(Ready(state, drawn(), title=EVIL), Imaging("halfcell"))
sys.exit(run_app(app))
"""


class Line:
    """A pseudo-terminal that is only a line: what the application writes is kept byte for byte, nothing answers."""

    def __init__(self, home: Path, *command: str, rows: int = 30, columns: int = 100, **more: str) -> None:
        self.seen = b""
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            os.chdir(home)
            made = environment(home, TERM="xterm-256color", **more)
            made.pop("NO_COLOR", None)
            os.execve(command[0], command, made | {k: more[k] for k in more})
        self.resize(rows, columns)
        self.before = termios.tcgetattr(self.end)

    def resize(self, rows: int, columns: int) -> None:
        termios.tcsetwinsize(self.end, (rows, columns))

    def press(self, keys: str) -> None:
        os.write(self.end, keys.encode())

    def read(self, seconds: float = 0.0) -> None:
        """Take in what there is, for so long."""
        until = time.monotonic() + seconds
        while True:
            ready, _, _ = select.select([self.end], [], [], max(0.0, min(0.05, until - time.monotonic())))
            if ready:
                try:
                    self.seen += os.read(self.end, 65536)
                except OSError:
                    return
            elif time.monotonic() >= until:
                return

    def until(self, done: Callable[[bytes], object], what: str, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while not done(self.seen):
            assert time.monotonic() < end, f"never {what}: {self.seen[-600:]!r}"
            self.read(0.05)

    def settle(self, *, quiet: bool = False) -> None:
        """Until it pauses after it has written something (``quiet``: or had nothing to write)."""
        size = len(self.seen)
        if not quiet:
            self.until(lambda seen: len(seen) > size, "wrote anything")
        self.read(0.3)
        while len(self.seen) > size:
            size = len(self.seen)
            self.read(0.3)

    def wait_for(self, words: str) -> None:
        """Until it has been written since the last call; the screen's own moves between characters do not matter."""
        start = len(self.seen)
        self.until(lambda seen: words in _plain(seen[max(start - 4000, 0) :]), f"wrote {words!r}")

    def ended(self) -> int:
        """The exit status, once it has ended."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            self.read(0.02)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.read(0.1)
                self.pid = 0
                return os.waitstatus_to_exitcode(status)
        raise AssertionError("it has not ended")

    def close(self) -> None:
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        with suppress(OSError):
            os.close(self.end)


def _plain(written: bytes) -> str:
    """Without the control sequences."""
    return CONTROL.sub("", written.decode(errors="replace"))


CONTROL = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[P_X^][^\x1b]*\x1b\\|\x1b[@-Z=>78]"
)

Lines = Callable[..., Line]


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Lines]:
    made: list[Line] = []

    def opened(*command: str, **more: str) -> Line:
        made.append(Line(tmp_path, *command, **more))
        return made[-1]

    yield opened
    for each in made:
        each.close()


def demo(line: Lines, home: Path, **more: str) -> Line:
    """The demonstration, with an answer or two."""
    command = ("demo", "voila:ND", "--respondent", "seeing:0.8", "--store", str(home / "demo.db"))
    made = line(sys.executable, "-m", "tui.cli", *command, **more)
    made.wait_for("next: space asks")
    while "score" not in _plain(made.seen):  # nobody is asked before the data has been looked at
        made.press(" ")
        made.settle()
    return made


def test_no_control_sequence_of_a_text_reaches_the_terminal(line: Lines) -> None:
    made = line(sys.executable, "-c", HOSTILE)
    made.wait_for("space asks")
    made.press("   ")
    made.wait_for("3 apply")
    # prompt and raw; an own answer; the list; help; the palette
    for key, words in (
        ("p", ""), ("p", "y copy all"), ("\x1b", ""), ("e", "put in"), ("\x1b", ""), ("i", "1 item"), ("\x1b", ""),
        ("?", "Forward along stored steps"), ("\x1b", ""), ("\x10", "Search for commands"), ("\x1b", ""),
    ):  # fmt: skip
        made.press(key)
        made.wait_for(words)
        made.settle(quiet=bool(words))
    made.press("y")
    made.wait_for("copied the answer")
    made.press("q")
    assert made.ended() == 0
    text = made.seen.decode(errors="surrogateescape")
    assert "EVIL" in text  # it was shown
    for sequence in CONTROL.findall(text):
        if sequence.startswith("\x1b]52;"):
            copied = base64.b64decode(sequence.partition(";c;")[2].rstrip("\x07\x1b\\")).decode()
            assert not [char for char in copied if ord(char) < 32 and char not in "\n\t"]
            continue
        assert "EVIL" not in sequence
        assert "4242" not in sequence, repr(sequence)
        assert not sequence.startswith(("\x1b]0;", "\x1bP+q")), repr(sequence)
    rest = CONTROL.sub("", text)
    strange = {char for char in rest if (ord(char) < 32 and char not in "\r\n") or 0x7F <= ord(char) < 0xA0}
    assert strange <= {"\x1b"}, strange  # a lone escape is half of a sequence that ended with the process
    assert "\u202e" not in rest


SANE = ("\x1b[?1049l", "\x1b[?25h", "\x1b[?1003l", "\x1b[?2004l")
"""The own screen left, the cursor shown, mouse and bracketed paste off."""


def left_sane(made: Line) -> None:
    """The line speaks as it did before, and every mode that was switched on is off again."""
    assert termios.tcgetattr(made.end)[3] & (termios.ECHO | termios.ICANON) == made.before[3] & (
        termios.ECHO | termios.ICANON
    )
    text = made.seen.decode(errors="replace")
    for off in SANE:
        on = off[:-1] + {"l": "h", "h": "l"}[off[-1]]
        assert text.rfind(off) > text.rfind(on), repr(off)


def test_storms_suspending_and_sigterm_leave_it_sane_and_lose_no_answer(line: Lines, tmp_path: Path) -> None:
    made = demo(line, tmp_path)
    for size in ((5, 20), (60, 200), (1, 1), (12, 40), (24, 80)) * 4:
        made.resize(*size)
        made.read(0.01)
    made.wait_for("q quit")
    made.press("\x1a")
    end = time.monotonic() + 30
    while os.waitpid(made.pid, os.WUNTRACED | os.WNOHANG)[0] == 0:
        assert time.monotonic() < end, "it was not suspended"
        made.read(0.02)
    left_sane(made)
    os.kill(made.pid, signal.SIGCONT)
    made.wait_for("q quit")
    os.kill(made.pid, signal.SIGTERM)
    assert made.ended() == 143
    left_sane(made)
    assert "Traceback" not in _plain(made.seen)
    again = line(sys.executable, "-m", "tui.cli", "--store", str(tmp_path / "demo.db"))
    again.wait_for("score")  # the answer is there without asking
    again.press("\x03\x03")
    assert again.ended() == 0
    left_sane(again)


def test_the_key_that_quits_ends_it_whatever_stands_behind(line: Lines, tmp_path: Path) -> None:
    made = line(sys.executable, "-m", "tui.cli", "demo", "voila:ND", "--store", str(tmp_path / "demo.db"))
    made.wait_for("next: space asks")
    made.press("q" + "y" * 3500)
    assert made.ended() == 0
    left_sane(made)


def test_a_line_that_drops_ends_it_and_the_answer_is_stored(line: Lines, tmp_path: Path) -> None:
    made = demo(line, tmp_path)
    os.close(made.end)
    end = time.monotonic() + 30
    while (found := os.waitpid(made.pid, os.WNOHANG))[0] == 0:
        assert time.monotonic() < end, "it lives on without its terminal"
        time.sleep(0.02)
    made.pid = 0
    assert os.waitstatus_to_exitcode(found[1]) in (129, -signal.SIGHUP)
    made.end = os.open(os.devnull, os.O_RDONLY)
    again = line(sys.executable, "-m", "tui.cli", "--store", str(tmp_path / "demo.db"))
    again.wait_for("score")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[app.keys]\n"step.nxt" = "n"\n', "step.nxt: no such action; the nearest is step.next"),
        ('[app.keys]\n"step.next" = "b"\n', "b would stand for both step.next and step.back"),
        ('[app]\nimages = "sixl"\n', "the nearest is sixel"),
    ],
)
def test_settings_that_cannot_be_end_it_with_one_line(line: Lines, tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "phoropter.toml").write_text(text, encoding="utf-8")
    made = line(sys.executable, "-m", "tui.cli", "demo", "--store", str(tmp_path / "demo.db"))
    assert made.ended() == 2
    assert words in _plain(made.seen)
    assert "Traceback" not in _plain(made.seen)
