"""``python -m core.eyes.unseen FOLDER``: an MMRA data set of fresh pictures of the kinds that ``eyes`` knows.

VOILA's unseen pictures are those of ``phoropter make voila``. ``--blank PICTURES`` makes grey ones instead, under the
names of those in a folder, into ``FOLDER/blank``: what is right about them is guessed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image

from core.benchmarks.mmra.question import SUBTASKS as NAMES
from core.drawing.palette import Dice
from core.eyes import relations
from core.eyes.album import SIDE, Album, Pixels
from core.eyes.asked import Asked
from core.eyes.scenes import Scene, others, voila
from core.making.saving import as_list, save_picture, save_text
from core.pictures.service import BLANK

SEED: Final = "unseen"
"""Other chances than those of the training's album."""

FIRST: Final = 5000
"""VOILA's variant that pictures of events are drawn with; training stays far below."""


def write(folder: Path, each: int, pictures: int = 60) -> Path:
    """``each`` yes-or-no questions and as many with options of every subtask; the data file."""
    scenes = [*voila(1, FIRST), *others(pictures, SEED)]
    album = Album(_nothing(len(scenes)), [scene.kind for scene in scenes], [dict(scene.seen) for scene in scenes])
    entries: list[dict[str, object]] = []
    for subtask, make in relations.SUBTASKS.items():
        left = {True: each, False: each}
        k = 0
        while any(left.values()):
            asked = make(Dice(SEED, subtask, k), album)
            k += 1
            if left[bool(asked.options)] > 0:
                left[bool(asked.options)] -= 1
                entries.append(_entry(asked, f"{subtask.lower()}-{k:04d}", scenes, folder))
    save_text(as_list(entries), folder / "metadata.json")
    return folder / "metadata.json"


def _nothing(count: int) -> Pixels:
    """Questions are made from what is to be seen, not from how it looks."""
    return np.broadcast_to(np.zeros((1, 1, 1, 1), dtype=np.uint8), (count, SIDE, SIDE, 3))


def _entry(asked: Asked, name: str, scenes: Sequence[Scene], folder: Path) -> dict[str, object]:
    shown = [f"images/{name}-{k}.png" for k in (1, 2)]
    for path, number in zip(shown, asked.pair, strict=True):
        save_picture(scenes[number].paint(), folder / path)
    return {
        "id": name,
        "subtask": NAMES[asked.subtask][0],
        "QA_type": "Choice QA" if asked.options else "True or false QA",
        "question": asked.question,
        "options": str(dict(asked.options)) if asked.options else None,
        "answer": asked.answer,
        "image1": shown[0],
        "image2": shown[1],
        "description1": None,
        "description2": None,
    }


def blank(pictures: Path, folder: Path) -> None:
    """Grey pictures under the names of those in a folder."""
    for file in pictures.glob("*.png"):
        with Image.open(file) as image:
            save_picture(Image.new("RGB", image.size, BLANK), folder / file.name)


def main() -> None:
    """The command."""
    wanted = argparse.ArgumentParser(prog="python -m core.eyes.unseen", description=__doc__)
    wanted.add_argument("folder", type=Path)
    wanted.add_argument("--each", type=int, default=12, help="questions of each kind and subtask")
    wanted.add_argument("--blank", type=Path, help="pictures to make blank")
    chosen = wanted.parse_args()
    if chosen.blank is not None:
        blank(chosen.blank, chosen.folder / "blank")
    else:
        write(chosen.folder, chosen.each)


if __name__ == "__main__":
    main()
