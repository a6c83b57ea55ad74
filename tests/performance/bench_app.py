"""The app through a pseudo-terminal: first paint against a bare Textual app, keys with 10,000 and 100,000 items."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.end_to_end.commands import COMMAND, ROOT, environment
from tests.performance.bench_commands import multiplied
from tests.performance.figures import figure
from tests.performance.ptys import Pty
from tests.voila_data import ND_COUNT, voila_file

BARE = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    keys = 0
    def compose(self):
        yield Static("BARE")
    def on_key(self):
        self.keys += 1
        self.query_one(Static).update(f"{self.keys} keys")
Bare().run()
"""
ROUNDS = 3
KEYS = 60
STEPS_A_SECOND = 200
WALKED = 500


def stored(home: Path, data: Path, limit: int, respondent: str = "noisy:0.6") -> list[str]:
    """A run on the first items of the data; the command that opens the app on it."""
    store = ["--store", str(home / f"{data.stem}.db")]
    run = [*COMMAND, "run", "voila:ND", "--data", str(data), "--pictures", "drawn", "--respondent", respondent]
    subprocess.run(
        [*run, "--limit", str(limit), *store], cwd=home, env=environment(home), check=True, capture_output=True
    )
    return [*COMMAND, *store]


def told(what: str, terminal: Pty, press: Callable[[int], float], bare: float = 0.0, times: int = KEYS) -> float:
    """Press keys one after the other; print how long until the screen had them, and their 95th percentile; the CPU
    time that the painting thread took for it, and the whole process, what it made ahead with it."""
    before, terminal.painting = terminal.cpu(), 0.0
    taken = sorted(press(number) for number in range(times))
    cpu, p95 = (terminal.cpu() - before) / times, taken[max(int(times * 0.95) - 1, 0)]
    figure(f"{what}, median", statistics.median(taken), "ms")
    figure(f"{what}, 95th percentile", p95, "ms", against="a bare app's key" if bare else "", base=bare)
    figure(f"{what}, CPU until painted", terminal.painting / times, "ms")
    figure(f"{what}, CPU in all", cpu, "ms")
    return p95


def first_paint(home: Path, command: list[str], items: int) -> None:
    """Against a bare Textual app in the same terminal, in turn."""
    bare, ours, first = [], [], []
    for _ in range(ROUNDS):
        with Pty([sys.executable, "-c", BARE], environment(home)) as terminal:
            bare.append(terminal.seconds_until(b"BARE"))
        with Pty(command, environment(home)) as terminal:
            ours.append(terminal.seconds_until(b"opening"))
            first.append(terminal.seconds_until(b"% right"))
    base, peer = statistics.median(bare), "a bare Textual app's"
    figure(f"{items:,} items: first paint", statistics.median(ours), "s", against=peer, base=base)
    what = f"{items:,} items: the item itself, with pictures and accuracy"
    figure(what, statistics.median(first), "s", against=peer, base=base)


def all_items(home: Path, command: list[str], items: int) -> None:
    """How long until the last item is in the list, and what that adds to memory."""
    with Pty(command, environment(home)) as terminal:
        terminal.seconds_until(b"% right")
        terminal.quiet(0.2)
        before = terminal.memory()
        seconds = terminal.seconds_until(f"/{items}".encode(), 300)
        after = terminal.memory()
        figure(f"{items:,} items: all in the list after", seconds, "s")
        figure(f"{items:,} items: memory then", after, "MB", against="before", base=before)
        base = bare_key(home, f"{items:,} items")
        terminal.press(b"i", b"items")
        told(f"{items:,} items: a key in the list", terminal, lambda n: terminal.press(b"j"), base)
        terminal.press(b"/")
        told(
            f"{items:,} items: a letter of a filter until its items show",
            terminal,
            lambda n: filtered(terminal),
            times=5,
        )


def bare_key(home: Path, when: str) -> float:
    """The 95th percentile of a bare app that shows how many keys it had."""
    with Pty([sys.executable, "-c", BARE], environment(home)) as terminal:
        terminal.seconds_until(b"BARE")
        return told(f"{when}: a bare app's key", terminal, lambda n: terminal.press(b"j"))


def filtered(terminal: Pty) -> float:
    """A letter more in the filter, and it is gone again."""
    taken = terminal.press(b"4", b" of ")
    terminal.press(b"\x7f", b" items")
    return taken


def keys(home: Path, command: list[str]) -> None:
    """Keys on the stepping screen and in the list, at rest and while a batch writes; then a long walk."""
    with Pty(command, environment(home)) as terminal:
        terminal.seconds_until(b"/10000", 300)
        measured(terminal, bare_key(home, "10,000 items, at rest"), "10,000 items, at rest")
        with steady_batch(home, command[-1]):
            when = "10,000 items, while another process goes on with the run"
            measured(terminal, bare_key(home, when), when)
        before = terminal.memory()
        told("walking on", terminal, lambda n: terminal.press(b">"), times=WALKED)
        terminal.quiet(1, 10)
        grown = terminal.memory() - before
        figure(f"{WALKED} items walked through, memory more", grown, "MB",
               against="before", base=before, asked="less than 50 MB")  # fmt: skip


@contextmanager
def steady_batch(home: Path, store: str) -> Iterator[None]:
    """In a process of its own; tells afterwards what it wrote."""
    command = [sys.executable, "-m", "tests.performance.steady_batch", store, "voila", str(STEPS_A_SECOND)]
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment(home), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    try:
        yield
    finally:
        rate = float(process.communicate()[0].strip())
        figure("what it wrote meanwhile", rate, "steps a second", against="what was asked of it", base=STEPS_A_SECOND)


def measured(terminal: Pty, base: float, when: str) -> None:
    told(f"{when}: a step back or forward", terminal, lambda n: terminal.press(b"b" if n % 2 else b" "), base)
    told(f"{when}: the next item", terminal, lambda n: terminal.press(b"<"), base)
    terminal.press(b"i", b"items")
    told(f"{when}: a key in the list", terminal, lambda n: terminal.press(b"j"), base)
    terminal.press(b"q")


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        file = voila_file(home)
        big = multiplied(file, 27, home / "big.csv")
        command = stored(home, big, 200)
        first_paint(home, command, 27 * ND_COUNT)
        all_items(home, command, 27 * ND_COUNT)
        lines = multiplied(file, 3, home / "more.csv").read_text(encoding="utf-8").splitlines(keepends=True)
        ten = home / "ten.csv"
        ten.write_text("".join(lines[:10_001]), encoding="utf-8")
        keys(home, stored(home, ten, 200))


if __name__ == "__main__":
    main()
