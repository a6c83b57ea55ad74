"""What every figure has: proportions, a pose, limbs, and a face's eyes.

Figures stand in a cell that runs from -0.5 to 0.5 both ways, y downwards, the feet near 0.46.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from core.drawing.canvas import INK, Colour, Pen, Point
from core.drawing.palette import WHITE, Look

GROUND: Final = 0.44
"""Where feet stand in a cell."""


@dataclass(frozen=True, slots=True)
class Build:
    """Where a figure's joints are when it stands, its middle at x = 0."""

    head_r: float
    head_y: float
    shoulder_x: float
    shoulder_y: float
    hip_x: float
    hip_y: float
    limb: float
    arm: float
    """How far a hand reaches."""
    top: float
    """The highest point, ears and bun included."""


@dataclass(frozen=True, slots=True)
class Limb:
    """A bent line from the body: the joint in its middle and its end."""

    joint: Point
    end: Point


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a figure's limbs go, left one first; ``legs`` is None where something hides them."""

    arms: tuple[Limb, Limb]
    legs: tuple[Limb, Limb] | None
    boots: Colour | None = None
    open_mouth: bool = False


Painter = Callable[[Pen, Pose, Look], None]
Hands = Callable[[Look], Colour]


@dataclass(frozen=True, slots=True)
class Figure:
    """A kind of subject: its proportions, the function that paints it, and the colour of its hands."""

    build: Build
    paint: Painter
    hands: Hands

    def grip(self, pen: Pen, look: Look, *hands: Point) -> None:
        """Hands drawn again over the thing they hold."""
        for x, y in hands:
            pen.oval(x, y, self.build.limb * 0.58, self.build.limb * 0.58, self.hands(look))


def straight(start: Point, end: Point, bow: float = 0.0) -> Limb:
    """A limb from ``start`` to ``end`` whose joint is pushed sideways by ``bow`` of its length."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    return Limb(((start[0] + end[0]) / 2 - dy * bow, (start[1] + end[1]) / 2 + dx * bow), end)


def starts(x: float, y: float) -> tuple[Point, Point]:
    """The left and right place where two limbs begin."""
    return ((-x, y), (x, y))


def paint_legs(pen: Pen, build: Build, pose: Pose, colours: tuple[Colour, Colour], foot: Colour, split: bool) -> None:
    """Both legs: the thigh in the first colour, the shin in the second, then the foot."""
    if pose.legs is None:
        return
    for start, leg in zip(starts(build.hip_x, build.hip_y), pose.legs, strict=True):
        pen.line((start, leg.joint, leg.end), build.limb, colours[1], INK)
        if split:
            middle = ((start[0] + leg.joint[0]) / 2, (start[1] + leg.joint[1]) / 2)
            pen.line((start, middle), build.limb * 1.25, colours[0], INK)
        dx, dy = leg.end[0] - leg.joint[0], leg.end[1] - leg.joint[1]
        length = (dx * dx + dy * dy) ** 0.5 or 1.0
        toe = (dy / length, -dx / length)  # a foot points forwards, square to its shin
        reach = build.limb * 0.45
        x, y = leg.end[0] + toe[0] * reach, leg.end[1] + toe[1] * reach
        pen.line((leg.end, (x, y)), build.limb * 1.15, pose.boots or foot, INK)


def paint_arms(pen: Pen, build: Build, pose: Pose, colours: tuple[Colour, Colour]) -> None:
    """Both arms in the first colour, with hands in the second."""
    for start, arm in zip(starts(build.shoulder_x, build.shoulder_y), pose.arms, strict=True):
        pen.line((start, arm.joint, arm.end), build.limb * 0.86, colours[0], INK)
        pen.oval(*arm.end, build.limb * 0.56, build.limb * 0.56, colours[1])


def paint_eyes(pen: Pen, spread: float, y: float, size: float, x: float = 0.1) -> None:
    """Two plain eyes in a head whose radius is one."""
    for side in (-1, 1):
        pen.oval(x + side * spread, y, size, size * 1.2, INK, None)
        pen.oval(x + side * spread + size * 0.3, y - size * 0.4, size * 0.34, size * 0.34, WHITE, None)
