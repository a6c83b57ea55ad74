"""How an MMRA item is written down in a table, and the record of the pack that is made of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PIL import Image

from core.making.dealing import Dealer

Paint = Callable[[], Image.Image]

SHORT: Final[dict[str, str]] = {
    "RelativePosition": "rp",
    "NearSameEntity": "nse",
    "MentalitySimilarity": "ms",
    "AppearanceSimilarity": "as",
    "SimilarMaterial": "sm",
    "UsageSimilarity": "us",
    "Layout": "lo",
    "Environment": "env",
    "SimilarEvent": "sime",
    "SubEvent": "sube",
    "ObservationAngle": "oa",
}


@dataclass(frozen=True, slots=True)
class Pair:
    """An item: two pictures, a question, and its options, the right one first; or Yes or No instead of options."""

    subtask: str
    question: str
    options: str
    pictures: tuple[Paint, Paint]
    told: tuple[str, str] | None = None
    """What a captioner might say of the pictures; None leaves that to one."""


def name_of(pair: Pair, number: int) -> str:
    """The item's id: the short subtask and its number there."""
    return f"{SHORT[pair.subtask]}-{number:03d}"


def record(pair: Pair, name: str, dealer: Dealer) -> dict[str, object]:
    """The entry of the pack for ``pair``."""
    options: str | None = None
    answer, kind = pair.options, "True or false QA"
    if pair.options not in ("Yes", "No"):
        right, *wrong = [option.strip() for option in pair.options.split(" / ")]
        dealt, answer = dealer.deal("choice", right, wrong)
        options, kind = str(dealt), "Choice QA"
    told = pair.told or (None, None)
    return {
        "id": name,
        "subtask": pair.subtask,
        "QA_type": kind,
        "question": pair.question,
        "options": options,
        "answer": answer,
        "image1": f"images/{name}-1.png",
        "image2": f"images/{name}-2.png",
        "description1": told[0],
        "description2": told[1],
    }
