"""What a generator wrote for a step or for whole chains (the forms of the printed prompts, paper section 9.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from core.curation.replies import keyed, the_object, words
from core.records import Json

LEVELS: Final = (1, 2, 3)
"""Unhelpfulness scores."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its short answer. ``unhelpfulness`` is 1 to 3, 0 where none was asked for."""

    question: str
    answer: str
    unhelpfulness: int = 0


@dataclass(frozen=True, slots=True)
class StepReply:
    """A paraphrase of the gold question ("" where none was given) and the distractors, in the reply's order."""

    paraphrase: str = ""
    distractors: tuple[Asked, ...] = ()


@dataclass(frozen=True, slots=True)
class ChainReply:
    """Paraphrases of the gold questions, and two misleading chains; "" and None where one of a step is missing."""

    paraphrases: tuple[str, ...] = ()
    chains: tuple[tuple[Asked | None, ...], tuple[Asked | None, ...]] = ((), ())


def read_step(text: str) -> StepReply:
    """The distractors that can be read: those with question, short answer and an unhelpfulness from 1 to 3."""
    entries = next((value for value in the_object(text).values() if isinstance(value, list)), [])
    paraphrase, found = "", list[Asked]()
    for entry in entries:
        held = keyed(entry) if isinstance(entry, Mapping) else {}
        paraphrase = paraphrase or words(held.get("paraphrased_intermediate_question"))
        level = _level(held.get("unhelpfulness_score"))
        asked = _asked(held.get("unhelpful_question"), held.get("answer"), level)
        if asked is not None and level:
            found.append(asked)
    return StepReply(paraphrase, tuple(found))


def read_chains(text: str, steps: int) -> ChainReply:
    """Paraphrases and two chains of so many steps."""
    held = the_object(text)
    paraphrases = dict(_numbered(held.get("paraphrased_gt_questions")))
    first, second = (dict(_numbered(held.get(f"consistent_confusing_questions{number}"))) for number in (1, 2))
    answers = [_numbered_answers(held.get(f"consistent_confusing_questions{number}")) for number in (1, 2)]
    numbers = range(1, steps + 1)
    return ChainReply(
        tuple(paraphrases.get(number, "") for number in numbers),
        (
            tuple(_asked(first.get(number), answers[0].get(number)) for number in numbers),
            tuple(_asked(second.get(number), answers[1].get(number)) for number in numbers),
        ),
    )


_QUESTION: Final = re.compile(r"question_(\d{1,2})")
_ANSWER: Final = re.compile(r"answer_(\d{1,2})")


def _numbered(held: Json, pattern: re.Pattern[str] = _QUESTION) -> Iterator[tuple[int, str]]:
    for key, value in keyed(held).items() if isinstance(held, Mapping) else ():
        if found := pattern.fullmatch(key):
            yield int(found[1]), words(value)


def _numbered_answers(held: Json) -> dict[int, str]:
    return dict(_numbered(held, _ANSWER))


def _asked(question: Json, answer: Json, level: int = 0) -> Asked | None:
    asked, told = words(question), words(answer)
    return Asked(asked, told, level) if asked and told else None


def _level(value: Json) -> int:
    said = words(value)
    return int(said) if said.isascii() and said.isdecimal() and int(said) in LEVELS else 0
