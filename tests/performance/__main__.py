"""``make perf``: every benchmark in turn, each printing its figures as ratios, all of them kept as JSON.

``python -m tests.performance [--only NAME,NAME] [--out FILE] [--compare FILE] [--limit MINUTES]``. Nothing here can
fail on a time. Each part has a process of its own; one that breaks, or takes longer than its limit, is named, the
others go on, and what it had found by then is kept.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from tests.end_to_end.commands import ROOT
from tests.performance.figures import LEDGER, Figure, compared, differences, machine

ORDER: Final = (
    *("commands", "store", "panel", "exchange", "screen", "app", "sitting", "pictures"),
    *("posting", "servers", "batches", "inspect", "local", "cluster", "intervals", "kills"),
)
"""What one machine does alone, then servers, models and clusters, then what takes longest: every file
``bench_NAME.py`` here, whose ``main`` prints its figures through :mod:`tests.performance.figures`."""
LIMIT_MIN: Final = 20.0
PLACE: Final = ROOT / "build" / "perf"
PART: tuple[str, ...] = ("-m", "tests.performance")
"""What the interpreter is started with for a part."""


def main() -> int:
    """Print all figures, the machine first. 1 where a benchmark broke."""
    given = _given()
    if given.part:
        return _part(given.part, given.out)
    before: dict[str, Any] = json.loads(given.compare.read_text(encoding="utf-8")) if given.compare else {}
    for name, value in machine().items():
        print(f"{name}: {value}")
    for bench in given.only:
        if why := _run(bench, given.limit * 60):
            LEDGER.failed[bench] = why
            print(f"broke: {why}", flush=True)
    found = LEDGER.to_json() | {"day": time.strftime("%Y-%m-%d %H:%M")}
    out = given.out or PLACE / f"{time.strftime('%Y%m%d-%H%M')}.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(f"\n{len(LEDGER.found)} figures in {out}")
    if before:
        _compare(found, before)
    for bench, why in LEDGER.failed.items():
        print(f"{bench} broke: {why}")
    return 1 if LEDGER.failed else 0


def _given() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", type=_benches, default=ORDER, help=f"of {', '.join(ORDER)}")
    parser.add_argument("--out", type=Path, help="where the JSON goes (default: build/perf)")
    parser.add_argument("--compare", type=Path, help="JSON of an earlier run, on this machine or another")
    parser.add_argument("--limit", type=float, default=LIMIT_MIN, metavar="MINUTES", help="for each part")
    parser.add_argument("--part", choices=ORDER, help=argparse.SUPPRESS)
    return parser.parse_args()


def _benches(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if unknown := set(names) - set(ORDER):
        raise argparse.ArgumentTypeError(f"there is no {', '.join(sorted(unknown))}")
    return names


def _run(name: str, limit_s: float) -> str:
    """One part in a process of its own, and its figures into the ledger; why it broke, "" where it did not."""
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "figures.jsonl"
        command = [sys.executable, *PART, "--part", name, "--out", str(kept)]
        process = subprocess.Popen(command, start_new_session=True)
        try:
            status = process.wait(limit_s)
            why = f"it ended with {status}" if status else ""
        except subprocess.TimeoutExpired:
            why = f"it was not done after {limit_s / 60:g} minutes"
        finally:
            with suppress(ProcessLookupError):  # whatever it started and left
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        lines = kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []
    for told in map(json.loads, lines):
        if "why" in told:
            why = told["why"]
        else:
            LEDGER.found.append(Figure(**told))
    return why


def _part(name: str, kept: Path) -> int:
    """The same inside that process: each figure is written down as it is found."""
    bench = importlib.import_module(f"tests.performance.bench_{name}")
    LEDGER.bench, LEDGER.kept = name, kept
    print(f"\n# {(bench.__doc__ or name).splitlines()[0]}", flush=True)
    try:
        return int(bench.main() or 0)
    except Exception as error:
        LEDGER.keep({"why": f"{type(error).__name__}: {error}"[:500]})
        return 1


def _compare(now: dict[str, Any], before: dict[str, Any]) -> None:
    other = differences(("system", "processor", "cores", "memory_gb", "python"), before)
    print(f"\n# Ratios against those of {before.get('day', 'another day')}, the most changed first")
    for line in (*(f"another machine: {each}" for each in other), *compared(now, before)):
        print(line)


if __name__ == "__main__":
    raise SystemExit(main())
