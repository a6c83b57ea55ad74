"""The accuracy strip: step by property over a whole run, what-ifs apart and never mixed in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.benchmarks.base import Benchmark
from core.cells import ALL, STEPS, Cell
from core.tally import BEFORE
from tui.inert import one_line


@dataclass(frozen=True, slots=True)
class StepAccuracy:
    """One step's share right by property, ``all`` last; None where nothing is counted. ``n`` is that of ``all``.

    ``pooled``: numbered steps under their common name, their share the mean over samples, ``n`` the samples.
    """

    step: str
    shares: tuple[tuple[str, float | None], ...]
    n: int
    pooled: bool = False

    @property
    def whole(self) -> float | None:
        return dict(self.shares).get(ALL)


@dataclass(frozen=True, slots=True)
class Lane:
    """The accuracies behind one set of interventions; ``name`` is "" for plain steps."""

    name: str
    steps: tuple[StepAccuracy, ...]


def called(lane: str) -> str:
    """A lane that is not the plain one, as it is read: what was answered before an intervention is no what-if."""
    return one_line(lane) if lane.startswith(BEFORE) else f"what if {one_line(lane)}"


def strip_steps(benchmark: Benchmark, asked: Sequence[str]) -> tuple[str, ...]:
    """A protocol's steps as the strip names them: those asked in parts as a whole, numbered ones pooled.

    Steps that no scorer judges are left out.
    """
    wholes = {part: whole for whole, names in benchmark.parts.items() for part in names}
    heads = {step: step.partition(".")[0] for step in asked}
    names = (
        heads[step] if heads[step] in benchmark.pooled else wholes.get(step, step)
        for step in asked
        if heads[step] not in benchmark.unscored
    )
    return tuple(dict.fromkeys(names))


def lanes(cells: Iterable[Cell], order: Sequence[str], scorer: str) -> tuple[Lane, ...]:
    """The plain lane first (there even when empty), then every what-if.

    ``order`` are the steps to show; a step asked in parts stands there as a whole, numbered ones under their common
    name with the mean over samples.
    """
    found: dict[str, dict[str, list[Cell]]] = {"": {}}
    for cell in cells:
        if cell.scorer == scorer and cell.group == ALL and cell.step in order:
            found.setdefault(cell.interventions, {}).setdefault(cell.step, []).append(cell)
    return tuple(
        Lane(name, tuple(_accuracy(step, steps.get(step, [])) for step in order if step in steps or not name))
        for name, steps in found.items()
    )


def _accuracy(step: str, cells: Sequence[Cell]) -> StepAccuracy:
    whole = next((cell for cell in cells if cell.property == ALL), None)
    if whole is None and any(cell.property == STEPS for cell in cells):
        return StepAccuracy(step, ((ALL, cells[0].accuracy),), cells[0].n, pooled=True)
    shares = tuple((cell.property, cell.accuracy) for cell in cells)
    return StepAccuracy(step, shares, whole.n if whole else 0)
