"""Portraits of people and animals whose faces show what they feel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from core.drawing.canvas import INK, Colour, Pen, arc, curve
from core.drawing.palette import PINK, WATER, WHITE, darker

MOODS: Final = ("happy", "sad", "angry", "afraid", "asleep")
_MOUTH: Final[Colour] = (120, 20, 30)


@dataclass(frozen=True, slots=True)
class Sitter:
    """Whose portrait: a kind of head, its colours, and the clothes."""

    kind: str
    """short, long, bun, bald, cap, beard, dog, cat, bear or rabbit."""
    skin: Colour
    hair: Colour
    clothes: Colour


def portrait(pen: Pen, sitter: Sitter, mood: str) -> None:
    """Head and shoulders in a cell, showing one of MOODS. Raises ValueError for another mood."""
    if mood not in MOODS:
        raise ValueError(f"unknown mood {mood!r}; known: {', '.join(MOODS)}")
    if sitter.kind == "long":
        pen.polygon([(-0.3, -0.16), (0.3, -0.16), (0.36, 0.34), (-0.36, 0.34)], sitter.hair)
    pen.polygon([(-0.46, 0.5), (-0.34, 0.28), (-0.12, 0.2), (0.12, 0.2), (0.34, 0.28), (0.46, 0.5)], sitter.clothes)
    head = pen.frame(0, -0.06, 0.3)
    if sitter.kind in _HEADS:
        _HEADS[sitter.kind](head, sitter)
    else:
        _person(head, sitter)
    _features(head, mood, sitter)


def _person(pen: Pen, sitter: Sitter) -> None:
    kind, hair = sitter.kind, sitter.hair
    if kind == "bun":
        pen.oval(0, -1.2, 0.42, 0.38, hair)
    for side in (-1, 1):
        pen.oval(side * 0.98, 0.1, 0.16, 0.22, sitter.skin)
    pen.oval(0, 0.04, 0.98, 1.02, sitter.skin)
    if kind == "beard":
        pen.polygon([*arc(0, 0.1, 1.0, 1.2, 10, 170, 12), (-0.6, 0.36), (0.6, 0.36)], hair)
    if kind == "cap":
        pen.polygon(arc(0, -0.36, 1.04, 0.84, 180, 360), hair)
        pen.polygon([(-0.2, -0.42), (1.5, -0.36), (1.5, -0.2), (-0.2, -0.3)], darker(hair))
    elif kind != "bald":
        pen.polygon([*arc(0, -0.02, 1.06, 1.14, 180, 360), (0.7, -0.46), (0.0, -0.68), (-0.7, -0.46)], hair)


def _dog(pen: Pen, sitter: Sitter) -> None:
    pen.oval(0, 0, 1.0, 1.0, sitter.skin)
    for side in (-1, 1):
        pen.oval(side * 1.06, 0.1, 0.3, 0.8, sitter.hair, turn=-side * 12)
    pen.oval(0, 0.5, 0.66, 0.46, WHITE, None)
    pen.oval(0, 0.26, 0.22, 0.15, INK, None)


def _cat(pen: Pen, sitter: Sitter) -> None:
    for side in (-1, 1):
        pen.polygon([(side * 1.0, -0.1), (side * 0.92, -1.3), (side * 0.2, -0.8)], sitter.skin)
        pen.polygon([(side * 0.84, -0.5), (side * 0.8, -1.0), (side * 0.42, -0.74)], PINK, None)
    pen.oval(0, 0, 1.08, 0.96, sitter.skin)
    pen.polygon([(-0.13, 0.22), (0.13, 0.22), (0, 0.36)], PINK)
    for side in (-1, 1):
        for k in (-1, 0, 1):
            pen.line(((side * 0.6, 0.36 + k * 0.08), (side * 1.5, 0.3 + k * 0.24)), 0.04, sitter.hair)


def _bear(pen: Pen, sitter: Sitter) -> None:
    for side in (-1, 1):
        pen.oval(side * 0.78, -0.76, 0.38, 0.38, sitter.skin)
        pen.oval(side * 0.78, -0.76, 0.2, 0.2, sitter.hair, None)
    pen.oval(0, 0, 1.06, 1.0, sitter.skin)
    pen.oval(0, 0.5, 0.62, 0.46, sitter.hair, None)
    pen.oval(0, 0.24, 0.24, 0.16, INK, None)


def _rabbit(pen: Pen, sitter: Sitter) -> None:
    for side in (-1, 1):
        pen.oval(side * 0.42, -1.1, 0.22, 0.56, sitter.skin, turn=side * 12)
        pen.oval(side * 0.42, -1.1, 0.1, 0.4, PINK, None, turn=side * 12)
    pen.oval(0, 0, 0.98, 0.96, sitter.skin)
    pen.polygon([(-0.12, 0.22), (0.12, 0.22), (0, 0.34)], PINK)


_HEADS: Final[dict[str, Callable[[Pen, Sitter], None]]] = {"dog": _dog, "cat": _cat, "bear": _bear, "rabbit": _rabbit}


def _features(pen: Pen, mood: str, sitter: Sitter) -> None:
    brow = INK if sitter.kind in (*_HEADS, "bald", "cap") else darker(sitter.hair, 0.6)
    inner, outer = {
        "happy": (-0.52, -0.46),
        "sad": (-0.56, -0.28),
        "angry": (-0.2, -0.54),
        "afraid": (-0.66, -0.42),
    }.get(mood, (-0.36, -0.36))
    for side in (-1, 1):
        x = side * 0.4
        pen.line(((side * 0.16, inner), (side * 0.66, outer)), 0.1, brow)
        if mood == "asleep":
            pen.line(curve((x - 0.22, -0.06), (x, 0.12), (x + 0.22, -0.06), 6), 0.07, INK)
        elif mood == "afraid":
            pen.oval(x, -0.06, 0.24, 0.28, WHITE)
            pen.oval(x, -0.06, 0.08, 0.08, INK, None)
        else:
            pen.oval(x, -0.06, 0.13, 0.16, INK, None)
            pen.oval(x + 0.04, -0.12, 0.045, 0.045, WHITE, None)
    _MOUTHS[mood](pen)


def _smile(pen: Pen) -> None:
    pen.polygon(arc(0, 0.4, 0.44, 0.42, 0, 180), _MOUTH)
    pen.polygon([(-0.4, 0.42), (0.4, 0.42), (0.34, 0.54), (-0.34, 0.54)], WHITE, None)
    for side in (-1, 1):
        pen.oval(side * 0.68, 0.3, 0.14, 0.1, PINK, None)


def _frown(pen: Pen) -> None:
    pen.line(curve((-0.34, 0.76), (0, 0.34), (0.34, 0.76), 8), 0.09, _MOUTH)
    for x, y in ((-0.46, 0.3), (0.5, 0.5)):
        pen.polygon([(x, y - 0.2), *arc(x, y + 0.02, 0.1, 0.11, -20, 200, 8)], WATER)


def _teeth(pen: Pen) -> None:
    pen.box(-0.4, 0.48, 0.4, 0.76, WHITE)
    for k in range(-2, 3):
        pen.line(((k * 0.14, 0.48), (k * 0.14, 0.76)), 0.03, INK)
    pen.line(((-0.4, 0.62), (0.4, 0.62)), 0.03, INK)
    pen.line(((-0.07, -0.3), (-0.07, -0.14)), 0.04, INK)
    pen.line(((0.07, -0.3), (0.07, -0.14)), 0.04, INK)


def _wavering(pen: Pen) -> None:
    pen.line([(-0.36 + 0.09 * k, 0.62 + (0.07 if k % 2 else -0.03)) for k in range(9)], 0.07, _MOUTH)
    for x, y in ((-0.92, -0.5), (0.96, -0.36)):
        pen.polygon([(x, y - 0.22), *arc(x, y, 0.1, 0.11, -20, 200, 8)], (150, 210, 250))


def _breath(pen: Pen) -> None:
    pen.oval(0, 0.6, 0.11, 0.1, _MOUTH)
    for x, y, r in ((1.1, -0.8, 0.16), (1.4, -1.16, 0.22)):
        pen.line(((x - r, y - r), (x + r, y - r), (x - r, y + r), (x + r, y + r)), 0.07, INK)


_MOUTHS: Final[dict[str, Callable[[Pen], None]]] = {
    "happy": _smile,
    "sad": _frown,
    "angry": _teeth,
    "afraid": _wavering,
    "asleep": _breath,
}
