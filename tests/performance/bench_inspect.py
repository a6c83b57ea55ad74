"""Against inspect-ai on one mock server in one run: 1,000 VOILA questions of three turns, 64 at once, 100 ms each.

``make build/inspect/ready`` installs it, in an environment apart; without that the bench says so and ends. Each of
the two has a server of its own, one after the other, and pictures and turns are the same; ours stores every request,
reply and picture, inspect-ai writes its log. Start-up is one question less its three answers' delay.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.end_to_end.commands import COMMAND, ROOT
from tests.performance.bench_commands import Cost, cost, median
from tests.performance.bench_servers import ALONE, AT_ONCE, IDEAL, ITEMS, STEPS, draw, slow_server
from tests.performance.figures import figure
from tests.performance.inspect_tasks import PEER, tasks_file
from tests.performance.slow_server import DELAY
from tests.voila_data import small_voila_file

PYTHON: Final = ROOT / "build/inspect/bin/python"
CPU_ASKED: Final = 5
WALL_ASKED: Final = 4


def bytes_under(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


class Contest:
    """Both sides, on the same questions."""

    def __init__(self, home: Path, items: int = ITEMS) -> None:
        self._home = home
        self._table = small_voila_file(home, items, "ND")
        self._pictures = home / "pictures"
        self.kilobytes = draw(self._table, self._pictures)
        self._number = 0

    def ours(self, items: int) -> tuple[Cost, int]:
        """What a run takes, and the bytes it leaves."""

        def command(url: str, place: Path) -> list[str]:
            run = [*COMMAND, "run", "voila:ND", "--data", str(self._table), "--pictures", str(self._pictures)]
            run += ["--respondent", f"openai:m@{url}", "--concurrency", str(AT_ONCE), "--limit", str(items)]
            return [*run, "--store", str(place / "store.db")]

        return self._measured(command)

    def inspect(self, items: int) -> tuple[Cost, int]:
        """The same of inspect-ai."""
        tasks = tasks_file(self._table, self._pictures, self._home / f"{items}.jsonl", items)
        return self._measured(lambda url, place: [str(PYTHON), str(PEER), url, str(tasks), str(place), str(AT_ONCE)])

    def _measured(self, command: Callable[[str, Path], list[str]]) -> tuple[Cost, int]:
        self._number += 1
        place = self._home / f"place-{self._number}"
        place.mkdir()
        with slow_server(self._home) as url:
            taken = cost(command(url, place), self._home)
        return taken, bytes_under(place)


def startup(run: Callable[[int], tuple[Cost, int]]) -> Cost:
    """Of one question, the median."""
    found = median([run(1)[0] for _ in range(ALONE)])
    return found._replace(wall=found.wall - STEPS * DELAY)


def main() -> None:
    """Print the figures."""
    if not PYTHON.exists():
        print("inspect-ai is not installed: make build/inspect/ready installs it")
        return
    with tempfile.TemporaryDirectory() as folder:
        contest = Contest(Path(folder))
        print(f"{ITEMS:,} questions, {STEPS} turns, three pictures of {contest.kilobytes:.0f} KB, {AT_ONCE} at once")
        contest.inspect(1)  # what is read or compiled once
        (theirs, log), (ours, store) = contest.inspect(ITEMS), contest.ours(ITEMS)
        began, begins = startup(contest.inspect), startup(contest.ours)
        steps, peer = ITEMS * STEPS, "ours"
        figure("ours, wall clock", ours.wall, "s", against="the ideal", base=IDEAL)
        wall = f"at least {WALL_ASKED} x"
        figure("inspect-ai, wall clock", theirs.wall, "s", against=peer, base=ours.wall, asked=wall)
        figure("ours, CPU a step", ours.cpu / steps * 1e3, "ms")
        cpu = f"at least {CPU_ASKED} x"
        figure("inspect-ai, CPU a step", theirs.cpu / steps * 1e3, "ms",
               against=peer, base=ours.cpu / steps * 1e3, asked=cpu)  # fmt: skip
        each = [(cost.cpu - start.cpu) / (steps - STEPS) * 1e3 for cost, start in ((theirs, began), (ours, begins))]
        figure("inspect-ai, CPU a further step", each[0], "ms", against=peer, base=each[1])
        figure("inspect-ai, peak memory", theirs.peak, "MB", against=peer, base=ours.peak)
        figure("inspect-ai, bytes stored a step", log / steps, "bytes", against=peer, base=store / steps)
        figure("inspect-ai, start-up, wall", began.wall, "s", against=peer, base=begins.wall)
        figure("inspect-ai, start-up, CPU", began.cpu, "s", against=peer, base=begins.cpu)


if __name__ == "__main__":
    main()
