"""VOILA's figures as extras in a larger scene: one of them, standing or reaching, where it is wanted."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from core.drawing.canvas import Colour
from core.drawing.figure import GROUND, Build, Pose, straight
from core.drawing.palette import Dice, look
from core.drawing.scene import FIGURES
from core.drawing.sheet import Sheet

_ARMS: Final[dict[str, tuple[tuple[float, float], tuple[float, float]]]] = {
    "stand": ((-0.35, 0.9), (0.35, 0.9)),
    "point": ((-0.35, 0.9), (0.98, -0.2)),
    "up": ((-0.35, 0.9), (0.6, -0.95)),
    "hold": ((0.7, 0.55), (0.95, 0.4)),
    "cheer": ((-0.8, -0.95), (0.8, -0.95)),
}
"""For each pose, where the left and the right hand are, in arm lengths from its shoulder."""


def _pose(build: Build, name: str, walks: bool) -> Pose:
    ends = _ARMS[name]
    arms = tuple(
        straight(
            (side * build.shoulder_x, build.shoulder_y),
            (side * build.shoulder_x + dx * build.arm, build.shoulder_y + dy * build.arm),
        )
        for side, (dx, dy) in zip((-1, 1), ends, strict=True)
    )
    spread = 0.7 if walks else 0.26
    length = max(GROUND - build.hip_y, 0.2)
    legs = tuple(straight((side * build.hip_x, build.hip_y), (side * spread * length, GROUND)) for side in (-1, 1))
    return Pose((arms[0], arms[1]), (legs[0], legs[1]))


def figure(
    sheet: Sheet,
    subject: str,
    x: float,
    y: float,
    size: float,
    pose: str = "stand",
    *,
    seed: str = "",
    flip: bool = False,
    walks: bool = False,
    top: Colour | None = None,
    hair: Colour | None = None,
) -> None:
    """One of VOILA's subjects in a cell of ``size`` pixels whose middle is (x, y)."""
    kind = FIGURES[subject]
    wears = look(Dice("cast", subject, seed))
    if top is not None:
        wears = replace(wears, top=top, dress=top)
    if hair is not None:
        wears = replace(wears, hair=hair)
    kind.paint(sheet.at(x, y, size, flip=flip), _pose(kind.build, pose, walks), wears)
