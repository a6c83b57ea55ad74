"""``make voila --maker`` as the engine sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.benchmarks.base import Benchmark
from core.benchmarks.rubrics import Rubric
from core.benchmarks.voila.drawn import draw_answer
from core.benchmarks.voila.judging import questions_on
from core.benchmarks.voila.question import GENERATE, SINGLE_LAYOUT, layout
from core.benchmarks.voila.vocabulary import PROPERTIES
from core.curation.review import REVIEW, Verdict
from core.curation.voila.load import NAME, content_of, load
from core.curation.voila.protocol import PROTOCOLS
from core.records import Item, Parse, Score, Turn


def score(item: Item, turn: Turn, text: str) -> Score:
    """No rule looks at pictures."""
    return Score("rule", "1", Parse.OK, 0, 0)


def write(item: Item, turn: Turn, values: Mapping[str, str]) -> str:
    """A content's words for a baseline that draws, or its verdict."""
    if turn.step != GENERATE:
        return Verdict("a baseline", "accept" if values.get("verdict") == "accept" else "reject").text()
    return turn.gold_text


def title(item: Item) -> str:
    """The content in words."""
    return content_of(item).text()


def _filling(item: Item, turn: Turn) -> Mapping[str, str]:
    return questions_on(content_of(item))


BENCHMARK: Final = Benchmark(
    name=NAME,
    subsets=(),
    load=load,
    protocols=PROTOCOLS,
    layout=lambda step: layout(GENERATE),
    score=score,
    write=write,
    title=title,
    groups=PROPERTIES,
    answer_drawer=draw_answer,
    unscored=(REVIEW,),
    rubrics={
        GENERATE: Rubric(
            "voila_generate", {name: SINGLE_LAYOUT.bit(name) for name in PROPERTIES}, _filling, looks=True
        )
    },
    pipeline=True,
)
