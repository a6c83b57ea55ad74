"""``phoropter report``: accuracy tables from the store, as tables, files, figures or one page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from core.benchmarks import registry
from core.errors import UsageError
from core.figures.records import Figure
from core.measures import Measure
from core.published.beside import Block, beside
from core.records import Json
from core.respondents.addresses import without_place
from core.scoring import RULE
from core.study.figures import PEOPLE
from core.tables import Report, Table, Words
from core.tally import Cell
from sessions.cells import cells_of
from sessions.flips import Intervened, flips_of
from sessions.golds import GoldView, gold_view
from sessions.grading import ADJUDICATED, OVERRULED, graders
from sessions.outcomes import measures_of
from sessions.provenance import Provenance, provenance
from sessions.reading import scorers_of
from sessions.repeats import repeats_of
from sessions.runs import Run, find_run, runs
from sessions.store import Store
from tui.cli import provenance_tables as stood_on
from tui.cli.cell_tables import cell_tables
from tui.cli.flips import flip_tables
from tui.cli.formats.writing import Wanted, write
from tui.cli.measure_tables import measure_table
from tui.cli.output import say
from tui.counting import counted

PUBLISHED: Final = "published"
FAILING: Final = 12
"""So many trajectories of each run that went wrong are on a page where nobody says otherwise."""
MOST_NAMED: Final = 3
"""So many runs are named in a title."""
FIELDS: Final = tuple(Cell.__dataclass_fields__)
"""The columns of a csv of cells."""
DEMONSTRATION = "The built-in packs are a demonstration: their numbers say nothing about the published benchmarks."


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a report: broken down ``by`` a group, of one ``scorer``, ``against`` others' figures, under
    which ``gold``; which folder its ``figures`` go into, and how many ``failing`` trajectories of a run a page has.
    """

    by: str = ""
    scorer: str = ""
    against: str = ""
    gold: str = "published"
    figures: Path | None = None
    failing: int = FAILING


def report_runs(store: Path | None, names: Sequence[str], asked: Asked, how: Wanted) -> int:
    """The tables of the named runs, of all of them where none is named."""
    if asked.against not in ("", PUBLISHED, PEOPLE):
        raise UsageError(
            f"{asked.against!r} cannot be set beside runs", where="--against", remedy=f"Known: {PUBLISHED}, {PEOPLE}"
        )
    if asked.figures is not None:
        from tui.cli.figure_files import refuse_folder

        refuse_folder(asked.figures)
    scorer, by = without_place(asked.scorer), asked.by
    with Store.open(store, create=False, read_only=True) as opened:
        chosen = _chosen(opened, names)
        if by:
            chosen = _with_group(chosen, by, named=bool(names))
        if scorer:
            refuse_unknown_scorer(opened, chosen, scorer)
        with opened.snapshot():
            view = gold_view(opened, asked.gold)
            cells = cells_of(opened, chosen, scorer=scorer or None, group_by=by or None, view=view)
            measures = measures_of(opened, chosen, scorer or None, view, by)
            more = more_of(opened, chosen, scorer or None) if view.gold == "published" else NOTHING
            people = _people(opened, chosen, scorer, by) if asked.against == PEOPLE else []
            scorers = [cell.scorer for cell in cells]
            told = provenance(opened, chosen, scorers, gold=view.gold, by=by)
        _say_gold(view)
        if not cells and how.shows:
            say("nothing has been scored yet in " + ", ".join(run.name for run in chosen))
        cells = [*cells, *people]
        blocks = beside(cells) if asked.against == PUBLISHED else []
        shown = measures if how.format == "json" else fitting(measures, by)
        made = _report(cells, shown, more, told, blocks)
        drawn = Shown(opened, chosen, cells, measures, view, told)
        write(made, how, lambda: _page(drawn, made, asked))
        if asked.figures is not None:
            from tui.cli.figure_files import write_figures

            write_figures(drawn.figures(asked), asked.figures, told, force=how.force)
    return 0


class Shown(NamedTuple):
    """What figures and a page are made from, beside the tables."""

    store: Store
    runs: Sequence[Run]
    cells: Sequence[Cell]
    measures: Sequence[Measure]
    view: GoldView
    told: Provenance

    def figures(self, asked: Asked) -> list[Figure]:
        """All figures of the report."""
        from sessions.figures import figures_of

        scorer = without_place(asked.scorer)
        return figures_of(
            self.store, self.runs, self.cells, self.measures, scorer=scorer, by=asked.by, view=self.view,
            published=asked.against == PUBLISHED,
        )  # fmt: skip


def _page(shown: Shown, made: Report, asked: Asked) -> str:
    """The report as one page, with its figures and trajectories that went wrong."""
    from sessions.failing import failing
    from tui.cli.figure_files import drawings
    from tui.cli.formats import page, paths

    pictured, notes = drawings(shown.figures(asked))
    scorer = without_place(asked.scorer) or RULE
    sections = [paths.section(failing(shown.store, run, scorer, asked.failing)) for run in shown.runs]
    return page.text(made, pictured, sections, notes)


def _report(
    cells: Sequence[Cell],
    measures: Sequence[Measure],
    more: More,
    told: Provenance,
    blocks: Sequence[Block],
) -> Report:
    if blocks:
        from tui.cli.published import beside_report

        made = beside_report(blocks)
    else:
        made = Report("", cell_tables(cells), {"cells": [cell.to_json() for cell in cells]}, _flat(cells), FIELDS)
    parts = [*made.parts, *parts_of((), measures, more)]
    parts += [stood_on.provenance_table(told)] if parts else []
    records = [stood_on.beside(told, record) for record in made.records]
    names = [run.run for run in told.runs]
    title = f"Report of {', '.join(names) if len(names) <= MOST_NAMED else counted(len(names), 'run')}"
    fields = [*made.fields, *stood_on.COLUMNS]
    return Report(title, parts, {**made.document, **_below(measures, more), "about": told.to_json()}, records, fields)


def _flat(cells: Sequence[Cell]) -> list[dict[str, Json]]:
    return [cell.to_json() for cell in cells]


def _below(measures: Sequence[Measure], more: More) -> dict[str, Json]:
    document: dict[str, Json] = {}
    if measures:
        document["measures"] = [measure.to_json() for measure in measures]
    if more.repeats:
        document["repeats"] = [cell.to_json() for cell in more.repeats]
    if rows := {row: None for one in more.flips for row in one.rows}:  # a sham may stand beside several runs
        document["flips"] = [row.to_json() for row in rows]
    return document


def parts_of(cells: Sequence[Cell], measures: Sequence[Measure], more: More) -> list[Table | Words]:
    """The tables of a report: cells, repeats as one answer, measures, what interventions changed."""
    return [*cell_tables(cells), *cell_tables(more.repeats), *measure_table(measures), *flip_tables(more.flips)]


def _say_gold(view: GoldView) -> None:
    if view.gold != "published":
        left_out = counted(len(view.left_out), "item")
        say(f"gold {view.gold}: {left_out} left out, {len(view.corrected)} with corrected values")


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


def report_agreement(store: Path | None, names: Sequence[str], scorer: str, reference: str, how: Wanted) -> int:
    """How far ``scorer`` agrees with ``reference`` (default: the rule) on the answers of these runs."""
    from sessions.agreement import agreement_of
    from sessions.studies.grading import open_differences
    from tui.cli.agreement import agreement_report

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
        told = provenance(opened, chosen, (scorer, reference))
        unsettled = open_differences(opened, chosen) if ADJUDICATED in (scorer, reference) else 0
    if unsettled:
        say(
            f"graders still differ on {counted(unsettled, 'answer')} here, which {ADJUDICATED} leaves out:"
            " `phoropter study grade RUN --adjudicate`"
        )
    if not found:
        say(f"no answer has been scored by both {scorer} and {reference}")
    if found or not how.shows:
        write(agreement_report(found, told), how)
    return 0


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
