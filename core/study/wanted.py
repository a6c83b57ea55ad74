"""What a study's file still lacks: blanks for its researchers to fill in, and words that a language has not yet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from core.benchmarks import registry
from core.study.definition import Question, Study, Texts
from core.study.texts import UI
from core.toml_places import Place

OPEN: Final = "<FILL IN: this"
BLANK: Final = re.compile(r"<FILL IN[^>]*>?")
SHOWN: Final = 70
PLAIN: Final = "en"
"""The language whose labels and words of the screen need no translation."""


def blanks_of(study: Study) -> list[tuple[Place, str]]:
    """Everything that is still open, by place: what was left to fill in, and what is empty and must not be."""
    found = [(place, mark) for place, mark in _marked(study.to_json(), ()) if place[:1] != ("text",)]
    texts = study.text.get(study.language)
    if not study.experimenter_key.strip():
        found.append((("experimenter_key",), "is empty: nobody could end a session but by the rules"))
    place = ("text", study.language)
    if texts is None:
        found.append((place, "is missing: a live session needs a consent text"))
        return found
    if not texts.consent.strip():
        found.append(((*place, "consent"), "is empty: a live session needs a consent text"))
    if not texts.instructions.strip():
        found.append(((*place, "instructions"), "is empty: nobody would know what to do"))
    own = study.to_json()["text"][study.language]
    return [*found, *_marked(own, place)]


def blocking(study: Study) -> list[tuple[Place, str]]:
    """Those of them that a live session cannot begin with: all but what only a report needs."""
    return [blank for blank in blanks_of(study) if blank[0][:1] != ("reporting",)]


def lacking(study: Study, language: str) -> list[tuple[Place, str]]:
    """The words that a language other than English has no translation of, by place."""
    texts = study.text.get(language, Texts())
    if language == PLAIN or language.startswith(f"{PLAIN}-"):
        return []
    place = ("text", language)
    out: list[tuple[Place, str]] = [
        ((*place, name), "is empty")
        for name in ("title", "consent", "instructions", "debrief")
        if not getattr(texts, name).strip()
    ]
    out += [
        ((*place, "labels", value), "is shown in English") for value in labels_of(study) if value not in texts.labels
    ]
    out += [
        ((*place, "ui", name), f"is shown in English: {words}") for name, words in UI.items() if name not in texts.ui
    ]
    for question in (*study.gate, *study.before, *study.after):
        out += [
            ((*place, "questions", key), "is shown as the question itself stands")
            for key in _keys(question, texts)
            if key not in texts.questions
        ]
    return out


def labels_of(study: Study) -> tuple[str, ...]:
    """The values and properties that people can be shown, each once."""
    return tuple(dict.fromkeys(values_of(study.benchmark)))


def values_of(benchmark: str) -> Iterator[str]:
    """The names of properties and the values that forms of that benchmark offer for any item."""
    for name, values in registry.parse_name(benchmark)[0].values.items():
        yield name
        yield from values


def _keys(question: Question, texts: Texts) -> Iterator[str]:
    yield question.id
    for option in question.options:
        if option not in texts.labels:
            yield f"{question.id}.{option}"


def _marked(value: Any, place: Place) -> Iterator[tuple[Place, str]]:
    """Texts that hold a blank still to be filled in."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _marked(inner, (*place, str(name)))
    elif isinstance(value, (list, tuple)):
        for number, inner in enumerate(value):
            yield from _marked(inner, (*place, str(number)))
    elif isinstance(value, str):
        for mark in BLANK.findall(value):
            words = " ".join(mark.split())
            yield place, words if len(words) <= SHOWN else words[: SHOWN - 1] + "…"
