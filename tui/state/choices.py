"""A choice question as the screen shows it: its options, the pick among them, the right one, what is told next."""

from __future__ import annotations

from dataclasses import dataclass

from core.benchmarks.base import Benchmark
from core.benchmarks.offers import Option
from core.records import Item, Score, Step, Turn
from tui.state.marks import RIGHT, WRONG

PICK = "▸"


@dataclass(frozen=True, slots=True)
class Line:
    """One option. ``picked``: it was read in the answer; ``right``: it is the gold one."""

    letter: str
    option: Option
    picked: bool
    right: bool

    @property
    def signs(self) -> str:
        """Two cells: the pick, then what is right, or wrong about it."""
        return (PICK if self.picked else " ") + (RIGHT if self.right else WRONG if self.picked else " ")


@dataclass(frozen=True, slots=True)
class Choices:
    """The question of a turn, and its options in order. ``answered`` is False before anything was answered."""

    question: str
    task: str
    lines: tuple[Line, ...]
    answered: bool

    @property
    def picked(self) -> Line | None:
        return next((line for line in self.lines if line.picked), None)

    @property
    def gold(self) -> Line | None:
        return next((line for line in self.lines if line.right), None)

    @property
    def tells(self) -> bool:
        """Whether the next turn tells something about what was picked."""
        return any(line.option.told for line in self.lines)


def choices(benchmark: Benchmark, item: Item, turn: Turn, step: Step | None, scorer: str) -> Choices | None:
    """The turn's options, and what the step picked among them; None where the turn is no choice of one."""
    if len(turn.form) != 1:
        return None
    offer = benchmark.offer(item, turn)
    if offer is None:
        return None
    name = turn.form[0].name
    pick = pick_of(step, step.score(scorer), name) if step is not None else None
    lines = (
        Line(letter, option, letter == pick, letter == turn.gold.get(name))
        for letter, option in offer.options.items()
    )
    return Choices(offer.question, offer.task, tuple(lines), step is not None)


def pick_of(step: Step, score: Score | None, field: str) -> str | None:
    """What the next turn was built from, else what the scorer read; None where nothing was."""
    return step.choice or (score.parsed.get(field) if score is not None else None)


def picked_as(turn: Turn, step: Step, scorer: str) -> str | None:
    """The pick of a step that holds one value, for lists; None where its turn is no choice of one."""
    if len(turn.form) != 1:
        return None
    return pick_of(step, step.score(scorer), turn.form[0].name) or "?"
