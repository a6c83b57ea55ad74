"""V-REX as the registry sees it."""

from __future__ import annotations

from core.benchmarks.base import Benchmark
from core.benchmarks.vrex.judging import RUBRICS
from core.benchmarks.vrex.load import load
from core.benchmarks.vrex.measures import measures
from core.benchmarks.vrex.offer import offer
from core.benchmarks.vrex.protocol import PROTOCOLS
from core.benchmarks.vrex.question import ANSWER, FOLLOW, PLAN, layout, title
from core.benchmarks.vrex.score import score, write

BENCHMARK = Benchmark(
    name="vrex",
    subsets=(),
    load=load,
    protocols=PROTOCOLS,
    layout=layout,
    score=score,
    write=write,
    title=title,
    groups=("category", "scenario"),
    pooled=(PLAN, FOLLOW),
    measures=measures,
    offer=offer,
    rubrics=RUBRICS,
    values={ANSWER: ()},
)
