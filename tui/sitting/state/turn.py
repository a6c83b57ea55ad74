"""What a person reads of a turn: its words without what is meant for a model, captions, options, earlier answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from core.benchmarks.base import Benchmark
from core.benchmarks.offers import Offer
from core.records import EMPTY, Item, Show, Step, Text, Turn
from core.study.texts import Wording

LONGEST_CAPTION: Final = 40


@dataclass(frozen=True, slots=True)
class Put:
    """``captions`` go with the pictures, ``texts`` with letters that are chosen from; ``before`` are the item's
    earlier steps, each with what was answered; ``later``: there are some, and the question comes last."""

    words: str
    captions: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    before: tuple[tuple[str, str], ...] = ()
    later: bool = False


def put(benchmark: Benchmark, item: Item, turn: Turn, steps: Sequence[Step], wording: Wording) -> Put:
    """The turn as it is shown. The form that a model's answer must have is left out: a person has a form."""
    offer = benchmark.offer(item, turn)
    words, captions = _parts(turn, wording)
    if offer is not None and words:
        words = [*words[:-1], _question(words[:-1], offer)]
    texts = {letter: option.text for letter, option in offer.options.items() if option.text} if offer else {}
    said = () if turn.afresh else tuple(_said(benchmark, item, step, wording) for step in steps)
    if steps and (last := benchmark.offer(item, steps[-1].turn)) is not None and last.told:
        said = said[:-1]  # this turn tells of it itself
    return Put("\n".join(part for part in words if part), captions, texts, said, bool(steps) and not turn.afresh)


def _parts(turn: Turn, wording: Wording) -> tuple[list[str], tuple[str, ...]]:
    """The texts, and a caption for each picture: the few words that stand right before it, else its number."""
    words: list[str] = []
    captions: list[str] = []
    for place, part in enumerate(turn.content):
        following = turn.content[place + 1] if place + 1 < len(turn.content) else None
        if isinstance(part, Show):
            before = turn.content[place - 1] if place else None
            if isinstance(before, Text) and _is_caption(before):
                captions.append(before.text.strip().rstrip(":"))
            else:
                number = "+".join(str(at + 1) for at in part.of)
                captions.append(f"{wording.ui('picture')} {number}" if len(turn.shows) > 1 else "")
        elif not (isinstance(following, Show) and _is_caption(part)):
            words.append(part.text.strip())
    return words, tuple(captions)


def _is_caption(part: Text) -> bool:
    return len(part.text) <= LONGEST_CAPTION and part.text.strip().endswith(":")


def _question(before: Sequence[str], offer: Offer) -> str:
    """The question where it was not put already. The last words of a turn list the options, which the form shows, and
    tell a model how to answer: they are left out."""
    if any(offer.question in words for words in before):
        return ""
    return f"{offer.task}: {offer.question}" if offer.task else offer.question


def _said(benchmark: Benchmark, item: Item, step: Step, wording: Wording) -> tuple[str, str]:
    offer = benchmark.offer(item, step.turn)
    score = step.score()
    letter = score.parsed.get(step.turn.form[0].name, "") if score is not None and step.turn.form else ""
    if offer is not None and letter in offer.options:
        if offer.told:  # a question was chosen, and its answer told
            return offer.options[letter].text, offer.options[letter].told
        return offer.question, offer.options[letter].text or wording.label(letter)
    return wording.label(step.turn.step), " ".join(step.answer.text.split())
