"""Which letter shows which option: as in the file, or rotated so that the right letter tells nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from core.benchmarks.vrex.question import ANSWER, FINAL, FOLLOW, Question
from core.records import Turn, digest
from core.tally import REASKED

T = TypeVar("T")


def turned_by(seed: str, item_id: str, step: str, size: int) -> int:
    """By how many places the options of a step are turned: the same on any machine, evenly spread over items."""
    return int(digest([seed, item_id, step])[:16], 16) % size


def turned(options: Mapping[str, T], by: int) -> dict[str, T]:
    """The letters in their order, the options moved on by so many places, the last ones to the front."""
    letters, texts = list(options), list(options.values())
    return {letter: texts[(at - by) % len(texts)] for at, letter in enumerate(letters)}


def turned_letter(options: Mapping[str, T], letter: str, by: int) -> str:
    """The letter that shows what ``letter`` showed before."""
    letters = list(options)
    return letters[(letters.index(letter) + by) % len(letters)]


def shown(options: Mapping[str, T], gold: str, turn: Turn) -> dict[str, T]:
    """The options by letter as a turn shows them: where its gold stands says by how much they were turned."""
    letters = list(options)
    return turned(options, letters.index(turn.gold[ANSWER]) - letters.index(gold))


def place_of(step: str) -> tuple[str, int]:
    """Name and index of a step: ``plan.2`` and ``plan.2.again`` are ("plan", 1), ``final`` is ("final", 0)."""
    name, _, number = step.removesuffix(REASKED).partition(".")
    return name, int(number) - 1 if number else 0


def options_of(view: Question, turn: Turn) -> dict[str, str]:
    """The texts that a turn offers, by the letter that it shows them under."""
    name, index = place_of(turn.step)
    if name == FINAL:
        return shown(view.final.options, view.final.answer, turn)
    step = view.steps[index]
    if name == FOLLOW:
        assert step.following is not None
        return shown(step.following.options, step.following.answer, turn)
    assert step.planning is not None
    return shown(step.planning.questions, step.planning.answer, turn)
