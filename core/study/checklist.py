"""What a report on people as a baseline must say: the items of a reporting checklist, and who knows each.

After the five stages of "Recommendations and Reporting Checklist for Rigorous & Transparent Human Baselines in Model
Evaluations" (arXiv 2506.13776); the wordings are ours. The study's file answers some, ``[reporting]`` others, and
what was collected the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from core.study.definition import Study
from core.study.wanted import BLANK

Stage: TypeAlias = Literal["design", "recruitment", "execution", "analysis", "documentation"]
Source: TypeAlias = Literal["file", "reporting", "collected"]

OPEN: Final = "not said"
"""What stands where nobody has filled an item in."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One item: ``key`` names it for what was collected (see ``filled``) and for exports."""

    stage: Stage
    key: str
    asks: str
    source: Source


@dataclass(frozen=True, slots=True)
class Filled:
    """An item with its answer; ``said`` is false where that is still open."""

    entry: Entry
    answer: str
    said: bool


ENTRIES: Final[tuple[Entry, ...]] = (
    Entry("design", "items", "Which items were asked, and how were they chosen?", "file"),
    Entry("design", "same_items", "Were people and models asked the same items?", "file"),
    Entry("design", "raters", "How many people answered each item, and who saw what in which order?", "file"),
    Entry("design", "size", "How many people, sessions and answers are there?", "collected"),
    Entry("design", "population", "Whom do the people stand for, who was left out, and why so many?", "reporting"),
    Entry("design", "preregistration", "Was the study registered beforehand?", "reporting"),
    Entry("design", "ethics", "Was it reviewed by an ethics board?", "reporting"),
    Entry("recruitment", "recruitment", "How, where and when were people found?", "reporting"),
    Entry("recruitment", "compensation", "What were they paid?", "reporting"),
    Entry("recruitment", "training", "What did they know of the task; are they experts?", "reporting"),
    Entry("recruitment", "practice", "What were they shown beforehand (instructions, practice, gate)?", "file"),
    Entry("recruitment", "quality", "How was care checked, and by which rules were sessions excluded?", "file"),
    Entry("recruitment", "excluded", "How many were excluded, withdrew or stopped early, and why?", "collected"),
    Entry("execution", "protocol", "How was asked: protocol, steps, examples, lists, prompts?", "file"),
    Entry("execution", "interface", "What did people see and use, and what did models get?", "file"),
    Entry("execution", "effort", "Which limits of time, breaks and help were there; how long did it take?", "file"),
    Entry("execution", "durations", "How long did items and sessions take?", "collected"),
    Entry("execution", "explanations", "Were reasons and confidence asked?", "file"),
    Entry("execution", "pilot", "Was there a pilot, and are its answers left out?", "collected"),
    Entry("execution", "dates", "When, by whom and on which stations was it held?", "collected"),
    Entry("analysis", "scoring", "Were people and models scored in the same way?", "file"),
    Entry("analysis", "uncertainty", "Which intervals, over people and over items?", "collected"),
    Entry("analysis", "aggregation", "Are single people, the majority and the best of k told apart?", "collected"),
    Entry("analysis", "agreement", "How far do people agree?", "collected"),
    Entry("analysis", "missing", "What became of missing, timed-out and unreadable answers?", "collected"),
    Entry("documentation", "versions", "Which versions: digests, amendments and reasons?", "collected"),
    Entry("documentation", "texts", "Are consent, instructions and debriefing on record?", "file"),
    Entry("documentation", "data_sharing", "What of the data is published, where, under which licence?", "reporting"),
    Entry("documentation", "conflicts", "Which ties are there between people and authors?", "reporting"),
)  # fmt: skip


def filled(study: Study, collected: Mapping[str, str]) -> tuple[Filled, ...]:
    """Every item with what is known of it. ``collected`` answers, by key, those that only the store knows."""
    return tuple(_filled(entry, _answer(entry, study, collected)) for entry in ENTRIES)


def _answer(entry: Entry, study: Study, collected: Mapping[str, str]) -> str:
    if entry.source == "reporting":
        return str(getattr(study.reporting, entry.key))
    return _FROM_FILE[entry.key](study) if entry.source == "file" else collected.get(entry.key, "")


def _filled(entry: Entry, answer: str) -> Filled:
    said = bool(answer.strip()) and BLANK.search(answer) is None
    return Filled(entry, " ".join(answer.split()) if said else OPEN, said)


# -- what the study's file says


def _items(study: Study) -> str:
    items = study.items
    if items.ids:
        return f"{len(items.ids)} items of {study.benchmark}, named one by one"
    where = "; ".join(f"{key} {', '.join(values)}" for key, values in items.where.items())
    chosen = f"{items.sample} items drawn with seed {study.seed}" if items.sample else "all items not set apart"
    return f"{chosen} of {study.benchmark}{f' with {where}' if where else ''}"


def _raters(study: Study) -> str:
    design = study.design
    said = [f"{design.raters} people an item", f"{design.per_session} items a session", "orders drawn with the seed"]
    if design.blocks > 1:
        said.append(f"{design.blocks} blocks ({'Latin square' if design.order == 'latin' else 'seeded order'})")
    if len(study.ways) > 1:
        said.append(f"{len(study.ways)} conditions, {design.conditions} people")
    if design.stratify:
        said.append(f"{design.stratify} spread evenly over sessions")
    if design.no_picture_twice != "off":
        whom = "within a session" if design.no_picture_twice == "session" else "for one person"
        said.append(f"no picture twice {whom}")
    return "; ".join(said)


def _practice(study: Study) -> str:
    said = ["instructions"] if study.texts.instructions.strip() else []
    if study.practice.ids:
        feedback = "with" if study.practice.feedback else "without"
        said.append(f"{len(study.practice.ids)} practice items {feedback} feedback")
    if study.gate:
        said.append(f"{len(study.gate)} questions on the instructions, at most {study.gate_attempts} attempts")
    return "; ".join(said) or "nothing"


def _quality(study: Study) -> str:
    rules = study.exclude
    said = [f"{len(study.catch.ids)} catch items, one every {study.catch.every}"] if study.catch.ids else []
    said += [
        f"excluded: {words.format(value)}"
        for value, words in (
            (rules.catch_right, "fewer than {:.0%} of catch trials right"),
            (rules.fastest_s, "a median item under {:g} s"),
            (rules.timed_out, "more than {:.0%} of items timed out"),
            (rules.missing, "more than {:.0%} of items without an answer"),
            (rules.same_answer, "one and the same answer in more than {:.0%}"),
        )
        if value
    ]
    return "; ".join(said) or "no catch items and no rules of exclusion"


def _protocol(study: Study) -> str:
    said = []
    for name, way in study.ways.items():
        options = ", ".join(f"{key}={value}" for key, value in way.options.items())
        parts = [way.protocol or "the benchmark's usual protocol", *([options] if options else [])]
        parts.append(f"{len(way.examples)} worked examples" if way.examples else "no examples of items")
        parts.append("lists of values shown" if way.lists else "no lists of values")
        said.append((f"{name}: " if name else "") + ", ".join(parts))
    prompts = "prompts of its own" if study.prompts else "built-in prompts"
    return f"{'; '.join(said)}; {prompts}; language {study.language}"


def _interface(study: Study) -> str:
    demands = study.display
    said = ["Phoropter's terminal screen, full keyboard use", "models: the same turns with `run --study`"]
    if demands.pictures:
        said.append(f"pictures as {' or '.join(demands.pictures)}")
    if demands.smallest_px:
        said.append(f"no picture smaller than {demands.smallest_px} px")
    if demands.distance_cm:
        said.append(f"viewing distance {demands.distance_cm:g} cm")
    if demands.card:
        said.append("screen measured with a bank card")
    return "; ".join(said)


def _effort(study: Study) -> str:
    timing = study.timing
    said = [f"{timing.limit_s:g} s a turn" if timing.limit_s else "no limit of time"]
    said.append(f"a break every {timing.break_every} items" if timing.break_every else "no planned breaks")
    said.append("steps may be changed" if study.answers.back else "no going back")
    said.append("feedback after each item" if study.answers.feedback else "no feedback")
    return "; ".join(said)


def _explanations(study: Study) -> str:
    answers = study.answers
    why = {"no": "no reasons", "optional": "reasons, if people liked", "required": "a reason for each item"}[
        answers.why
    ]
    confidence = f"confidence on {answers.confidence} points" if answers.confidence else "no confidence"
    return f"{why}; {confidence}"


def _texts(study: Study) -> str:
    texts = study.texts
    kept = [name for name in ("consent", "instructions", "debrief") if getattr(texts, name).strip()]
    return f"in the study's file: {', '.join(kept)}" if kept else ""


_FROM_FILE: Final[Mapping[str, Callable[[Study], str]]] = {
    "items": _items,
    "same_items": lambda study: "people: as this file says; models: the same with `run --study` of this file",
    "raters": _raters,
    "practice": _practice,
    "quality": _quality,
    "protocol": _protocol,
    "interface": _interface,
    "effort": _effort,
    "explanations": _explanations,
    "scoring": lambda study: "by the same rule scorer, on answers in the same form",
    "texts": _texts,
}
