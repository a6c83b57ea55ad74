"""The accuracy strip: step by property over a whole run, what-ifs apart and never mixed in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.records import Origin, Parse, Step, Trajectory
from core.tally import ALL, Cell, CountRow, Tally


@dataclass(frozen=True, slots=True)
class StepAccuracy:
    """One step's share right by property, ``all`` last; None where nothing is counted. ``n`` is that of ``all``."""

    step: str
    shares: tuple[tuple[str, float | None], ...]
    n: int

    @property
    def whole(self) -> float | None:
        return dict(self.shares).get(ALL)


@dataclass(frozen=True, slots=True)
class Lane:
    """The accuracies behind one set of interventions; ``name`` is "" for plain steps."""

    name: str
    steps: tuple[StepAccuracy, ...]


def count_step(tally: Tally, asked: Sequence[str], trajectory: Trajectory, step: Step) -> None:
    """Add a stored step. Parts of a step asked one property a turn are added once, when the last is in."""
    head, _, part = step.turn.step.partition(".")
    parts = [name for name in asked if name.startswith(f"{head}.")]
    if not part or part.isdigit() or len(parts) < 2:
        tally.add_step(step)
        return
    together = [s for s in trajectory.steps if s.turn.step in parts]
    if len(together) < len(parts) or any(s.origin is not Origin.RESPONDENT for s in together):
        return
    for last in step.scores:
        scores = [score for s in together if (score := s.score(last.scorer)) is not None]
        status = next((score.status for score in scores if score.status is not Parse.OK), Parse.OK)
        right = scored = 0
        for score in scores:
            right |= score.right
            scored |= score.scored
        tally.add(CountRow(step.lane, head, last.scorer, ALL, status, right, scored))


def lanes(cells: Iterable[Cell], asked: Sequence[str], scorer: str) -> tuple[Lane, ...]:
    """The plain lane first (there even when empty), then every what-if, steps in the protocol's order."""
    found: dict[str, dict[str, list[Cell]]] = {"": {}}
    for cell in cells:
        if cell.scorer == scorer and cell.group == ALL:
            found.setdefault(cell.interventions, {}).setdefault(cell.step, []).append(cell)
    whole = (name if name.partition(".")[2].isdigit() else name.partition(".")[0] for name in asked)
    order = list(dict.fromkeys(whole))
    return tuple(Lane(name, _ordered(steps, order if not name else ())) for name, steps in found.items())


def _ordered(steps: dict[str, list[Cell]], order: Sequence[str]) -> tuple[StepAccuracy, ...]:
    names = [*order, *(name for name in steps if name not in order)]
    return tuple(_accuracy(name, steps.get(name, [])) for name in names)


def _accuracy(step: str, cells: Sequence[Cell]) -> StepAccuracy:
    whole = next((cell for cell in cells if cell.property == ALL), None)
    shares = tuple((cell.property, cell.accuracy) for cell in cells)
    return StepAccuracy(step, shares, whole.n if whole else 0)
