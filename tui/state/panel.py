"""What the accuracy drawer shows: steps, groups, survival, runs side by side. Read from the store, told as a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from core.benchmarks import registry
from core.cells import ALL, NO_VALUE, STEPS, Cell, without_value
from core.published.beside import Block, beside, labelled
from core.scoring import RULE
from core.tally import FORK
from sessions.cells import cells_of
from sessions.runs import Run
from sessions.store import Store
from sessions.survival import Alive, survivals
from tui.inert import one_line
from tui.key_names import key
from tui.state.accuracy import called
from tui.state.sheet import Bar, Chart, Curve, Figure, Sheet, Value

View = Literal["steps", "groups", "survival", "runs"]
VIEWS: Final[tuple[View, ...]] = ("steps", "groups", "survival", "runs")
SIGNS: Final = "●○■□▲△"
PEOPLE, BEST = "◆", "◇"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to show: of ``runs`` (the first is looked at, the others stand beside it) and of the items ``only`` (None:
    all). ``step`` "" is the last one; ``lane`` "" the plain answers."""

    runs: tuple[Run, ...]
    view: View = "steps"
    group_by: str = ""
    step: str = ""
    lane: str = ""
    scorer: str = RULE
    published: bool = True
    only: frozenset[str] | None = None

    @property
    def groups(self) -> tuple[str, ...]:
        return registry.get(self.runs[0].config.benchmark).groups


_Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Found:
    """What the store, and the papers, have of it."""

    cells: tuple[Cell, ...] = ()
    alive: Mapping[str, Mapping[str, tuple[Alive, ...]]] = field(default_factory=dict)
    """How many are still all right, by run and lane."""
    blocks: tuple[Block, ...] = ()


def read(store: Store, wanted: Wanted) -> Found:
    """All of one moment; for a thread."""
    with store.snapshot():
        if wanted.view == "survival":
            alive = {run.name: survivals(store, run, wanted.scorer, wanted.only) for run in wanted.runs}
            return Found(alive=alive)
        runs = wanted.runs if wanted.view == "runs" else wanted.runs[:1]
        group_by = wanted.group_by or wanted.groups[0] if wanted.view == "groups" else None
        cells = cells_of(store, runs, group_by=group_by, only=wanted.only)
    mine = [cell for cell in cells if cell.scorer == wanted.scorer]
    return Found(tuple(cells), {}, tuple(beside(mine)) if wanted.published and mine else ())


def lanes(found: Found, scorer: str) -> list[str]:
    """The plain lane and every what-if there is."""
    of_cells = (cell.interventions for cell in found.cells if cell.scorer == scorer)
    return list(dict.fromkeys(["", *of_cells, *(lane for of_run in found.alive.values() for lane in of_run)]))


def scorers(found: Found) -> list[str]:
    return list(dict.fromkeys(cell.scorer for cell in found.cells)) or [RULE]


def steps(found: Found, wanted: Wanted) -> list[str]:
    """The steps there are figures of, in order."""
    return list(dict.fromkeys(cell.step for cell in _of(found, wanted)))


def sheet(found: Found, wanted: Wanted) -> Sheet:
    """The page, and its chart."""
    if wanted.view == "survival":
        return _survival(found, wanted)
    make = {"steps": _steps, "groups": _groups, "runs": _runs}[wanted.view]
    made = make(found, wanted)
    return made if made.rows else replace(made, notes=(*made.notes, _nothing(found, wanted)))


# -- the pages


def _steps(found: Found, wanted: Wanted) -> Sheet:
    by_step = _rows(_of(found, wanted), lambda cell: cell.step)
    return _page(_title("by step", wanted), "step", by_step, _references(found))


def _groups(found: Found, wanted: Wanted) -> Sheet:
    mine, group_by = _of(found, wanted), wanted.group_by or wanted.groups[0]
    asked = wanted.step or (mine[-1].step if mine else "")
    by_group = _rows([cell for cell in mine if cell.step == asked], lambda cell: cell.group)
    return _page(_title(f"{asked} by {group_by}", wanted), group_by, by_group, _references(found))


def _runs(found: Found, wanted: Wanted) -> Sheet:
    plain = [cell for cell in found.cells if cell.scorer == wanted.scorer and cell.group == ALL]
    shown: dict[tuple[str, str], dict[str, list[Cell]]] = {}
    for cell in [*plain, *(cell for block in found.blocks for cell in labelled(block) if cell.source)]:
        shown.setdefault((cell.run, cell.interventions), {}).setdefault(cell.step, []).append(cell)
    names = list(dict.fromkeys(cell.step for cell in plain))
    last = wanted.step or (names[-1] if names else "")
    rows: list[tuple[Value, ...]] = []
    bars = []
    for (who, lane), of_step in shown.items():
        cells = {step: _whole(cells) for step, cells in of_step.items()}
        baseline = next(iter(cells.values())).kind == "baseline"
        label = f"{one_line(who)}{' (baseline)' if baseline else ''}{f', {called(lane)}' if lane else ''}"
        n = cells[last].n if last in cells else 0
        figures = [_figure(cells[step]) if step in cells else "" for step in names]
        rows.append((label, *figures, str(n) if n else "-"))
        if last in cells:
            bars.append(Bar(label, _figure(cells[last])))
    chart = Chart(tuple(bars), legend=f"bars and n: {last}, every property right")
    alone = len(wanted.runs) == 1
    notes = [
        *_compared(found),
        f"{key('accuracy.beside')} chooses the runs that stand beside this one" if alone else "",
    ]
    notes += [f"[{i}] {note.text}" for block in found.blocks for i, note in enumerate(block.footnotes, 1)]
    header = ("whose", *names, "n")
    return Sheet(_title("runs side by side", wanted), header, tuple(rows), tuple(filter(None, notes)), chart)


def _survival(found: Found, wanted: Wanted) -> Sheet:
    followed = _followed(found, wanted)
    names = list(dict.fromkeys(alive.step for of_run in followed.values() for alive in of_run))
    by_run = {run: {alive.step: alive for alive in of_run} for run, of_run in followed.items()}
    curves = [
        Curve(SIGNS[i % len(SIGNS)], one_line(run), tuple(a.share if (a := of_run.get(n)) else None for n in names))
        for i, (run, of_run) in enumerate(by_run.items())
    ]
    rows: list[tuple[Value, ...]] = []
    for name in names:
        row: list[Value] = [name]
        for of_run in by_run.values():
            alive = of_run.get(name)
            row += ["", ""] if alive is None else [Figure(alive.share, alive.low, alive.high, alive.n), str(alive.n)]
        rows.append(tuple(row))
    signed = [f"{curve.sign} {curve.name}" for curve in curves]
    heads = [words if len(curves) < 3 else curve.sign for words, curve in zip(signed, curves, strict=True)]
    header = ("step", *(word for head in heads for word in (head, "n")))
    among = "; plain answers alone" if followed.keys() <= found.alive.keys() else ", of those named alone"
    notes = ["   ".join(signed), f"still all right: this step and every one before it{among}"]
    if not names:
        notes.append(_nothing(found, wanted))
    drawn = tuple(curve for curve in curves if any(share is not None for share in curve.shares))
    chart = Chart(curves=drawn if len(names) > 1 else (), along=tuple(names))
    return Sheet(_title("still all right after each step", wanted), header, tuple(rows), tuple(notes), chart)


def _followed(found: Found, wanted: Wanted) -> dict[str, tuple[Alive, ...]]:
    """What is followed of each run: the lane wanted; where that is the plain one and a run has none, since something
    was put in, each lane that it has instead."""
    out: dict[str, tuple[Alive, ...]] = {}
    for run, lanes in found.alive.items():
        instead = lanes if not wanted.lane and "" not in lanes else {wanted.lane: lanes.get(wanted.lane, ())}
        out |= {f"{run}, {called(lane)}" if lane else run: alive for lane, alive in instead.items()} or {run: ()}
    return out


# -- parts


def _nothing(found: Found, wanted: Wanted) -> str:
    """Why a page has no rows."""
    others = [lane for lane in lanes(found, wanted.scorer) if lane != wanted.lane]
    if wanted.lane.endswith(FORK) and wanted.view == "survival":
        return "forks made on the screen are not followed here: this page counts a run's own trajectories"
    if wanted.lane:
        return f"nothing of {called(wanted.lane)} is scored here; {key('accuracy.lane')} turns to other answers"
    if not others:
        return "nothing has been scored here yet"
    return f"no plain answers: {key('accuracy.lane')} turns to the what-ifs ({', '.join(map(one_line, others))})"


def _of(found: Found, wanted: Wanted) -> list[Cell]:
    return [cell for cell in found.cells if (cell.scorer, cell.interventions) == (wanted.scorer, wanted.lane)]


def _rows(cells: Sequence[Cell], key: Callable[[Cell], str]) -> dict[str, list[Cell]]:
    rows: dict[str, list[Cell]] = {}
    for cell in cells:
        rows.setdefault(key(cell), []).append(cell)
    return rows


def _page(title: str, head: str, rows: Mapping[str, Sequence[Cell]], beside_them: References) -> Sheet:
    """A line for each row: every property, all of them, what was published of all of them, n, what has no value."""
    properties = [*dict.fromkeys(cell.property for cells in rows.values() for cell in cells if cell.property != ALL)]
    if len(set(properties) - {STEPS}) > 1:  # all of one property is that property
        properties.append(ALL)
    given = beside_them.given_for(rows.values())
    lines: list[tuple[Value, ...]] = []
    bars = []
    for label, cells in rows.items():
        by_property = {cell.property: cell for cell in cells}
        whole, name = _whole(cells), one_line(label) or "-"
        others = {sign: by[key] for _, sign, by in given if (key := _key(whole)) in by}
        lines.append(
            (
                name,
                *(_figure(by_property[each]) if each in by_property else "" for each in properties),
                *(_figure(others[sign]) if sign in others else "" for _, sign, _ in given),
                str(whole.n),
                without_value(whole),
            )
        )
        marks = tuple((sign, cell.accuracy or 0.0) for sign, cell in others.items())
        bars.append(Bar(name, _figure(whole), marks))
    header = (head, *properties, *(f"{sign} {name}" for name, sign, _ in given), "n", NO_VALUE)
    if not any(line[-1] for line in lines):
        header, lines = header[:-1], [line[:-1] for line in lines]
    legend = "   ".join(["● with its 95% interval", *(f"{sign} {name}, published" for name, sign, _ in given)])
    best = any(sign == BEST for _, sign, _ in given)
    notes = tuple(filter(None, (beside_them.best_named if best else "", *beside_them.notes)))
    return Sheet(title, header, tuple(lines), notes, Chart(tuple(bars), legend=legend))


@dataclass(frozen=True, slots=True)
class References:
    """The papers' figures of people and of their best model, by what they are figures of."""

    people: Mapping[_Key, Cell]
    best: Mapping[_Key, Cell]
    best_named: str
    notes: tuple[str, ...]

    def given_for(self, rows: Iterable[Sequence[Cell]]) -> list[tuple[str, str, Mapping[_Key, Cell]]]:
        """Those that some row has a figure of, with a name and a sign."""
        both = (("people", PEOPLE, self.people), ("best model", BEST, self.best))
        keys = [_key(_whole(cells)) for cells in rows]
        return [each for each in both if any(key in each[2] for key in keys)]


def _references(found: Found) -> References:
    people: dict[_Key, Cell] = {}
    best: dict[_Key, Cell] = {}
    for block in found.blocks:
        for each in block.published:
            cell = replace(each.row.cell(), group=each.group)
            into = people if cell.kind == "human" else best
            known = into.get(_key(cell))
            if known is None or (cell.accuracy or 0.0) > (known.accuracy or 0.0):
                into[_key(cell)] = cell
    tables: dict[str, dict[str, None]] = {}
    for cell in best.values():
        tables.setdefault(cell.respondent, {})[cell.source] = None
    names = [f"{model} ({', '.join(sources)})" for model, sources in tables.items()]
    note = f"best published model, of every property together: {', '.join(names)}" if names else ""
    return References(people, best, note, tuple(_compared(found)))


def _key(cell: Cell) -> _Key:
    return (cell.step, cell.property, cell.group)


def _compared(found: Found) -> list[str]:
    if not found.blocks:
        return []
    if any(block.published for block in found.blocks):
        return ["published figures are the paper's, on its own items and scored its own way"]
    return ["nothing published compares with how this run asks"]


def _whole(cells: Sequence[Cell]) -> Cell:
    """Every property together; of one property alone, that."""
    return next((cell for cell in cells if cell.property == ALL), cells[0])


def _figure(cell: Cell) -> Figure:
    return Figure(cell.accuracy, cell.low if cell.n else None, cell.high if cell.n else None, cell.n)


def _title(what: str, wanted: Wanted) -> str:
    first = wanted.runs[0]
    parts = [what, one_line(first.name) + (" (baseline)" if first.config.respondent_kind == "baseline" else "")]
    if wanted.lane and wanted.view != "runs":
        parts.append(called(wanted.lane))
    if wanted.scorer != RULE:
        parts.append(f"scored by {one_line(wanted.scorer)}")
    return "   ".join(parts)
