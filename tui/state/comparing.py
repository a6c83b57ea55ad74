"""Two trajectories on one item side by side: aligned by the names of their steps, their first difference found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from core.benchmarks.base import Benchmark
from core.records import Progress, Step, Trajectory, Turn
from tui.counting import counted
from tui.state.forking import Change, changes


@dataclass(frozen=True, slots=True)
class Side:
    """A trajectory, the words on whose it is, and who is asked in it."""

    trajectory: Trajectory
    title: str
    asked: str


@dataclass(frozen=True, slots=True)
class Pair:
    """A step of both, or of one alone. ``changes`` are the values read otherwise, ``same`` that nothing differs;
    ``first`` marks the first pair that does. ``prompts`` that they were asked otherwise; ``unasked`` that one side
    has not come so far, so that nothing can be said."""

    name: str
    left: Step | None
    right: Step | None
    changes: tuple[Change, ...] = ()
    same: bool = False
    first: bool = False
    prompts: bool = False
    unasked: bool = False

    @property
    def differs(self) -> bool:
        """Whether it counts as a difference."""
        return not (self.same or self.unasked)

    @property
    def words(self) -> str:
        """What differs, in a few words."""
        if self.unasked:
            return "not asked yet on one side"
        if self.left is None or self.right is None:
            return "only here"
        if self.same:
            return "the same step" if self.left.id and self.left.id == self.right.id else "the same"
        return "read otherwise" if self.changes else "other words"


def pairs(benchmark: Benchmark, left: Trajectory, right: Trajectory, scorer: str) -> tuple[Pair, ...]:
    """All steps of both in order. Further steps than those of a trajectory that is still open are no difference.

    Where a scorer reads something in both, what it reads counts as the difference and other words do not; where it
    reads nothing in either, the words do.
    """
    out: list[Pair] = []
    for one, other in _aligned(left.steps, right.steps):
        step = one or other
        assert step is not None
        if one is None or other is None:
            out.append(Pair(step.turn.step, one, other))
            continue
        found = changes(benchmark, one, other, scorer)
        asked = _asked(one.turn) != _asked(other.turn)
        same = not found and (_same_words(one, other) or _read(one, scorer) or _read(other, scorer))
        out.append(Pair(step.turn.step, one, other, found, same, prompts=asked))
    for side, trajectory in (("left", left), ("right", right)):
        index = len(out)
        while trajectory.progress is not Progress.DONE and index and getattr(out[index - 1], side) is None:
            index -= 1
            out[index] = replace(out[index], unasked=True)
    first = next((index for index, pair in enumerate(out) if pair.differs), None)
    return tuple(replace(pair, first=index == first) for index, pair in enumerate(out))


def difference_words(found: Sequence[Pair]) -> str:
    """How many steps differ, of those that both sides have come to."""
    both = [pair for pair in found if not pair.unasked]
    differing, unasked = sum(pair.differs for pair in both), len(found) - len(both)
    said = f"{differing} of {counted(len(both), 'step')} differ{'s' if differing == 1 else ''}"
    said = said if differing else "no step differs"
    return f"{said}, {unasked} not asked yet on one side" if unasked else said


def _asked(turn: Turn) -> object:
    return turn.content, turn.answer_format


def _same_words(one: Step, other: Step) -> bool:
    return (one.answer.text.strip(), one.answer.picture) == (other.answer.text.strip(), other.answer.picture)


def _read(step: Step, scorer: str) -> bool:
    score = step.score(scorer)
    return score is not None and bool(score.parsed)


def _aligned(left: Sequence[Step], right: Sequence[Step]) -> Iterator[tuple[Step | None, Step | None]]:
    names = [step.turn.step for step in left], [step.turn.step for step in right]
    for kind, start, end, begin, stop in SequenceMatcher(a=names[0], b=names[1], autojunk=False).get_opcodes():
        if kind == "equal":
            yield from zip(left[start:end], right[begin:stop], strict=True)
        else:
            yield from ((step, None) for step in left[start:end])
            yield from ((None, step) for step in right[begin:stop])
