"""Scorers: whoever looks at an answer and says property by property whether it is right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from core.benchmarks.base import Benchmark
from core.records import Answer, Item, Parse, Score, Status, Turn

RULE = "rule"


class Scorer(Protocol):
    """A scorer that answers at once. A judge (a respondent that scores) is asked apart, through its own calls."""

    @property
    def name(self) -> str: ...

    def score(self, item: Item, turn: Turn, answer: Answer) -> Score: ...


ScoreText: TypeAlias = Callable[[Item, Turn, str], Score]
"""A rule that looks at an answer's words alone."""


@dataclass(frozen=True, slots=True)
class RuleScorer:
    """A benchmark's own rule. The call's status comes before the words: a refusal is never read for an answer."""

    name: str
    score_text: ScoreText

    def score(self, item: Item, turn: Turn, answer: Answer) -> Score:
        if answer.status is Status.REFUSAL:
            return replace(self.score_text(item, turn, ""), status=Parse.REFUSAL)
        return self.score_text(item, turn, answer.text)


def scorers_of(benchmark: Benchmark) -> tuple[Scorer, ...]:
    """Every scorer that needs no model: the rule first, then the benchmark's others."""
    others = (RuleScorer(name, score) for name, score in benchmark.scorers.items())
    return (RuleScorer(RULE, benchmark.score), *others)
