"""V-REX's demo pack: two items for each of the fifteen scenarios."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from core.making import vrex_deduction, vrex_guessing, vrex_navigation, vrex_retrieval
from core.making.chains import Chain, Json, record
from core.making.dealing import Dealer
from core.making.saving import NOTE, SEED, as_lines, save_card, save_picture, save_text

CHAINS: Final[tuple[Chain, ...]] = (
    *vrex_deduction.CHAINS,
    *vrex_guessing.CHAINS,
    *vrex_navigation.CHAINS,
    *vrex_retrieval.CHAINS,
)


def records() -> list[Json]:
    """The lines of the pack."""
    dealer = Dealer("vrex", SEED)
    return [record(chain, dealer) for chain in CHAINS]


def write(folder: Path) -> None:
    """Writes ``demo.jsonl``, the pictures and the card into ``folder``."""
    for chain in CHAINS:
        save_picture(chain.paint(), folder / "images" / f"{chain.name}.png")
    digest = save_text(as_lines(records()), folder / "demo.jsonl")
    questions = sum(len(chain.steps) + 1 for chain in CHAINS)
    save_card(
        {
            "benchmark": "vrex",
            "packs": {
                "demo": {
                    "items": len(CHAINS),
                    "questions": questions,
                    "seed": SEED,
                    "file": "demo.jsonl",
                    "sha256": digest,
                }
            },
            "pictures": "drawn by the project, one an item, in images/",
            "demonstration": NOTE,
            "licence": "Made by Phoropter, MIT licence. The scheme of scenarios and chains is that of V-REX; "
            "no file, no picture and no question of its authors is in here.",
        },
        folder / "card.json",
    )
