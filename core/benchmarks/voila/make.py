"""New VOILA questions as a data set on disk, in the published form (paper section 3.1, algorithm 1)."""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from core.benchmarks.voila.columns import PUBLISHED
from core.benchmarks.voila.contents import combined_text, file_name, relations_text
from core.benchmarks.voila.load import PICTURE_FOLDER
from core.benchmarks.voila.rules import READINGS, RULES, counts
from core.benchmarks.voila.sample import VARIANTS, Planned, plan, shares
from core.benchmarks.voila.vocabulary import NUMBERS, Content
from core.new_folder import new_folder
from core.records import Json
from core.version import own_version

SIZE: Final = 512
"""Pixels a side of a drawn picture, where none is asked for."""

LICENCE: Final = (
    "Made by Phoropter, MIT licence. The scheme of the questions is that of VOILA (Yilmaz et al.); "
    "no file and no picture of its authors is in here."
)

CARD: Final = "card.json"


class Drawn(Protocol):
    """A drawn picture: anything that saves itself as PNG (a Pillow image)."""

    def save(self, fp: Path, format: str) -> None: ...  # noqa: A002 - Pillow's own name


class Drawer(Protocol):
    """Draws ``number`` of ``subject`` (singular) doing ``action``; the same arguments give the same picture."""

    def __call__(self, number: int, subject: str, action: str, *, variant: int, size: int) -> Drawn: ...


@dataclass(frozen=True, slots=True)
class Made:
    """What was written: the folder, its data file, and the card's content."""

    folder: Path
    file: Path
    card: Json


def count_rows(subset: str, count: int, seed: int) -> list[dict[str, str | int]]:
    """A table of what would be made, a structure a row and their total last: rule, structure, questions, and under
    each reading of :data:`READINGS` how many there are. Raises UsageError where ``count`` cannot be made.
    """
    wanted = shares(subset, count, seed)
    possible = {reading: counts(subset, reading) for reading in READINGS}
    rows: list[dict[str, str | int]] = []
    for rule in wanted:
        of_rule = {reading: numbers[rule] for reading, numbers in possible.items()}
        rows.append({"rule": rule, "structure": RULES[rule], "questions": wanted[rule], **of_rule})
    totals = {reading: sum(numbers.values()) for reading, numbers in possible.items()}
    return [*rows, {"rule": "all", "structure": subset, "questions": count, **totals}]


def write(
    out: Path,
    subset: str,
    count: int,
    seed: int,
    *,
    variants: int = VARIANTS,
    pictures: bool = True,
    size: int = SIZE,
    draw: Drawer | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Made:
    """Make ``count`` questions into the folder ``out``: data file, ``Test_Images`` and a card.

    Only pictures that a question shows are drawn; ``pictures=False`` draws none. ``variants=1`` gives one picture a
    content, as the published test sets have it. ``progress`` is told how many pictures of how many are drawn. The
    folder appears complete or not at all; one that holds anything is refused.
    """
    planned = plan(subset, count, seed, variants=variants)
    with new_folder(out) as folder:
        file = folder / f"VOILA_{subset}.csv"
        used, made = write_table(file, planned)
        if pictures:
            _draw_all(folder / PICTURE_FOLDER, used, draw or _own_drawer(), size, progress)
        card = {
            "benchmark": "voila",
            "subset": subset,
            "questions": count,
            "seed": seed,
            "variants": variants,
            "rules": {str(rule): made[rule] for rule in sorted(made)},
            "pictures": len(used) if pictures else 0,
            "picture_size": size if pictures else 0,
            "file": file.name,
            "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
            "made_by": f"phoropter {own_version()}",
            "licence": LICENCE,
        }
        (folder / CARD).write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    return Made(out, out / file.name, card)


def write_table(file: Path, planned: Iterable[Planned]) -> tuple[list[tuple[Content, int]], Counter[int]]:
    """Write questions as a data file with the published columns.

    Returns the pictures that it names, as content and variant in the order of their first use, and how many
    questions each rule has.
    """
    used: dict[tuple[Content, int], None] = {}
    made: Counter[int] = Counter()
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(PUBLISHED)
        for number, (question, variants) in enumerate(planned, 1):
            contents, answer = question.contents, question.answer.text()
            shown = list(zip(contents, variants, strict=True))
            used.update(dict.fromkeys(shown))
            made[question.rule] += 1
            writer.writerow(
                [
                    *(file_name(content, variant) for content, variant in shown),
                    answer,
                    *(content.text() for content in contents),
                    answer,
                    combined_text(contents),
                    f"image_questions_{number}.png",
                    question.rule,
                    relations_text(contents),
                ]
            )
    return list(used), made


def _draw_all(
    folder: Path,
    pictures: list[tuple[Content, int]],
    draw: Drawer,
    size: int,
    progress: Callable[[int, int], None] | None,
) -> None:
    folder.mkdir()
    for done, (content, variant) in enumerate(pictures, 1):
        number = NUMBERS.index(content.number) + 1
        picture = draw(number, content.subject, content.action, variant=variant, size=size)
        picture.save(folder / file_name(content, variant), format="PNG")
        if progress is not None:
            progress(done, len(pictures))


def _own_drawer() -> Drawer:
    from core.drawing import draw  # Pillow is not needed to make questions without pictures

    return draw
