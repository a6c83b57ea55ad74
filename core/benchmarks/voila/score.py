"""VOILA's rule scorer: an answer's text judged property by property, without a model (paper section 4, "Evaluation").

The paper lets GPT-4o judge each step with a JSON schema of one 0/1 a property; this is the same judgement by rule. A
property is right only where the answer says it: what is not said, contradicts itself or stands outside the vocabulary
is wrong, never guessed. All properties of the step are scored.
"""

from __future__ import annotations

from typing import Final

from core.benchmarks.voila.question import CHANGED, DESCRIBE, GENERATE, RELATE, SAME, Question, layout, question
from core.benchmarks.voila.reading.reader import Reading, read
from core.benchmarks.voila.vocabulary import NUMBERS, PROPERTIES
from core.records import Item, Parse, Score, Turn

SCORER: Final = "rule"
VERSION: Final = "1"


def score(item: Item, turn: Turn, text: str) -> Score:
    """Judge an answer to a turn. A picture cannot be judged by rule: nothing of ``generate`` is scored."""
    step, _, only = turn.step.partition(".")
    if step == GENERATE:
        return Score(SCORER, VERSION, Parse.NO_ANSWER, 0, 0)
    reading = read(turn.step, text)
    bits = layout(step)
    view = question(item)
    values = reading.values
    right = 0
    scored = bits.bit(only) if only else bits.mask
    if step == DESCRIBE:
        for unit, content in enumerate(view.contents):
            for name in PROPERTIES:
                if values.get(f"{unit + 1}.{name}") == content.value(name):
                    right |= bits.bit(name, unit)
    elif step == RELATE:
        for name in PROPERTIES:
            if _relation_is_right(view, name, reading):
                right |= bits.bit(name)
    else:
        for name in PROPERTIES:
            if values.get(name) == view.answer.value(name):
                right |= bits.bit(name)
    return Score(SCORER, VERSION, _status(reading), right & scored, scored, values, reading.spans)


def _status(reading: Reading) -> Parse:
    if reading.values:
        return Parse.OK
    if reading.unclear:
        return Parse.AMBIGUOUS
    return Parse.REFUSAL if reading.declines else Parse.NO_ANSWER


def _relation_is_right(view: Question, name: str, reading: Reading) -> bool:
    """The verdict is right, and so is every value stated with it."""
    values = reading.values
    verdict = values.get(name)
    if verdict is None or verdict != view.relation(name):
        return False
    before, after = view.contents[0].value(name), view.contents[1].value(name)
    if values.get(f"{name}.from", before) != before or values.get(f"{name}.to", after) != after:
        return False
    stated = values.get(f"{name}.value")
    if stated is not None and stated not in ((before,) if verdict == SAME else (before, after)):
        return False
    by = values.get(f"{name}.by")
    return (
        by is None or verdict != CHANGED or _amount_is_right(by, NUMBERS.index(before) + 1, NUMBERS.index(after) + 1)
    )


def _amount_is_right(by: str, before: int, after: int) -> bool:
    """``up``, ``down``, ``+two``, ``-one``, ``x2``, ``/2``."""
    if by in ("up", "down"):
        return (after > before) == (by == "up")
    sign, amount = by[0], by[1:]
    if sign in "+-":
        return amount in NUMBERS and after - before == (NUMBERS.index(amount) + 1) * (1 if sign == "+" else -1)
    return after == before * int(amount) if sign == "x" else after * int(amount) == before
