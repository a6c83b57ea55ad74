"""Figures are kept as ratios, with what they were measured on, and can be set against those of another day."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

import pytest

from tests.end_to_end.commands import ROOT
from tests.performance import __main__ as perf
from tests.performance import bench_kills, figures
from tests.performance.figures import LEDGER, compared, figure


@pytest.fixture(autouse=True)
def _ledger(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty ledger, and a machine that is measured in no time."""
    monkeypatch.setattr(figures, "yardstick", lambda: 0.02)
    monkeypatch.setattr(figures, "bare_interpreter", lambda: 25.0)
    monkeypatch.setattr(LEDGER, "bench", "servers")
    monkeypatch.setattr(LEDGER, "found", [])
    monkeypatch.setattr(LEDGER, "failed", {})


def test_a_figure_says_what_it_is_set_against(capsys: pytest.CaptureFixture[str]) -> None:
    figure("ours, wall clock", 3, "s", against="the ideal", base=1.5, asked="at most 3 x")
    figure("CPU a step", 1, "ms")
    figure("memory", 50, "MB")
    figure("size of a step", 1234, "bytes")
    assert capsys.readouterr().out.splitlines() == [
        "ours, wall clock: 3 s, 2 x the ideal (1.5 s); asked: at most 3 x",
        "CPU a step: 1 ms, 0.05 x the machine's yardstick (20 ms)",
        "memory: 50 MB, 2 x a bare interpreter (25 MB)",
        "size of a step: 1,234 bytes",
    ]
    stored = json.loads(json.dumps(LEDGER.to_json()))
    assert [each["ratio"] for each in stored["figures"]] == [2, 0.05, 2, None]
    assert stored["figures"][0]["bench"] == "servers"
    assert {"system", "processor", "cores", "memory_gb", "python", "load"} <= stored["machine"].keys()


def test_ratios_of_two_days_are_compared_the_most_changed_first() -> None:
    figure("a", 2, "s", against="b", base=1)
    figure("bytes", 100, "bytes")
    before = LEDGER.to_json()
    LEDGER.found.clear()
    figure("a", 12, "s", against="b", base=4)  # a machine four times slower: 3 x now, 2 x then
    figure("bytes", 200, "bytes")
    figure("new", 1, "s")
    assert compared(LEDGER.to_json(), before) == [
        "  2.00 x  servers: bytes (100 -> 200)",
        "  1.50 x  servers: a (2 -> 3)",
    ]


def test_a_part_that_breaks_ends_or_hangs_is_named_and_the_others_figures_are_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each in a process of its own, here of a module that stands in for the benchmark's."""
    (tmp_path / "stands_in.py").write_text(STANDS_IN, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(ROOT)]))
    monkeypatch.setattr(perf, "PART", ("-c", "import stands_in"))
    out = tmp_path / "perf.json"
    monkeypatch.setattr("sys.argv", ["perf", "--only", "commands,store,panel", "--out", str(out)])
    assert perf.main() == 1
    found = json.loads(out.read_text(encoding="utf-8"))
    assert [(each["bench"], each["name"]) for each in found["figures"]] == [("commands", "a"), ("panel", "a")]
    assert found["failed"] == {"store": "RuntimeError: no server", "panel": "it ended with -9"}
    assert "store broke: RuntimeError: no server" in capfd.readouterr().out
    assert perf._run("exchange", 0.6) == "it was not done after 0.01 minutes"


STANDS_IN = """
import os, sys, time, types
from tests.performance import __main__ as perf, figures
figures.yardstick = lambda: 0.02
def main():
    if name == "store":
        raise RuntimeError("no server")
    figures.figure("a", 1, "s")
    if name == "panel":
        os.kill(os.getpid(), 9)
    time.sleep(600 if name == "exchange" else 0)
name = sys.argv[sys.argv.index("--part") + 1]
stands_in = types.ModuleType("bench")
stands_in.main = main
sys.modules[f"tests.performance.bench_{name}"] = stands_in
raise SystemExit(perf.main())
"""


def test_every_benchmark_can_be_run_by_its_name() -> None:
    there = {file.stem.removeprefix("bench_") for file in Path(perf.__file__).parent.glob("bench_*.py")}
    assert set(perf.ORDER) == there
    assert perf._benches("servers,store") == ("servers", "store")
    with pytest.raises(argparse.ArgumentTypeError, match="there is no nothing"):
        perf._benches("servers,nothing")


def test_kills_are_shared_out_and_no_kind_has_none() -> None:
    names = ["run", "app", "worker process", bench_kills.RAY_ACTOR, bench_kills.RAY_DRIVER]
    shares = bench_kills.shares(200, names)
    assert sum(shares.values()) == 200
    assert shares["app"] > 5 * shares[bench_kills.RAY_ACTOR] > 0
    assert set(bench_kills.shares(3, names).values()) == {1}
