"""A made MMRA set on disk: metadata.json with the hub's field names, the pictures, and the card."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import Final

from core.benchmarks.base import LoadOptions
from core.benchmarks.mmra.load import load
from core.benchmarks.mmra.question import CHOICE, SUBTASKS, Question
from core.curation import cards
from core.curation.cards import Making
from core.curation.mmra.annotation import Annotation
from core.curation.pictures import copied
from core.drawing.palette import Dice
from core.errors import DataError
from core.making.dealing import shuffled
from core.new_folder import new_folder
from core.records import Item, Json

FILE: Final = "metadata.json"


def question_of(item: Item, found: Annotation, seed: int) -> Question:
    """The item with its letters dealt by seed and id: they stay the same whatever other items there are, so that
    what was checked for leakage is what is written."""
    first, second = item.facts["captions"]
    dealt: dict[str, str] = {}
    answer = found.right
    if found.kind == CHOICE:
        order = shuffled(Dice("make-mmra", seed, item.id), [found.right, *found.wrong])
        dealt = dict(zip(ascii_uppercase, order, strict=False))
        answer = next(letter for letter, option in dealt.items() if option == found.right)
    return Question(item.facts["subtask"], found.kind, found.question, answer, dealt, (first, second))


def row(item: Item, view: Question, pictures: tuple[str, str]) -> dict[str, Json]:
    """An entry of metadata.json."""
    return {
        "id": item.id,
        "subtask": SUBTASKS[view.subtask][0],
        "QA_type": "Choice QA" if view.kind == CHOICE else "True or false QA",
        "question": view.text,
        "options": str(dict(view.options)) if view.options else None,
        "answer": view.answer,
        "image1": pictures[0],
        "image2": pictures[1],
        "description1": view.descriptions[0] or None,
        "description2": view.descriptions[1] or None,
    }


def write_candidates(file: Path, made: Sequence[tuple[Item, Question]]) -> None:
    """The same file for the leakage check alone: its pictures are named and not copied, for nobody looks at them."""
    rows = [row(item, view, (item.pictures[0].name, item.pictures[1].name)) for item, view in made]
    file.write_text(_json(rows), encoding="utf-8")


def write(
    out: Path, made: Sequence[tuple[Item, Question]], making: Making, counts: Mapping[str, int], **more: Json
) -> Path:
    """The set as a new folder; returns its data file. Raises UsageError, DataError, PictureError."""
    with new_folder(out) as folder:
        rows = []
        for item, view in made:
            first, second = (copied(picture, folder, f"{item.id}-{k}") for k, picture in enumerate(item.pictures, 1))
            rows.append(row(item, view, (first, second)))
        file = folder / FILE
        file.write_text(_json(rows), encoding="utf-8")
        problems = load(file, "", LoadOptions()).problems()
        if problems:
            raise DataError(problems, remedy="Nothing was written")
        subtasks = {short: sum(view.subtask == short for _, view in made) for short in SUBTASKS}
        held = {short: number for short, number in subtasks.items() if number}
        cards.save(making.card("mmra", {"items": len(rows), **counts}, file, subtasks=held, **more), folder)
    return out / FILE


def _json(rows: Sequence[Json]) -> str:
    return json.dumps(rows, ensure_ascii=False, indent=1) + "\n"
