"""What the steps of a trajectory hold, read back: replies, picks and checks, by step of the chain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from core.benchmarks.vrex.question import Question
from core.curation.replies import the_object, words
from core.curation.vrex.mixing import mixture
from core.curation.vrex.replies import Asked, ChainReply, StepReply, read_chains, read_step
from core.judging.reading import UnreadableError, read_verdicts
from core.records import Step, digest
from core.tally import REASKED

STEP: Final = "step"
CHAINS: Final = "chains"
CONFUSE: Final = "confuse"
SELECT: Final = "select"
HELPFUL: Final = "helpful"
ORDERED: Final = "ordered"

_SAID: Final = {HELPFUL: "help towards a later question", ORDERED: "come before what needs its answer"}


@dataclass(slots=True)
class Made:
    """``steps`` and ``confused`` stand in the chain's order; ``picked`` maps a step's index to the numbers that were
    selected there; ``checks`` what the judge said of each question ({}: it could not be read). ``confused`` is the
    chain whose question was picked: 0 or 1, None for the gold one and where nothing could be read."""

    steps: list[StepReply] = field(default_factory=list)
    chains: ChainReply | None = None
    confused: list[int | None] = field(default_factory=list)
    told: list[Asked | None] = field(default_factory=list)
    picked: dict[int, tuple[int, ...]] = field(default_factory=dict)
    checks: dict[str, Mapping[str, bool]] = field(default_factory=dict)
    retained: int | None = None

    def doubts(self) -> Iterator[str]:
        """What the judge doubts of the chain, or that it could not be asked, as lines for a reviewer."""
        for name, said in _SAID.items():
            verdicts = self.checks.get(name)
            if verdicts is None:
                continue
            if not verdicts:
                yield f"The judge's reply on whether each question may {said} could not be read."
            for key, fine in verdicts.items():
                if not fine:
                    yield f"The judge doubts that question {key.rpartition('_')[2]} would {said}."


def made_of(view: Question, steps: Sequence[Step], item_id: str, seed: int) -> Made:
    """The steps read back; a step that was asked again counts as the later answer."""
    made = Made()
    for step in steps:
        name, _, number = step.turn.step.removesuffix(REASKED).partition(".")
        text = step.answer.text
        if name == STEP:
            del made.steps[int(number) - 1 :]
            made.steps.append(read_step(text))
        elif name == CHAINS:
            made.chains = read_chains(text, len(view.steps))
        elif name == CONFUSE:
            shown = mixture(view, made.steps, made.chains, int(number) - 1, item_id, seed)
            which, asked = shown.get(step.choice or "", (None, None))
            made.confused += [None] * (int(number) - 1 - len(made.confused)) + [which]
            made.told += [None] * (int(number) - 1 - len(made.told)) + [asked]
        elif name == SELECT:
            made.picked[int(number) - 1] = _selected(text)
        elif name in (HELPFUL, ORDERED):
            made.checks[name] = _checked(name, text, len(view.steps))
    made.retained = _retained(made, item_id, seed)
    return made


def check_keys(name: str, count: int) -> list[str]:
    """The keys of a judge's reply on a chain of so many questions before the final one."""
    return [f"{name}_{number}" for number in range(1, count + 1)]


def _checked(name: str, text: str, count: int) -> Mapping[str, bool]:
    try:
        return read_verdicts(text, check_keys(name, count))
    except UnreadableError:
        return {}


def _selected(text: str) -> tuple[int, ...]:
    said = the_object(text).get("selected")
    found = [words(number) for number in said] if isinstance(said, list) else []
    return tuple(dict.fromkeys(int(number) for number in found if number.isascii() and number.isdecimal()))


def _retained(made: Made, item_id: str, seed: int) -> int | None:
    """The chain that was taken for the gold one most often; where both were as often, one that the seed draws. None
    where neither asks anything."""
    if made.chains is None:
        return None
    asks = [which for which in (0, 1) if any(asked is not None for asked in made.chains.chains[which])]
    if not asks:
        return None
    counts = Counter(which for which in made.confused if which is not None)
    most = max(counts[which] for which in asks)
    best = [which for which in asks if counts[which] == most]
    return best[int(digest([seed, item_id, "retained"])[:8], 16) % len(best)]
