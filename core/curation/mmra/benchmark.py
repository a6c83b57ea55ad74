"""``make mmra`` as the engine sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.benchmarks.base import Benchmark
from core.benchmarks.mmra.question import ANSWER, layout
from core.curation.mmra.load import NAME, load
from core.curation.mmra.protocol import ANNOTATE, CAPTION, LEAK, PROTOCOLS
from core.curation.review import REVIEW, Verdict
from core.records import Item, Parse, Score, Turn


def score(item: Item, turn: Turn, text: str) -> Score:
    """Nothing of it is right or wrong."""
    return Score("rule", "1", Parse.OK, 0, 0)


def write(item: Item, turn: Turn, values: Mapping[str, str]) -> str:
    """A baseline's verdict; nothing else has a form."""
    if turn.step.partition(".")[0] != REVIEW:
        return ""
    return Verdict("a baseline", "accept" if values.get("verdict") == "accept" else "reject").text()


def title(item: Item) -> str:
    """The subtask and the pictures' names."""
    return ": ".join([*item.groups.values(), " and ".join(picture.name for picture in item.pictures)])


BENCHMARK: Final = Benchmark(
    name=NAME,
    subsets=(),
    load=load,
    protocols=PROTOCOLS,
    layout=layout,
    score=score,
    write=write,
    title=title,
    groups=("subtask",),
    unscored=(CAPTION, ANNOTATE, REVIEW, LEAK),
    values={ANSWER: ()},
    pipeline=True,
)
