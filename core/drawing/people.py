"""Men, women, seniors and children: told apart by size of head against body, hair and clothes."""

from __future__ import annotations

from typing import Final

from core.drawing.canvas import INK, Colour, Pen, arc, curve, mirrored
from core.drawing.figure import Build, Figure, Pose, paint_arms, paint_eyes, paint_legs
from core.drawing.palette import PINK, RED, STEEL, WHITE, YELLOW, Look, darker

_ADULT: Final = Build(
    head_r=0.16,
    head_y=-0.29,
    shoulder_x=0.1,
    shoulder_y=-0.07,
    hip_x=0.055,
    hip_y=0.16,
    limb=0.075,
    arm=0.25,
    top=-0.47,
)
_SENIOR: Final = Build(
    head_r=0.16,
    head_y=-0.22,
    shoulder_x=0.1,
    shoulder_y=0.0,
    hip_x=0.055,
    hip_y=0.19,
    limb=0.075,
    arm=0.24,
    top=-0.49,
)
_CHILD: Final = Build(
    head_r=0.165,
    head_y=-0.04,
    shoulder_x=0.075,
    shoulder_y=0.16,
    hip_x=0.045,
    hip_y=0.28,
    limb=0.065,
    arm=0.18,
    top=-0.26,
)

_GREY: Final[Colour] = (244, 244, 248)
_TROUSERS: Final[Colour] = (44, 52, 88)
_BROWN: Final[Colour] = (112, 84, 60)
_SHOE: Final[Colour] = (40, 34, 36)


def _mouth(pen: Pen, pose: Pose, y: float, colour: Colour = (170, 50, 50)) -> None:
    if pose.open_mouth:
        pen.oval(0.1, y, 0.22, 0.22, (120, 20, 30), None)
    else:
        pen.line(curve((-0.16, y), (0.1, y + 0.24), (0.36, y), 5), 0.09, colour)


def _face(pen: Pen, skin: Colour, width: float = 0.94) -> None:
    for side in (-1, 1):
        pen.oval(side * width, 0.12, 0.17, 0.22, skin)
    pen.oval(0.0, 0.06, width, 0.96, skin)


def _man_head(pen: Pen, pose: Pose, look: Look) -> None:
    _face(pen, look.skin)
    pen.polygon(
        [*arc(0, -0.02, 1.06, 1.14, 176, 364), (0.86, -0.3), (0.5, -0.46), (-0.5, -0.46), (-0.86, -0.3)],
        look.hair,
    )
    for side in (-1, 1):
        pen.line(((0.1 + side * 0.22, -0.22), (0.1 + side * 0.56, -0.24)), 0.12, look.hair)
    paint_eyes(pen, 0.36, 0.04, 0.15)
    _mouth(pen, pose, 0.66)
    pen.polygon(
        [(-0.4, 0.58), (-0.1, 0.36), (0.1, 0.42), (0.3, 0.36), (0.6, 0.58), (0.1, 0.54)], look.hair, look.hair
    )


def _woman_head(pen: Pen, pose: Pose, look: Look) -> None:
    _face(pen, look.skin, 0.88)
    fringe = [(0.96, 0.5), (0.8, 0.05), (0.55, -0.3), (-0.1, -0.62), (-0.6, -0.2), (-0.82, 0.1), (-0.96, 0.5)]
    pen.polygon([*arc(0, -0.02, 1.1, 1.12, 172, 368), *fringe], look.hair)
    paint_eyes(pen, 0.36, 0.08, 0.16)
    for side in (-1, 1):
        pen.oval(0.1 + side * 0.56, 0.4, 0.16, 0.12, PINK, None)
    if pose.open_mouth:
        _mouth(pen, pose, 0.6)
    else:
        pen.oval(0.1, 0.58, 0.24, 0.15, RED, None)


def _senior_man_head(pen: Pen, pose: Pose, look: Look) -> None:
    _face(pen, look.skin)
    for side in (-1, 1):
        pen.oval(side * 0.98, -0.02, 0.3, 0.42, _GREY)
    beard = [(0.0, 0.32), (0.54, 0.42), (0.96, 0.16), (0.9, 0.9), (0.5, 1.4), (0.0, 1.62)]
    pen.polygon(mirrored(beard), _GREY)
    for side in (-1, 1):
        pen.line(((0.1 + side * 0.2, -0.24), (0.1 + side * 0.56, -0.24)), 0.16, WHITE)
    paint_eyes(pen, 0.36, 0.04, 0.14)
    _mouth(pen, pose, 0.66)


def _senior_woman_head(pen: Pen, pose: Pose, look: Look) -> None:
    pen.oval(0.0, -1.28, 0.52, 0.46, _GREY)
    pen.oval(0.0, -0.08, 1.12, 1.06, _GREY)
    pen.oval(0.0, 0.16, 0.86, 0.84, look.skin)
    pen.polygon([*arc(0, -0.1, 1.0, 0.92, 186, 354), (0.5, -0.36), (0.0, -0.52), (-0.5, -0.36)], _GREY, None)
    for side in (-1, 1):
        pen.oval(0.06 + side * 0.42, 0.1, 0.36, 0.34, INK, None)
        pen.oval(0.06 + side * 0.42, 0.1, 0.27, 0.25, WHITE, None)
        pen.oval(0.06 + side * 0.42, 0.12, 0.12, 0.12, INK, None)
    _mouth(pen, pose, 0.62, RED)


def _boy_head(pen: Pen, pose: Pose, look: Look) -> None:
    _face(pen, look.skin)
    pen.polygon(
        [(-0.98, -0.3), (0.98, -0.3), (0.94, 0.06), (0.74, -0.14), (-0.74, -0.14), (-0.94, 0.06)],
        look.hair,
        None,
    )
    pen.polygon([*arc(0, -0.24, 1.04, 1.0, 180, 360)], look.top)
    pen.polygon([(0.0, -0.42), (1.0, -0.44), (1.62, -0.22), (1.6, -0.06), (0.0, -0.14)], darker(look.top))
    pen.oval(0.0, -1.26, 0.12, 0.1, darker(look.top))
    paint_eyes(pen, 0.36, 0.18, 0.17)
    _mouth(pen, pose, 0.58)


def _girl_head(pen: Pen, pose: Pose, look: Look) -> None:
    for side in (-1, 1):
        pen.oval(side * 1.62, -0.2, 0.38, 0.66, look.hair, turn=-side * 24)
        pen.oval(side * 1.16, -0.66, 0.3, 0.3, YELLOW)
    _face(pen, look.skin, 0.92)
    pen.polygon([*arc(0, -0.02, 1.04, 1.1, 178, 362), (0.7, -0.28), (0.1, -0.62), (-0.6, -0.28)], look.hair)
    paint_eyes(pen, 0.36, 0.14, 0.17)
    for side in (-1, 1):
        pen.oval(0.1 + side * 0.56, 0.46, 0.16, 0.12, PINK, None)
    _mouth(pen, pose, 0.56, RED)


def _shirt(pen: Pen, build: Build, colour: Colour) -> None:
    x, y, hip = build.shoulder_x, build.shoulder_y, build.hip_y
    w = build.hip_x + build.limb * 0.55
    pen.polygon(
        [(-x - 0.02, y - 0.035), (x + 0.02, y - 0.035), (w + 0.012, hip + 0.03), (-w - 0.012, hip + 0.03)],
        colour,
    )


def _gown(pen: Pen, build: Build, pose: Pose, colour: Colour, flare: float, length: float) -> None:
    if pose.legs is None:  # a desk or a car hides the rest, but not a wide hem
        _shirt(pen, build, colour)
        return
    x, y, hip = build.shoulder_x, build.shoulder_y, build.hip_y
    waist = y + (hip - y) * 0.45
    pen.polygon(
        [
            (-x, y - 0.035),
            (x, y - 0.035),
            (x * 0.78, waist),
            (flare, hip + length),
            (-flare, hip + length),
            (-x * 0.78, waist),
        ],
        colour,
    )


def _man(pen: Pen, pose: Pose, look: Look) -> None:
    b = _ADULT
    paint_legs(pen, b, pose, (_TROUSERS, _TROUSERS), _SHOE, False)
    _shirt(pen, b, look.top)
    pen.polygon([(-0.05, -0.12), (0.05, -0.12), (0.0, -0.05)], WHITE, None)
    pen.polygon([(-0.02, -0.09), (0.02, -0.09), (0.028, 0.08), (0.0, 0.12), (-0.028, 0.08)], RED, None)
    paint_arms(pen, b, pose, (look.top, look.skin))
    _man_head(pen.frame(0, b.head_y, b.head_r, look.nod), pose, look)


def _woman(pen: Pen, pose: Pose, look: Look) -> None:
    b = _ADULT
    r, y = b.head_r, b.head_y
    pen.polygon(
        [
            (-r, y - 0.02),
            (r, y - 0.02),
            (r * 1.5, y + 0.3),
            (r * 0.5, y + 0.25),
            (-r * 0.5, y + 0.25),
            (-r * 1.5, y + 0.3),
        ],
        look.hair,
    )
    paint_legs(pen, b, pose, (look.skin, look.skin), look.dress, False)
    _gown(pen, b, pose, look.dress, 0.19, 0.1)
    paint_arms(pen, b, pose, (look.skin, look.skin))
    _woman_head(pen.frame(0, y, r, look.nod), pose, look)


def _senior_man(pen: Pen, pose: Pose, look: Look) -> None:
    b = _SENIOR
    paint_legs(pen, b, pose, (_BROWN, _BROWN), _SHOE, False)
    _shirt(pen, b, (122, 134, 110))
    paint_arms(pen, b, pose, ((122, 134, 110), look.skin))
    _senior_man_head(pen.frame(0, b.head_y, b.head_r, look.nod), pose, look)


def _senior_woman(pen: Pen, pose: Pose, look: Look) -> None:
    b = _SENIOR
    shawl = (190, 92, 130)
    paint_legs(pen, b, pose, (STEEL, STEEL), _SHOE, False)
    _gown(pen, b, pose, (96, 112, 150), 0.16, 0.16)
    paint_arms(pen, b, pose, (shawl, look.skin))
    pen.polygon([(-0.13, -0.05), (0.13, -0.05), (0.1, 0.06), (0.0, 0.14), (-0.1, 0.06)], shawl)
    _senior_woman_head(pen.frame(0, b.head_y, b.head_r, look.nod), pose, look)


def _boy(pen: Pen, pose: Pose, look: Look) -> None:
    b = _CHILD
    paint_legs(pen, b, pose, (_TROUSERS, look.skin), WHITE, True)
    _shirt(pen, b, look.top)
    pen.box(-0.08, 0.2, 0.08, 0.235, WHITE, None)
    paint_arms(pen, b, pose, (look.skin, look.skin))
    _boy_head(pen.frame(0, b.head_y, b.head_r, look.nod), pose, look)


def _girl(pen: Pen, pose: Pose, look: Look) -> None:
    b = _CHILD
    paint_legs(pen, b, pose, (look.skin, look.skin), look.dress, False)
    _gown(pen, b, pose, look.dress, 0.15, 0.06)
    paint_arms(pen, b, pose, (look.skin, look.skin))
    _girl_head(pen.frame(0, b.head_y, b.head_r, look.nod), pose, look)


def _skin(look: Look) -> Colour:
    return look.skin


PEOPLE: Final[dict[str, Figure]] = {
    "male child": Figure(_CHILD, _boy, _skin),
    "female child": Figure(_CHILD, _girl, _skin),
    "man": Figure(_ADULT, _man, _skin),
    "woman": Figure(_ADULT, _woman, _skin),
    "senior man": Figure(_SENIOR, _senior_man, _skin),
    "senior woman": Figure(_SENIOR, _senior_woman, _skin),
}
