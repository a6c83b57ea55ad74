"""Models behind servers: whole runs against one that answers after 100 ms, again from the cache, and one item alone.

The ideal is calls x 100 ms / 64 at once. The bare loop of the openai client makes the same calls and keeps nothing.
co05: a transport that looks at every connection of its pool at every request would show here.
"""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image

from tests.end_to_end.commands import COMMAND, ROOT, environment
from tests.performance.bench_commands import Cost, cost, median
from tests.performance.figures import figure
from tests.performance.slow_server import DELAY
from tests.voila_data import small_voila_file

ITEMS: Final = 1000
STEPS: Final = 3
AT_ONCE: Final = 64
CALLS: Final = ITEMS * STEPS
IDEAL: Final = CALLS * DELAY / AT_ONCE
SIDE: Final = 208
ALONE: Final = 3


@contextmanager
def slow_server(home: Path) -> Iterator[str]:
    """The address of a server in a process of its own."""
    command = [sys.executable, "-m", "tests.performance.slow_server"]
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment(home), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.communicate()


def draw(table: Path, folder: Path) -> float:
    """A JPEG of about 26 KB for every picture that the table names; the mean size in KB."""
    folder.mkdir()
    with table.open(encoding="utf-8", newline="") as stream:
        names = {row[name] for row in csv.DictReader(stream) for name in ("img1", "img2", "img3")}
    chances = np.random.default_rng(7)
    for name in sorted(names):
        pixels = chances.integers(0, 256, (SIDE, SIDE, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(folder / name, "JPEG", quality=71)
    return sum((folder / name).stat().st_size for name in names) / len(names) / 1000


def told(what: str, found: Cost, bare: Cost | None = None) -> Cost:
    """Its wall clock against the ideal, CPU and memory against the bare loop's where there is one."""
    against = "the bare loop" if bare is not None else ""
    figure(f"{what}, wall clock", found.wall, "s", against="the ideal", base=IDEAL)
    cpu, peak = (bare.cpu, bare.peak) if bare is not None else (0.0, 0.0)
    figure(f"{what}, CPU a call", found.cpu / CALLS * 1e3, "ms", against=against, base=cpu / CALLS * 1e3)
    figure(f"{what}, peak memory", found.peak, "MB", against=against, base=peak)
    return found


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder, slow_server(Path(folder)) as url:
        home = Path(folder)
        table = small_voila_file(home, ITEMS, "ND")
        kilobytes = draw(table, home / "pictures")
        print(f"{ITEMS:,} trajectories, {STEPS} turns, three pictures of {kilobytes:.0f} KB, {AT_ONCE} at once")
        run = [*COMMAND, "run", "voila:ND", "--data", str(table), "--pictures", str(home / "pictures")]
        run += ["--respondent", f"openai:m@{url}", "--concurrency", str(AT_ONCE)]
        bare = [sys.executable, "-m", "tests.performance.bare_client", url, str(table), str(home / "pictures")]
        told("the openai client's bare loop, two pictures", cost([*bare, str(AT_ONCE), "2"], home))
        loop = told("the openai client's bare loop", cost([*bare, str(AT_ONCE)], home))
        told("ours, everything stored, start-up included", cost([*run, "--name", "first"], home), loop)
        told("the same run under another name, recalled", cost([*run, "--name", "second"], home), loop)

        imports = median([cost([sys.executable, "-c", "import openai"], home) for _ in range(ALONE)])
        alone = median(
            [cost([*run, "--limit", "1", "--store", str(home / f"{number}.db")], home) for number in range(ALONE)]
        )
        calls = STEPS * DELAY + imports.wall
        figure("one trajectory alone", alone.wall, "s", against="its calls and `import openai`", base=calls)


if __name__ == "__main__":
    main()
