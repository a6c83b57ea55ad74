"""Scorers: whoever looks at an answer and says property by property whether it is right."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from core.benchmarks.base import Benchmark
from core.records import Answer, Item, Parse, Score, Status, Turn

RULE = "rule"


class Scorer(Protocol):
    """A scorer that answers at once. A judge (a respondent that scores) is asked apart, through its own calls."""

    @property
    def name(self) -> str: ...

    def score(self, item: Item, turn: Turn, answer: Answer) -> Score: ...


@dataclass(frozen=True, slots=True)
class RuleScorer:
    """The benchmark's own rule. The call's status comes before the words: a refusal is never read for an answer."""

    benchmark: Benchmark
    name: str = RULE

    def score(self, item: Item, turn: Turn, answer: Answer) -> Score:
        if answer.status is Status.REFUSAL:
            return replace(self.benchmark.score(item, turn, ""), status=Parse.REFUSAL)
        return self.benchmark.score(item, turn, answer.text)
