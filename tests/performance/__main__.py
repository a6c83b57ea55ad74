"""``make perf``: every benchmark in turn, each printing its figures as ratios, all of them kept as JSON.

``python -m tests.performance [--only NAME,NAME] [--out FILE] [--compare FILE]``. Nothing here can fail on a time; a
benchmark that breaks is told, and the others go on.
"""

from __future__ import annotations

import argparse
import importlib
import json
import time
from pathlib import Path
from typing import Any, Final

from tests.end_to_end.commands import ROOT
from tests.performance.figures import LEDGER, compared, differences, machine

BENCHES: Final = tuple(sorted(file.stem.removeprefix("bench_") for file in Path(__file__).parent.glob("bench_*.py")))
"""Every file ``bench_NAME.py`` here, whose ``main`` prints its figures through :mod:`tests.performance.figures`."""
PLACE: Final = ROOT / "build" / "perf"


def main() -> int:
    """Print all figures, the machine first. 1 where a benchmark broke."""
    given = _given()
    before: dict[str, Any] = json.loads(given.compare.read_text(encoding="utf-8")) if given.compare else {}
    for name, value in machine().items():
        print(f"{name}: {value}")
    for bench in given.only:
        _run(bench)
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
    parser.add_argument("--only", type=_benches, default=BENCHES, help=f"of {', '.join(BENCHES)}")
    parser.add_argument("--out", type=Path, help="where the JSON goes (default: build/perf)")
    parser.add_argument("--compare", type=Path, help="JSON of an earlier run, on this machine or another")
    return parser.parse_args()


def _benches(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if unknown := set(names) - set(BENCHES):
        raise argparse.ArgumentTypeError(f"there is no {', '.join(sorted(unknown))}")
    return names


def _run(name: str) -> None:
    bench = importlib.import_module(f"tests.performance.bench_{name}")
    LEDGER.bench = name
    print(f"\n# {(bench.__doc__ or name).splitlines()[0]}", flush=True)
    try:
        bench.main()
    except Exception as error:
        LEDGER.failed[name] = f"{type(error).__name__}: {error}"[:500]
        print(f"broke: {LEDGER.failed[name]}")


def _compare(now: dict[str, Any], before: dict[str, Any]) -> None:
    other = differences(("system", "processor", "cores", "memory_gb", "python"), before)
    print(f"\n# Ratios against those of {before.get('day', 'another day')}, the most changed first")
    for line in (*(f"another machine: {each}" for each in other), *compared(now, before)):
        print(line)


if __name__ == "__main__":
    raise SystemExit(main())
