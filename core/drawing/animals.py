"""Eight animals on their hind legs: told apart by ears, snout, tail, coat and girth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from core.drawing.canvas import INK, Colour, Pen, arc, curve, mirrored
from core.drawing.figure import Build, Figure, Painter, Pose, paint_arms, paint_eyes, paint_legs
from core.drawing.palette import PINK, WHITE, YELLOW, Look, darker


@dataclass(frozen=True, slots=True)
class Coat:
    """An animal's colours: most of it, its belly and snout, its limbs and marks."""

    fur: Colour
    light: Colour
    dark: Colour


Head = Callable[[Pen, Pose, Coat], None]
Tail = Callable[[Pen, Coat], None]


def _mouth(pen: Pen, pose: Pose, y: float, x: float = 0.0) -> None:
    if pose.open_mouth:
        pen.oval(x, y + 0.12, 0.2, 0.2, (120, 20, 30), None)
    else:
        left = curve((x - 0.3, y), (x - 0.15, y + 0.22), (x, y), 4)
        right = curve((x, y), (x + 0.15, y + 0.22), (x + 0.3, y), 4)
        pen.line([*left, *right], 0.06, INK)


def _cat_head(pen: Pen, pose: Pose, coat: Coat) -> None:
    for side in (-1, 1):
        pen.polygon([(side * 0.98, 0.0), (side * 0.92, -1.36), (side * 0.2, -0.8)], coat.fur)
        pen.polygon([(side * 0.82, -0.5), (side * 0.8, -1.04), (side * 0.42, -0.72)], PINK, None)
    pen.oval(0, 0, 1.08, 0.92, coat.fur)
    for x in (-0.3, 0.0, 0.3):
        pen.line(((x, -0.86), (x * 0.7, -0.45)), 0.13, coat.dark)
    pen.oval(0, 0.48, 0.52, 0.36, WHITE, None)
    for side in (-1, 1):
        pen.oval(side * 0.45, -0.04, 0.27, 0.27, (150, 220, 60), INK)
        pen.oval(side * 0.45, -0.04, 0.08, 0.24, INK, None)
        for k in (-1, 0, 1):
            pen.line(((side * 0.5, 0.4 + k * 0.1), (side * 1.62, 0.34 + k * 0.3)), 0.07, coat.dark)
    pen.polygon([(-0.15, 0.26), (0.15, 0.26), (0, 0.44)], PINK, None)
    _mouth(pen, pose, 0.5)


def _dog_head(pen: Pen, pose: Pose, coat: Coat) -> None:
    pen.oval(0, 0, 0.96, 0.94, coat.fur)
    pen.oval(0.42, -0.2, 0.4, 0.42, coat.dark, None)
    for side in (-1, 1):
        pen.oval(side * 1.04, 0.16, 0.34, 0.86, coat.dark, turn=-side * 12)
    pen.oval(0, 0.5, 0.62, 0.48, coat.light)
    paint_eyes(pen, 0.4, -0.14, 0.16, 0.0)
    if not pose.open_mouth:
        pen.polygon([(-0.2, 0.76), (0.2, 0.76), (0.2, 1.08), (0.0, 1.2), (-0.2, 1.08)], (246, 120, 140))
    pen.oval(0, 0.3, 0.3, 0.22, INK, None)
    _mouth(pen, pose, 0.66)


def _fox_head(pen: Pen, pose: Pose, coat: Coat) -> None:
    for side in (-1, 1):
        pen.polygon([(side * 0.96, 0.0), (side * 0.98, -1.5), (side * 0.16, -0.66)], coat.fur)
        pen.polygon([(side * 0.97, -0.75), (side * 0.98, -1.5), (side * 0.6, -1.06)], coat.dark, None)
    pen.polygon(
        [(-0.9, -0.5), (0, -0.86), (0.9, -0.5), (1.4, 0.3), (0.5, 0.7), (0, 1.12), (-0.5, 0.7), (-1.4, 0.3)],
        coat.fur,
    )
    for side in (-1, 1):
        pen.polygon(
            [(side * 1.38, 0.3), (side * 0.5, 0.06), (0, 0.66), (0, 1.1), (side * 0.5, 0.68)],
            coat.light,
            None,
        )
    paint_eyes(pen, 0.42, -0.06, 0.15, 0.0)
    pen.oval(0, 0.96, 0.2, 0.17, INK, None)
    if pose.open_mouth:
        pen.oval(0, 0.66, 0.17, 0.14, (120, 20, 30), None)


def _wolf_head(pen: Pen, pose: Pose, coat: Coat) -> None:
    for side in (-1, 1):
        pen.polygon([(side * 0.86, -0.2), (side * 0.78, -1.46), (side * 0.12, -0.72)], coat.dark)
    cheek = [(1.0, -0.2), (1.42, 0.0), (1.12, 0.22), (1.44, 0.5), (1.0, 0.58), (1.12, 0.94)]
    pen.polygon(mirrored([(0, -0.9), (0.7, -0.66), *cheek, (0.56, 0.86), (0, 1.06)]), coat.fur)
    for side in (-1, 1):
        pen.polygon([(side * 0.2, 0.1), (side * 0.96, 0.2), (side * 0.8, 0.66), (side * 0.3, 0.8)], coat.light, None)
        pen.polygon([(side * 0.14, 0.0), (side * 0.7, -0.34), (side * 0.6, 0.1)], YELLOW, INK)
        pen.oval(side * 0.42, -0.06, 0.1, 0.1, INK, None)
    pen.polygon([(-0.24, -0.1), (0.24, -0.1), (0.46, 0.6), (0.36, 0.94), (-0.36, 0.94), (-0.46, 0.6)], coat.light)
    pen.oval(0, 0.42, 0.26, 0.19, INK, None)
    pen.polygon([(-0.42, 0.68), (0.42, 0.68), (0.36, 0.98), (-0.36, 0.98)], (120, 20, 30))
    for side in (-1, 1):
        pen.polygon([(side * 0.4, 0.68), (side * 0.1, 0.68), (side * 0.25, 1.02)], WHITE, None)


def _bear_head(pen: Pen, pose: Pose, coat: Coat) -> None:
    for side in (-1, 1):
        pen.oval(side * 0.78, -0.76, 0.4, 0.4, coat.fur)
        pen.oval(side * 0.78, -0.76, 0.2, 0.2, coat.light, None)
    pen.oval(0, 0, 1.08, 0.98, coat.fur)
    pen.oval(0, 0.42, 0.56, 0.46, coat.light, None)
    paint_eyes(pen, 0.44, -0.16, 0.15, 0.0)
    pen.oval(0, 0.2, 0.29, 0.2, INK, None)
    pen.line(((0, 0.3), (0, 0.56)), 0.06, INK)
    _mouth(pen, pose, 0.54)


def _monkey_head(pen: Pen, pose: Pose, coat: Coat) -> None:
    for side in (-1, 1):
        pen.oval(side * 1.12, 0.0, 0.46, 0.5, coat.fur)
        pen.oval(side * 1.14, 0.02, 0.27, 0.31, coat.light, None)
    pen.oval(0, -0.06, 0.98, 0.98, coat.fur)
    pen.polygon([(-0.2, -0.96), (-0.1, -1.3), (0.04, -1.02), (0.22, -1.3), (0.22, -0.96)], coat.fur, None)
    for side in (-1, 1):
        pen.oval(side * 0.34, -0.16, 0.4, 0.42, coat.light, None)
    pen.oval(0, 0.46, 0.76, 0.5, coat.light, None)
    paint_eyes(pen, 0.32, -0.12, 0.16, 0.0)
    for side in (-1, 1):
        pen.oval(side * 0.1, 0.28, 0.06, 0.05, INK, None)
    if pose.open_mouth:
        pen.oval(0, 0.6, 0.26, 0.2, (120, 20, 30), None)
    else:
        pen.line(curve((-0.46, 0.48), (0, 0.92), (0.46, 0.48), 6), 0.09, INK)


def _hamster_head(pen: Pen, pose: Pose, coat: Coat) -> None:
    for side in (-1, 1):
        pen.oval(side * 0.72, -0.76, 0.28, 0.28, coat.fur)
        pen.oval(side * 0.72, -0.74, 0.16, 0.16, PINK, None)
    right, left = arc(0.62, 0.34, 0.76, 0.54, -20, 90, 6), arc(-0.62, 0.34, 0.76, 0.54, 90, 200, 6)
    pen.polygon([*arc(0, 0, 1.0, 0.92, 180, 360), *right, *left], coat.fur)
    for side in (-1, 1):
        pen.oval(side * 0.62, 0.42, 0.6, 0.4, WHITE, None)
    pen.polygon([(-0.16, -0.9), (0.16, -0.9), (0.08, -0.2), (-0.08, -0.2)], coat.dark, None)
    for side in (-1, 1):
        pen.oval(side * 0.86, 0.4, 0.22, 0.17, PINK, None)
    paint_eyes(pen, 0.44, -0.08, 0.2, 0.0)
    pen.oval(0, 0.2, 0.14, 0.11, (230, 96, 120), None)
    pen.box(-0.12, 0.5, 0.12, 0.74, WHITE, INK)
    _mouth(pen, pose, 0.38)


def _rabbit_head(pen: Pen, pose: Pose, coat: Coat) -> None:
    for side in (-1, 1):
        pen.oval(side * 0.44, -1.3, 0.33, 0.86, coat.fur, turn=side * 9)
        pen.oval(side * 0.44, -1.26, 0.16, 0.62, PINK, None, turn=side * 9)
    pen.oval(0, 0, 0.98, 0.92, coat.fur)
    paint_eyes(pen, 0.42, -0.08, 0.17, 0.0)
    for side in (-1, 1):
        pen.oval(side * 0.62, 0.34, 0.2, 0.14, (252, 196, 202), None)
    pen.oval(0, 0.24, 0.16, 0.12, (236, 90, 120), None)
    _mouth(pen, pose, 0.4)
    pen.box(-0.16, 0.56, 0.16, 0.88, WHITE, INK)
    pen.line(((0, 0.56), (0, 0.88)), 0.04, INK)


def _bushy(pale_tip: bool) -> Tail:
    def paint(pen: Pen, coat: Coat) -> None:
        p = pen.frame(-0.08, 0.3, turn=-52)
        outline = mirrored([(0.02, -0.42), (0.085, -0.33), (0.115, -0.22), (0.1, -0.12), (0.03, 0)])
        p.polygon(outline, coat.fur)
        tip = mirrored([(0.02, -0.42), (0.085, -0.33), (0.1, -0.28), (0.05, -0.23), (0, -0.28)])
        p.polygon(tip, coat.light if pale_tip else coat.dark, None)

    return paint


def _cat_tail(pen: Pen, coat: Coat) -> None:
    low = curve((-0.08, 0.26), (-0.42, 0.34), (-0.33, 0.04))
    pen.line([*low, *curve((-0.33, 0.04), (-0.3, -0.06), (-0.4, -0.08))], 0.05, coat.fur, INK)


def _dog_tail(pen: Pen, coat: Coat) -> None:
    pen.line(curve((-0.1, 0.24), (-0.28, 0.22), (-0.32, 0.04)), 0.06, coat.fur, INK)


def _monkey_tail(pen: Pen, coat: Coat) -> None:
    pen.line(
        [*curve((-0.08, 0.28), (-0.42, 0.38), (-0.4, 0.12)), *arc(-0.33, 0.1, 0.07, 0.08, 180, 440, 10)],
        0.04,
        coat.fur,
        INK,
    )


def _round_tail(pen: Pen, coat: Coat) -> None:
    pen.oval(-0.17, 0.28, 0.08, 0.08, coat.fur)


def _no_tail(pen: Pen, coat: Coat) -> None:
    """A bear's and a hamster's tail does not show."""


def _build(head_r: float, head_y: float, girth: float, limb: float, top: float) -> Build:
    return Build(
        head_r=head_r,
        head_y=head_y,
        shoulder_x=girth * 0.75,
        shoulder_y=0.1,
        hip_x=girth * 0.5,
        hip_y=0.27,
        limb=limb,
        arm=0.2,
        top=top,
    )


def _animal(
    build: Build,
    head: Head,
    tail: Tail,
    coats: tuple[Coat, Coat],
    *,
    socks: bool = False,
    collar: bool = False,
) -> Figure:
    girth = build.hip_x * 2

    def paint(pen: Pen, pose: Pose, look: Look) -> None:
        coat = coats[look.fur]
        tail(pen, coat)
        limbs = coat.dark if socks else coat.fur
        paint_legs(pen, build, pose, (limbs, limbs), limbs if socks else darker(coat.fur, 0.8), False)
        pen.oval(0, 0.17, girth, 0.2, coat.fur)
        pen.oval(0.01, 0.2, girth * 0.62, 0.14, coat.light, None)
        paint_arms(pen, build, pose, (limbs, limbs if socks else darker(coat.fur, 0.8)))
        if collar:
            pen.box(-0.1, 0.035, 0.1, 0.075, (40, 100, 210))
            pen.oval(0, 0.1, 0.03, 0.03, YELLOW)
        head(pen.frame(0, build.head_y, build.head_r, look.nod), pose, coat)

    def hands(look: Look) -> Colour:
        coat = coats[look.fur]
        return coat.dark if socks else darker(coat.fur, 0.8)

    painter: Painter = paint
    return Figure(build, painter, hands)


_COATS: Final[dict[str, tuple[Coat, Coat]]] = {
    "cat": (
        Coat((84, 86, 98), WHITE, (30, 30, 36)),
        Coat((66, 64, 70), WHITE, (24, 22, 26)),
    ),
    "dog": (
        Coat((226, 178, 112), (250, 240, 222), (122, 70, 34)),
        Coat((242, 230, 208), WHITE, (134, 78, 40)),
    ),
    "fox": (
        Coat((236, 104, 24), WHITE, (58, 34, 26)),
        Coat((222, 84, 22), WHITE, (50, 30, 24)),
    ),
    "hamster": (
        Coat((238, 184, 104), WHITE, (176, 112, 48)),
        Coat((230, 170, 88), WHITE, (160, 98, 44)),
    ),
    "rabbit": (
        Coat((250, 248, 246), WHITE, (220, 214, 210)),
        Coat((232, 226, 222), WHITE, (200, 194, 190)),
    ),
    "wolf": (
        Coat((128, 138, 154), (226, 230, 236), (70, 78, 92)),
        Coat((112, 120, 134), (216, 220, 228), (58, 64, 78)),
    ),
    "bear": (
        Coat((112, 68, 38), (206, 160, 112), (70, 42, 24)),
        Coat((90, 56, 36), (196, 150, 106), (58, 36, 22)),
    ),
    "monkey": (
        Coat((134, 84, 48), (248, 206, 160), (90, 54, 30)),
        Coat((120, 70, 44), (244, 200, 156), (80, 46, 28)),
    ),
}

ANIMALS: Final[dict[str, Figure]] = {
    "cat": _animal(_build(0.19, -0.18, 0.13, 0.075, -0.44), _cat_head, _cat_tail, _COATS["cat"]),
    "dog": _animal(_build(0.2, -0.18, 0.14, 0.08, -0.38), _dog_head, _dog_tail, _COATS["dog"], collar=True),
    "fox": _animal(_build(0.18, -0.17, 0.13, 0.07, -0.44), _fox_head, _bushy(True), _COATS["fox"], socks=True),
    "hamster": _animal(_build(0.2, -0.1, 0.2, 0.06, -0.31), _hamster_head, _no_tail, _COATS["hamster"]),
    "rabbit": _animal(_build(0.18, -0.08, 0.13, 0.075, -0.47), _rabbit_head, _round_tail, _COATS["rabbit"]),
    "wolf": _animal(_build(0.185, -0.17, 0.15, 0.08, -0.44), _wolf_head, _bushy(False), _COATS["wolf"]),
    "bear": _animal(_build(0.2, -0.18, 0.2, 0.1, -0.42), _bear_head, _no_tail, _COATS["bear"]),
    "monkey": _animal(_build(0.19, -0.18, 0.12, 0.06, -0.43), _monkey_head, _monkey_tail, _COATS["monkey"]),
}
