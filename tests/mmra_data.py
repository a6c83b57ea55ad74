"""Made MMRA files for tests, of the published form: eleven subtasks, three kinds of question, small pictures."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from core.benchmarks.base import LoadOptions
from core.benchmarks.mmra.load import MmraFile, load
from core.benchmarks.mmra.question import SUBTASKS
from core.records import Item

PAPER_SIZES: Mapping[str, int] = {
    "RP": 81, "US": 99, "MS": 89, "SM": 106, "AS": 90, "NSE": 63,
    "Env": 90, "LO": 90, "SimE": 90, "SubE": 100, "OA": 126,
}  # fmt: skip
"""Sizes of the subtasks that reproduce table 2's Overall; together 1,024."""

THINGS = ("bench", "tree", "car", "knife", "lamp", "boat", "door", "cup", "dog", "wall")

Row = dict[str, Any]


def made_rows(sizes: Mapping[str, int], seed: int = 0, *, described: bool = False) -> list[Row]:
    """Rows of the published form, seeded. Of each five, three are choices of four, one of three, one true/false."""
    chances = random.Random(seed)
    rows = []
    for short, size in sizes.items():
        for number in range(1, size + 1):
            item_id = f"{short.lower()}-{number:03d}"
            row: Row = {
                "id": item_id,
                "subtask": SUBTASKS[short][0],
                "question": f"How do the two images of {item_id} relate?",
                "image1": f"images/{chances.randrange(40):02d}.png",
                "image2": f"images/{chances.randrange(40):02d}.png",
                "description1": f"The first image of {item_id}." if described else None,
                "description2": f"The second image of {item_id}." if described else None,
            }
            if number % 5 == 0:
                row |= {"QA_type": "True or false QA", "options": None, "answer": chances.choice(("Yes", "No"))}
            else:
                count = 3 if number % 5 == 1 else 4
                texts = [f"the {thing} and the {chances.choice(THINGS)}" for thing in chances.sample(THINGS, count)]
                options = dict(zip("ABCD", texts, strict=False))
                spelling = "Choice QA" if number % 2 else "Chooice QA"
                row |= {"QA_type": spelling, "options": repr(options), "answer": chances.choice(list(options))}
            rows.append(row)
    return rows


def every_subtask(size: int = 5) -> dict[str, int]:
    return dict.fromkeys(SUBTASKS, size)


def write_pictures(folder: Path) -> None:
    (folder / "images").mkdir(parents=True, exist_ok=True)
    for number in range(40):
        Image.new("RGB", (8 + number, 8), (6 * number, 90, 255 - 6 * number)).save(
            folder / f"images/{number:02d}.png"
        )


def metadata(folder: Path, rows: Sequence[Any], *, pictures: bool = True) -> Path:
    """The rows as ``metadata.json`` in a folder, with the pictures they name."""
    folder.mkdir(parents=True, exist_ok=True)
    if pictures:
        write_pictures(folder)
    file = folder / "metadata.json"
    file.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return file


def pack(folder: Path, size: int = 5, **more: Any) -> Path:
    """So many questions of each subtask."""
    return metadata(folder, made_rows(every_subtask(size), **more))


def loaded(path: Path, **options: Any) -> MmraFile:
    return load(path, "", LoadOptions(**options))


def items_of(rows: Sequence[Row], tmp: Path) -> list[Item]:
    """Items of rows; their pictures are named and not there."""
    return list(loaded(metadata(tmp / "rows", rows, pictures=False)))
