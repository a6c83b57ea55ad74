"""``phoropter report``: accuracy tables from the store, as tables, files, figures or one page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, NamedTuple

from core.benchmarks import registry
from core.cells import ALL, Cell
from core.errors import UsageError
from core.figures.records import Figure
from core.measures import Measure
from core.published.beside import Block, beside
from core.records import Json
from core.respondents.addresses import without_place
from core.scoring import RULE
from core.study.figures import PEOPLE
from core.tables import Report, Table, Words
from sessions.cells import cells_of
from sessions.flips import Intervened, flips_of
from sessions.golds import PUBLISHED_GOLD, GoldView, gold_view
from sessions.grading import ADJUDICATED, OVERRULED, graders
from sessions.outcomes import measures_of
from sessions.provenance import Provenance, provenance
from sessions.reading import scorers_of
from sessions.repeats import Unfinished, repeats_of, unfinished
from sessions.runs import Run, every_run, find_run
from sessions.store import Store
from tui.cli import provenance_tables as stood_on
from tui.cli.cell_tables import cell_tables
from tui.cli.flips import flip_tables
from tui.cli.formats.writing import Wanted, write
from tui.cli.measure_tables import measure_table
from tui.cli.output import say
from tui.cli.progress import WorkProgress
from tui.counting import counted
from tui.inert import one_line

PUBLISHED: Final = "published"
FAILING: Final = 12
"""So many trajectories of each run that went wrong are on a page where nobody says otherwise ..."""
ON_A_PAGE: Final = 600
"""... and so many of all runs together: a browser must still open it."""
MOST_NAMED: Final = 3
"""So many runs are named in a title."""
FIELDS: Final = tuple(Cell.__dataclass_fields__)
"""The columns of a csv of cells."""
DEMONSTRATION = "The built-in packs are a demonstration: their numbers say nothing about the published benchmarks."


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a report: broken down ``by`` groups (``all``: as a whole, and by each there is), of one
    ``scorer``, ``against`` others' figures, under which ``gold``; which folder its ``figures`` go into, and how many
    ``failing`` trajectories of a run a page has (None: as many as ``ON_A_PAGE`` has room for, at most ``FAILING``).
    """

    by: tuple[str, ...] = ()
    scorer: str = ""
    against: str = ""
    gold: str = "published"
    figures: Path | None = None
    failing: int | None = None


def report_runs(store: Path | None, names: Sequence[str], asked: Asked, how: Wanted) -> int:
    """The tables of the named runs, of all of them where none is named."""
    if asked.against not in ("", PUBLISHED, PEOPLE):
        raise UsageError(
            f"{asked.against!r} cannot be set beside runs", where="--against", remedy=f"Known: {PUBLISHED}, {PEOPLE}"
        )
    if asked.figures is not None:
        from tui.cli.figure_files import refuse_folder

        refuse_folder(asked.figures)
    scorer = without_place(asked.scorer)
    with Store.open(store, create=False, read_only=True) as opened:
        chosen = _chosen(opened, names)
        chosen, by = _broken_down(chosen, asked.by, named=bool(names))
        if scorer:
            refuse_unknown_scorer(opened, chosen, scorer)
        with opened.snapshot():  # figures and a page read more later, of the same moment
            view = gold_view(opened, asked.gold)
            cells = cells_of(opened, chosen, scorer=scorer or None, group_by=by or None, view=view)
            measures = measures_of(opened, chosen, scorer or None, view, by)
            more = more_of(opened, chosen, scorer or None) if view.gold == "published" else NOTHING
            people = _people(opened, chosen, scorer, by) if asked.against == PEOPLE else []
            scorers = [cell.scorer for cell in cells]
            told = provenance(opened, chosen, scorers, gold=view.gold, by=", ".join(by))
            _say_gold(view)
            if not cells and how.shows:
                say("nothing has been scored yet in " + ", ".join(run.name for run in chosen))
            cells = [*cells, *people]
            blocks = beside(cells) if asked.against == PUBLISHED else []
            shown = measures if how.format == "json" else fitting(measures, by)
            made = _report(cells, shown, more, told, blocks, how.format)
            drawn = Shown(opened, chosen, by, cells, measures, view, told)
            write(made, how, lambda: _page(drawn, made, asked))
            if asked.figures is not None:
                from tui.cli.figure_files import write_figures

                with WorkProgress("figures") as progress:
                    write_figures(drawn.figures(asked), asked.figures, told, progress, force=how.force)
    return 0


class Shown(NamedTuple):
    """What figures and a page are made from, beside the tables."""

    store: Store
    runs: Sequence[Run]
    by: Sequence[str]
    cells: Sequence[Cell]
    measures: Sequence[Measure]
    view: GoldView
    told: Provenance

    def figures(self, asked: Asked) -> list[Figure]:
        """All figures of the report."""
        from sessions.figures import figures_of

        scorer = without_place(asked.scorer)
        return figures_of(
            self.store, self.runs, self.cells, self.measures, scorer=scorer, by=self.by, view=self.view,
            published=asked.against == PUBLISHED,
        )  # fmt: skip


def _page(shown: Shown, made: Report, asked: Asked) -> str:
    """The report as one page, with its figures and trajectories that went wrong."""
    from sessions.failing import failing
    from sessions.outcome_arrays import OutcomeReader
    from tui.cli.figure_files import drawings
    from tui.cli.formats import page, paths

    scorer = without_place(asked.scorer) or RULE
    most = failing_of_each(asked.failing, len(shown.runs))
    notes: list[str] = []
    if most < FAILING and asked.failing is None:
        notes = [f"{most} wrong trajectories of each run are here, {ON_A_PAGE} of all at most: --failing N"]
    reader, sections = OutcomeReader(shown.store, PUBLISHED_GOLD), []
    with WorkProgress("page") as progress:
        progress.begin("counting")
        pictured, missing = drawings(shown.figures(asked), progress)
        for run in shown.runs:
            progress.begin(f"what went wrong in {run.name}")
            found = failing(shown.store, run, scorer, most, reader)
            progress.expect(sum(map(len, found.shown.values())))
            sections.append(paths.section(found, progress.did))
    notes = [*missing, *notes]
    return page.text(made, pictured, sections, notes)


def failing_of_each(wanted: int | None, runs: int) -> int:
    """So many trajectories that went wrong a page has of each of so many runs."""
    return wanted if wanted is not None else min(FAILING, ON_A_PAGE // runs)


def _report(
    cells: Sequence[Cell],
    measures: Sequence[Measure],
    more: More,
    told: Provenance,
    blocks: Sequence[Block],
    format_: str,
) -> Report:
    """Only what this format shows is made: tens of thousands of cells are as many rows of each."""
    if blocks:
        from tui.cli.published import beside_report

        made = beside_report(blocks)
    else:
        made = _of_cells(cells, format_)
    parts = [*made.parts, *parts_of((), measures, more)] if format_ not in ("json", "csv") else []
    parts += [stood_on.provenance_table(told)] if parts else []
    records = stood_on.beside(told, made.records) if format_ == "csv" else ()
    document = {**made.document, **_below(measures, more), "about": told.to_json()} if format_ == "json" else {}
    names = [run.run for run in told.runs]
    title = f"Report of {', '.join(names) if len(names) <= MOST_NAMED else counted(len(names), 'run')}"
    return Report(title, parts, document, records, [*made.fields, *stood_on.COLUMNS])


def _of_cells(cells: Sequence[Cell], format_: str) -> Report:
    if format_ == "json":
        return Report("", (), {"cells": [cell.to_json() for cell in cells]}, ())
    return Report("", (), {}, _flat(cells), FIELDS) if format_ == "csv" else Report("", cell_tables(cells), {}, ())


def _flat(cells: Sequence[Cell]) -> list[dict[str, Json]]:
    return [cell.to_json() for cell in cells]


def _below(measures: Sequence[Measure], more: More) -> dict[str, Json]:
    document: dict[str, Json] = {}
    if measures:
        document["measures"] = [measure.to_json() for measure in measures]
    if more.repeats:
        document["repeats"] = [cell.to_json() for cell in more.repeats]
    if more.unfinished:
        document["repeats_unfinished"] = [asdict(one) for one in more.unfinished]
    if rows := {row: None for one in more.flips for row in one.rows}:  # a sham may stand beside several runs
        document["flips"] = [row.to_json() for row in rows]
    return document


def parts_of(cells: Sequence[Cell], measures: Sequence[Measure], more: More) -> list[Table | Words]:
    """The tables of a report: cells, repeats as one answer, measures, what interventions changed."""
    lacking = _not_by_all(more.unfinished)
    repeats = cell_tables(more.repeats, lacking) if more.repeats else [Words(line) for line in lacking]
    return [*cell_tables(cells), *repeats, *measure_table(measures), *flip_tables(more.flips)]


def _not_by_all(found: Sequence[Unfinished]) -> list[str]:
    counts = "; a step counts those that each has answered (n)"
    return [
        one_line(
            f"{one.run}: {one.whole} of {counted(one.items, 'item')} were finished by all"
            f" {counted(one.times, 'repeat')}"
        )
        + (counts if one.whole else "")
        for one in found
    ]


def _say_gold(view: GoldView) -> None:
    if view.gold != "published":
        left_out = counted(len(view.left_out), "item")
        say(f"gold {view.gold}: {left_out} left out, {len(view.corrected)} with corrected values")


def _people(store: Store, chosen: Sequence[Run], scorer: str, by: Sequence[str]) -> list[Cell]:
    from sessions.studies.reporting import people_beside

    groups = ["" if name == ALL else name for name in by or (ALL,)]
    found = [cell for group in groups for cell in people_beside(store, chosen, scorer or RULE, group)]
    if found:
        say("people's rows are of their studies' own items; `phoropter compare people RUN` pairs the shared ones")
    else:
        say("no study in this store has asked people of these benchmarks and protocols")
    return found


class More(NamedTuple):
    """What stands below the cells: repeats as one answer, and what interventions changed."""

    repeats: Sequence[Cell] = ()
    flips: Sequence[Intervened] = ()
    unfinished: Sequence[Unfinished] = ()


NOTHING: Final = More()


def more_of(store: Store, chosen: Sequence[Run], scorer: str | None = None) -> More:
    """Of these runs: nothing where none has repeats or interventions. A run with somebody else at a step is set
    against its plain run where there is one; nobody asked for that, so that nothing is said where there is none."""
    asked = {run.name for run in chosen if run.config.interventions or run.config.base_run}
    flips = [one for one in flips_of(store, chosen, scorer) if one.rows or one.run in asked]
    return More(repeats_of(store, chosen, scorer), flips, unfinished(store, chosen))


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
    chosen = [find_run(store, name) for name in names] if names else every_run(store)[::-1]
    if not chosen:
        raise UsageError(
            "the store holds no runs", where=str(store.path), remedy="Run something first: phoropter run"
        )
    return chosen


def _broken_down(chosen: Sequence[Run], by: Sequence[str], *, named: bool) -> tuple[list[Run], list[str]]:
    """The runs that can be broken down so, saying which others are left out, and the groups. UsageError for a group
    that none of them has, or one that was ``named`` has not."""
    if ALL in by:
        there = dict.fromkeys(group for run in chosen for group in registry.get(run.config.benchmark).groups)
        return list(chosen), [ALL, *there]
    kept = set[int]()
    for group in by:
        having = [run for run in chosen if group in registry.get(run.config.benchmark).groups]
        lacking = [run for run in chosen if run not in having]
        if lacking and (named or not having):
            benchmarks = dict.fromkeys(run.config.benchmark for run in lacking)
            known = dict.fromkeys(group for benchmark in benchmarks for group in registry.get(benchmark).groups)
            raise UsageError(
                f"{' and '.join(benchmarks)} {'has' if len(benchmarks) == 1 else 'have'} no group {group!r}",
                where="--by",
                remedy=f"Known: {', '.join(known)}, {ALL}",
            )
        if lacking:
            say(f"left out, having no group {group!r}: {', '.join(run.name for run in lacking)}")
        kept |= {run.id for run in having}
    return [run for run in chosen if not by or run.id in kept], list(dict.fromkeys(by))


def refuse_unknown_scorer(store: Store, chosen: Sequence[Run], scorer: str, option: str = "--scorer") -> None:
    """Raises UsageError, naming those there are, where no such scorer has scored these runs."""
    known = dict.fromkeys(name for run in chosen for name, _ in scorers_of(store, run.id))
    known |= dict.fromkeys(OVERRULED + name for run in chosen for name in graders(store, run.id))
    if scorer not in known:
        remedy = f"There are: {', '.join(known)}" if known else "Nothing has been scored yet"
        raise UsageError(f"no scorer {scorer!r} has scored these runs", where=option, remedy=remedy)


def fitting(measures: Sequence[Measure], by: Sequence[str] = ()) -> list[Measure]:
    """Those of whole runs and, broken down, those asked for: a page has no room for all groups of all measures."""
    grouped = {group for benchmark in registry.BENCHMARKS.values() for group in benchmark.groups} - set(by)
    return [measure for measure in measures if measure.group_by not in grouped]
