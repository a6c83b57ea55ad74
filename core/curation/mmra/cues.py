"""Guessers that look at the words alone, each at one thing that gives answers away (paper section 2.4).

Annotators "often unconsciously label the correct answer with greater detail and specificity". A guesser knows no
answer: where letters are dealt by chance it is right as often as chance has it, so any exact test against chance
holds for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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


def _detail(view: Question, option: str) -> float:
    return len(normal(option).split())


def _echo(view: Question, option: str) -> float:
    """Words that the question has too."""
    return len(set(normal(option).split()) & set(normal(view.text).split()))


def _common(view: Question, option: str) -> float:
    """Words that it shares with the other options: wrong ones are often made from the right one."""
    own = set(normal(option).split())
    return sum(len(own & set(normal(other).split())) for other in view.options.values()) - len(own)


def _odd(view: Question, option: str) -> float:
    return -_common(view, option)


_OF_CHOICES: Final[Mapping[str, Measure]] = {
    "the longest option": _length,
    "the shortest option": _shortness,
    "the option of most words": _detail,
    "the option that echoes the question": _echo,
    "the option most like the others": _common,
    "the option least like the others": _odd,
}
_OF_LETTERS: Final = {f"always {letter}": letter for letter in "ABCD"}
_OF_YES_NO: Final = {"always Yes": YES, "always No": NO}

CUES: Final = (*_OF_CHOICES, *_OF_LETTERS, *_OF_YES_NO)


def guess(cue: str, view: Question) -> str | None:
    """The answer that the cue picks, None where it has nothing to say of such a question.

    Options that have as much of it as each other are drawn from by the words themselves, never by the answer.
    """
    if view.kind != CHOICE:
        return _OF_YES_NO.get(cue)
    if cue in _OF_LETTERS:
        return _OF_LETTERS[cue] if _OF_LETTERS[cue] in view.options else None
    measure = _OF_CHOICES.get(cue)
    if measure is None:
        return None
    most = max(measure(view, option) for option in view.options.values())
    best = [letter for letter, option in view.options.items() if measure(view, option) == most]
    by_words = sorted(best, key=lambda letter: digest([cue, view.text, view.options[letter]]))
    return by_words[0]
