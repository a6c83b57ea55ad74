"""What a study's file must keep to beyond names and types of fields, as far as that shows without its data."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final

from core.benchmarks import registry
from core.benchmarks.base import Benchmark
from core.errors import ConfigError, UsageError, joined
from core.prompts import built_in
from core.study.definition import Condition, Question, Study
from core.study.texts import UI, fold
from core.toml_places import Place, Problem
from core.toml_records import unknown

NAME: Final = re.compile(r"\w[\w.-]{0,59}")
LARGEST_SEED: Final = 2**63 - 1
MOST: Final = 1_000_000
_LEAST: Final[tuple[tuple[Place, float, float], ...]] = (
    (("seed",), 0, LARGEST_SEED),
    (("gate_attempts",), 1, 100),
    (("items", "sample"), 0, MOST),
    (("design", "raters"), 1, 10_000),
    (("design", "per_session"), 1, 100_000),
    (("design", "blocks"), 1, 1000),
    (("design", "lease_minutes"), 1, MOST),
    (("catch", "every"), 1, MOST),
    (("timing", "limit_s"), 0, MOST),
    (("timing", "break_every"), 0, MOST),
    (("timing", "break_s"), 0, MOST),
    (("timing", "resume_gap_s"), 0, MOST),
    (("answers", "confidence"), 0, 100),
    (("display", "smallest_px"), 0, 100_000),
    (("display", "distance_cm"), 0, 1000),
    (("exclude", "catch_right"), 0, 1),
    (("exclude", "fastest_s"), 0, MOST),
    (("exclude", "timed_out"), 0, 1),
    (("exclude", "missing"), 0, 1),
    (("exclude", "same_answer"), 0, 1),
)
"""The least and the greatest value of each number."""


def problems_of(study: Study, without: Collection[str] = ()) -> list[Problem]:
    """All of them, by place. ``without`` names tables and fields that could not be read: what hangs on them is not
    judged."""
    rules: tuple[tuple[Callable[[Study], Iterator[Problem]], tuple[str, ...]], ...] = (
        (_of_name, ("name",)),
        (_of_numbers, ()),
        (_of_items, ("items", "practice", "catch", "conditions")),
        (_of_design, ("design", "conditions")),
        (_of_questions, ("gate", "before", "after")),
        (_of_texts, ("text", "language", "gate", "before", "after")),
        (_of_groups, ("benchmark", "design", "items")),
        (_of_conditions, ("benchmark", "conditions")),
        (_of_labels, ("benchmark", "text")),
    )
    found = [problem for rule, needed in rules if not {*needed} & {*without} for problem in rule(study)]
    return [problem for problem in found if problem[0][0] not in without]


def _of_name(study: Study) -> Iterator[Problem]:
    if not NAME.fullmatch(study.name):
        yield (
            ("name",),
            "must be 1 to 60 letters, digits, dots, dashes or underscores: runs are called NAME/PARTICIPANT",
        )


def _of_numbers(study: Study) -> Iterator[Problem]:
    for place, least, greatest in _LEAST:
        value: Any = study
        for name in place:
            value = getattr(value, name)
        if not math.isfinite(value) or not least <= value <= greatest:
            yield place, f"must be from {least} to {greatest}, not {_number(value)}"
    for name, condition in study.conditions.items():
        if not 0 <= condition.picture_px <= 100_000:
            yield ("conditions", name, "picture_px"), f"must be from 0 to 100000, not {condition.picture_px}"
    if study.answers.confidence == 1:
        yield ("answers", "confidence"), "must be 0 (not asked) or a scale of at least 2 points"


def _number(value: float) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)[:30]


def _of_items(study: Study) -> Iterator[Problem]:
    if study.items.ids and (study.items.where or study.items.sample):
        yield ("items", "ids"), "name the items here, or filter and sample them (where, sample), not both"
    for place, ids in (
        (("items", "ids"), study.items.ids),
        (("practice", "ids"), study.practice.ids),
        (("catch", "ids"), study.catch.ids),
        *((("conditions", name, "examples"), way.examples) for name, way in study.conditions.items()),
    ):
        if twice := _twice(ids):
            yield place, f"{twice} stands here twice"
    asked = set(study.items.ids)
    apart: dict[Place, tuple[str, ...]] = {("practice", "ids"): study.practice.ids, ("catch", "ids"): study.catch.ids}
    apart |= {("conditions", name, "examples"): way.examples for name, way in study.conditions.items()}
    for place, ids in apart.items():
        for item in ids:
            if item in asked:
                yield place, f"{item} is asked about as well ([items] ids): take another one"
    for item in study.practice.ids:
        if item in study.catch.ids:
            yield ("catch", "ids"), f"{item} is a practice item as well: take another one"


def _of_design(study: Study) -> Iterator[Problem]:
    design, ways = study.design, len(study.ways)
    if design.blocks > design.per_session:
        yield ("design", "blocks"), f"more blocks than items in a session (per_session = {design.per_session})"
    if design.conditions == "within" and ways > 1 and design.blocks % ways:
        yield (
            ("design", "blocks"),
            f'must be a multiple of {ways}: each block is in one of the {ways} conditions (conditions = "within")',
        )
    for name in study.conditions:
        if not NAME.fullmatch(name):
            yield ("conditions", name), "a condition's name is 1 to 60 letters, digits, dots, dashes or underscores"


def _of_questions(study: Study) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for part, questions in (("gate", study.gate), ("before", study.before), ("after", study.after)):
        for number, question in enumerate(questions):
            place = (part, str(number))
            if question.id in seen:
                yield (*place, "id"), f"there is another question {question.id} in [[{seen[question.id]}]]"
            seen.setdefault(question.id, part)
            yield from (((*place, *inner), what) for inner, what in _of_question(question))
            if part == "gate":
                yield from (((*place, *inner), what) for inner, what in _of_gate(question))
            elif question.answer:
                yield (*place, "answer"), "a questionnaire has no right answers: only [[gate]] does"


def _of_question(question: Question) -> Iterator[Problem]:
    if not NAME.fullmatch(question.id):
        yield ("id",), "must be 1 to 60 letters, digits, dots, dashes or underscores"
    if not question.text.strip():
        yield ("text",), "is empty"
    if question.kind == "choice":
        if len(question.options) < 2:
            yield ("options",), "a choice needs at least two options"
        if any(not option.strip() for option in question.options):
            yield ("options",), "one of the options is empty"
        if twice := _twice(question.options):
            yield ("options",), f"{twice} stands here twice"
    elif question.options:
        yield ("options",), f"a question of kind {question.kind} has no options"
    if question.kind == "scale" and not 2 <= question.points <= 100:
        yield ("points",), f"must be from 2 to 100, not {str(question.points)[:30]}"


def _of_gate(question: Question) -> Iterator[Problem]:
    """A question of the gate has an answer that can be given."""
    if not question.answer:
        yield ("answer",), "is missing: which answer is the right one?"
    elif question.kind == "choice" and question.answer not in question.options:
        yield ("answer",), f"{question.answer!r} is none of its options: {', '.join(question.options)}"
    elif question.kind == "number" and not _is_number(question.answer):
        yield ("answer",), f"{question.answer!r} is no number"
    elif question.kind == "scale" and question.answer not in map(str, range(1, question.points + 1)):
        yield ("answer",), f"{question.answer!r} is no point of the scale from 1 to {question.points}"
    if not question.required:
        yield ("required",), "a question of the gate is always required"


def _of_texts(study: Study) -> Iterator[Problem]:
    if study.language not in study.text and (study.text or study.language != "en"):
        known = ", ".join(study.text) or "none"
        yield (
            ("language",),
            f"there are no texts in {study.language}: no table [text.{study.language}] (there: {known})",
        )
    questions = {question.id: question for question in (*study.gate, *study.before, *study.after)}
    keys = [*questions, *(f"{q.id}.{option}" for q in questions.values() for option in q.options)]
    for language, texts in study.text.items():
        place = ("text", language)
        for name in texts.ui:
            if name not in UI:
                yield (*place, "ui", name), unknown("word of the screen", name, UI)
        for name in texts.questions:
            if name not in keys:
                yield (*place, "questions", name), unknown("question, or QUESTION.OPTION,", name, keys)
        for kind, words in (("labels", texts.labels), ("ui", texts.ui), ("questions", texts.questions)):
            for name, shown in words.items():
                if not shown.strip():
                    yield (*place, kind, name), "is empty: leave the line out, or say what is shown"


def _of_groups(study: Study) -> Iterator[Problem]:
    try:
        groups = registry.parse_name(study.benchmark)[0].groups
    except UsageError as error:
        yield ("benchmark",), _said(error)
        return
    if study.design.stratify and study.design.stratify not in groups:
        yield (
            ("design", "stratify"),
            f"{unknown('group', study.design.stratify, groups)} (there: {', '.join(groups)})",
        )
    for key in study.items.where:
        if key not in (*groups, "id"):
            yield ("items", "where", key), unknown("group", key, (*groups, "id"))


def _of_conditions(study: Study) -> Iterator[Problem]:
    """What the benchmark knows of protocols and their options; nothing where there is no such benchmark."""
    with contextlib.suppress(UsageError):
        benchmark, subset = registry.parse_name(study.benchmark)
        for name, condition in study.ways.items():
            place = ("conditions", name) if name else ("conditions",)
            yield from (((*place, *inner), what) for inner, what in _of_condition(benchmark, subset, condition))


def _of_condition(benchmark: Benchmark, subset: str, condition: Condition) -> Iterator[Problem]:
    name = condition.protocol or next(iter(benchmark.protocols))
    maker = benchmark.protocols.get(name)
    if maker is None:
        yield (
            ("protocol",),
            f"{unknown('protocol', name, benchmark.protocols)} (there: {', '.join(benchmark.protocols)})",
        )
        return
    try:
        protocol = maker(subset, condition.options, built_in(benchmark.name))
    except (UsageError, ConfigError) as error:
        yield ("options",), _said(error)
        return
    if protocol.draws:
        yield ("options",), f"people draw no pictures ({', '.join(protocol.draws)}): leave that step out"


def _of_labels(study: Study) -> Iterator[Problem]:
    """Labels are of values that there are, and tell them apart."""
    try:
        known = registry.parse_name(study.benchmark)[0].values
    except UsageError:
        return
    among = {*known, *(value for values in known.values() for value in values)}
    for language, texts in study.text.items():
        place = ("text", language, "labels")
        for name in texts.labels:
            if name not in among:
                yield (*place, name), unknown("value or property", name, sorted(among))
        for values in known.values():
            by_label: dict[str, str] = {}
            for value in values:
                shown = fold(texts.labels.get(value, value))
                if shown in by_label:
                    yield (
                        (*place, value),
                        f"is shown as {shown!r}, as {by_label[shown]} is: nobody could tell the two apart",
                    )
                by_label.setdefault(shown, value)


def _said(error: ConfigError | UsageError) -> str:
    return joined(error.what, error.remedy)


def _twice(names: Sequence[str]) -> str:
    return next((name for at, name in enumerate(names) if name in names[:at]), "")


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
