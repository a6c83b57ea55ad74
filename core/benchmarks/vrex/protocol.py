"""What V-REX asks: the final question alone, or at the end of a chain that is planned or followed (section 3)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from core.benchmarks.base import ProtocolMaker
from core.benchmarks.options import settled
from core.benchmarks.vrex.lettering import place_of, shown, turned, turned_by, turned_letter
from core.benchmarks.vrex.question import (
    ANSWER,
    FINAL,
    FOLLOW,
    LONGEST,
    PLAN,
    ChainStep,
    Choice,
    Question,
    question,
)
from core.benchmarks.vrex.score import letter_text
from core.errors import UsageError
from core.prompts import filled
from core.records import Field, Item, Part, Score, Show, Step, Text, Turn
from core.tally import REASKED

PICTURE: Final[Part] = Show((0,))
KEPT, ROTATE = "kept", "rotate"
CONTINUE, REASK, STOP = "continue", "reask", "stop"


@dataclass(frozen=True, slots=True)
class _Asking:
    """What the protocols share: how a choice is put, and which letter shows which option.

    ``options=rotate`` turns the options of each step by as many places as a hash of ``seed``, item and step says (an
    option of its own, default 0: the protocol knows nothing else to draw from), so that the right letter is spread
    evenly over the items. The final question is turned alike under every protocol.
    """

    OPTIONS: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    NAMES: ClassVar[tuple[str, ...]] = ()
    draws: ClassVar[tuple[str, ...]] = ()

    name: str
    steps: tuple[str, ...]
    options: Mapping[str, str]
    prompts: Mapping[str, str]

    def _turn(self, item: Item, step: str, before: Sequence[Part], prompt: str, choice: Choice, label: str) -> Turn:
        """A turn that ends in lettered options, as this protocol turns them."""
        by = 0
        if self.options["options"] == ROTATE:
            by = turned_by(self.options["seed"], item.id, step.removesuffix(REASKED), len(choice.options))
        gold = turned_letter(choice.options, choice.answer, by)
        lines = [f"({letter}) {text}" for letter, text in turned(choice.options, by).items()]
        return Turn(
            step,
            (*before, Text("\n".join([self.prompts[prompt], *lines]))),
            form=(Field(ANSWER, tuple(choice.options), label),),
            gold={ANSWER: gold},
            gold_text=letter_text(gold),
        )

    def _words(self, prompt: str, view: Question, **values: str) -> Text:
        """A prompt with its placeholders filled; ``{options}`` are the final question's."""
        text = self.prompts[prompt]
        if "{options}" in text:
            text = text.replace("{options}", ", ".join(view.final.options.values()))
        return Text(filled(text, **values))


def _settled(
    name: str,
    known: Mapping[str, Sequence[str]],
    given: Mapping[str, str],
    prompts: Mapping[str, str],
    used: Sequence[str],
) -> tuple[dict[str, str], dict[str, str]]:
    """The options with their values, and the prompts that the protocol may use. ``seed`` goes with rotating alone."""
    seed = given.get("seed")
    chosen = settled(name, known, {key: value for key, value in given.items() if key != "seed"})
    if seed is not None and chosen["options"] != ROTATE:
        raise UsageError(
            "there is nothing to draw with a seed", where=f"--set seed={seed}", remedy="Add --set options=rotate"
        )
    if seed is not None and not (seed.isascii() and seed.isdecimal()):
        raise UsageError(f"seed cannot be {seed!r}", where=f"--set seed={seed}", remedy="Give a whole number from 0")
    if chosen["options"] == ROTATE:
        chosen["seed"] = str(int(seed or "0"))
    return chosen, {name: prompts[name] for name in used if name in prompts}


class Direct(_Asking):
    """The final question alone, without a chain ("w/o CoQ", section 11)."""

    OPTIONS: ClassVar = {"options": (KEPT, ROTATE)}
    NAMES: ClassVar = ("direct", "question")

    def __init__(self, subset: str, options: Mapping[str, str], prompts: Mapping[str, str]) -> None:
        super().__init__("direct", (FINAL,), *_settled("direct", self.OPTIONS, options, prompts, self.NAMES))

    def next_turn(self, item: Item, steps: Sequence[Step]) -> Turn | None:
        if steps:
            return None
        view = question(item)
        asked = self._words("question", view, question=view.question)
        return self._turn(item, FINAL, (PICTURE, asked), "direct", view.final, "Answer")

    def choice(self, item: Item, turn: Turn, score: Score | None) -> str | None:
        """Nothing comes after it."""
        return None


class _Chained(_Asking, ABC):
    """The steps of a chain one by one, then the final question; what ``on_unparsed`` does is the same for both.

    ``continue``: the chain goes on, and the step counts as wrong. ``reask``: the step is asked once more, under its
    name and ``.again``. ``stop``: the trajectory ends there.
    """

    OPTIONS: ClassVar = {"on_unparsed": (CONTINUE, REASK, STOP), "options": (KEPT, ROTATE)}
    KIND: ClassVar[str]

    def next_turn(self, item: Item, steps: Sequence[Step]) -> Turn | None:
        last = steps[-1] if steps else None
        if last is not None and last.turn.step == FINAL:
            return None
        view = question(item)
        asked = sum(not step.turn.step.endswith(REASKED) for step in steps)
        if last is not None and last.choice is None:
            if self.options["on_unparsed"] == STOP:
                return None
            if self.options["on_unparsed"] == REASK and not last.turn.step.endswith(REASKED):
                return self._step(item, view, asked - 1, (self._words("again", view),), last.turn.step + REASKED)
        before: list[Part] = [PICTURE] if last is None else []
        before += self._opening(view) if last is None else self._told(view, last)
        if asked < len(view.steps):
            return self._step(item, view, asked, before, f"{self.KIND}.{asked + 1}")
        return self._turn(item, FINAL, (*before, self._final(view)), "follow", view.final, "Answer")

    def choice(self, item: Item, turn: Turn, score: Score | None) -> str | None:
        """The letter that was read, as the turn showed it; None at the final question and where none was read."""
        if turn.step == FINAL or score is None:
            return None
        return score.parsed.get(ANSWER)

    @abstractmethod
    def _step(self, item: Item, view: Question, index: int, before: Sequence[Part], name: str) -> Turn: ...

    @abstractmethod
    def _opening(self, view: Question) -> Sequence[Part]: ...

    @abstractmethod
    def _told(self, view: Question, last: Step) -> Sequence[Part]: ...

    @abstractmethod
    def _final(self, view: Question) -> Part: ...

    def _lacking(self, item: Item, part: str, step: ChainStep) -> UsageError:
        return UsageError(f"the step {step.question!r} has no {part} to ask", where=f"item {item.id}")


class Planning(_Chained):
    """At each step the most helpful next question is picked, and its own answer is told, right or wrong (3.2)."""

    KIND: ClassVar = PLAN
    NAMES: ClassVar = ("plan", "follow", "opening", "told", "final", "again")

    def __init__(self, subset: str, options: Mapping[str, str], prompts: Mapping[str, str]) -> None:
        steps = (*(f"{PLAN}.{number}" for number in range(1, LONGEST + 1)), FINAL)
        super().__init__("planning", steps, *_settled("planning", self.OPTIONS, options, prompts, self.NAMES))

    def _step(self, item: Item, view: Question, index: int, before: Sequence[Part], name: str) -> Turn:
        planning = view.steps[index].planning
        if planning is None:
            raise self._lacking(item, "planning", view.steps[index])
        choice = Choice(planning.questions, planning.answer)
        return self._turn(item, name, before, "plan", choice, "Most helpful question")

    def _opening(self, view: Question) -> Sequence[Part]:
        return (self._words("opening", view, question=view.question),)

    def _told(self, view: Question, last: Step) -> Sequence[Part]:
        """The answer of the question that was picked; nothing where no letter could be read."""
        planning = view.steps[place_of(last.turn.step)[1]].planning
        if last.choice is None or planning is None:
            return ()
        picked = shown(planning.options, planning.answer, last.turn)[last.choice]
        return (self._words("told", view, question=picked.question, answer=picked.answer),)

    def _final(self, view: Question) -> Part:
        return self._words("final", view, question=view.question)


class Following(_Chained):
    """The gold questions are asked in their order; the respondent's own answers stay in history (3.3)."""

    KIND: ClassVar = FOLLOW
    NAMES: ClassVar = ("follow", "question", "again")

    def __init__(self, subset: str, options: Mapping[str, str], prompts: Mapping[str, str]) -> None:
        steps = (*(f"{FOLLOW}.{number}" for number in range(1, LONGEST + 1)), FINAL)
        super().__init__("following", steps, *_settled("following", self.OPTIONS, options, prompts, self.NAMES))

    def _step(self, item: Item, view: Question, index: int, before: Sequence[Part], name: str) -> Turn:
        step = view.steps[index]
        if step.following is None:
            raise self._lacking(item, "following", step)
        asked = self._words("question", view, question=step.question)
        parts = before if name.endswith(REASKED) else (*before, asked)
        return self._turn(item, name, parts, "follow", step.following, "Answer")

    def _opening(self, view: Question) -> Sequence[Part]:
        return ()

    def _told(self, view: Question, last: Step) -> Sequence[Part]:
        return ()

    def _final(self, view: Question) -> Part:
        return self._words("question", view, question=view.question)


PROTOCOLS: dict[str, ProtocolMaker] = {"planning": Planning, "following": Following, "direct": Direct}
