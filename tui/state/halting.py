"""Calls that ended before their answer had come: what had arrived is kept until the step is asked anew.

It lies with the drafts, in the file beside the store: it is no answer, is never scored, and outlives the app.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from core.records import Trajectory
from sessions.drafts import Drafts, Place

AGAIN: Final = "again"
OTHER: Final = "other"


@dataclass(frozen=True, slots=True)
class Deed:
    """What a call was made for: "" the next turn of its path; ``again``; ``other``, ``text`` naming whom; or an
    intervention's kind with what it has of ``property_name`` and ``text``."""

    kind: str = ""
    property_name: str = ""
    text: str = ""

    @property
    def whom(self) -> str:
        """Who was asked, "" for whoever is asked usually."""
        return self.text if self.kind == OTHER else ""


@dataclass(frozen=True, slots=True)
class Kept:
    """What had arrived of an answer, and what it was asked for."""

    text: str = ""
    deed: Deed = field(default_factory=Deed)


def path_of(trajectory: Trajectory) -> int:
    """Under which drafts of a trajectory are kept: 0 for the main one, which has no row before its first step."""
    return trajectory.id if trajectory.parent is not None or trajectory.repeat else 0


class Halted:
    """What is kept of the calls of one run, by item, path and step."""

    def __init__(self, drafts: Drafts, run: str) -> None:
        self._drafts = drafts
        self._run = f"stopped {run}"

    def get(self, item: str, path: int, index: int) -> Kept | None:
        """What is kept of the call for that step, None where nothing is."""
        stored = self._drafts.get(Place(self._run, item, path, index))
        return None if stored is None else _read(stored)

    def put(self, item: str, path: int, index: int, kept: Kept) -> None:
        deed = kept.deed
        words = json.dumps([kept.text, deed.kind, deed.property_name, deed.text])
        self._drafts[Place(self._run, item, path, index)] = words

    def drop(self, item: str, path: int, index: int) -> None:
        """It is asked anew."""
        self._drafts.pop(Place(self._run, item, path, index), None)

    def on(self, item: str) -> frozenset[tuple[int, int]]:
        """The paths and steps of an item of which something is kept."""
        return frozenset((p.trajectory, p.step) for p in self._drafts if (p.run, p.item) == (self._run, item))

    def hold_to(self, item: str, paths: set[int]) -> None:
        """Drop what is kept of other paths than these: they were removed."""
        for path, index in self.on(item):
            if path not in paths:
                self.drop(item, path, index)


@lru_cache(16)
def _read(stored: str) -> Kept | None:
    """None for what nothing like this has written."""
    try:
        text, kind, property_name, of = json.loads(stored)
    except (ValueError, TypeError, RecursionError):
        return None
    return Kept(str(text), Deed(str(kind), str(property_name), str(of)))
