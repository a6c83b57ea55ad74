"""Figures are kept as ratios, with what they were measured on, and can be set against those of another day."""

from __future__ import annotations

import argparse
import json

import pytest

from tests.performance import __main__ as perf
from tests.performance import figures
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


def test_a_benchmark_that_breaks_is_told_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.performance import bench_commands, bench_panel

    def broken() -> None:
        raise RuntimeError("no server")

    monkeypatch.setattr(bench_commands, "main", broken)
    monkeypatch.setattr(bench_panel, "main", lambda: figure("a", 1, "s"))
    perf._run("commands")
    perf._run("panel")
    assert LEDGER.failed == {"commands": "RuntimeError: no server"}
    assert [each.bench for each in LEDGER.found] == ["panel"]


def test_every_benchmark_can_be_run_by_its_name() -> None:
    assert {"servers", "inspect", "store", "app"} <= set(perf.BENCHES)
    assert perf._benches("servers,store") == ("servers", "store")
    with pytest.raises(argparse.ArgumentTypeError, match="there is no nothing"):
        perf._benches("servers,nothing")
