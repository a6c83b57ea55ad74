"""MMRA as the registry sees it."""

from __future__ import annotations

from core.benchmarks.base import Benchmark
from core.benchmarks.mmra.judging import RUBRICS
from core.benchmarks.mmra.load import load
from core.benchmarks.mmra.measures import measures
from core.benchmarks.mmra.mistakes import mistake
from core.benchmarks.mmra.protocol import PROTOCOLS
from core.benchmarks.mmra.question import ANSWER, DESCRIBE, GROUPS, YES_NO, layout, offer, title, write
from core.benchmarks.mmra.score import PUBLISHED, score, score_published

BENCHMARK = Benchmark(
    name="mmra",
    subsets=(),
    load=load,
    protocols=PROTOCOLS,
    layout=layout,
    score=score,
    write=write,
    title=title,
    groups=GROUPS,
    scorers={PUBLISHED: score_published},
    measures=measures,
    mistake=mistake,
    offer=offer,
    unscored=(DESCRIBE,),
    rubrics=RUBRICS,
    values={ANSWER: YES_NO},
)
