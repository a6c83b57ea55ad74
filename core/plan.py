"""The plan of a run: what is asked of whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.benchmarks.base import Benchmark, ProtocolLike
from core.errors import UsageError
from core.interventions import Intervention, refuse_words
from core.records import Answer, Item, Origin, Step
from core.respondents.base import PictureMaker, Respondent
from core.scoring import Scorer
from core.tally import REASKED

_MOST_STEPS = 1000
"""More than any protocol asks."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run asks of whom. ``respondents_at`` sends single steps to somebody else, numbered ones by their common
    name (``describe`` for ``describe.1``, ``describe.2``)."""

    benchmark: Benchmark
    protocol: ProtocolLike
    respondent: Respondent
    scorers: tuple[Scorer, ...]
    respondents_at: Mapping[str, Respondent] = field(default_factory=dict)
    interventions: tuple[Intervention, ...] = ()
    repeats: int = 1
    seed: int = 0

    def respondent_for(self, step: str) -> Respondent:
        """Who is asked a step; one asked again goes to whoever was asked first."""
        common = step.partition(".")[0]
        return self.respondents_at.get(step.removesuffix(REASKED)) or self.respondents_at.get(common, self.respondent)

    @property
    def respondents(self) -> tuple[Respondent, ...]:
        """Everybody who may be asked, the one of the plan first."""
        return (self.respondent, *self.respondents_at.values())

    @property
    def looks(self) -> bool:
        """Whether anybody needs the pictures."""
        return any(respondent.looks for respondent in self.respondents)

    def rest_if_right(self, item: Item, steps: Sequence[Step]) -> tuple[str, ...]:
        """Names of the steps still to be asked after these, if every further answer is the gold one."""
        known, names = tuple(steps), list[str]()
        while (turn := self.protocol.next_turn(item, known)) is not None and len(names) < _MOST_STEPS:
            choice = self.protocol.choice(item, turn, self.benchmark.score(item, turn, turn.gold_text))
            known = (*known, Step(turn, Answer(turn.gold_text), (), Origin.GOLD, choice))
            names.append(turn.step)
        return tuple(names)

    def check(self) -> None:
        """Raises UsageError for a step that asks for a picture of a respondent that cannot make one, or for words of
        one that makes nothing else, and for an intervention that no picture can take."""
        for step in self.protocol.steps:
            asked = self.respondent_for(step)
            if step in self.protocol.draws and not asked.draws:
                raise UsageError(
                    f"{asked.name} cannot make pictures, which step {step} asks for",
                    remedy=f"Send somebody else in with --respondent-at {step}=NAME, or leave the step out",
                )
            if step not in self.protocol.draws and isinstance(asked, PictureMaker):
                raise no_words(asked.name, step, self.protocol.draws)
        for intervention in self.interventions:
            if intervention.step in self.protocol.draws:
                refuse_words(intervention)


def no_words(name: str, step: str, draws: Sequence[str]) -> UsageError:
    """That a maker of pictures cannot answer this step, which asks for words; ``draws`` are those it could answer."""
    return UsageError(
        f"{name} makes pictures and nothing else, and step {step} asks for words",
        remedy=f"Send it in for that step alone: --respondent-at {draws[0]}={name}"
        if draws
        else "This protocol asks for no picture: VOILA's does with --set generate=yes",
    )
