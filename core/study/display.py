"""What a station must be able to show, and how large that is for the eye: pixels, millimetres, degrees."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.records import Json
from core.study.definition import Display

CARD_MM: Final = (85.60, 53.98)
"""Width and height of a bank card (ISO/IEC 7810, ID-1)."""


@dataclass(frozen=True, slots=True)
class Station:
    """One terminal: how it shows pictures, its size in cells, and a cell's in pixels (both width, height)."""

    pictures: str
    cells: tuple[int, int]
    cell_px: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ShownAt:
    """At which size, in pixels of the terminal, an item's picture is shown: (0, 0) where there is no room for it."""

    item: str
    px: tuple[int, int]

    @property
    def least(self) -> int:
        return min(self.px)


def refusals(display: Display, station: Station, shown: Sequence[ShownAt]) -> list[str]:
    """Why this station cannot be used, each in a sentence; empty where it can."""
    out = []
    if display.pictures and station.pictures not in display.pictures:
        out.append(
            f"pictures are shown as {station.pictures} here, and the study asks for {' or '.join(display.pictures)}"
        )
    small = [one for one in shown if one.least < max(display.smallest_px, 1)]
    if small:
        worst = min(small, key=lambda one: one.least)
        width, height = worst.px
        said = f"{width}x{height} pixels" if worst.least else "not at all"
        least = f"; the study asks for at least {display.smallest_px}" if display.smallest_px else ""
        columns, rows = station.cells
        out.append(
            f"{len(small)} of {len(shown)} items have a picture that is too small: {worst.item} is shown {said}"
            f"{least}. Make the window larger ({columns}x{rows} cells now) or the letters smaller"
        )
    return out


@dataclass(frozen=True, slots=True)
class Ruler:
    """A screen measured with a bank card: so many cells wide was the card that was held against it."""

    card_cells: float
    cell_px: tuple[int, int]

    @property
    def mm_per_cell(self) -> float:
        return CARD_MM[0] / self.card_cells

    @property
    def mm_per_px(self) -> float:
        """Of the terminal's pixels, which may be larger than the screen's."""
        return self.mm_per_cell / self.cell_px[0]

    def to_json(self, distance_cm: float = 0.0) -> dict[str, Json]:
        """As kept with a session: what turns the pixels that its trials tell into millimetres, and, looked at from
        that distance, into degrees."""
        out: dict[str, Json] = {"card_cells": self.card_cells, "mm_per_px": round(self.mm_per_px, 5)}
        if distance_cm:
            out |= {"distance_cm": distance_cm, "deg_per_px": round(degrees(self.mm_per_px, distance_cm), 5)}
        return out


def degrees(mm: float, distance_cm: float) -> float:
    """The visual angle of something ``mm`` wide, looked at straight from that distance."""
    return math.degrees(2 * math.atan(mm / 2 / (distance_cm * 10)))
