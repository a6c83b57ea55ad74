"""V-REX's rule scorer: the option letter that an answer gives, right where it is the gold one (section 4.3).

What gives no letter, two different ones, or declines is wrong and told apart; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.benchmarks.vrex.lettering import options_of
from core.benchmarks.vrex.question import ANSWER, LAYOUT, question
from core.records import Item, Score, Turn

SCORER: Final = "rule"
VERSION: Final = "1"


def score(item: Item, turn: Turn, text: str) -> Score:
    """Judge an answer to a turn by the options as that turn showed them."""
    # Compiling the reader's patterns takes a quarter of a second: commands that score nothing are spared it.
    from core.letters import read_choice

    reading = read_choice(text, options_of(question(item), turn))
    right = LAYOUT.mask if reading.answer is not None and reading.answer == turn.gold[ANSWER] else 0
    parsed = {ANSWER: reading.answer} if reading.answer is not None else {}
    spans = {ANSWER: reading.span} if reading.answer is not None and reading.span is not None else {}
    return Score(SCORER, VERSION, reading.status, right, LAYOUT.mask, parsed, spans)


def write(item: Item, turn: Turn, values: Mapping[str, str]) -> str:
    """The letter in parentheses, as both printed prompts ask for it; nothing where no value is given."""
    return letter_text(values[ANSWER]) if ANSWER in values else ""


def letter_text(letter: str) -> str:
    return f"({letter})"
