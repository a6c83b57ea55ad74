"""What screens and reports ask of the store: tallies of scores, failures, pages of items, the tree of an item."""

# ruff: noqa: S608  (only identifiers from constants of this house are put into SQL; values are parameters)

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from core.records import Item, Parse, Progress, Step, Trajectory
from sessions import encoding
from sessions.replay import Replay
from sessions.runs import Run
from sessions.store import Store


@dataclass(frozen=True, slots=True)
class Tally:
    """``count`` answers of the respondent itself that were scored alike: same bits, same parse status.

    ``group`` is the value of the asked grouping ("" without one); ``forked`` marks answers on forks, which plain
    accuracy leaves out. ``right`` and ``scored`` are bits in the step's ``Layout``.
    """

    run: int
    scorer: str
    version: str
    step: str
    lane: str
    forked: bool
    status: Parse
    right: int
    scored: int
    count: int
    group: str = ""


@dataclass(frozen=True, slots=True)
class ItemTally:
    """The same for one item (its row in the store): what repeats and clustered intervals are counted from."""

    item: int
    tally: Tally


@dataclass(frozen=True, slots=True)
class Failures:
    """Main trajectories of a run that failed at a step ("" where that was not told)."""

    run: int
    step: str
    count: int


@dataclass(frozen=True, slots=True)
class Node:
    """A step in an item's tree: the step it follows (0: none) and the trajectory that made it (None: of a run that
    was deleted)."""

    step: Step
    parent: int
    trajectory: int | None


@dataclass(frozen=True, slots=True)
class Tree:
    """All steps of one item in one run, and its trajectories without their steps; ``heads`` maps a trajectory to
    its last step."""

    nodes: tuple[Node, ...]
    trajectories: tuple[Trajectory, ...]
    heads: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class ItemStatus:
    """One line of a list of items. ``trajectory`` is its main one in the run, None where it was not run;
    ``first_wrong`` the name of the first step that the scorer holds wrong, "" where there is none."""

    id: int
    key: str
    benchmark: str
    subset: str
    groups: Mapping[str, str]
    trajectory: int | None = None
    progress: Progress | None = None
    first_wrong: str = ""
    failed_step: str = ""
    reason: str = ""
    steps: int = 0

    @property
    def label(self) -> str:
        """``not run``, ``failed``, ``open``, ``wrong`` or ``right``."""
        if self.progress is None:
            return "not run"
        if self.progress is not Progress.DONE:
            return self.progress.value
        return "wrong" if self.first_wrong else "right"


def tallies(
    store: Store, runs: Sequence[int], *, scorer: str | None = None, group_by: str | None = None
) -> Iterator[Tally]:
    """All scores of these runs, counted; of each scorer (all, or the one named) its newest version step by step.

    One pass over the covering index. ``group_by`` names one of the items' groups; an item without it counts under
    "".
    """
    raise NotImplementedError


def item_tallies(
    store: Store, runs: Sequence[int], *, scorer: str | None = None, group_by: str | None = None
) -> Iterator[ItemTally]:
    """The same, item by item."""
    raise NotImplementedError
