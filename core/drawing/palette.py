"""Seeded choices and the colours they choose from."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from core.drawing.canvas import Colour

T = TypeVar("T")

WHITE: Final[Colour] = (255, 255, 255)
PAPER: Final[Colour] = (250, 250, 244)
PINK: Final[Colour] = (246, 158, 170)
RED: Final[Colour] = (214, 44, 44)
YELLOW: Final[Colour] = (255, 205, 40)
STEEL: Final[Colour] = (176, 184, 196)
WOOD: Final[Colour] = (176, 118, 62)
EARTH: Final[Colour] = (160, 108, 62)
PIT: Final[Colour] = (44, 26, 16)
GRASS: Final[Colour] = (84, 170, 74)
WATER: Final[Colour] = (44, 132, 214)
FOAM: Final[Colour] = (196, 230, 252)
ICE: Final[Colour] = (176, 222, 246)

SKINS: Final[tuple[Colour, ...]] = ((254, 220, 188), (248, 204, 162), (224, 170, 126))
HAIRS: Final[tuple[Colour, ...]] = ((62, 38, 26), (112, 62, 28), (176, 90, 26), (36, 30, 34))
TOPS: Final[tuple[Colour, ...]] = ((40, 104, 200), (36, 140, 90), (20, 132, 146), (96, 72, 168))
DRESSES: Final[tuple[Colour, ...]] = ((220, 44, 96), (200, 40, 40), (150, 54, 170), (24, 140, 150))
CARS: Final[tuple[Colour, ...]] = ((220, 44, 44), (40, 100, 210), (250, 190, 30), (40, 160, 90))
COVERS: Final[tuple[Colour, ...]] = ((190, 40, 50), (30, 90, 170), (30, 130, 80), (120, 60, 150))
BACKDROPS: Final[tuple[Colour, ...]] = (
    (255, 244, 214),
    (220, 238, 252),
    (228, 246, 222),
    (250, 226, 232),
    (236, 228, 250),
    (244, 244, 244),
    (252, 232, 206),
    (214, 240, 238),
)


class Dice:
    """Seeded choices, made of ``random.random`` alone: it is promised to stay the same in every Python."""

    def __init__(self, *seed: object) -> None:
        digest = hashlib.sha256("|".join(map(str, seed)).encode()).digest()
        self._random = random.Random(int.from_bytes(digest, "big"))

    def pick(self, values: Sequence[T]) -> T:
        """One of ``values``."""
        return values[int(self._random.random() * len(values))]

    def between(self, low: float, high: float) -> float:
        """A number from ``low`` to ``high``."""
        return low + (high - low) * self._random.random()

    def chance(self, share: float) -> bool:
        """True in ``share`` of the throws."""
        return self._random.random() < share


@dataclass(frozen=True, slots=True)
class Look:
    """The colours that one figure and its things wear."""

    skin: Colour
    hair: Colour
    top: Colour
    dress: Colour
    car: Colour
    cover: Colour
    fur: int
    """Which of an animal's coats."""
    nod: float
    """How far the head leans, in degrees."""


def look(dice: Dice) -> Look:
    """A look by chance; hair always stands out from skin."""
    skin = dice.pick(SKINS)
    return Look(
        skin=skin,
        hair=dice.pick(HAIRS if skin != SKINS[-1] else HAIRS[-1:]),
        top=dice.pick(TOPS),
        dress=dice.pick(DRESSES),
        car=dice.pick(CARS),
        cover=dice.pick(COVERS),
        fur=int(dice.between(0, 2)),
        nod=0.0,
    )


def darker(colour: Colour, share: float = 0.72) -> Colour:
    """``colour`` with ``share`` of its light."""
    return (int(colour[0] * share), int(colour[1] * share), int(colour[2] * share))
