"""How each action is staged in a cell: where the figure is, what its limbs do, what is behind and before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from core.drawing import props
from core.drawing.canvas import Pen, Point
from core.drawing.figure import GROUND, Build, Figure, Limb, Pose, straight
from core.drawing.palette import GRASS, WHITE, Look

Stage = Callable[[Pen, Figure, Look], None]


def _leg(build: Build, side: int, dx: float, up: float = 0.0, bow: float = 0.0) -> Limb:
    """A leg from the hip on ``side`` to ``dx`` leg lengths along the ground, lifted by ``up`` of them."""
    length = GROUND - build.hip_y
    return straight((side * build.hip_x, build.hip_y), (dx * length, GROUND - up * length), bow)


def _arm(build: Build, side: int, dx: float, dy: float, bow: float = 0.0) -> Limb:
    """An arm from the shoulder on ``side``, whose hand is ``dx`` and ``dy`` arm lengths away."""
    x, y = side * build.shoulder_x, build.shoulder_y
    return straight((x, y), (x + dx * build.arm, y + dy * build.arm), bow)


def _swing(build: Build) -> float:
    """How far a foot off the ground may go: stout animals need more than their legs' length to show it."""
    return max(GROUND - build.hip_y, 0.2)


def _seat(
    pen: Pen,
    figure: Figure,
    look: Look,
    x: float,
    hands: tuple[Point, Point],
    *,
    bow: float = 0.15,
    eats: bool = False,
    low: float = 0.06,
) -> None:
    """The upper half of a figure at ``x``, its hands at places of the cell; grown-ups sit higher."""
    b = figure.build
    grown = b.top < -0.46 and b.head_y < -0.2
    scale = 1.12 if grown else 1.03
    y = low + (0.0 if grown else 0.04) - scale * b.shoulder_y
    y += max(0.0, -0.5 - (y + scale * b.top))
    left, right = (((hx - x) / scale, (hy - y) / scale) for hx, hy in hands)
    arms = (
        straight((-b.shoulder_x, b.shoulder_y), left, bow),
        straight((b.shoulder_x, b.shoulder_y), right, -bow),
    )
    figure.paint(pen.frame(x, y, scale), Pose(arms, None, open_mouth=eats), look)


def _reach(build: Build, hands: tuple[Point, Point], bow: float = 0.0) -> tuple[Limb, Limb]:
    x, y = build.shoulder_x, build.shoulder_y
    return straight((-x, y), hands[0], bow), straight((x, y), hands[1], -bow)


def _stand(build: Build) -> tuple[Limb, Limb]:
    return _leg(build, -1, -0.26), _leg(build, 1, 0.26)


def _soccer(pen: Pen, figure: Figure, look: Look) -> None:
    b = figure.build
    props.goal(pen)
    props.strip(pen, GRASS, 0.41)
    arms = _arm(b, -1, -0.6, -0.5, 0.1), _arm(b, 1, 0.75, 0.3, -0.1)
    length = _swing(b)
    kick = straight((b.hip_x, b.hip_y), (0.95 * length, GROUND - 0.3 * length), 0.12)
    figure.paint(pen.frame(-0.2, -0.02, turn=-4), Pose(arms, (_leg(b, -1, -0.3), kick)), look)
    props.ball(pen, 0.3, 0.29, 0.16)


def _driving(pen: Pen, figure: Figure, look: Look) -> None:
    props.wheel(pen)
    _seat(pen, figure, look, -0.12, ((-0.2, 0.2), (0.12, 0.02)), low=0.05)
    props.car(pen, look.car)


def _skating(pen: Pen, figure: Figure, look: Look) -> None:
    b = figure.build
    props.ice(pen)
    props.flake(pen, -0.39, -0.33, 0.095)
    props.flake(pen, 0.4, -0.36, 0.095)
    arms = _arm(b, -1, -1.0, -0.2), _arm(b, 1, 1.0, -0.15)
    length = _swing(b)
    legs = straight((-b.hip_x, b.hip_y), (-1.05 * length, GROUND - 0.5 * length), 0.05), _leg(b, 1, 0.2, 0.12)
    p = pen.frame(0.04, -0.02, 0.97, turn=6)
    figure.paint(p, Pose(arms, legs, WHITE), look)
    props.blade(p, *legs[0].end, 40)
    props.blade(p, *legs[1].end, -6)


def _walking(pen: Pen, figure: Figure, look: Look) -> None:
    b = figure.build
    props.footprints(pen)
    length = _swing(b)
    arms = _arm(b, -1, -0.75, 0.65, 0.1), _arm(b, 1, 0.8, 0.45, 0.2)
    legs = (
        straight((-b.hip_x, b.hip_y), (-0.75 * length, GROUND - 0.03), 0.08),
        straight((b.hip_x, b.hip_y), (0.72 * length, GROUND - 0.01), 0.06),
    )
    figure.paint(pen.frame(0, -0.02), Pose(arms, legs), look)


def _swimming(pen: Pen, figure: Figure, look: Look) -> None:
    _seat(pen, figure, look, -0.02, ((-0.36, 0.17), (0.38, -0.12)), bow=0.25, low=0.1)
    props.water(pen, 0.16)


def _jumping(pen: Pen, figure: Figure, look: Look) -> None:
    b = figure.build
    pen.oval(0, 0.46, 0.25, 0.032, (110, 110, 122), None)
    out, up = b.head_r + 0.15, b.head_y - 0.1
    length = _swing(b)
    scale = 0.84 if b.head_y < -0.2 else 0.78
    legs = (
        straight((-b.hip_x, b.hip_y), (-0.85 * length, b.hip_y + 0.55 * length), 0.3),
        straight((b.hip_x, b.hip_y), (0.85 * length, b.hip_y + 0.55 * length), -0.3),
    )
    pose = Pose(_reach(b, ((-out, up), (out, up)), 0.12), legs)
    for x in (-0.13, 0.0, 0.13):
        pen.line(((x, 0.27), (x, 0.36)), 0.035, (60, 66, 84))
    figure.paint(pen.frame(0, -0.47 - scale * b.top, scale), pose, look)


def _typing(pen: Pen, figure: Figure, look: Look) -> None:
    hands = (-0.26, 0.17), (-0.06, 0.17)
    _seat(pen, figure, look, -0.23, hands)
    props.desk(pen, -0.48, 0.49, 0.2)
    props.computer(pen)
    props.keyboard(pen)
    figure.grip(pen, look, *hands)


def _writing(pen: Pen, figure: Figure, look: Look) -> None:
    hands = (-0.02, 0.19), (0.27, 0.04)
    _seat(pen, figure, look, -0.2, hands)
    props.desk(pen, -0.48, 0.49, 0.22)
    props.sheet(pen)
    props.pencil(pen, 0.19, 0.17)
    figure.grip(pen, look, *hands)


def _digging(pen: Pen, figure: Figure, look: Look) -> None:
    b = figure.build
    x, y, scale = -0.25, -0.1, 0.9
    lift = max(0.0, -0.5 - (y + scale * b.top))
    hands = (0.1, 0.13), (0.07, -0.06)
    props.pit(pen)
    left, right = (((hx - x) / scale, (hy - y - lift) / scale) for hx, hy in hands)
    figure.paint(pen.frame(x, y + lift, scale), Pose(_reach(b, (left, right), -0.1), _stand(b)), look)
    props.spade(pen, 0.15, 0.43, -9)
    figure.grip(pen, look, *hands)


def _carrying(pen: Pen, figure: Figure, look: Look) -> None:
    b = figure.build
    x = -0.17
    y = max(b.shoulder_y + 0.08, 0.03)
    length = _swing(b)
    legs = (
        straight((-b.hip_x, b.hip_y), (-0.5 * length, GROUND - 0.01)),
        straight((b.hip_x, b.hip_y), (0.5 * length, GROUND - 0.01)),
    )
    hands = (0.04, y + 0.17), (0.28, y + 0.2)
    figure.paint(pen.frame(x, 0), Pose(_reach(b, ((0.04 - x, y + 0.17), (0.26 - x, y + 0.18)), 0.1), legs), look)
    props.parcel(pen, 0.25, y, 0.22)
    figure.grip(pen, look, *hands)


def _reading(pen: Pen, figure: Figure, look: Look) -> None:
    b = figure.build
    y = b.shoulder_y + 0.13
    hands = (-0.24, y + 0.04), (0.28, y + 0.04)
    figure.paint(pen.frame(0, -0.01), Pose(_reach(b, hands, 0.1), _stand(b)), look)
    props.book(pen, 0.02, y, look.cover)
    figure.grip(pen, look, *hands)


def _running(pen: Pen, figure: Figure, look: Look) -> None:
    b = figure.build
    props.strip(pen, (206, 92, 62), 0.42)
    pen.line(((-0.48, 0.46), (0.48, 0.46)), 0.014, WHITE)
    props.speed_lines(pen, -0.3, 0.22)
    length = _swing(b)
    x, y = b.shoulder_x, b.shoulder_y
    arms = (
        Limb((-x - 0.5 * b.arm, y + 0.3 * b.arm), (-x - 0.4 * b.arm, y + 0.9 * b.arm)),
        Limb((x + 0.4 * b.arm, y + 0.5 * b.arm), (x + 0.95 * b.arm, y)),
    )
    legs = (
        Limb((-0.4 * length, b.hip_y + 0.45 * length), (-1.25 * length, b.hip_y + 0.5 * length)),
        Limb((0.9 * length, b.hip_y + 0.2 * length), (0.9 * length, b.hip_y + 0.85 * length)),
    )
    figure.paint(pen.frame(0.03, -0.02, turn=14), Pose(arms, legs), look)
    props.dust(pen, -0.36, 0.37)


def _eating(pen: Pen, figure: Figure, look: Look) -> None:
    hands = (-0.36, 0.1), (0.36, 0.1)
    _seat(pen, figure, look, 0, hands, bow=0.2, eats=True, low=0.02)
    props.dinner_table(pen, 0.22)
    props.burger(pen, 0, 0.21)
    props.fork(pen, *hands[0])
    props.knife(pen, *hands[1])
    figure.grip(pen, look, *hands)


STAGES: Final[dict[str, Stage]] = {
    "playing soccer": _soccer,
    "driving a car": _driving,
    "ice-skating": _skating,
    "walking": _walking,
    "swimming": _swimming,
    "jumping": _jumping,
    "typing": _typing,
    "writing": _writing,
    "digging a hole": _digging,
    "carrying something": _carrying,
    "reading": _reading,
    "running": _running,
    "eating food": _eating,
}
