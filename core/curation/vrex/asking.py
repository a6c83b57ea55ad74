"""The turns of making a planning item: each in its own words, with all that it needs of what came before."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from core.benchmarks.vrex.question import ANSWER, Question
from core.curation.vrex import merging
from core.curation.vrex.merging import Merged
from core.curation.vrex.mixing import mixture
from core.curation.vrex.replies import Asked, ChainReply
from core.curation.vrex.steps import CHAINS, CONFUSE, SELECT, STEP, Made, check_keys
from core.prompts import filled
from core.records import Field, Part, Show, Text, Turn
from core.tally import REASKED

PICTURE: Final[Part] = Show((0,))
YES: Final = "1"
NO: Final = "0"


@dataclass(frozen=True, slots=True)
class Asker:
    """Makes the turns of one item. ``seed`` orders the options that the strong respondent sees."""

    prompts: Mapping[str, str]
    view: Question
    item_id: str
    seed: int
    options: int

    def step(self, made: Made) -> Turn:
        """Five distractors for the next step, with all gold questions and distractors of the steps before it."""
        at = len(made.steps)
        earlier = [
            filled(
                self.prompts["earlier"],
                number=str(number),
                gold=self.view.steps[number - 1].question,
                others=" ".join(asked.question for asked in reply.distractors) or "none",
            )
            for number, reply in enumerate(made.steps, 1)
        ]
        given = filled(
            self.prompts["step_given"],
            question=self.view.question,
            earlier="\n".join(earlier),
            number=str(at + 1),
            gold=self.view.steps[at].question,
        )
        return self._turn(f"{STEP}.{at + 1}", self.prompts["step_1"], self.prompts["step_2"], given)

    def chains(self) -> Turn:
        """Two misleading chains, and a paraphrase of each gold question."""
        golds = "\n".join(f"question_{number}: {step.question}" for number, step in enumerate(self.view.steps, 1))
        given = filled(self.prompts["chain_given"], question=self.view.question, golds=golds)
        return self._turn(CHAINS, self.prompts["chain_1"], self.prompts["chain_2"], given)

    def again(self, turn: Turn, why: str) -> Turn:
        """The same once more, because the reply could not be used."""
        said = Text(filled(self.prompts["again"], why=why))
        return replace(turn, step=turn.step + REASKED, content=(*turn.content, said))

    def confuse(self, made: Made) -> Turn | None:
        """The next pick over the mixture; None where the chains ask nothing at any step that is left."""
        for at in range(len(made.confused), len(self.view.steps)):
            shown = mixture(self.view, made.steps, made.chains, at, self.item_id, self.seed)
            if shown:
                break
        else:
            return None
        words = [filled(self.prompts["opening"], question=self.view.question)]
        words += [
            filled(self.prompts["told"], question=asked.question, answer=asked.answer) for asked in made.told if asked
        ]
        words += [self.prompts["plan"], *(f"({letter}) {asked.question}" for letter, (_, asked) in shown.items())]
        gold = next(letter for letter, (which, _) in shown.items() if which is None)
        return Turn(
            f"{CONFUSE}.{at + 1}",
            (PICTURE, Text("\n".join(words))),
            form=(Field(ANSWER, tuple(shown), "Most helpful question"),),
            gold={ANSWER: gold},
            gold_text=f"({gold})",
            afresh=True,
        )

    def select(self, made: Made) -> Turn | None:
        """Which step-level distractors stay, at the next step that has more than are needed; None where none has."""
        for at in range(len(self.view.steps)):
            if at in made.picked:
                continue
            chain, candidates, room = self._room(made, at)
            if len(candidates) > room:
                return self._selecting(at, chain, candidates, room)
        return None

    def check(self, name: str) -> Turn:
        """The judge's look at the gold chain: helpful, or correctly ordered (section 4.2.1)."""
        keys = check_keys(name, len(self.view.steps))
        chain = [f"{n}. {step.question} ({step.answer})" for n, step in enumerate(self.view.steps, 1)]
        chain.append(f"{len(chain) + 1}. {self.view.question}")
        asked = filled(self.prompts[name], chain="\n".join(chain), keys=", ".join(f'"{key}"' for key in keys))
        return Turn(
            name,
            (PICTURE, Text(asked)),
            form=tuple(Field(key, (NO, YES)) for key in keys),
            gold=dict.fromkeys(keys, YES),
            gold_text=json.dumps(dict.fromkeys(keys, 1)),
            afresh=True,
        )

    def merged(self, made: Made) -> Merged:
        """The item as the steps so far make it."""
        picked: list[tuple[Asked, ...]] = []
        for at in range(len(self.view.steps)):
            _, candidates, _ = self._room(made, at)
            numbers = made.picked.get(at, ())
            picked.append(tuple(candidates[n - 1] for n in numbers if 1 <= n <= len(candidates)))
        chains = made.chains or ChainReply()
        return merging.merge(self.view, made.steps, chains, made.retained, picked, self.options)

    # -- parts

    def _room(self, made: Made, at: int) -> tuple[Asked | None, tuple[Asked, ...], int]:
        """At a step: the retained chain's question, the step-level ones that can stand, and how many are needed."""
        chains = made.chains or ChainReply()
        never = merging.barred(self.view, merging.paraphrases_of(self.view, made.steps, chains))
        chain = merging.chain_question(chains, made.retained, at, never)
        candidates = merging.candidates_at(made.steps, at, never, chain)
        return chain, candidates, self.options - (1 if chain is None else 2)

    def _selecting(self, at: int, chain: Asked | None, candidates: tuple[Asked, ...], room: int) -> Turn:
        numbers = {asked: str(number) for number, asked in enumerate(candidates, 1)}
        asked = filled(
            self.prompts["select"],
            question=self.view.question,
            gold=self.view.steps[at].question,
            chain=chain.question if chain is not None else "none",
            candidates="\n".join(f"{number}. {one.question}" for one, number in numbers.items()),
            count=str(room),
        )
        standing = [numbers[one] for one in merging.hardest(candidates, room)]
        return Turn(
            f"{SELECT}.{at + 1}",
            (PICTURE, Text(asked)),
            form=tuple(Field(f"pick_{n}", tuple(numbers.values())) for n in range(1, room + 1)),
            gold={f"pick_{n}": number for n, number in enumerate(standing, 1)},
            gold_text=json.dumps({"selected": [int(number) for number in standing]}),
            afresh=True,
        )

    def _turn(self, step: str, *words: str) -> Turn:
        return Turn(step, (PICTURE, Text("\n".join(words))), afresh=True)
