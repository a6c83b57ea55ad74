"""Figures of cells: accuracy by step and property, and by group, with others' figures as marks beside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from core.cells import ALL, STEPS, Cell
from core.figures.records import Figure, Mark, Panel, Series, Whose
from core.published.beside import Published, who
from core.records import named
from core.scoring import RULE
from core.study.figures import PEOPLE
from core.tally import BEFORE, FORK

MOST_GROUPS: Final = 40
"""More groups than this have no figure: nobody could read it."""


def by_step(cells: Sequence[Cell], published: Sequence[Published] = ()) -> Iterator[Figure]:
    """Accuracy over steps, a panel for each property, a figure for each benchmark, subset, protocol and scorer.

    Answers on forks never stand in a figure. ``published`` rows are marks beside.
    """
    for own in _of_a_figure(cell for cell in cells if cell.group_by in (ALL, PEOPLE)):
        first = own[0]
        panels = []
        for name in _properties(own):
            of_panel = [cell for cell in own if cell.property == name]
            series = [*_series(of_panel, lambda cell: cell.step), *_reference(published, first, name, of_panel)]
            panels.append(Panel(name, series))
        yield Figure(
            _stem("accuracy", first), f"{_where(first)}: accuracy by step", "step", "accuracy", panels,
            scorer=first.scorer,
        )  # fmt: skip


def by_group(cells: Sequence[Cell]) -> Iterator[Figure]:
    """Accuracy over groups, of all properties together, a panel for each step. Too many groups have no figure."""
    for own in _of_a_figure(cell for cell in cells if cell.group_by not in (ALL, PEOPLE)):
        first = own[0]
        groups = {cell.group for cell in own if cell.group}
        if not 1 < len(groups) <= MOST_GROUPS:
            continue
        told = _properties(own)[-1]
        shown = [cell for cell in own if cell.property == told and cell.group]
        steps = dict.fromkeys(cell.step for cell in shown)
        panels = [
            Panel(step, list(_series([cell for cell in shown if cell.step == step], lambda cell: cell.group)))
            for step in steps
        ]
        yield Figure(
            _stem(f"accuracy-by-{first.group_by}", first), f"{_where(first)}: accuracy by {first.group_by}",
            first.group_by, f"accuracy ({told})", panels, form="groups", scorer=first.scorer,
        )  # fmt: skip


def _of_a_figure(cells: Iterable[Cell]) -> list[list[Cell]]:
    """The cells of each figure. A scorer that scored no answer (a judge of whom only errors came) has none."""
    found: dict[tuple[str, ...], list[Cell]] = {}
    for cell in cells:
        if not cell.interventions.endswith(FORK.strip()):
            group = "" if cell.group_by == PEOPLE else cell.group_by
            key = (cell.benchmark, cell.subset, cell.protocol, cell.scorer, group if group != ALL else "")
            found.setdefault(key, []).append(cell)
    return [own for own in found.values() if any(cell.accuracy is not None for cell in own)]


def _properties(cells: Sequence[Cell]) -> list[str]:
    """All together last; all of one property is that property."""
    single = [name for name in dict.fromkeys(cell.property for cell in cells) if name not in (ALL, STEPS)]
    return single if len(single) == 1 else [*single, ALL]


def _series(cells: Sequence[Cell], over: Callable[[Cell], str]) -> Iterator[Series]:
    by_run: dict[tuple[str, Whose], list[Mark]] = {}
    for cell in cells:
        if cell.accuracy is None or cell.interventions.startswith(BEFORE):  # neither plain nor a what-if
            continue
        marks_of = (*(["baseline"] if cell.kind == "baseline" else []), *filter(None, (cell.interventions,)))
        name = f"{cell.run} ({', '.join(marks_of)})" if marks_of else cell.run
        mark = Mark(over(cell), cell.accuracy, cell.low, cell.high, cell.n, cell.interval, cell.source)
        by_run.setdefault((name, _whose(cell)), []).append(mark)
    for (name, whose), marks in by_run.items():
        yield Series(name, marks, whose)


def _whose(cell: Cell) -> Whose:
    if cell.kind == "human":
        return "people"
    return "what-if" if cell.interventions else "run"


def _reference(
    published: Sequence[Published], first: Cell, property_name: str, own: Sequence[Cell]
) -> Iterator[Series]:
    """What the paper printed for the same steps and property of all items."""
    steps = {cell.step for cell in own}
    found: dict[tuple[str, Whose], list[Mark]] = {}
    for each in published:
        row = each.row
        if (row.benchmark, row.property_name, row.group) != (first.benchmark, property_name, ALL):
            continue
        if row.step in steps and not row.interventions:
            cell = row.cell()
            whose: Whose = "people" if row.kind == "human" else "published"
            name = f"{who(row)} (published)"
            mark = Mark(row.step, cell.accuracy or 0.0, n=row.n, source=row.source)
            found.setdefault((name, whose), []).append(mark)
    for (name, whose), marks in found.items():
        yield Series(name, marks, whose)


def _where(cell: Cell) -> str:
    scorer = "" if cell.scorer == RULE else f", scored by {cell.scorer}"
    return f"{named(cell.benchmark, cell.subset)}, {cell.protocol}{scorer}"


def _stem(what: str, cell: Cell) -> str:
    scorer = "" if cell.scorer == RULE else cell.scorer
    return "-".join(filter(None, (what, cell.benchmark, cell.subset, cell.protocol, scorer)))
