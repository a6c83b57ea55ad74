"""How each action is staged in a cell: where the figure stands, what its limbs do, and what is behind and before it."""

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


def _reach(build: Build, side: int, hand: Point, bow: float = 0.0) -> Limb:
    return straight((side * build.shoulder_x, build.shoulder_y), hand, bow)


def _stand(build: Build) -> tuple[Limb, Limb]:
    return _leg(build, -1, -0.26), _leg(build, 1, 0.26)


def _soccer(pen: Pen, figure: Figure, look: Look) -> None:
    b = figure.build
    props.strip(pen, GRASS, 0.41)
    props.goal(pen)
    arms = _arm(b, -1, -0.85, -0.35, 0.1), _arm(b, 1, 0.7, 0.35, -0.1)
    legs = _leg(b, -1, -0.35), _leg(b, 1, 1.0, 0.25, 0.12)
    figure.paint(pen.frame(-0.17, -0.02, turn=-5), Pose(arms, legs), look)
    props.ball(pen, 0.31, 0.31, 0.135)


def _driving(pen: Pen, figure: Figure, look: Look) -> None:
    b = figure.build
    x, y = -0.1, 0.06 - b.shoulder_y
    props.wheel(pen)
    hand = (0.12 - x, 0.02 - y)
    arms = _reach(b, -1, (b.shoulder_x, b.shoulder_y + 0.1)), _reach(b, 1, hand, -0.2)
    figure.paint(pen.frame(x, y), Pose(arms, None), look)
    props.car(pen, look.car)


def _skating(pen: Pen, figure: Figure, look: Look) -> None:
    b = figure.build
    props.ice(pen)
    props.flake(pen, -0.38, -0.32, 0.09)
    props.flake(pen, 0.4, -0.36, 0.09)
    arms = _arm(b, -1, -1.05, -0.25), _arm(b, 1, 1.05, -0.15)
    legs = _leg(b, -1, -1.1, 0.35, 0.05), _leg(b, 1, 0.2, 0.12)
    p = pen.frame(0.02, 0.0, turn=6)
    figure.paint(p, Pose(arms, legs, WHITE), look)
    props.blade(p, *legs[0].end, 55)
    props.blade(p, *legs[1].end, -6)


def _walking(pen: Pen, figure: Figure, look: Look) -> None:
    b = figure.build
    props.footprints(pen)
    arms = _arm(b, -1, -0.3, 0.85), _arm(b, 1, 0.4, 0.8)
    legs = _leg(b, -1, -0.5, 0.0, 0.04), _leg(b, 1, 0.55)
    figure.paint(pen.frame(0, -0.02), Pose(arms, legs), look)


def _swimming(pen: Pen, figure: Figure, look: Look) -> None:
    b = figure.build
    x, y = 0.04, 0.12 - b.shoulder_y
    arms = _arm(b, -1, -0.9, 0.2), _arm(b, 1, 1.1, -0.75, -0.3)
    figure.paint(pen.frame(x, y, turn=0), Pose(arms, None), look)
    props.water(pen, 0.14)


def _jumping(pen: Pen, figure: Figure, look: Look) -> None:
    b = figure.build
    pen.oval(0, 0.45, 0.24, 0.035, (96, 96, 108), None)
    arms = _arm(b, -1, -0.6, -0.8), _arm(b, 1, 0.6, -0.8)
    legs = _leg(b, -1, -0.75, 0.5, 0.25), _leg(b, 1, 0.75, 0.5, -0.25)
    figure.paint(pen.frame(0, -0.1, 0.85), Pose(arms, legs), look)
    for x in (-0.12, 0.0, 0.12):
        pen.line(((x, 0.3), (x, 0.4)), 0.03, (60, 66, 84))


def _typing(pen: Pen, figure: Figure, look: Look) -> None:
    b = figure.build
    x, y = -0.22, 0.04 - b.shoulder_y
    arms = _reach(b, -1, (-0.2 - x - 0.1, 0.17 - y)), _reach(b, 1, (-0.06 - x, 0.17 - y))
    props.desk(pen, -0.48, 0.49, 0.2)
    figure.paint(pen.frame(x, y), Pose(arms, None), look)
    props.desk(pen, -0.48, 0.49, 0.2)
    props.computer(pen)
    props.keyboard(pen)
    for hx in (-0.22, -0.04):
        pen.oval(hx, 0.16, 0.035, 0.035, look.skin)


def _writing(pen: Pen, figure: Figure, look: Look) -> None:
    b = figure.build
    x, y = -0.18, 0.04 - b.shoulder_y
    arms = _reach(b, -1, (0.02 - x, 0.2 - y)), _reach(b, 1, (0.25 - x, 0.0 - y), -0.2)
    figure.paint(pen.frame(x, y), Pose(arms, None), look)
    props.desk(pen, -0.48, 0.49, 0.22)
    props.sheet(pen)
    props.pencil(pen, 0.2, 0.16)


def _digging(pen: Pen, figure: Figure, look: Look) -> None:
    b = figure.build
    props.pit(pen)
    x = -0.22
    arms = _reach(b, -1, (0.02 - x, 0.18), -0.1), _reach(b, 1, (-0.06 - x, -0.02), -0.1)
    figure.paint(pen.frame(x, -0.02), Pose(arms, _stand(b)), look)
    props.spade(pen, 0.16, 0.46, -22)


def _carrying(pen: Pen, figure: Figure, look: Look) -> None:
    b = figure.build
    x = -0.16
    y = max(b.shoulder_y + 0.08, 0.02)
    arms = _reach(b, -1, (0.04 - x, y + 0.15)), _reach(b, 1, (0.3 - x, y + 0.17), 0.2)
    legs = _leg(b, -1, -0.4), _leg(b, 1, 0.45)
    figure.paint(pen.frame(x, 0), Pose(arms, legs), look)
    props.parcel(pen, 0.23, y, 0.2)


def _reading(pen: Pen, figure: Figure, look: Look) -> None:
    b = figure.build
    y = b.shoulder_y + 0.12
    arms = _reach(b, -1, (-0.18, y), 0.1), _reach(b, 1, (0.3, y), -0.1)
    figure.paint(pen, Pose(arms, _stand(b)), look)
    props.book(pen, 0.06, y, look.cover)


def _running(pen: Pen, figure: Figure, look: Look) -> None:
    b = figure.build
    props.strip(pen, (206, 92, 62), 0.42)
    pen.line(((-0.48, 0.46), (0.48, 0.46)), 0.014, WHITE)
    props.speed_lines(pen, -0.3, 0.2)
    length = GROUND - b.hip_y
    arms = (
        Limb((-b.shoulder_x - 0.5 * b.arm, b.shoulder_y + 0.3 * b.arm), (-b.shoulder_x - 0.4 * b.arm, b.shoulder_y + 0.9 * b.arm)),
        Limb((b.shoulder_x + 0.3 * b.arm, b.shoulder_y + 0.5 * b.arm), (b.shoulder_x + 0.85 * b.arm, b.shoulder_y)),
    )
    legs = (
        Limb((-0.4 * length, b.hip_y + 0.5 * length), (-1.25 * length, b.hip_y + 0.62 * length)),
        Limb((0.85 * length, b.hip_y + 0.25 * length), (0.85 * length, b.hip_y + 0.9 * length)),
    )
    figure.paint(pen.frame(0.02, -0.01, turn=14), Pose(arms, legs), look)
    props.dust(pen, -0.36, 0.37)


def _eating(pen: Pen, figure: Figure, look: Look) -> None:
    b = figure.build
    y = 0.04 - b.shoulder_y
    left, right = (-0.33, 0.08), (0.33, 0.08)
    arms = _reach(b, -1, (left[0], left[1] - y), 0.2), _reach(b, 1, (right[0], right[1] - y), -0.2)
    figure.paint(pen.frame(0, y), Pose(arms, None, open_mouth=True), look)
    props.dinner_table(pen, 0.2)
    props.burger(pen, 0, 0.17)
    props.fork(pen, *left)
    props.knife(pen, *right)


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
