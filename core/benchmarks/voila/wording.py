"""Values put into words: the canonical answer of each step, for gold answers, baselines, forms and edits."""

from __future__ import annotations

from collections.abc import Mapping

from core.benchmarks.voila.question import DESCRIBE, GENERATE, RELATE, SAME, question
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
    """Verdicts by property; a true verdict also names the values, a false one cannot."""
    view = question(item)
    first, second = view.contents[0], view.contents[1]
    lines = []
    for name in PROPERTIES:
        verdict = values.get(name)
        if verdict is None:
            continue
        head = name.capitalize()
        before, after = _shown(first, name), _shown(second, name)
        if verdict == SAME:
            detail = f" ({before})" if view.relation(name) == SAME and before == after else ""
            lines.append(f"{head}: stays the same{detail}.")
        elif view.relation(name) == verdict:
            lines.append(f"{head}: changed from {before} to {after}.")
        else:
            lines.append(f"{head}: changed.")
    return "\n".join(lines)


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
