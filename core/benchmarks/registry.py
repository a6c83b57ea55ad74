"""The benchmarks by name. A further one is a folder beside ``voila`` and a line here."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import Final

from core.benchmarks.base import Benchmark
from core.benchmarks.mmra.benchmark import BENCHMARK as MMRA
from core.benchmarks.voila.benchmark import BENCHMARK as VOILA
from core.benchmarks.vrex.benchmark import BENCHMARK as VREX
from core.errors import UsageError

BENCHMARKS: dict[str, Benchmark] = {"voila": VOILA, "vrex": VREX, "mmra": MMRA}


PIPELINES: Final = {f"make-{name}": f"core.curation.{name}.benchmark" for name in BENCHMARKS}
"""How items are made, as benchmarks that nobody is tested on; each is imported when it is asked for."""


def get(name: str) -> Benchmark:
    """The benchmark, or pipeline, of that name; raises UsageError naming the nearest benchmark."""
    if name in BENCHMARKS:
        return BENCHMARKS[name]
    if name in PIPELINES:
        pipeline: Benchmark = import_module(PIPELINES[name]).BENCHMARK
        return pipeline
    near = get_close_matches(name, BENCHMARKS, n=1)
    hint = f"Did you mean {near[0]}?" if near else f"Known: {', '.join(BENCHMARKS)}"
    raise UsageError(f"there is no benchmark {name}", remedy=hint)


def parse_name(name: str, *, pipelines: bool = False) -> tuple[Benchmark, str]:
    """``voila:ND`` as benchmark and subset; the subset is "" where none is named.

    Raises UsageError for an unknown one, and for a pipeline unless ``pipelines`` are meant too.
    """
    benchmark_name, _, subset = name.partition(":")
    benchmark = get(benchmark_name)
    if benchmark.pipeline and not pipelines:
        made = benchmark_name.removeprefix("make-")
        remedy = f"Say {made}, or phoropter make {made}"
        raise UsageError(f"{benchmark_name} is how items of {made} are made, and no benchmark", remedy=remedy)
    if subset and subset not in benchmark.subsets:
        by_fold = {known.casefold(): known for known in benchmark.subsets}
        if subset.casefold() in by_fold:
            return benchmark, by_fold[subset.casefold()]
        known = (
            f"Known: {', '.join(benchmark.subsets)}" if benchmark.subsets else f"It has none: say {benchmark_name}"
        )
        raise UsageError(f"{benchmark_name} has no subset {subset}", where=name, remedy=known)
    return benchmark, subset
