"""What follows without fault from what was said before: a respondent that only its eyes can mislead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.benchmarks.voila.question import APPLY, DESCRIBE, GENERATE, RELATE, Question, question, solve
from core.benchmarks.voila.score import score
from core.benchmarks.voila.vocabulary import ACTIONS, NUMBERS, PROPERTIES, SUBJECTS, Content
from core.benchmarks.voila.wording import content_text, write
from core.records import Item, Turn

KNOWN = {"number": NUMBERS, "subject": SUBJECTS, "action": ACTIONS}


def reasoned(item: Item, turn: Turn, said: Sequence[tuple[Turn, str]]) -> str | None:
    """The answer to a relate or apply turn that the last description said leads to, whether it was right or wrong;
    for the fourth picture, what the last answer said it shows.

    None where nothing was described or answered, or not all of it in VOILA's own values.
    """
    step = turn.step.partition(".")[0]
    if step == GENERATE:
        return _answered(item, said)
    described = next(((asked, text) for asked, text in reversed(said) if asked.step == DESCRIBE), None)
    if step not in (RELATE, APPLY) or described is None:
        return None
    read = score(item, *described).parsed
    values = [[read.get(f"{unit}.{name}", "") for name in PROPERTIES] for unit in (1, 2, 3)]
    if any(value not in KNOWN[name] for shown in values for name, value in zip(PROPERTIES, shown, strict=True)):
        return None
    first, second, third = (Content(*shown) for shown in values)
    contents = (first, second, third)
    seen = Question(contents, solve(contents), question(item).rule)
    if step == RELATE:
        told = {field.name: seen.relation(field.name) for field in turn.form}
    else:
        told = {name: seen.answer.value(name) for name in PROPERTIES}
    return write(replace(item, facts=seen.to_facts()), turn, told)


def _answered(item: Item, said: Sequence[tuple[Turn, str]]) -> str | None:
    last = next(((asked, text) for asked, text in reversed(said) if asked.step == APPLY), None)
    read = score(item, *last).parsed if last is not None else {}
    return content_text(read) if set(read) >= set(PROPERTIES) else None
