"""Values put into words: the canonical answer of each step, for gold answers, baselines, forms and edits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.benchmarks.voila.question import DESCRIBE, GENERATE, RELATE, SAME, question
from core.benchmarks.voila.reading.reader import read
from core.benchmarks.voila.vocabulary import ANY, PLURALS, PROPERTIES, Content
from core.records import Item, Turn

NOUNS = {"number": "number", "subject": "subject", "action": "action"}


def subject_text(subject: str, number: str | None) -> str:
    """Plural unless there is exactly one; ``any`` and unknown words stay as they are."""
    return subject if number in (None, "one", ANY) else PLURALS.get(subject, subject)


def describe_text(values: Mapping[str, str]) -> str:
    """``Image 1: two dogs walking.`` a line; values left out stay unsaid."""
    lines = []
    for unit in (1, 2, 3):
        number, subject, action = (values.get(f"{unit}.{name}") for name in PROPERTIES)
        if subject is not None:
            subject = subject_text(subject, number)
        words = [word for word in (number, subject, action) if word is not None]
        if words:
            lines.append(f"Image {unit}: {' '.join(words)}.")
    return "\n".join(lines)


def relate_text(item: Item, values: Mapping[str, str]) -> str:
    """Verdicts by property, each with the values that ``values`` states with it (``number.from``). Where it
    states none, a true verdict names the right ones, a false one cannot."""
    view = question(item)
    first, second = view.contents[0], view.contents[1]
    lines = []
    for name in PROPERTIES:
        verdict = values.get(name)
        if verdict is None:
            continue
        head = name.capitalize()
        before, after = _shown(first, name), _shown(second, name)
        if stated := _stated(name, values):
            lines.append(f"{head}: {stated}.")
            continue
        if verdict == SAME:
            detail = f" ({before})" if view.relation(name) == SAME and before == after else ""
            lines.append(f"{head}: stays the same{detail}.")
        elif view.relation(name) == verdict:
            lines.append(f"{head}: changed from {before} to {after}.")
        else:
            lines.append(f"{head}: changed.")
    return "\n".join(lines)


_FACTORS: Final = {"x2": "doubled", "x3": "tripled", "x4": "quadrupled", "/2": "halved"}


def _stated(name: str, values: Mapping[str, str]) -> str:
    """A relation as it was said, where values were said with it; ``""`` where none were."""
    before, after, value, by = (values.get(f"{name}.{key}") for key in ("from", "to", "value", "by"))
    said = [f"({value})"] if value is not None else []
    said += [f"from {before}"] if before is not None else []
    said += [f"to {after}"] if after is not None else []
    if by is None:
        verdict = "stays the same" if values[name] == SAME else "changed"
        return " ".join([verdict, *said]) if said else ""
    if by in _FACTORS:
        return " ".join([_FACTORS[by], *said])
    amount = f"by {by[1:]}" if by[0] in "+-" else ""
    return " ".join(filter(None, ["increased" if by[0] in "+u" else "decreased", amount, *said]))


def golden(turn: Turn) -> Mapping[str, str]:
    """A turn's gold values; of a relation also the values that it holds between (``number.from``, ``number.to``,
    ``number.value``), which an answer may state and is then judged by."""
    if turn.step.partition(".")[0] != RELATE:
        return turn.gold
    return {**read(turn.step, turn.gold_text).values, **turn.gold}


def in_words(name: str, values: Mapping[str, str]) -> str:
    """``changed from one to three``: a value, and what is stated of a relation beside it."""
    before, after, value, by = (values.get(f"{name}.{key}") for key in ("from", "to", "value", "by"))
    verdict = values[name]
    if verdict == SAME and before is not None and before == after:
        before, after, value = None, None, before
    said = [verdict]
    said += [f"({value})"] if value is not None else []
    said += [f"from {before}"] if before is not None else []
    said += [f"to {after}"] if after is not None else []
    said += [_amount(by)] if by is not None else []
    return " ".join(said)


def _amount(by: str) -> str:
    """A stated change of a number: ``up``, ``-one`` or ``x2`` in words."""
    if by in ("up", "down"):
        return "to more" if by == "up" else "to fewer"
    sign, amount = by[0], by[1:]
    if sign in "+-":
        return f"by {amount} {'more' if sign == '+' else 'fewer'}"
    return f"times {amount}" if sign == "x" else f"divided by {amount}"


def _shown(content: Content, name: str) -> str:
    return subject_text(content.subject, content.number) if name == "subject" else content.value(name)


def apply_text(values: Mapping[str, str]) -> str:
    """The published answer form: ``The answer is number = two, subject = dogs, action = walking``."""
    shown = dict(values)
    if "subject" in shown:
        shown["subject"] = subject_text(shown["subject"], shown.get("number"))
    said = ", ".join(f"{name} = {shown[name]}" for name in PROPERTIES if name in shown)
    return f"The answer is {said}" if said else ""


def content_text(values: Mapping[str, str]) -> str:
    """``two dogs walking``: what a picture shows, or is to show. A value left out stays unsaid."""
    shown = dict(values)
    if "subject" in shown:
        shown["subject"] = subject_text(shown["subject"], shown.get("number"))
    return " ".join(shown[name] for name in PROPERTIES if name in shown)


def to_draw(content: Content) -> str:
    """What a maker of pictures is told, as briefly as the paper told its own ("Two dogs walking", section 3.2).

    ``any`` is told in words that leave the value open.
    """
    number, subject, action = content.number, content.subject, content.action
    if number == ANY:
        who = f"any number of {'animals or people of one kind' if subject == ANY else PLURALS[subject]}"
    elif subject == ANY:
        who = f"{number} {'animal or person' if number == 'one' else 'animals or people of one kind'}"
    else:
        who = f"{number} {subject_text(subject, number)}"
    return f"{who} {'doing anything' if action == ANY else action}"


def write(item: Item, turn: Turn, values: Mapping[str, str]) -> str:
    """Form values of a turn as an answer in words. A value left out stays unsaid."""
    step = turn.step.partition(".")[0]
    if step == DESCRIBE:
        return describe_text(values)
    if step == RELATE:
        return relate_text(item, values)
    return content_text(values) if step == GENERATE else apply_text(values)
