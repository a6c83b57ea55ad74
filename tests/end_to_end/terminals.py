"""A real terminal for tests: tmux, driven by keys and read as text."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LAST = 3
"""So many screens are told where the right one never came."""


class Tmux:
    """One tmux server with one window that runs a command and then says ``ENDED n``."""

    def __init__(self, folder: Path, width: int, height: int) -> None:
        if shutil.which("tmux") is None:
            pytest.fail("this test needs tmux: apt-get install tmux (or brew install tmux), then run it again")
        self._folder = folder
        self._socket = ""
        self._started = 0
        self._size = (str(width), str(height))

    def start(self, *arguments: str) -> None:
        """Run ``phoropter`` with these arguments in a new window."""
        self.kill()
        self._started += 1
        self._socket = str(self._folder / f"tmux-{self._started}")  # a server that is just ending refuses clients
        command = shlex.join([sys.executable, "-m", "tui.cli", *arguments])
        environment = {k: v for k, v in os.environ.items() if k not in ("TMUX", "NO_COLOR", "COLUMNS", "LINES")}
        subprocess.run(
            ["tmux", "-S", self._socket, "-f", "/dev/null", "new-session", "-d", "-s", "t",
             "-x", self._size[0], "-y", self._size[1], f"{command}; echo ENDED $?; stty -a | grep -o ' echo '; cat"],
            check=True, cwd=ROOT, env={**environment, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip

    def press(self, *keys: str) -> None:
        """Keys by tmux's names."""
        self._run("send-keys", "-t", "t", *keys)

    def paste(self, text: str) -> None:
        """The text as a terminal pastes it, in brackets."""
        file = self._folder / "pasted"
        file.write_text(text, encoding="utf-8")
        self._run("load-buffer", str(file))
        self._run("paste-buffer", "-p", "-t", "t")

    def text(self) -> str:
        """What the terminal shows."""
        return self._run("capture-pane", "-p", "-t", "t")

    def wait_for(self, words: str, *, seconds: float = 30) -> str:
        """The screen as soon as it shows the words; where it does not, fails with what it showed: news that stood for
        a moment are what tells why."""
        began = time.monotonic()
        seen: dict[str, float] = {}
        while words not in (shown := self.text()):
            seen.setdefault(shown, time.monotonic() - began)
            if time.monotonic() > began + seconds:
                told = "\n".join(f"after {after:.1f} s:\n{text}" for text, after in list(seen.items())[-LAST:])
                pytest.fail(f"the terminal never showed {words!r}:\n{told}")
            time.sleep(0.05)
        return shown

    def wait_until_still(self, words: str, *, still: float = 1.0) -> str:
        """The screen that shows the words and has been still for so many seconds: all that follows a key is drawn."""
        shown, since = self.wait_for(words), time.monotonic()
        until = since + 30
        while time.monotonic() - since < still or words not in shown:
            if time.monotonic() > until:
                pytest.fail(f"the terminal never came to rest with {words!r}:\n{shown}")
            time.sleep(0.05)
            if (now := self.text()) != shown:
                shown, since = now, time.monotonic()
        return shown

    def app_pid(self) -> int:
        """The process that draws."""
        shell = self._run("display-message", "-p", "-t", "t", "#{pane_pid}").strip()
        children = subprocess.run(["pgrep", "-P", shell], check=True, capture_output=True, text=True).stdout
        return int(children.split()[0])

    def resize(self, width: int, height: int) -> None:
        self._run("resize-window", "-t", "t", "-x", str(width), "-y", str(height))

    def kill(self) -> None:
        """End the server and what runs in it."""
        if not self._socket:
            return
        subprocess.run(["tmux", "-S", self._socket, "kill-server"], capture_output=True, check=False)

    def _run(self, *arguments: str) -> str:
        done = subprocess.run(["tmux", "-S", self._socket, *arguments], check=True, capture_output=True, text=True)
        return done.stdout
