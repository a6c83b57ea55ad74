"""A terminal that draws pixels, as far as tests need one: it answers questions, and its pictures are decoded."""

from __future__ import annotations

import base64
import fcntl
import io
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from PIL import Image

ROOT = Path(__file__).parents[2]
COLUMNS, ROWS = 120, 40
CELL = b"\x1b[6;20;10t"
PLACEHOLDER = "\U0010eeee"
QUERIES = {
    "kitty": {b"\x1b[16t": CELL, b"\x1b[>q": b"\x1bP>|kitty(0.39.1)\x1b\\", b"a=q": b"\x1b_Gi=31;OK\x1b\\",
              b"\x1b[c": b"\x1b[?62;52;c"},
    "sixel": {b"\x1b[16t": CELL, b"\x1b[>q": b"\x1bP>|foot(1.16.2)\x1b\\", b"\x1b[c": b"\x1b[?62;4;22c"},
    "iterm2": {b"\x1b[16t": CELL, b"\x1b[>q": b"\x1bP>|iTerm2 3.5.11\x1b\\", b"\x1b[c": b"\x1b[?64;1;4;6;22c"},
}  # fmt: skip
"""What real ones answer, by what they are asked."""


class Drawn(NamedTuple):
    """A picture that arrived, and the cell (column, row, from 1) that the cursor was put to for it."""

    image: Image.Image
    at: tuple[int, int] | None = None
    number: int = 0


class PixelTerminal:
    """Runs ``phoropter`` under a pseudo-terminal that answers as ``kind`` does."""

    def __init__(self, kind: str, environ: Mapping[str, str], *arguments: str) -> None:
        self._answers = dict(QUERIES[kind])
        self._parent, child = pty.openpty()
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        left_out = (
            "COLUMNS",
            "LINES",
            "TMUX",
            "STY",
            "ZELLIJ",
            "NO_COLOR",
            "LC_TERMINAL",
            "TERM_PROGRAM",
            "PHOROPTER_IMAGES",
        )
        inherited = {name: value for name, value in os.environ.items() if name not in left_out}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tui.cli", *arguments],
            stdin=child,
            stdout=child,
            stderr=child,
            cwd=ROOT,
            start_new_session=True,
            env={**inherited, "TERM": "xterm-256color", "COLORTERM": "truecolor", "PYTHONPATH": str(ROOT), **environ},
        )
        os.close(child)
        self.heard = b""

    def wait(self, until: Callable[[bytes], bool], seconds: float = 90) -> bytes:
        """Everything heard, once that holds; looked at whenever the app pauses. Fails where it never does."""
        end = time.monotonic() + seconds
        while not (self._pausing() and until(self.heard)):
            if time.monotonic() > end:
                pytest.fail(f"it never came; the last that was heard: {self.heard[-2000:]!r}")
        return self.heard

    def press(self, keys: bytes) -> int:
        """Type, and tell how much had been heard before."""
        before = len(self.heard)
        os.write(self._parent, keys)
        return before

    def ended(self, seconds: float = 60) -> int:
        """The exit status, with all that was still to hear."""
        end = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < end:
            self._pausing()
        return self.process.wait(1)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._parent)

    def _pausing(self) -> bool:
        """Hear what there is, and answer questions; True where there was nothing for a moment."""
        ready, _, _ = select.select([self._parent], [], [], 0.1)
        if not ready:
            return True
        try:
            self.heard += os.read(self._parent, 1 << 16)
        except OSError:  # it has ended
            return True
        for question in [question for question in self._answers if question in self.heard]:
            os.write(self._parent, self._answers.pop(question))
        return False


def drawn(kind: str, heard: bytes) -> list[Drawn]:
    """The pictures in what was heard, whole ones, in their order."""
    return {"kitty": _kitty, "sixel": _sixels, "iterm2": _iterm2}[kind](heard)


def latest(kind: str, heard: bytes) -> list[Drawn]:
    """The last picture at each place, or under each number, from left to right."""
    found = {each.at or each.number: each for each in drawn(kind, heard)}.values()
    if kind != "kitty":
        return sorted(found, key=lambda each: each.at or (0, 0))
    colours = re.findall(rb"38;2;(\d+);(\d+);(\d+)[\d;]*m" + PLACEHOLDER.encode(), heard)
    placed = [int(red) << 16 | int(green) << 8 | int(blue) for red, green, blue in colours]  # a line goes rightwards
    return sorted((each for each in found if each.number % 2**24 in placed),
                  key=lambda each: placed.index(each.number % 2**24))  # fmt: skip


def _kitty(heard: bytes) -> list[Drawn]:
    out: list[Drawn] = []
    parts: dict[int, bytes] = {}
    for told, data in re.findall(rb"\x1b_G([^;\x1b]*);?([^\x1b]*)\x1b\\", heard):
        keys = dict(pair.split(b"=", 1) for pair in told.split(b",") if b"=" in pair)
        if keys.get(b"f") != b"100":
            continue
        number = int(keys[b"i"])
        parts[number] = parts.get(number, b"") + data
        if keys[b"m"] == b"0":
            out.append(Drawn(_decoded(parts.pop(number)), number=number))
    return out


def _iterm2(heard: bytes) -> list[Drawn]:
    found = re.findall(rb"\x1b\[(\d+);(\d+)H\x1b\]1337;File=([^:]*):([A-Za-z0-9+/=]*)\x07", heard)
    for _, _, told, data in found:
        keys = dict(pair.split(b"=", 1) for pair in told.split(b";"))
        assert (keys[b"inline"], keys[b"doNotMoveCursor"]) == (b"1", b"1")
        image = _decoded(data)
        assert int(keys[b"size"]) == len(base64.b64decode(data))
        assert (int(keys[b"width"]) * 10, int(keys[b"height"]) * 20) == image.size
    return [Drawn(_decoded(data), (int(column), int(row))) for row, column, _, data in found]


def _decoded(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(data, validate=True))).convert("RGB")


def _sixels(heard: bytes) -> list[Drawn]:
    found = re.findall(rb"\x1b\[(\d+);(\d+)H\x1bP[\d;]*q([^\x1b]*)\x1b\\", heard)
    return [Drawn(_sixel(data.decode("ascii")), (int(column), int(row))) for row, column, data in found]


def _sixel(data: str) -> Image.Image:
    """One sixel picture as a terminal decodes it: colours in percent, six rows a band, zeros leave what is there."""
    size = re.match(r'"\d+;\d+;(\d+);(\d+)', data)
    assert size is not None
    image = Image.new("RGB", (int(size[1]), int(size[2])), "magenta")
    pixels = image.load()
    assert pixels is not None
    colours: dict[int, tuple[int, ...]] = {}
    colour: tuple[int, ...] = (0, 0, 0)
    x = y = 0
    tokens = r"#(\d+)(?:;2;(\d+);(\d+);(\d+))?|!(\d+)([?-~])|([?-~])|(\$)|(-)"
    for match in re.finditer(tokens, data[size.end() :]):
        number, red, green, blue, count, repeated, single, start, down = match.groups()
        if number is not None:
            if red is not None:
                colours[int(number)] = tuple(round(int(part) * 255 / 100) for part in (red, green, blue))
            colour = colours[int(number)]
        elif start:
            x = 0
        elif down:
            x, y = 0, y + 6
        else:
            bits = ord(repeated or single) - 63
            for column in range(x, x + int(count or 1)):
                for row in range(6):
                    if bits >> row & 1:
                        pixels[column, y + row] = colour
            x += int(count or 1)
    return image
