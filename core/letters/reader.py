"""Reads which option a reply chooses, or why it cannot be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.letters import mentions, yesno
from core.letters.claims import claims
from core.letters.folding import Folded, fold
from core.letters.marks import plain, settled
from core.letters.pages import BOTH, NONE
from core.letters.refusing import machine_text, refuses
from core.letters.texts import OptionTexts, option_texts
from core.letters.verdict import verdict
from core.records import Parse


@dataclass(frozen=True, slots=True)
class Reading:
    """``answer`` and where it stands in the reply (start, end); both None unless ``status`` is OK."""

    answer: str | None
    status: Parse
    span: tuple[int, int] | None


def read_choice(text: str, options: Mapping[str, str]) -> Reading:
    """The letter of the one option that the reply gives as its answer.

    ``options`` maps letters to the options' texts ("" where unknown). Where the reply gives no option, more than
    one, or cannot be read without a guess, there is no answer.
    """
    texts = option_texts(options)
    folded = fold(text)
    reading = _read(text, folded, settled(mentions.marked(plain(folded), texts)), texts)
    if reading.answer is not None and reading.answer not in {letter.upper() for letter in options}:
        return Reading(None, Parse.NO_ANSWER, None)
    return reading


def read_yes_no(text: str) -> Reading:
    """``Yes`` or ``No``, as the reply answers a question of that kind."""
    folded = fold(text)
    reading = _read(text, folded, settled(yesno.marked(plain(folded))), option_texts(yesno.OPTIONS), words=True)
    if reading.answer is None or reading.span is None:
        return reading
    start = reading.span[0]
    return Reading({"Y": "Yes", "N": "No"}[reading.answer], Parse.OK, (start, start + yesno.word_length(text, start)))


def _read(text: str, folded: Folded, sketch: Folded, texts: OptionTexts, *, words: bool = False) -> Reading:
    if machine_text(folded.text):
        return Reading(None, Parse.NO_ANSWER, None)
    claim = verdict(claims(sketch, text, texts, words=words), sketch.text)
    if claim is None:
        return Reading(None, Parse.REFUSAL if refuses(folded.text) else Parse.NO_ANSWER, None)
    if claim.letter == NONE:
        return Reading(None, Parse.NO_ANSWER, None)
    if claim.letter == BOTH:
        return Reading(None, Parse.AMBIGUOUS, None)
    return Reading(claim.letter, Parse.OK, sketch.origin(claim.start, claim.end))
