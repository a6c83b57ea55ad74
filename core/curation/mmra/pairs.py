"""Which pairs of pictures are annotated for which subtask (paper section 2.1).

Pairs are taken at random among those whose captions are similar enough; each subtask has its own order, and within a
subtask no pair comes twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.benchmarks.mmra.question import SUBTASKS
from core.drawing.palette import Dice
from core.errors import UsageError

if TYPE_CHECKING:
    from core.curation.mmra.similarity import Embedder

THRESHOLD: Final = 0.5
PER_SUBTASK: Final = 90
"""How many the paper's annotators went for in each subtask (section 2.3)."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two pictures by their index, and the subtask they are annotated for."""

    id: str
    subtask: str
    first: int
    second: int
    similarity: float


def similar(captions: Sequence[str], embedder: Embedder, threshold: float) -> list[tuple[int, int, float]]:
    """All pairs of captions at least so similar, the first index before the second. Raises UsageError for none."""
    vectors = embedder.embed(captions)
    cosines = vectors @ vectors.T
    found = [
        (int(first), int(second), round(float(cosines[first, second]), 4))
        for first, second in zip(*(cosines >= threshold).nonzero(), strict=True)
        if first < second and captions[first].strip() and captions[second].strip()
    ]
    if not found:
        highest = max((float(row[at + 1 :].max()) for at, row in enumerate(cosines[:-1])), default=0.0)
        raise UsageError(
            f"no two captions are similar enough: the most is {highest:.2f}",
            where=f"--similarity {threshold:g}",
            remedy="More pictures of one kind, or a lower --similarity",
        )
    return found


def choose(found: Sequence[tuple[int, int, float]], subtasks: Sequence[str], each: int, seed: int) -> Iterator[Pair]:
    """At most so many pairs for each subtask; which of two pictures comes first is drawn too."""
    for subtask in subtasks:
        dice = Dice("make-mmra", seed, subtask)
        rest = list(found)
        for number in range(1, min(each, len(rest)) + 1):
            first, second, similarity = rest.pop(int(dice.between(0, len(rest))))
            if dice.chance(0.5):
                first, second = second, first
            yield Pair(f"{subtask.lower()}-{number:03d}", subtask, first, second, similarity)


def known_subtasks(names: Sequence[str]) -> tuple[str, ...]:
    """Short names of subtasks, all of them where none is named. Raises UsageError for an unknown one."""
    from core.benchmarks.mmra import values

    out = []
    for name in names:
        try:
            out.append(values.subtask(name))
        except values.UnreadableError as error:
            raise UsageError(str(error), where=f"--subtask {name}") from None
    return tuple(dict.fromkeys(out)) or tuple(SUBTASKS)
