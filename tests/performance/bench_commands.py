"""Whole commands: --help against a bare typer application, and the main job at 1, 3 and 10 times its size."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tests.end_to_end.commands import COMMAND, environment
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


def cost(command: list[str], home: Path) -> Cost:
    """Run a command to its end and say what it took."""
    started = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=home, env=environment(home), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    peak = usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
    return Cost(usage.ru_utime + usage.ru_stime, time.perf_counter() - started, peak)


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
        ratio = median(ours).cpu / median(bare).cpu
        print(f"--help: {median(ours).cpu * 1e3:.0f} ms CPU, {ratio:.2f} x a bare typer application's --help")

        file = voila_file(home)
        single = 0.0
        for times in (1, 3, 10):
            data = multiplied(file, times, home / f"x{times}.csv")
            run = [*COMMAND, "run", "voila:ND", "--data", str(data), "--respondent", "oracle"]
            run += ["--store", str(home / f"x{times}.db")]
            first, again = cost(run, home), cost(run, home)
            steps = 3 * times * ND_COUNT
            single = single or first.cpu / steps
            print(
                f"oracle over {times * ND_COUNT} questions: {first.cpu / steps * 1e3:.2f} ms CPU a step "
                f"({first.cpu / steps / single:.2f} x of the first), {first.wall:.1f} s, peak {first.peak:.0f} MB; "
                f"again {again.wall:.2f} s"
            )


if __name__ == "__main__":
    main()
