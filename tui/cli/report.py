"""``phoropter report``: accuracy tables from the store."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from core.benchmarks import registry
from core.errors import UsageError
from core.measures import Measure
from core.records import named
from core.repeats import GROUP
from core.respondents.addresses import without_place
from core.scoring import RULE
from core.study.figures import PEOPLE
from core.tally import ALL, STEPS, Cell
from sessions.cells import cells_of
from sessions.flips import Intervened, flips_of
from sessions.golds import gold_view
from sessions.grading import OVERRULED, graders
from sessions.outcomes import measures_of
from sessions.reading import scorers_of
from sessions.repeats import repeats_of
from sessions.runs import Run, find_run, runs
from sessions.store import Store
from tui.cli.flips import print_flips
from tui.cli.measure_tables import print_measures
from tui.cli.output import console, fits, markdown_table, put, put_json, say
from tui.counting import counted
from tui.inert import one_line

if TYPE_CHECKING:
    from rich.table import Table

FORMATS = ("table", "md", "csv", "json")
PUBLISHED = "published"
DEMONSTRATION = "The built-in packs are a demonstration: their numbers say nothing about the published benchmarks."


def report_runs(
    store: Path | None,
    names: Sequence[str],
    by: str,
    scorer: str,
    format_: str,
    against: str = "",
    gold: str = "published",
) -> int:
    """The tables of the named runs, of all of them where none is named; ``against`` sets others' figures beside,
    ``gold`` is the one that counts."""
    if against not in ("", PUBLISHED, PEOPLE):
        raise UsageError(
            f"{against!r} cannot be set beside runs", where="--against", remedy=f"Known: {PUBLISHED}, {PEOPLE}"
        )
    _refuse_format(format_)
    scorer = without_place(scorer)
    with Store.open(store, create=False, read_only=True) as opened:
        chosen = _chosen(opened, names)
        if by:
            chosen = _with_group(chosen, by, named=bool(names))
        if scorer:
            refuse_unknown_scorer(opened, chosen, scorer)
        with opened.snapshot():
            view = gold_view(opened, gold)
            cells = cells_of(opened, chosen, scorer=scorer or None, group_by=by or None, view=view)
            measures = measures_of(opened, chosen, scorer or None, view)
            more = more_of(opened, chosen, scorer or None) if view.gold == "published" else NOTHING
            people = _people(opened, chosen, scorer, by) if against == PEOPLE else []
    if view.gold != "published":
        left_out = counted(len(view.left_out), "item")
        say(f"gold {view.gold}: {left_out} left out, {len(view.corrected)} with corrected values")
    if format_ != "json":
        measures = fitting(measures, by)
    if not cells and format_ == "table":
        say("nothing has been scored yet in " + ", ".join(run.name for run in chosen))
    cells = [*cells, *people]
    if against == PUBLISHED:
        from tui.cli.published import print_beside

        print_beside(cells, format_, measures)
    else:
        print_cells(cells, format_, measures, more)
    return 0


def _people(store: Store, chosen: Sequence[Run], scorer: str, by: str) -> list[Cell]:
    from sessions.studies.reporting import people_beside

    found = people_beside(store, chosen, scorer or RULE, by)
    if found:
        say("people's rows are of their studies' own items; `phoropter compare people RUN` pairs the shared ones")
    else:
        say("no study in this store has asked people of these benchmarks and protocols")
    return found


class More(NamedTuple):
    """What stands below the cells: repeats as one answer, and what interventions changed."""

    repeats: Sequence[Cell] = ()
    flips: Sequence[Intervened] = ()


NOTHING: Final = More()


def more_of(store: Store, chosen: Sequence[Run], scorer: str | None = None) -> More:
    """Of these runs: nothing where none has repeats or interventions. A run with somebody else at a step is set
    against its plain run where there is one; nobody asked for that, so that nothing is said where there is none."""
    asked = {run.name for run in chosen if run.config.interventions or run.config.base_run}
    flips = [one for one in flips_of(store, chosen, scorer) if one.rows or one.run in asked]
    return More(repeats_of(store, chosen, scorer), flips)


def report_agreement(store: Path | None, names: Sequence[str], scorer: str, reference: str, format_: str) -> int:
    """How far ``scorer`` agrees with ``reference`` (default: the rule) on the answers of these runs."""
    from sessions.agreement import agreement_of
    from tui.cli.agreement import print_agreement

    _refuse_format(format_)
    scorer, reference = without_place(scorer), without_place(reference or RULE)
    if scorer == reference:
        raise UsageError(
            f"{scorer} agrees with itself", where="--agreement", remedy="Name another one with --against"
        )
    with Store.open(store, create=False, read_only=True) as opened:
        chosen = _chosen(opened, names)
        refuse_unknown_scorer(opened, chosen, scorer, "--agreement")
        refuse_unknown_scorer(opened, chosen, reference, "--against")
        found = agreement_of(opened, chosen, scorer, reference)
    if not found:
        say(f"no answer has been scored by both {scorer} and {reference}")
    if found or format_ != "table":
        print_agreement(found, format_)
    return 0


def _refuse_format(format_: str) -> None:
    if format_ not in FORMATS:
        raise UsageError(f"there is no format {format_!r}", where="--format", remedy=f"Known: {', '.join(FORMATS)}")


def _chosen(store: Store, names: Sequence[str]) -> list[Run]:
    chosen = [find_run(store, name) for name in names] if names else [s.run for s in reversed(runs(store))]
    if not chosen:
        raise UsageError(
            "the store holds no runs", where=str(store.path), remedy="Run something first: phoropter run"
        )
    return chosen


def _with_group(chosen: Sequence[Run], by: str, *, named: bool) -> list[Run]:
    """The runs that can be broken down so, saying which others are left out. UsageError where none can, or one that
    was ``named``."""
    lacking = [run for run in chosen if by not in registry.get(run.config.benchmark).groups]
    if lacking and (named or len(lacking) == len(chosen)):
        benchmarks = dict.fromkeys(run.config.benchmark for run in lacking)
        known = dict.fromkeys(group for benchmark in benchmarks for group in registry.get(benchmark).groups)
        raise UsageError(
            f"{' and '.join(benchmarks)} {'has' if len(benchmarks) == 1 else 'have'} no group {by!r}",
            where="--by",
            remedy=f"Known: {', '.join(known)}",
        )
    if lacking:
        say(f"left out, having no group {by!r}: {', '.join(run.name for run in lacking)}")
    return [run for run in chosen if run not in lacking]


def refuse_unknown_scorer(store: Store, chosen: Sequence[Run], scorer: str, option: str = "--scorer") -> None:
    """Raises UsageError, naming those there are, where no such scorer has scored these runs."""
    known = dict.fromkeys(name for run in chosen for name, _ in scorers_of(store, run.id))
    known |= dict.fromkeys(OVERRULED + name for run in chosen for name in graders(store, run.id))
    if scorer not in known:
        remedy = f"There are: {', '.join(known)}" if known else "Nothing has been scored yet"
        raise UsageError(f"no scorer {scorer!r} has scored these runs", where=option, remedy=remedy)


def fitting(measures: Sequence[Measure], by: str = "") -> list[Measure]:
    """Those of whole runs and, broken down, those asked for: a page has no room for all groups of all measures."""
    grouped = {group for benchmark in registry.BENCHMARKS.values() for group in benchmark.groups} - {by}
    return [measure for measure in measures if measure.group_by not in grouped]


def print_cells(cells: Sequence[Cell], format_: str, measures: Sequence[Measure] = (), more: More = NOTHING) -> None:
    """Cells on stdout in one of the formats, below them what reads more than single answers (csv: cells alone)."""
    if format_ == "json":
        document = {"cells": [cell.to_json() for cell in cells]}
        if measures:
            document["measures"] = [measure.to_json() for measure in measures]
        if more.repeats:
            document["repeats"] = [cell.to_json() for cell in more.repeats]
        if rows := {row: None for one in more.flips for row in one.rows}:  # a sham may stand beside several runs
            document["flips"] = [row.to_json() for row in rows]
        put_json(document)
    elif format_ == "csv":
        put(_csv(cells))
    elif format_ == "md":
        put(_markdown(cells))
        if more.repeats:
            put(_markdown(more.repeats))
        print_measures(measures, format_)
        print_flips(more.flips, format_)
    else:
        for of_protocol in (*_by_protocol(cells), *_by_protocol(more.repeats)):
            _print_table(of_protocol)
        print_measures(measures, format_)
        print_flips(more.flips, format_)


def _by_protocol(cells: Sequence[Cell]) -> list[list[Cell]]:
    """One table a benchmark, subset and protocol, in the order they first come."""
    found: dict[tuple[str, str, str], list[Cell]] = {}
    for cell in cells:
        found.setdefault((cell.benchmark, cell.subset, cell.protocol), []).append(cell)
    return list(found.values())


def _print_table(cells: Sequence[Cell]) -> None:
    """Side by side where there is room; on a narrow screen a table for each run, so that no number is broken."""
    out = console()
    table = _table(cells)
    if fits(out, table):
        out.print(table)
        return
    for _, of_run in groupby(cells, key=lambda cell: cell.run):
        out.print(_table(list(of_run), alone=True))


def _heading(cell: Cell) -> str:
    where = f"{named(cell.benchmark, cell.subset)}, {cell.protocol}"
    if cell.group_by == PEOPLE:
        return f"{where}, several people's answers to an item as one"
    return f"{where}, an item's repeats as one answer" if cell.group_by == GROUP else where


def _rows(cells: Sequence[Cell]) -> tuple[list[str], list[list[str]]]:
    """Header and rows: a row for each run, lane, group and step, a column for each property."""
    properties = [*dict.fromkeys(cell.property for cell in cells if cell.property != ALL), ALL]
    single = len(set(properties) - {STEPS, ALL}) == 1
    if single:  # all of one property is that property
        properties.remove(ALL)
    grouped = any(cell.group_by != ALL for cell in cells)
    what_if = any(cell.interventions for cell in cells)
    scorers = len({cell.scorer for cell in cells}) > 1
    header = ["run", *(["scorer"] if scorers else []), *(["what-if"] if what_if else [])]
    header += [*([cells[0].group_by] if grouped else []), "step", *properties]
    header += [f"95% of {properties[0] if single else ALL}", "n", "left open"]
    rows = []
    for (run, scorer, lane, group, step), of_step in groupby(
        cells, key=lambda cell: (cell.run, cell.scorer, cell.interventions, cell.group, cell.step)
    ):
        by_property = {cell.property: cell for cell in of_step}
        last = by_property.get(ALL) or next(iter(by_property.values()))
        row = [one_line(run) + (" (baseline)" if last.kind == "baseline" else "")]
        row += [*([scorer] if scorers else []), *([lane or "-"] if what_if else []), *([group] if grouped else [])]
        row.append(step)
        row += [_percent(by_property[name].accuracy) if name in by_property else "" for name in properties]
        told = bool(last.n) or not last.source
        row += [_between(last), str(last.n) if told else "-", _left_open(last)]
        rows.append(row)
    if not any(row[-1] for row in rows):
        return header[:-1], [row[:-1] for row in rows]
    return header, rows


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.2f}"


def _between(cell: Cell) -> str:
    """The interval; a published figure has none."""
    return "-" if cell.low is None else f"{_percent(cell.low)}-{_percent(cell.high)}"


def _left_open(cell: Cell) -> str:
    """Answers without a value, by reason; empty where there is none."""
    parts = [
        f"{count} {what}"
        for count, what in (
            (cell.unparsed, "unparsed"),
            (cell.refused, "refused"),
            (cell.unscored, "unscored"),
            (cell.failed, "failed"),
            (cell.judge_errors, "judge_error"),
        )
        if count
    ]
    return ", ".join(parts)


def _table(cells: Sequence[Cell], *, alone: bool = False) -> Table:
    """``alone``: of one run, named above the table instead of in a column."""
    from rich.table import Table

    header, rows = _rows(cells)
    first = cells[0]
    whose = f"\n{rows[0][0]}" if alone else ""
    if alone:
        header, rows = header[1:], [row[1:] for row in rows]
    intervals = sorted({cell.interval for cell in cells})
    gold = "" if first.gold == "published" else f"; gold: {first.gold}"
    scorers = ", ".join(dict.fromkeys(cell.scorer for cell in cells))
    table = Table(
        title=f"{_heading(first)}: accuracy in %{whose}",
        caption=f"scored by {scorers}; intervals: {', '.join(intervals)}{gold}",
        title_justify="left",
        caption_justify="left",
    )
    for name in header:
        text = name in ("run", "scorer", "what-if", "step", "left open", first.group_by)
        table.add_column(name, justify="left" if text else "right", overflow="fold", no_wrap=not text)
    last = ""
    for row in rows:
        if not alone:
            if row[0] != last and last:
                table.add_section()
            last, row[0] = row[0], (row[0] if row[0] != last else "")
        table.add_row(*row)
    return table


def _markdown(cells: Sequence[Cell]) -> str:
    out = []
    for of_protocol in _by_protocol(cells):
        header, rows = _rows(of_protocol)
        first = of_protocol[0]
        gold = "" if first.gold == "published" else f" (gold: {first.gold})"
        out.append(f"**{_heading(first)}**{gold}\n")
        out.append(markdown_table(header, rows))
    return "\n".join(out)


def _csv(cells: Sequence[Cell]) -> str:
    text = io.StringIO()
    names = list(Cell.__dataclass_fields__)
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    for cell in cells:
        writer.writerow(cell.to_json())
    return text.getvalue()
