"""Keys of the app through a pseudo-terminal with 10,000 items: at rest, and while a batch of its own writes steps."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from tests.end_to_end.commands import COMMAND, environment
from tests.performance.bench_app import bare_key, told
from tests.performance.bench_commands import multiplied
from tests.performance.bench_servers import slow_server
from tests.performance.figures import figure
from tests.performance.ptys import Pty
from tests.voila_data import voila_file

ITEMS: Final = 10_000
AT_ONCE: Final = 40
STEPS_A_SECOND: Final = 200
"""A server that answers after 100 ms could be asked twice as often."""

CONFIG: Final = """
[respondents.slow]
kind = "openai"
model = "slow-1"
base_url = "{url}"
concurrency = {at_once}
requests_per_minute = {per_minute}
"""
RATE: Final = re.compile(rb"([0-9]+\.[0-9]) steps/s")


def measured(home: Path, terminal: Pty, when: str, before: bytes, last: bytes) -> None:
    """Back and forward along stored steps, until the other step's name is painted; the accuracy drawer's pages."""
    base = bare_key(home, when)
    told(
        f"{when}: a step back or forward",
        terminal,
        lambda n: terminal.press(*((b"b", before), (b" ", last))[n % 2]),
        base,
    )
    terminal.press(b"a", b"by step")
    pages = ((b"3", b"still all right after"), (b"1", b"by step"))
    told(f"{when}: a page of the accuracy drawer", terminal, lambda n: terminal.press(*pages[n % 2]), base, times=20)
    terminal.press(b"q", b"% right")


def writing(home: Path, respondent: str, data: Path, when: str, steps: tuple[bytes, bytes], *options: str) -> None:
    """A run of five items, opened; then a batch on all of them, begun by keys."""
    store = ["--store", str(home / f"{respondent.partition(':')[0]}.db"), "--config", str(home / "phoropter.toml")]
    run = [*COMMAND, "run", "voila:ND", "--data", str(data), "--respondent", respondent, *options, "--limit", "5"]
    subprocess.run([*run, *store], cwd=home, env=environment(home), check=True, capture_output=True)
    with Pty([*COMMAND, *store], environment(home)) as terminal:
        terminal.seconds_until(f"/{ITEMS}".encode(), 300)
        measured(home, terminal, f"at rest, before {when}", *steps)
        terminal.press(b"B", b"batches")
        terminal.press(b"n", b"this run")
        terminal.quiet(0.5)  # what is typed sooner could have been meant for the screen before
        terminal.press(b"\r", b"running")
        terminal.press(b"q", b"% right")
        measured(home, terminal, f"while {when} writes", *steps)
        rates = [float(rate) for rate in RATE.findall(terminal.output)]
        figure(f"what {when} wrote meanwhile", rates[-1], "steps a second")


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        lines = multiplied(voila_file(home), 3, home / "more.csv").read_text(encoding="utf-8").splitlines(True)
        data = home / "ten.csv"
        data.write_text("".join(lines[: ITEMS + 1]), encoding="utf-8")
        with slow_server(home) as url:
            (home / "phoropter.toml").write_text(
                CONFIG.format(url=url, at_once=AT_ONCE, per_minute=60 * STEPS_A_SECOND), encoding="utf-8"
            )
            said = f"a batch of {AT_ONCE} at once against a server"
            writing(home, "slow", data, said, (b"1 relate", b"2 apply"), "--set", "input=text")
        said = "a baseline's batch as fast as it can"
        writing(home, "noisy:0.6", data, said, (b"2 relate", b"3 apply"), "--pictures", "drawn")


if __name__ == "__main__":
    main()
