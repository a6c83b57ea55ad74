"""``make vrex`` as the engine sees it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final

from core.benchmarks.base import Benchmark
from core.benchmarks.vrex.question import ANSWER, layout, title
from core.curation.review import REVIEW, Verdict
from core.curation.vrex.load import NAME, load
from core.curation.vrex.protocol import PROTOCOLS
from core.curation.vrex.steps import CHAINS, CONFUSE, HELPFUL, ORDERED, SELECT, STEP
from core.records import Item, Parse, Score, Text, Turn

_OPTION: Final = re.compile(r"\(([A-F])\) (.*)")


def score(item: Item, turn: Turn, text: str) -> Score:
    """Nothing of it is right or wrong; of the strong respondent's pick the letter is read."""
    if turn.step.partition(".")[0] != CONFUSE:
        return Score("rule", "1", Parse.OK, 0, 0)
    from core.letters import read_choice  # compiling its patterns takes a quarter of a second

    lines = "\n".join(part.text for part in turn.content if isinstance(part, Text)).splitlines()
    options = {found[1]: found[2] for line in lines if (found := _OPTION.fullmatch(line))}
    reading = read_choice(text, options)
    parsed = {ANSWER: reading.answer} if reading.answer is not None else {}
    spans = {ANSWER: reading.span} if reading.answer is not None and reading.span is not None else {}
    return Score("rule", "1", reading.status, 0, 0, parsed, spans)


def write(item: Item, turn: Turn, values: Mapping[str, str]) -> str:
    """Form values as the reply that the turn asks for."""
    name = turn.step.partition(".")[0]
    if name == CONFUSE:
        return f"({values[ANSWER]})" if ANSWER in values else ""
    if name == SELECT:
        return json.dumps({"selected": sorted({int(number) for number in values.values()})})
    if name in (HELPFUL, ORDERED):
        return json.dumps({key: int(value) for key, value in values.items()})
    if name == REVIEW:
        return Verdict("a baseline", "accept" if values.get("verdict") == "accept" else "reject").text()
    return ""


BENCHMARK: Final = Benchmark(
    name=NAME,
    subsets=(),
    load=load,
    protocols=PROTOCOLS,
    layout=layout,
    score=score,
    write=write,
    title=title,
    groups=("category", "scenario"),
    unscored=(STEP, CHAINS, CONFUSE, SELECT, HELPFUL, ORDERED, REVIEW),
    values={ANSWER: ()},
    pipeline=True,
)
