"""A participant's seat in tests: `phoropter study sit` in a pseudo-terminal, driven by keys and read as bytes."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import time
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from core.benchmarks import registry
from core.benchmarks.base import LoadOptions
from core.packs import pack
from tests.end_to_end.commands import environment
from tests.performance.ptys import Pty

GRACE = 0.35
"""So long after it was painted a screen takes no keys."""

KEY = "sesame"
STUDY = """
name = "lab"
benchmark = "{benchmark}"
{data}
experimenter_key = "sesame"
[items]
{items}
[conditions.plain]
protocol = "{protocol}"
[design]
raters = {raters}
per_session = {per_session}
no_picture_twice = "off"
[text.en]
title = "Lab"
consent = "You may stop at any time."
instructions = "Answer what is asked."
"""


def study_file(folder: Path, **given: Any) -> Path:
    """A study's file: three of MMRA's items, unless told otherwise."""
    told = {"benchmark": "mmra", "data": "", "protocol": "iq", "raters": 1, "per_session": 3, **given}
    if "items" not in told:
        dataset = registry.get("mmra").load(pack("mmra", ""), "", LoadOptions())
        told["items"] = f"ids = {[item.id for item in islice(dataset, told['per_session'])]}"
    file = folder / "lab.toml"
    file.write_text(STUDY.format(**told), encoding="utf-8")
    return file


class Seat:
    """One terminal with a session in it, until the ``with`` ends."""

    def __init__(self, home: Path, file: Path, *arguments: str, size: tuple[int, int] = (80, 24)) -> None:
        command = [sys.executable, "-m", "tui.cli", "study", "sit", str(file), "--images", "halfcell", *arguments]
        self.store = home / "lab.db"
        self._pty = Pty([*command, "--store", str(self.store)], environment(home), size)
        self._read = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pty.__exit__(kind, error, trace)

    @property
    def pid(self) -> int:
        return self._pty._process.pid

    def see(self, *words: str) -> str:
        """The first of these words that is written from now on, once keys count."""
        ends = time.monotonic() + 30
        while time.monotonic() < ends:
            fresh = self._pty.output[self._read :]
            for each in words:
                at = fresh.find(each.encode())
                if at >= 0:
                    self._read += at
                    self._pty.quiet(GRACE)
                    return each
            self._pty._read(0.01)
        raise AssertionError(f"never saw {words}; the end of what was written: {self._pty.output[-3000:]!r}")

    def go_on(self) -> None:
        """From a page: another key first, else this Enter were the last one, still held down."""
        self.raw(" ")
        self._pty.quiet(0.1)
        self.keys("\r")

    def skip(self) -> None:
        """What was written so far is not looked at again, nor kept: to add to megabytes takes milliseconds."""
        self._pty.output = b""
        self._pty._answered = self._read = 0

    def keys(self, keys: str) -> None:
        """Press them; what is looked for next is written after that. The first one again where nothing came of it:
        on a busy machine it may have come before the screen did."""
        for _ in range(5):
            self.skip()
            os.write(self._pty._main, keys[0].encode())
            self._pty.quiet(0.05, 1.5)
            ends = time.monotonic() + 1.5
            while len(self._pty.output) == self._read and time.monotonic() < ends:
                self._pty._read(0.02)
            if len(self._pty.output) > self._read:
                break
        os.write(self._pty._main, keys[1:].encode())

    def raw(self, keys: str) -> None:
        """Press them, whatever comes of it."""
        os.write(self._pty._main, keys.encode())

    def hold(self, key: str, seconds: float, delay: float = 0.25, gap: float = 0.03) -> None:
        """Hold a key down, as a terminal tells of it."""
        self.raw(key)
        ends, wait = time.monotonic() + seconds, delay
        while time.monotonic() < ends:
            self._pty.quiet(10, wait)
            os.write(self._pty._main, key.encode())
            wait = gap

    def kill(self, number: signal.Signals) -> int:
        """Send it that signal and wait for its end; the exit status, negative where the signal killed it."""
        os.kill(self.pid, number)
        return self.ended()

    def ended(self) -> int:
        """Wait for its end."""
        ends = time.monotonic() + 20
        while self._pty._process.poll() is None:
            assert time.monotonic() < ends, "it goes on"
            self._pty._read(0.02)
        return int(self._pty._process.returncode)

    def hang_up(self) -> int:
        """Close the terminal, and wait for the end."""
        os.close(self._pty._main)
        self._pty._main = os.open(os.devnull, os.O_RDWR)
        return int(self._pty._process.wait(20))

    def state(self) -> str:
        """The state of the process, T where it was stopped."""
        return Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()[0]

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What the store says."""
        with sqlite3.connect(f"file:{self.store}?mode=ro", uri=True) as db:
            return db.execute(query).fetchall()
