"""Figures of the performance runs: each printed as it is found, as a ratio to something measured in the same run.

Where a figure has no counterpart of its own (a bare client, the ideal, the size before), a time is set against this
machine's yardstick, a fixed piece of work, and memory against a bare interpreter's. Ratios can be compared with those
of another day and another machine; seconds cannot.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sqlite3
import statistics
import subprocess
import sys
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from core.version import own_version

FORMAT: Final = 1
YARDSTICK: Final = "the machine's yardstick"
INTERPRETER: Final = "a bare interpreter"
_SECONDS: Final = {"s": 1.0, "ms": 1e-3, "us": 1e-6}


@dataclass(frozen=True, slots=True)
class Figure:
    """``value`` in ``unit``; ``against`` says what ``base``, in the same unit, was measured of (0: nothing).

    ``asked`` says in words what is wanted of it, where something is.
    """

    bench: str
    name: str
    value: float
    unit: str
    against: str
    base: float
    asked: str

    @property
    def ratio(self) -> float | None:
        return self.value / self.base if self.base else None

    def __str__(self) -> str:
        said = f"{self.name}: {_written(self.value)} {self.unit}".rstrip()
        if self.ratio is not None:
            said += f", {_written(self.ratio)} x {self.against} ({_written(self.base)} {self.unit})"
        return said + (f"; asked: {self.asked}" if self.asked else "")


class Ledger:
    """All that was found so far, of the bench that is under way."""

    def __init__(self) -> None:
        self.bench = ""
        self.found: list[Figure] = []
        self.failed: dict[str, str] = {}
        self.kept: Path | None = None

    def keep(self, told: Mapping[str, Any]) -> None:
        """Write it down where somebody else reads it, whatever becomes of this process."""
        if self.kept is not None:
            with self.kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(told) + "\n")

    def to_json(self) -> dict[str, Any]:
        figures = [asdict(figure) | {"ratio": figure.ratio} for figure in self.found]
        return {"format": FORMAT, "made_with": f"phoropter {own_version()}", "machine": machine(), "figures": figures,
                "failed": self.failed}  # fmt: skip


LEDGER: Final = Ledger()


def figure(
    name: str, value: float, unit: str = "", *, against: str = "", base: float = 0.0, asked: str = ""
) -> Figure:
    """Print a figure and keep it. Without ``against`` times and memory are set against what this machine is."""
    if not against and unit in _SECONDS:
        against, base = YARDSTICK, yardstick() / _SECONDS[unit]
    elif not against and unit == "MB":
        against, base = INTERPRETER, bare_interpreter()
    made = Figure(LEDGER.bench, name, value, unit, against, base, asked)
    LEDGER.found.append(made)
    LEDGER.keep(asdict(made))
    print(made, flush=True)
    return made


@cache
def yardstick() -> float:
    """CPU seconds of a fixed piece of work such as this program does: Python, JSON, hashes, deflate and SQLite."""
    return statistics.median(_work() for _ in range(5))


def _work() -> float:
    started = time.process_time()
    rows = [{"number": number, "text": f"{number} dogs walking" * 4} for number in range(4_000)]
    texts = [json.dumps(row) for row in rows]
    hashes = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    zlib.compress("".join(texts).encode(), 6)
    with sqlite3.connect(":memory:") as db:
        db.execute("CREATE TABLE rows (hash TEXT PRIMARY KEY, text TEXT)")
        db.executemany("INSERT INTO rows VALUES (?, ?)", zip(hashes, texts, strict=True))
        db.execute("SELECT count(*), sum(length(text)) FROM rows WHERE text LIKE '%9 dogs%'").fetchone()
    db.close()
    return time.process_time() - started


_PEAK: Final = """
import resource, sys
try:
    print(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])
except (OSError, IndexError):
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1))
"""
"""Kilobytes; what ``getrusage`` says is at least what the process that started it held."""


@cache
def bare_interpreter() -> float:
    """Peak memory of one that does nothing, in MB."""
    found = subprocess.run([sys.executable, "-c", _PEAK], capture_output=True, text=True, check=True)
    return int(found.stdout) / 1024


def machine() -> dict[str, Any]:
    """What the figures were measured on; nothing that names its owner."""
    return {
        "system": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "python": sys.version.split()[0],
        "load": round(os.getloadavg()[0], 2),
        "yardstick_ms": round(yardstick() * 1e3, 2),
        "interpreter_mb": round(bare_interpreter(), 1),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def compared(now: Mapping[str, Any], before: Mapping[str, Any]) -> list[str]:
    """A line for each figure that both have: its ratio then and now, the most changed first."""
    lines: list[tuple[float, str]] = []
    old = {(each["bench"], each["name"]): each for each in before["figures"]}
    for each in now["figures"]:
        was = old.get((each["bench"], each["name"]))
        if was is None:
            continue
        value, earlier = _comparable(each), _comparable(was)
        if value and earlier:
            change = value / earlier
            told = f"{change:6.2f} x  {each['bench']}: {each['name']} ({_written(earlier)} -> {_written(value)})"
            lines.append((max(change, 1 / change), told))
    return [line for _, line in sorted(lines, key=lambda found: -found[0])]


def _comparable(stored: Mapping[str, Any]) -> float:
    """The ratio; of what has none (bytes, shares, counts) the value, which no machine changes."""
    ratio = stored["ratio"]
    return float(stored["value"] if ratio is None else ratio)


def _written(value: float) -> str:
    """Three figures, thousands apart."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def differences(names: Sequence[str], before: Mapping[str, Any]) -> list[str]:
    """What of the machine is another than it was; the load and the yardstick always are."""
    here, then = machine(), before["machine"]
    return [f"{name}: {then.get(name)} -> {here[name]}" for name in names if then.get(name) != here[name]]
