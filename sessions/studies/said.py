"""What a screen tells a sitting: how a trial was shown, and what was replied and when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.records import EMPTY, Item, Json, Turn
from core.study.orders import Planned


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture as it was drawn: hash of what was sent to the screen, width and height in pixels of the terminal."""

    hash: str
    width: int
    height: int

    def to_json(self) -> Json:
        return [self.hash, self.width, self.height]


@dataclass(frozen=True, slots=True)
class Shown:
    """How a trial came on the screen. ``cells`` and ``pixels`` are the terminal's width and height; ``protocol`` is
    the one of its pictures; ``instructions`` the hash of the instructions last read."""

    terminal: str = ""
    cells: tuple[int, int] = (0, 0)
    pixels: tuple[int, int] = (0, 0)
    protocol: str = ""
    pictures: tuple[ShownPicture, ...] = ()
    instructions: str = ""

    def to_json(self) -> dict[str, Json]:
        return {
            "terminal": self.terminal,
            "cells": list(self.cells),
            "pixels": list(self.pixels),
            "protocol": self.protocol,
            "pictures": [picture.to_json() for picture in self.pictures],
            "instructions": self.instructions,
        }


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer to one turn. All times are milliseconds of the sitting's clock (``Sitting.clock.ms``).

    ``values`` is by field of the turn's form; ``text`` is what was typed where there is no form, or typed so far when
    the time was out. ``onset_ms`` is when the turn stood on the screen, ``first_ms`` the first and ``final_ms`` the
    last key that set an answer (None: none did). ``paused_ms`` is how long it was paused before the final one (None:
    in all), ``paused_first_ms`` before the first one, ``zoom_ms`` how long a picture was looked at nearer.
    ``changes`` holds every value that a field was given, the first one too: (ms, field, value). ``anticipations`` are
    the keys that came before the turn was on the screen, drained: (ms, key).
    """

    values: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    text: str = ""
    onset_ms: float = 0.0
    first_ms: float | None = None
    final_ms: float | None = None
    paused_ms: float = 0.0
    paused_first_ms: float = 0.0
    zoom_ms: float = 0.0
    changes: tuple[tuple[float, str, str], ...] = ()
    confidence: float | None = None
    why: str = ""
    timed_out: bool = False
    anticipations: tuple[tuple[float, str], ...] = ()

    @property
    def revisions(self) -> tuple[tuple[float, str, str], ...]:
        """The changes that took the place of an earlier value."""
        known, out = dict[str, str](), []
        for change in self.changes:
            _, name, value = change
            if name in known and known[name] != value:
                out.append(change)
            known[name] = value
        return tuple(out)

    def fields(self) -> dict[str, list[float]]:
        """By field: first and last change, in milliseconds after onset."""
        out: dict[str, list[float]] = {}
        for ms, name, _ in self.changes:
            out.setdefault(name, [ms - self.onset_ms, 0.0])[1] = ms - self.onset_ms
        return out

    def after_onset(self, ms: float | None) -> int | None:
        return None if ms is None else max(0, round(ms - self.onset_ms))


@dataclass(frozen=True, slots=True)
class Trial:
    """A trial that has begun. ``begun_ms`` is by the sitting's clock; ``again``: it had begun before this sitting."""

    id: int
    planned: Planned
    begun_ms: float
    again: bool = False

    @property
    def item(self) -> Item:
        return self.planned.item


def form_of(turn: Turn, reply: Reply) -> dict[str, Any]:
    """What was said, field by field of the form, and what was typed."""
    known = {each.name for each in turn.form}
    unknown = [name for name in reply.values if name not in known]
    if unknown:
        raise ValueError(f"{turn.step} has no field {', '.join(unknown)}")
    out: dict[str, Any] = {"values": dict(reply.values)} if reply.values else {}
    return out | ({"text": reply.text} if reply.text else {})
