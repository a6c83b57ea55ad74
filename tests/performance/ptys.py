"""A pseudo-terminal that plays a plain terminal: answers what it is asked, and tells when a frame was painted."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

ANSWERS = (
    (b"\x1b[c", b"\x1b[?1;2c"),
    (b"\x1b[16t", b"\x1b[6;20;10t"),
    (b"\x1b[?2026$p", b"\x1b[?2026;2$y"),
)
FRAME_END = b"\x1b[?2026l"


class Pty:
    """Runs a command in a terminal of that size (columns, rows) until the ``with`` ends.

    ``painting`` adds up the CPU milliseconds of the thread that paints between keys and what was waited for.
    """

    def __init__(
        self, command: Sequence[str], environment: dict[str, str], size: tuple[int, int] = (120, 40)
    ) -> None:
        self._main, self._side = pty.openpty()
        fcntl.ioctl(self._main, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        kept = {k: v for k, v in environment.items() if k not in ("TMUX", "NO_COLOR", "COLUMNS", "LINES")}
        self.output = b""
        self.painting = 0.0
        self._answered = 0
        self._started = time.perf_counter()
        self._process = subprocess.Popen(
            command,
            stdin=self._side,
            stdout=self._side,
            stderr=self._side,
            env=kept | {"TERM": "xterm-256color", "COLORTERM": "truecolor"},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(ProcessLookupError):  # it has ended by itself
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._main)
        os.close(self._side)

    def seconds_until(self, words: bytes, patience: float = 120) -> float:
        """Seconds from the start of the command until it has written these words."""
        self._wait(words, 0, patience)
        return time.perf_counter() - self._started

    def press(self, key: bytes, words: bytes = FRAME_END, patience: float = 30) -> float:
        """Milliseconds from a key until these words were written after it: by default, until a frame was painted."""
        self.quiet()
        before, cpu, started = len(self.output), self.loop_cpu(), time.perf_counter()
        os.write(self._main, key)
        self._wait(words, before, patience)
        taken = (time.perf_counter() - started) * 1e3
        self.painting += self.loop_cpu() - cpu
        return taken

    def quiet(self, seconds: float = 0.05, patience: float = 3) -> None:
        """Until nothing was written for that long."""
        last = until = time.perf_counter()
        until += patience
        while time.perf_counter() - last < seconds and time.perf_counter() < until:
            if self._read(0.01):
                last = time.perf_counter()

    def cpu(self) -> float:
        """CPU milliseconds it has taken so far."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) * 1e3 / os.sysconf("SC_CLK_TCK")

    def loop_cpu(self) -> float:
        """The same of its first thread, which paints. Only Linux tells it."""
        file = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/schedstat")
        return int(file.read_text().split()[0]) / 1e6

    def memory(self) -> float:
        """What the process holds, in MB."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def _wait(self, words: bytes, start: int, patience: float) -> None:
        until = time.perf_counter() + patience
        while words not in self.output[start:]:
            if time.perf_counter() > until or self._process.poll() is not None:
                raise RuntimeError(f"{words!r} was never written; the end of what was: {self.output[-2000:]!r}")
            self._read(0.002)

    def _read(self, seconds: float) -> bool:
        if not select.select([self._main], [], [], seconds)[0]:
            return False
        try:
            self.output += os.read(self._main, 1 << 20)
        except OSError:
            return False
        fresh = self.output[self._answered :]
        for question, answer in ANSWERS:
            for _ in range(fresh.count(question)):
                os.write(self._main, answer)
        self._answered = len(self.output)
        return True
