"""VOILA as the registry sees it."""

from __future__ import annotations

from core.benchmarks.base import Benchmark
from core.benchmarks.voila.drawn import draw_answer, draw_depicted
from core.benchmarks.voila.following import reasoned
from core.benchmarks.voila.judging import RUBRICS
from core.benchmarks.voila.load import load
from core.benchmarks.voila.measures import PARTS, contrasts
from core.benchmarks.voila.protocol import PROTOCOLS, VALUES
from core.benchmarks.voila.question import CHANGED, SAME, layout, title
from core.benchmarks.voila.score import score
from core.benchmarks.voila.vocabulary import ANY
from core.benchmarks.voila.wording import golden, in_words, write

BENCHMARK = Benchmark(
    name="voila",
    subsets=("ND", "WD"),
    load=load,
    protocols=PROTOCOLS,
    layout=layout,
    score=score,
    write=write,
    title=title,
    groups=("rule", "structure"),
    drawer=draw_depicted,
    answer_drawer=draw_answer,
    parts=PARTS,
    contrasts=contrasts,
    reasoned=reasoned,
    rubrics=RUBRICS,
    golden=golden,
    in_words=in_words,
    values={**{name: (*values, ANY) for name, values in VALUES.items()}, "relation": (SAME, CHANGED)},
)
