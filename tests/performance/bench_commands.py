"""Whole commands: --help against a bare typer application, and the main job at 1, 3 and 10 times its size."""

from __future__ import annotations

import compileall
import csv
import json
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.end_to_end.commands import COMMAND, ROOT, environment
from tests.performance.figures import figure
from tests.voila_data import ND_COUNT, voila_file

BARE = """
import typer
app = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode=None, add_completion=False)
@app.command()
def one(name: str = "x") -> None: ...
@app.command()
def two(name: str = "x") -> None: ...
app()
"""


class Cost(NamedTuple):
    """CPU and wall seconds of a process, and its peak memory in MB."""

    cpu: float
    wall: float
    peak: float


MEASURED = """
import json, os, sys, time
started = time.perf_counter()
nowhere = os.open(os.devnull, os.O_RDWR)
told = os.dup(1)
os.dup2(nowhere, 1)
os.dup2(nowhere, 2)
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
found = usage.ru_utime + usage.ru_stime, time.perf_counter() - started, usage.ru_maxrss
os.write(told, json.dumps([os.waitstatus_to_exitcode(status), *found]).encode())
"""


def cost(command: list[str], home: Path) -> Cost:
    """Run a command to its end and say what it took.

    A small process starts it and measures: the peak of a process is told as at least that of whoever starts it.
    """
    _compile()
    measured = subprocess.run(
        [sys.executable, "-S", "-c", MEASURED, *command],
        cwd=home,
        env={name: value for name, value in environment(home).items() if name != "PYTHONDONTWRITEBYTECODE"},
        capture_output=True,
        check=True,
    )
    status, cpu, wall, peak = json.loads(measured.stdout)
    if status:
        raise RuntimeError(f"{' '.join(command)} ended with {status}")
    return Cost(cpu, wall, peak / (1024 if sys.platform != "darwin" else 1024**2))


@cache
def _compile() -> None:
    """As pip does when it installs: a command that compiles our modules first takes 0.4 s longer, each time where the
    environment lets it keep nothing of that."""
    for room in ("assets", "core", "sessions", "tui"):
        compileall.compile_dir(ROOT / room, quiet=2)


def median(costs: list[Cost]) -> Cost:
    return sorted(costs)[len(costs) // 2]


def multiplied(file: Path, times: int, out: Path) -> Path:
    """The file's questions so many times over, each under a number of its own."""
    with file.open(encoding="utf-8-sig", newline="") as stream:
        reader = csv.DictReader(stream)
        rows, names = list(reader), reader.fieldnames or []
    with out.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, names)
        writer.writeheader()
        for number in range(times * len(rows)):
            writer.writerow(rows[number % len(rows)] | {"question": f"image_questions_{number + 1}.png"})
    return out


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        bare, ours = [], []
        for _ in range(7):
            bare.append(cost([sys.executable, "-c", BARE, "--help"], home))
            ours.append(cost([*COMMAND, "--help"], home))
        figure("--help, CPU", median(ours).cpu * 1e3, "ms",
               against="a bare typer application's", base=median(bare).cpu * 1e3)  # fmt: skip

        file = voila_file(home)
        single = 0.0
        for times in (1, 3, 10):
            data = multiplied(file, times, home / f"x{times}.csv")
            run = [*COMMAND, "run", "voila:ND", "--data", str(data), "--respondent", "oracle"]
            run += ["--store", str(home / f"x{times}.db")]
            first, again = cost(run, home), cost(run, home)
            steps = 3 * times * ND_COUNT
            single = single or first.cpu / steps
            what = f"oracle over {times * ND_COUNT:,} questions"
            against = "that of the published file's size" if times > 1 else ""
            figure(f"{what}, CPU a step", first.cpu / steps * 1e3, "ms", against=against, base=single * 1e3)
            figure(f"{what}, wall clock", first.wall, "s")
            figure(f"{what}, peak memory", first.peak, "MB")
            figure(f"{what}, the finished run again", again.wall, "s", against="the first time", base=first.wall)


if __name__ == "__main__":
    main()
