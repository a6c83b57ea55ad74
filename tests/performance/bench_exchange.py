"""Out and in: 10,000 and 100,000 steps exported, imported, merged; CPU, and how memory grows beside the work."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.end_to_end.commands import COMMAND, environment
from tests.performance.bench_commands import Cost, cost
from tests.performance.figures import figure

SIZES = (10_000, 100_000)
FILL = """
import sys
from pathlib import Path
from sessions.store import Store
from tests.performance.many_steps import fill
folder, steps = Path(sys.argv[1]), int(sys.argv[2])
with Store.open(folder / "a.db") as store:
    fill(store, steps)
Store.open(folder / "c.db").close()
"""


def measured(home: Path, steps: int) -> dict[str, Cost]:
    """What each command took with so many steps."""
    folder = home / str(steps)
    folder.mkdir()
    # in a process of its own: a command's peak would be told as at least that of whoever starts it
    subprocess.run([sys.executable, "-c", FILL, str(folder), str(steps)], check=True, env=environment(home))
    commands = {
        "export jsonl": ["export", "jsonl", "--store", "a.db", "--out", "a.jsonl"],
        "import jsonl into an empty store": ["import", "jsonl", "a.jsonl", "--store", "b.db"],
        "import jsonl again": ["import", "jsonl", "a.jsonl", "--store", "b.db"],
        "merge into an empty-handed copy": ["merge", "c.db", "a.db"],
        "merge again": ["merge", "c.db", "a.db"],
        "export csv": ["export", "csv", "--store", "a.db", "--out", "a.csv"],
        "export parquet": ["export", "parquet", "--store", "a.db", "--out", "a.parquet"],
    }
    return {name: cost([*COMMAND, *arguments], folder) for name, arguments in commands.items()}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        few, many = (measured(Path(folder), steps) for steps in SIZES)
    for name, small in few.items():
        large = many[name]
        against = f"that of {SIZES[0]:,}"
        figure(f"{name}, {SIZES[0]:,} steps, CPU", small.cpu, "s")
        figure(f"{name}, {SIZES[1]:,} steps, CPU", large.cpu, "s", against=against, base=small.cpu)
        figure(f"{name}, {SIZES[1]:,} steps, peak memory", large.peak, "MB", against=against, base=small.peak)


if __name__ == "__main__":
    sys.exit(main())
