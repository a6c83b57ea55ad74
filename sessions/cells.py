"""Accuracy cells of stored runs: the store's counts through the same tally that a live panel adds to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from core.benchmarks import registry
from core.cells import ALL, Cell, CountRow
from core.gathered import Gathered, Groups
from core.records import Parse
from core.tally import REASKED, Tally, forked_lane, joined
from sessions import reading
from sessions.golds import PUBLISHED_GOLD, GoldView, recounted
from sessions.grading import OVERRULED, graders
from sessions.judgements import JudgeErrors, judge_errors
from sessions.lanes import before_of
from sessions.runs import Run
from sessions.store import Store
from sessions.tallies import Count, Failures, answered, groups_of

if TYPE_CHECKING:
    from core.gathered import Whole


def run_tally(store: Store, run: Run) -> Tally:
    """One run's counts as stored, all of one moment; add steps to it as they come.

    Answers on forks stand in lanes of their own, beside the lanes of interventions. Answers that hang together are
    told so by their item's id. Where people graded, the rule overruled by each of them counts beside it.
    """
    with store.snapshot():
        benchmark = registry.get(run.config.benchmark)
        tally = Tally(benchmark.layout, parts=benchmark.parts, pooled=benchmark.pooled, before=before_of(run.config))
        clustered = _clustered(store, run)
        names = reading.item_names(store, run.id) if clustered else {}
        scorers = _scorers(store, run, None)
        counts = [reading.tallies(store, [run.id], scorer=one, by_item=clustered) for one in scorers]
        for count in chain(*counts, _joined(store, run, scorers)):
            cluster = names[count.item] if clustered and count.item is not None else None
            bits = (count.status, count.right, count.scored, count.count)
            tally.add(CountRow(_lane(count), count.step, count.scorer, ALL, *bits, cluster))
        for failure in reading.failures(store, [run.id], by_item=bool(benchmark.pooled)):
            cluster = names.get(failure.item) if failure.item is not None else None
            for step in _missed(run, failure.step):
                tally.add_failed(step, ALL, failure.count, cluster, failure.lane)
        for missed in judge_errors(store, [run.id]):
            tally.add_unjudged(missed.scorer, missed.step, ALL, missed.count, _lane(missed))
        return tally


def cells_of(
    store: Store,
    runs: Sequence[Run],
    *,
    scorer: str | None = None,
    group_by: str | Sequence[str] | None = None,
    view: GoldView = PUBLISHED_GOLD,
    only: Collection[str] | None = None,
) -> list[Cell]:
    """Cells of these runs, in their order: each step by property, groups in order of their names, ``all`` last.

    All are of one moment, also where a batch is writing meanwhile. Of several groups (``all``: not broken down)
    each has its cells, one group after the other, those of the runs that have it; each run is read once. ``view`` is
    the gold that counts. ``only`` counts the items of these ids alone; what judges gave no score for is not told item
    by item, and left out then.
    """
    names = [ALL] if group_by is None else [group_by] if isinstance(group_by, str) else list(dict.fromkeys(group_by))
    with store.snapshot():
        return _Gatherer(store, runs, scorer, names, view, only).cells()


class _Gatherer:
    """Gathers runs one by one; what all of them need of the store is read once."""

    def __init__(
        self,
        store: Store,
        runs: Sequence[Run],
        scorer: str | None,
        names: Sequence[str],
        view: GoldView,
        only: Collection[str] | None,
    ) -> None:
        self._store, self._runs, self._scorer, self._view, self._only = store, runs, scorer, view, only
        self._groups: dict[str, Groups | None] = dict.fromkeys(names)
        self._groups |= {one.name: one for one in groups_of(store, [name for name in names if name != ALL])}
        self._failures: dict[int, list[Failures]] = {}
        for failure in reading.failures(store, [run.id for run in runs], by_item=True):
            self._failures.setdefault(failure.run, []).append(failure)
        self._missed: dict[tuple[int, str], Counter[tuple[str, str, str, str]]] = {}
        for name in names if only is None else ():
            group = None if name == ALL else name
            for missed in judge_errors(store, None, scorer=scorer, group_by=group, without=view.left_out):
                counts = self._missed.setdefault((missed.run, name), Counter())
                counts[missed.scorer, _lane(missed), missed.step, missed.group if group else ALL] += missed.count

    def cells(self) -> list[Cell]:
        found: dict[str, list[Cell]] = {name: [] for name in self._groups}
        for run in self._runs:
            benchmark, gathered, about = registry.get(run.config.benchmark), self._gathered(run), _about(run)
            about["gold"] = self._view.gold
            for name, groups in self._groups.items():
                if groups is None or name in benchmark.groups:
                    missed = Counter[tuple[str, str, str, str]]()
                    for (scorer, lane, step, group), count in self._missed.get((run.id, name), Counter()).items():
                        missed[scorer, lane, common_name(run, step), group] += count
                    found[name] += _in_order(run, gathered.cells(groups, missed, about))
        return [cell for cells in found.values() for cell in cells]

    def _gathered(self, run: Run) -> Gathered:
        store, benchmark = self._store, registry.get(run.config.benchmark)
        found = Gathered(
            benchmark.layout, benchmark.pooled, clustered=_clustered(store, run), before=before_of(run.config)
        )
        names = reading.item_names(store, run.id) if self._only is not None else {}
        only = None if self._only is None else {row for row, name in names.items() if name in self._only}
        apart = self._view.apart
        scorers = _scorers(store, run, self._scorer)
        for one in scorers:
            for count, items in answered(store, run.id, scorer=one):
                own = _chosen(items, apart, only)
                if len(own):
                    found.add(count.scorer, _lane(count), count.step, count.status, count.right, count.scored, own)
        singly: dict[tuple[str, str, str, Parse, int, int], list[int]] = {}
        for count in _joined(store, run, scorers):
            if count.item is not None and count.item not in apart:
                where = (count.scorer, _lane(count), count.step, count.status, count.right, count.scored)
                singly.setdefault(where, []).append(count.item)
        for row, lane, step, score in _recounted(store, run, self._view):
            if self._scorer in (None, score.scorer):
                where = (score.scorer, lane, step, score.status, score.right, score.scored)
                singly.setdefault(where, []).append(row)
        for where, rows in singly.items():
            own = _chosen(rows, (), only)
            if len(own):
                found.add(*where, own)
        for failure in self._failures.get(run.id, ()):
            item = failure.item
            if item is not None and item not in self._view.left_out and (only is None or item in only):
                for step in _missed(run, failure.step):
                    found.add_failed(step, item, failure.count, failure.lane)
        return found


def _chosen(rows: Whole | Sequence[int], without: Collection[int], only: Collection[int] | None) -> Whole:
    """These items' rows, some of them left out."""
    import numpy

    found = numpy.asarray(rows, dtype=numpy.int64)
    if without:
        found = found[~numpy.isin(found, list(without))]
    return found if only is None else found[numpy.isin(found, list(only))]


def _scorers(store: Store, run: Run, scorer: str | None) -> list[str | None]:
    """The one asked for; None: all that are stored, and the rule overruled by each grader."""
    return [scorer] if scorer is not None else [None, *(OVERRULED + name for name in graders(store, run.id))]


def _clustered(store: Store, run: Run) -> bool:
    """Whether an item's answers to a step hang together."""
    return bool(registry.get(run.config.benchmark).pooled) or reading.hangs_together(store, run.id)


def _lane(one: Count | JudgeErrors) -> str:
    return forked_lane(one.lane) if one.forked else one.lane


def _joined(store: Store, run: Run, scorers: Sequence[str | None]) -> Iterator[Count]:
    """Steps asked in parts as one, where the run asks them so."""
    asked = set(steps_of(run))
    for whole, parts in registry.get(run.config.benchmark).parts.items():
        for one in scorers if set(parts) <= asked else ():
            yield from reading.joined(store, run.id, whole, parts, scorer=one)


def _recounted(store: Store, run: Run, view: GoldView) -> Iterator[tuple[int, str, str, CountRow]]:
    """The answers on items that count against another gold than the stored one: item's row, lane and step."""
    for path in recounted(store, run, view):
        rows = [
            CountRow(step.lane, step.turn.step, score.scorer, ALL, score.status, score.right, score.scored)
            for step in path.steps
            for score in step.scores
        ]
        for whole, parts in registry.get(run.config.benchmark).parts.items():
            asked = [step for step in path.steps if step.turn.step in parts]
            rows += joined(asked, whole, parts) if asked else ()
        for row in rows:
            yield path.row, forked_lane(row.lane) if path.forked else row.lane, row.step, row


def _missed(run: Run, failed_step: str) -> list[str]:
    """A trajectory that failed at a step answered none of the steps from there on."""
    steps = steps_of(run)
    step = failed_step.removesuffix(REASKED)
    first = steps.index(step) if step in steps else 0
    missed = [common_name(run, later) for later in steps[first:]]
    for whole, parts in registry.get(run.config.benchmark).parts.items():
        missed += [whole] if set(parts) & set(missed) else []
    return list(dict.fromkeys(missed))


def common_name(run: Run, step: str) -> str:
    """``plan`` for ``plan.2`` where the benchmark pools those."""
    name = step.partition(".")[0]
    return name if name in registry.get(run.config.benchmark).pooled else step


def steps_of(run: Run) -> tuple[str, ...]:
    """The steps a run's protocol asks."""
    config = run.config
    benchmark = registry.get(config.benchmark)
    return benchmark.protocols[config.protocol](config.subset, config.options, {}).steps


def run_options(run: Run) -> str:
    """The options of a run's protocol in one text, and what a study tells beside it."""
    options = {**run.config.options, **run.config.told}
    return ",".join(f"{key}={value}" for key, value in sorted(options.items()))


def ordered_steps(run: Run) -> dict[str, int]:
    """Where each step of a run stands in a report, the numbered ones under their common name."""
    order = {common_name(run, step): index for index, step in enumerate(steps_of(run))}
    for whole, parts in registry.get(run.config.benchmark).parts.items():
        order.setdefault(whole, order.get(parts[-1], len(order)))
    return order


def labelled(run: Run, cells: Iterable[Cell]) -> list[Cell]:
    """The run's cells with what tells it from others, in the order of its steps."""
    about = _about(run)
    return _in_order(run, [replace(cell, **about) for cell in cells])


def _about(run: Run) -> dict[str, Any]:
    config = run.config
    return {
        "run": run.name,
        "benchmark": config.benchmark,
        "subset": config.subset,
        "protocol": config.protocol,
        "options": run_options(run),
        "respondent": config.respondent,
        "kind": config.respondent_kind,
    }


def _in_order(run: Run, cells: Iterable[Cell]) -> list[Cell]:
    order = ordered_steps(run)
    return sorted(cells, key=lambda cell: (cell.scorer, cell.interventions, _natural(cell.group), order[cell.step]))


def _natural(text: str) -> tuple[int, str]:
    """Numbers in groups sort as numbers."""
    return (int(text), "") if text.isdecimal() else (1 << 60, text)
