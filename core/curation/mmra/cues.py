"""Guessers that look at the words alone, each at one thing that gives answers away (paper section 2.4).

Annotators "often unconsciously label the correct answer with greater detail and specificity". A guesser knows no
answer: where letters are dealt by chance it is right as often as chance has it, so any exact test against chance
holds for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, TypeAlias

from core.benchmarks.mmra.question import CHOICE, NO, YES, Question
from core.curation.wording import normal
from core.records import digest

Measure: TypeAlias = Callable[[Question, str], float]
"""How much of the cue an option's text has."""


def _length(view: Question, option: str) -> float:
    return len(option)


def _shortness(view: Question, option: str) -> float:
    return -len(option)


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(normal(text).split())


def _detail(view: Question, option: str) -> float:
    return len(_words(option))


def _echo(view: Question, option: str) -> float:
    """Words that the question has too."""
    return len(_words(option) & _words(view.text))


def _common(view: Question, option: str) -> float:
    """Words that it shares with the other options: wrong ones are often made from the right one."""
    own = _words(option)
    return sum(len(own & _words(other)) for other in view.options.values()) - len(own)


def _odd(view: Question, option: str) -> float:
    return -_common(view, option)


_OF_CHOICES: Final[Mapping[str, Measure]] = {
    "the longest option": _length,
    "the shortest option": _shortness,
    "the option of most different words": _detail,
    "the option that echoes the question": _echo,
    "the option most like the others": _common,
    "the option least like the others": _odd,
}
_OF_LETTERS: Final = {f"always {letter}": letter for letter in "ABCD"}
_OF_YES_NO: Final = {"always Yes": YES, "always No": NO}

CUES: Final = (*_OF_CHOICES, *_OF_LETTERS, *_OF_YES_NO)


def guess(cue: str, view: Question, id_: str) -> str | None:
    """The answer that the cue picks, None where it has nothing to say: of such a question, or of options that all
    have as much of it. Where some have, the item's id draws one of them, never the answer.
    """
    if view.kind != CHOICE:
        return _OF_YES_NO.get(cue)
    if cue in _OF_LETTERS:
        return _OF_LETTERS[cue] if _OF_LETTERS[cue] in view.options else None
    measure = _OF_CHOICES.get(cue)
    if measure is None:
        return None
    amounts = {letter: measure(view, option) for letter, option in view.options.items()}
    most = max(amounts.values())
    best = [letter for letter, amount in amounts.items() if amount == most]
    if len(best) == len(amounts):
        return None
    return best[0] if len(best) == 1 else min(best, key=lambda letter: digest([cue, id_, view.options[letter]]))
