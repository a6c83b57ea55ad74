"""VOILA: image analogies A : A' :: B : ? over number, subject and action (Yilmaz et al., "VOILA: Evaluation of
MLLMs for Perceptual Understanding and Analogical Reasoning").

``vocabulary`` the closed world, ``question`` an item's typed view and the solver, ``rules`` the 19 structures and
their counts, ``load`` files to items, ``protocol`` what is asked, ``wording`` values put into words, ``reading``
words read back into values, ``score`` the rule scorer, ``make`` new questions.
"""

from core.benchmarks.base import Benchmark
from core.benchmarks.voila.load import load
from core.benchmarks.voila.protocol import PROTOCOLS
from core.benchmarks.voila.question import layout
from core.benchmarks.voila.score import score
from core.benchmarks.voila.wording import write

BENCHMARK = Benchmark(
    name="voila",
    subsets=("ND", "WD"),
    load=load,
    protocols=PROTOCOLS,
    layout=layout,
    score=score,
    write=write,
    groups=("rule", "structure"),
)
