"""A judge: any respondent that is asked whether stored answers are right, property by property.

Its scores stand under its own name; their version is a hash of who it is, what it is asked and how its reply is read.
A call that fails, and a reply that cannot be read, is a ``judge_error``: there is no score then, never a guessed one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from core.benchmarks.base import Benchmark
from core.benchmarks.rubrics import Rubric
from core.config import Config
from core.errors import CallError, PictureError, UsageError
from core.judging.reading import VERSION, UnreadableError, read_verdicts
from core.pictures import Pictures
from core.prompts import filled, prompts_for
from core.records import JUDGING, Answer, Call, Field, Item, Parse, Picture, Score, Show, Status, Text, Turn, digest
from core.respondents import registry
from core.respondents.addresses import without_place
from core.respondents.base import OnLoading, OnWait, Request, Respondent
from core.respondents.people import PEOPLE
from core.scoring import RULE

JUDGE_ERROR: Final = "judge_error"
PROMPTS: Final = "judge"
"""Name of the judges' prompts among the assets, and of their table in a prompts file."""

OWN_CHANCES: Final = 1_000_003
"""Seed of baselines that judge: with the run's own their errors would be those of a baseline that answered."""

NO: Final = "0"
YES: Final = "1"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What came of looking at one answer: a score, or why there is none.

    ``call`` is the ledger's entry, ``asked`` tells whether the judge had to be asked.
    """

    score: Score | None
    call: Call | None = None
    error: str = ""
    asked: bool = True


class Judge:
    """Asks one respondent about the answers of one benchmark. Make one with ``make_judge``."""

    def __init__(self, respondent: Respondent, benchmark: Benchmark, prompts: Mapping[str, str]) -> None:
        self.respondent = respondent
        self.name = without_place(respondent.name)
        self._benchmark = benchmark
        self._prompts = prompts
        used = {rubric.prompt for rubric in benchmark.rubrics.values()} | {"form"}
        asked = {name: prompts[name] for name in sorted(used)}
        schemas = {step: dict(rubric.schema.schema) for step, rubric in benchmark.rubrics.items()}
        self.version = digest([dict(respondent.identity), asked, schemas, VERSION])[:16]

    def rubric(self, step: str) -> Rubric | None:
        """How that step is judged; a numbered one by its common name. None where it is not."""
        return self._benchmark.rubrics.get(step) or self._benchmark.rubrics.get(step.partition(".")[0])

    async def judge(
        self,
        item: Item,
        turn: Turn,
        answer: Answer,
        *,
        version: str = "",
        repeat: int = 0,
        on_wait: OnWait | None = None,
        on_loading: OnLoading | None = None,
    ) -> Judgement:
        """Ask about one answer to a step that has a rubric.

        A refusal, and an answer that says nothing, needs no judge: it is wrong in everything, as it is to the rule,
        and a judge could only invent what it says. ``version`` stands in the score instead of the judge's own.
        ``on_wait`` hears of every wait before it is asked again, ``on_loading`` of every stage of loading.
        Raises a fatal CallError.
        """
        rubric = self.rubric(turn.step)
        assert rubric is not None
        blank = Score(self.name, version or self.version, Parse.OK, 0, rubric.scored)
        if answer.status is Status.REFUSAL:
            return Judgement(replace(blank, status=Parse.REFUSAL), asked=False)
        said_nothing = answer.picture is None if rubric.looks else not answer.text.strip()
        if said_nothing:
            return Judgement(replace(blank, status=Parse.NO_ANSWER), asked=False)
        try:
            asked = replace(self._request(rubric, item, turn, answer, repeat), on_wait=on_wait, on_loading=on_loading)
            said = await self.respondent.answer(asked)
        except CallError as error:
            if error.fatal:
                raise
            return Judgement(None, error.call, str(error))
        except PictureError as error:
            return Judgement(None, None, str(error))
        try:
            if said.status is Status.REFUSAL:
                raise UnreadableError("the judge refused to judge")
            verdicts = read_verdicts(said.text, list(rubric.bits))
        except UnreadableError as error:
            call = said.call and replace(said.call, error=f"{JUDGE_ERROR}: {error}")  # no answer to be recalled
            return Judgement(None, call, str(error))
        right = sum(bit for key, bit in rubric.bits.items() if verdicts[key])
        return Judgement(replace(blank, right=right), said.call)

    async def close(self) -> None:
        """Give the respondent's connections and memory back."""
        await self.respondent.close()

    # -- parts

    def _request(self, rubric: Rubric, item: Item, turn: Turn, answer: Answer, repeat: int) -> Request:
        """The question as a turn. Its gold is the rule's verdict, where the rule has one: a baseline that judges errs
        from there. Nothing of it is sent to a model. It recalls nothing: each run's judgements are asked for, and
        paid, for themselves."""
        filling = {"answer": answer.text, **rubric.filling(item, turn)}
        words = Text(filled(self._prompts[rubric.prompt], **filling))
        by_rule = self._benchmark.score(item, turn, answer.text)
        gold = {key: YES if by_rule.right & bit else NO for key, bit in rubric.bits.items() if by_rule.scored & bit}
        asking = Turn(
            turn.step,
            (Show((0,)), words) if rubric.looks else (words,),
            form=tuple(Field(key, (NO, YES)) for key in rubric.bits),
            gold=gold,
            gold_text=json.dumps({key: int(verdict) for key, verdict in gold.items()}),
            answer_format=filled(self._prompts["form"], keys=", ".join(f'"{key}"' for key in rubric.bits)),
            afresh=True,
        )
        if rubric.looks:
            assert answer.picture is not None
            made = Picture(answer.picture.name or "the picture made", data=answer.picture.data)
            item = replace(item, pictures=(made,))
        return Request(item, asking, repeat=repeat, seed=OWN_CHANCES, schema=rubric.schema)


def make_judge(
    name: str, config: Config, benchmark: Benchmark, steps: Sequence[str], prompts: Path | None = None
) -> Judge:
    """The judge of that name for answers to these steps. Opens no connection yet.

    Raises UsageError for one that cannot judge them, and what making the respondent raises.
    """
    where = f"--judge {name[:200]}"
    respondent = registry.make(name, config, Pictures(), purpose=JUDGING)
    if respondent.identity.get("baseline") in ("oracle", "seeing"):
        raise UsageError(
            f"{respondent.name} cannot judge: it answers from the gold, and nobody holds the right judgement",
            where=where,
            remedy="Name a model; noisy:P and random can stand in as baselines, replay:FILE says recorded judgements",
        )
    judge = Judge(respondent, benchmark, prompts_for(PROMPTS, prompts, required=False))
    if judge.name in (RULE, *benchmark.scorers, "published", PEOPLE):
        raise UsageError(
            f"{judge.name} is the name of another scorer", where=where, remedy="Give the judge another name"
        )
    looked_at = [step for step in steps if (rubric := judge.rubric(step)) is not None and rubric.looks]
    if looked_at and not respondent.looks:
        raise UsageError(
            f"{respondent.name} sees no pictures, and judging {', '.join(looked_at)} is looking at one",
            where=where,
            remedy="Name a judge that looks at pictures",
        )
    return judge
