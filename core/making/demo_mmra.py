"""MMRA's demo pack: four items for each of the eleven subtasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from core.making import mmra_entities, mmra_images
from core.making.dealing import Dealer
from core.making.pairs import Pair, name_of, record
from core.making.saving import NOTE, SEED, as_list, save_card, save_picture, save_text

PAIRS: Final[tuple[Pair, ...]] = (*mmra_entities.PAIRS, *mmra_images.PAIRS)


def named() -> Iterator[tuple[str, Pair]]:
    """Every item with its id."""
    seen: Counter[str] = Counter()
    for pair in PAIRS:
        seen[pair.subtask] += 1
        yield name_of(pair, seen[pair.subtask]), pair


def records() -> list[dict[str, object]]:
    """The entries of the pack."""
    dealer = Dealer("mmra", SEED)
    return [record(pair, name, dealer) for name, pair in named()]


def write(folder: Path) -> None:
    """Writes ``metadata.json``, the pictures and the card into ``folder``."""
    for name, pair in named():
        for k, paint in enumerate(pair.pictures, start=1):
            save_picture(paint(), folder / "images" / f"{name}-{k}.png")
    digest = save_text(as_list(records()), folder / "metadata.json")
    save_card(
        {
            "benchmark": "mmra",
            "packs": {
                "metadata": {
                    "items": len(PAIRS),
                    "seed": SEED,
                    "file": "metadata.json",
                    "sha256": digest,
                }
            },
            "pictures": "drawn by the project, two an item, in images/",
            "descriptions": "given for the first and third item of each subtask, so that settings with descriptions "
            "run without a captioner; left out of the others, so that making them is seen too",
            "demonstration": NOTE,
            "licence": "Made by Phoropter, MIT licence. The subtasks and the fields' names are those of MMRA; "
            "no picture and no question of its authors is in here.",
        },
        folder / "card.json",
    )
