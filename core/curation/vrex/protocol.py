"""How a planning item is made (paper sections 4.2 and 9): a pure function of the gold chain and the steps so far.

Distractors for each step, misleading chains, which of the chains confuses most, which step-level distractors stay,
whether the chain is valid, and what reviewers say. Everything is asked afresh: what counts of earlier steps stands in
the turn's own words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from core.benchmarks.base import ProtocolMaker
from core.benchmarks.options import settled
from core.benchmarks.vrex.question import LONGEST, Question, question
from core.curation.review import REVIEW, Draft, Verdict, rejected, review_turn, reviews, verdict_of
from core.curation.vrex import merging
from core.curation.vrex.asking import Asker
from core.curation.vrex.editing import applied, read_text
from core.curation.vrex.merging import Merged
from core.curation.vrex.steps import CHAINS, CONFUSE, HELPFUL, ORDERED, SELECT, STEP, Made, made_of
from core.errors import UsageError
from core.records import Item, Json, Score, Step, Turn
from core.tally import REASKED

ROUNDS: Final = ("2", "1", "0", "3")
OPTIONS: Final = ("6", "5", "4", "3")


@dataclass(frozen=True, slots=True)
class Distract:
    """``options``: how many a step shall have, ``rounds``: reviews by different people, ``seed``: for letters and
    ties."""

    name: str
    steps: tuple[str, ...]
    options: Mapping[str, str]
    prompts: Mapping[str, str]
    draws: ClassVar[tuple[str, ...]] = ()

    @property
    def rounds(self) -> int:
        return int(self.options["rounds"])

    def next_turn(self, item: Item, steps: Sequence[Step]) -> Turn | None:
        view, made = question(item), self.made(item, steps)
        ask = Asker(self.prompts, view, item.id, int(self.options["seed"]), int(self.options["options"]))
        count = len(view.steps)
        last = steps[-1] if steps else None
        if last is not None and not last.turn.step.endswith(REASKED) and (why := self._unusable(view, made, last)):
            return ask.again(last.turn, why)
        if len(made.steps) < count:
            return ask.step(made)
        if made.chains is None:
            return ask.chains()
        if len(made.confused) < count and (turn := ask.confuse(made)) is not None:
            return turn
        if (turn := ask.select(made)) is not None:
            return turn
        for name in (HELPFUL, ORDERED):
            if name not in made.checks:
                return ask.check(name)
        done = len(reviews(steps))
        if done >= self.rounds or rejected(steps) is not None:
            return None
        return review_turn(f"{REVIEW}.{done + 1}", self.prompts["review"], self._shown(item, steps))

    def choice(self, item: Item, turn: Turn, score: Score | None) -> str | None:
        """The question that the strong respondent picked, by its letter."""
        if score is None or turn.step.partition(".")[0] != CONFUSE:
            return None
        return next(iter(score.parsed.values()), None)

    # -- what came of it

    def made(self, item: Item, steps: Sequence[Step]) -> Made:
        """What the steps so far hold."""
        return made_of(question(item), steps, item.id, int(self.options["seed"]))

    def merged(self, item: Item, steps: Sequence[Step]) -> Merged:
        """The item as it stands, reviewers' edits in it."""
        view, made = question(item), self.made(item, steps)
        ask = Asker(self.prompts, view, item.id, int(self.options["seed"]), int(self.options["options"]))
        out = ask.merged(made)
        for step in reviews(steps):
            verdict = verdict_of(step)
            if verdict is not None and verdict.verdict == "edit":
                out = applied(view, out, verdict.edit)
        return out

    def faults(self, item: Item, steps: Sequence[Step]) -> list[str]:
        """What keeps the item from being accepted."""
        return merging.faults(question(item), self.merged(item, steps), int(self.options["options"]))

    # -- reviews

    def draft(self, item: Item, steps: Sequence[Step]) -> Draft:
        view, made = question(item), self.made(item, steps)
        text = merging.as_text(view, self.merged(item, steps))
        return Draft(text, tuple(self.faults(item, steps)), tuple(made.doubts()))

    def edited(self, item: Item, steps: Sequence[Step], text: str) -> Json:
        view = question(item)
        edit = read_text(view, text)
        after = merging.faults(view, applied(view, self.merged(item, steps), edit), int(self.options["options"]))
        if after:
            raise UsageError(after[0])
        return edit

    def written(self, who: str, edit: Json, reason: str) -> str:
        return Verdict(who, "edit" if edit is not None else "reject", reason, edit).text()

    def forbidden(self, steps: Sequence[Step]) -> frozenset[str]:
        return frozenset(verdict.reviewer for step in reviews(steps) if (verdict := verdict_of(step)) is not None)

    # -- parts

    def _shown(self, item: Item, steps: Sequence[Step]) -> str:
        draft = self.draft(item, steps)
        lines = [f"Final question: {question(item).question}", "", draft.text]
        lines += ["", *(f"To be mended: {fault}" for fault in draft.faults)] if draft.faults else []
        lines += ["", *draft.notes] if draft.notes else []
        return "\n".join(lines)

    def _unusable(self, view: Question, made: Made, last: Step) -> str:
        """Why a generator's reply has to be asked for again, "" where it serves."""
        name = last.turn.step.partition(".")[0]
        if name == STEP:
            never = merging.barred(view, (made.steps[-1].paraphrase,))
            found = merging.usable(made.steps[-1].distractors, never)
            need = int(self.options["options"]) - 2
            return f"{len(found)} of its questions can be used, and {need} are needed" if len(found) < need else ""
        if name == CHAINS and made.chains is not None:
            missing = sum(asked is None for chain in made.chains.chains for asked in chain)
            return f"{missing} questions of the two chains cannot be read" if missing else ""
        return ""


def make_distract(subset: str, options: Mapping[str, str], prompts: Mapping[str, str]) -> Distract:
    """The protocol. Raises UsageError for an option or value that it does not know."""
    seed = options.get("seed", "0")
    if not (seed.isascii() and seed.removeprefix("-").isdecimal()):
        raise UsageError(f"seed cannot be {seed!r}", where=f"--set seed={seed}", remedy="Give a whole number")
    given = {key: value for key, value in options.items() if key != "seed"}
    chosen = settled("distract", {"options": OPTIONS, "rounds": ROUNDS}, given) | {"seed": str(int(seed))}
    numbers = range(1, LONGEST + 1)
    names = [f"{name}.{number}" for name in (STEP, CONFUSE, SELECT) for number in numbers]
    rounds = [f"{REVIEW}.{number}" for number in range(1, int(chosen["rounds"]) + 1)]
    names = [*names[:LONGEST], CHAINS, *names[LONGEST:], HELPFUL, ORDERED, *rounds]
    return Distract("distract", tuple(names), chosen, dict(prompts))


PROTOCOLS: Final[dict[str, ProtocolMaker]] = {"distract": make_distract}
