"""Puts one to four figures of a kind, doing one thing, in a picture."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PIL import Image, ImageDraw

from core.drawing.actions import STAGES
from core.drawing.animals import ANIMALS
from core.drawing.canvas import Pen
from core.drawing.palette import BACKDROPS, Dice, look
from core.drawing.people import PEOPLE

FIGURES: Final = {**ANIMALS, **PEOPLE}

VARIANTS: Final[int] = len(BACKDROPS)
"""How many variants of a content are promised to differ."""

MOST: Final = 4
SMALLEST: Final = 16

_LAYOUTS: Final[dict[int, tuple[tuple[tuple[float, float, float], ...], ...]]] = {
    1: (((0.5, 0.5, 0.94),),),
    2: (
        ((0.275, 0.275, 0.55), (0.725, 0.725, 0.55)),
        ((0.275, 0.725, 0.55), (0.725, 0.275, 0.55)),
    ),
    3: (
        ((0.5, 0.255, 0.48), (0.255, 0.745, 0.48), (0.745, 0.745, 0.48)),
        ((0.5, 0.745, 0.48), (0.255, 0.255, 0.48), (0.745, 0.255, 0.48)),
        ((0.255, 0.5, 0.48), (0.745, 0.255, 0.48), (0.745, 0.745, 0.48)),
        ((0.745, 0.5, 0.48), (0.255, 0.255, 0.48), (0.255, 0.745, 0.48)),
    ),
    4: (((0.255, 0.255, 0.48), (0.745, 0.255, 0.48), (0.255, 0.745, 0.48), (0.745, 0.745, 0.48)),),
}
"""For each number, where the figures' cells may be: middle and size, as shares of the picture."""


def _check(number: int, subject: str, action: str, size: int) -> None:
    if number not in range(1, MOST + 1):
        raise ValueError(f"number must be 1 to {MOST}, not {number!r}")
    if subject not in FIGURES:
        raise ValueError(f"unknown subject {subject!r}; known: {', '.join(FIGURES)}")
    if action not in STAGES:
        raise ValueError(f"unknown action {action!r}; known: {', '.join(STAGES)}")
    if size < SMALLEST:
        raise ValueError(f"size must be at least {SMALLEST}, not {size!r}")


def _oversampling(size: int) -> int:
    return 5 if size <= 64 else 4 if size <= 256 else 3 if size <= 512 else 2


def draw(number: int, subject: str, action: str, *, variant: int = 0, size: int = 256) -> Image.Image:
    """A picture of ``number`` of ``subject`` doing ``action``, ``size`` pixels square.

    The same arguments give the same pixels everywhere. Variants differ in colours, layout and direction;
    variants 0 to ``VARIANTS - 1`` of a content are all different. Raises ValueError, naming the value that
    cannot be drawn.
    """
    _check(number, subject, action, size)
    dice = Dice(number, subject, action, variant)
    start = Dice(number, subject, action).between(0, len(BACKDROPS))
    backdrop = BACKDROPS[(int(start) + variant) % len(BACKDROPS)]
    factor = _oversampling(size)
    side = size * factor
    image = Image.new("RGB", (side, side), backdrop)
    target = ImageDraw.Draw(image)
    common = look(dice)
    flip = dice.chance(0.5)
    for x, y, share in dice.pick(_LAYOUTS[number]):
        cell = share * side
        slack = max(0.0, 0.47 - share / 2) if number == 1 else 0.005
        cx, cy = (x + dice.between(-slack, slack)) * side, (y + dice.between(-slack, slack)) * side
        ink = max(round(cell * 0.014), round(factor * 0.5), 1)
        pen = Pen.over(target, cx, cy, cell, ink).frame(0, 0, flip=flip)
        STAGES[action](pen, FIGURES[subject], replace(common, nod=dice.between(-6.0, 6.0)))
    return image.reduce(factor)
