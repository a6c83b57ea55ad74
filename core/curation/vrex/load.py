"""Gold chains in V-REX's own file format, checked for what no distractor could mend."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from core.benchmarks.base import LoadOptions
from core.benchmarks.dataset import Rows
from core.benchmarks.vrex.load import VrexFile
from core.benchmarks.vrex.load import load as load_vrex
from core.benchmarks.vrex.question import Question, question
from core.curation.wording import normal, tells_itself
from core.errors import Problem
from core.records import Item
from core.stamps import Seen

NAME: Final = "make-vrex"


def load(path: Path, subset: str, options: LoadOptions) -> Chains:
    """The chains of a file, or of the one data file in a folder. Raises as V-REX's loader does."""
    return Chains(load_vrex(path, subset, replace(options, protocol="")))


class Chains(Rows):
    """The Dataset of a file of gold chains; planning options that it may hold already are not looked at."""

    def __init__(self, file: VrexFile) -> None:
        self._file = file

    @property
    def source(self) -> str:
        return self._file.source

    @property
    def subset(self) -> str:
        return ""

    @property
    def digest(self) -> str:
        return self._file.digest

    def _read(self, seen: Seen) -> Iterator[Item | list[Problem]]:
        for number, outcome in enumerate(self._file.outcomes(), 1):
            if isinstance(outcome, list):
                yield outcome
                continue
            problems = [
                Problem(self.source, number, field, f"{what} (item {outcome.id})")
                for field, what in faults_of(question(outcome))
            ]
            yield problems or replace(outcome, benchmark=NAME, facts=_gold_alone(outcome.facts))


def faults_of(view: Question) -> Iterator[tuple[str, str]]:
    """What keeps a gold chain from being an item, by field: no distractor can mend it."""
    if not view.steps:
        yield "steps", "there are none, so there is nothing to plan"
    seen: dict[str, str] = {normal(view.question): "the final question"}
    for number, step in enumerate(view.steps, 1):
        if not step.answer:
            yield f"steps[{number}].answer", "is missing, and it is told when the question is picked"
        elif tells_itself(step.question, step.answer):
            yield f"steps[{number}].question", f"holds its own answer {step.answer!r}"
        earlier = seen.setdefault(normal(step.question), f"the question of step {number}")
        if earlier != f"the question of step {number}":
            yield f"steps[{number}].question", f"is {earlier} again"


def _gold_alone(facts: Mapping[str, object]) -> Mapping[str, object]:
    """The chain without planning options: what is made does not depend on any that were there."""
    steps = facts["steps"]
    assert isinstance(steps, list)
    return {
        **facts,
        "steps": [{key: value for key, value in step.items() if key != "planning"} for step in steps],
    }
