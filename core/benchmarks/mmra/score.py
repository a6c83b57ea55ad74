"""Two scorers of the same answers: ``rule``, which gives no answer where none was given, and ``published``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.benchmarks.mmra.published import match_choice, match_yes_no
from core.benchmarks.mmra.question import ALL_WRONG, ANSWER, LAYOUT, YES_NO, question
from core.records import EMPTY, Item, Parse, Score, Turn

RULE: Final = "rule"
RULE_VERSION: Final = "1"
PUBLISHED: Final = "published"
PUBLISHED_VERSION: Final = "1"


def score(item: Item, turn: Turn, text: str) -> Score:
    """Ours: what the answer settles on. Descriptions are not scored."""
    if turn.step != ANSWER:
        return _unscored(RULE, RULE_VERSION, text)
    # Compiling the reader's patterns takes a quarter of a second: commands that score nothing are spared it.
    from core.letters import read_choice, read_yes_no

    options = _options(item, turn)
    reading = read_choice(text, options) if options else read_yes_no(text)
    return _score(RULE, RULE_VERSION, turn, reading.answer, reading.span, reading.status)


def score_published(item: Item, turn: Turn, text: str) -> Score:
    """The authors' rule under its own name (appendix A)."""
    if turn.step != ANSWER:
        return _unscored(PUBLISHED, PUBLISHED_VERSION, text)
    options = _options(item, turn)
    found = match_choice(text, options) if options else match_yes_no(text)
    if found is None:
        return _score(PUBLISHED, PUBLISHED_VERSION, turn, None, None, Parse.NO_ANSWER)
    return _score(PUBLISHED, PUBLISHED_VERSION, turn, found.answer, found.span, Parse.OK)


def _options(item: Item, turn: Turn) -> Mapping[str, str]:
    """Letters to texts as they were put, the added option among them; empty for yes or no."""
    (answers,) = (field.options for field in turn.form)
    if answers == YES_NO:
        return {}
    known = question(item).options
    return {letter: known.get(letter, ALL_WRONG) for letter in answers}


def _score(
    scorer: str, version: str, turn: Turn, answer: str | None, span: tuple[int, int] | None, status: Parse
) -> Score:
    right = LAYOUT.mask if answer is not None and answer == turn.gold[ANSWER] else 0
    parsed = {ANSWER: answer} if answer is not None else EMPTY
    spans = {ANSWER: span} if answer is not None and span is not None else EMPTY
    return Score(scorer, version, status, right, LAYOUT.mask, parsed, spans)


def _unscored(scorer: str, version: str, text: str) -> Score:
    return Score(scorer, version, Parse.OK if text.strip() else Parse.NO_ANSWER, 0, 0)
