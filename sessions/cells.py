"""Accuracy cells of stored runs: the store's counts through the same tally that a live panel adds to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from core.benchmarks import registry
from core.tally import ALL, REASKED, Cell, CountRow, Tally, forked_lane, joined
from sessions import reading
from sessions.golds import PUBLISHED_GOLD, GoldView, recounted
from sessions.grading import OVERRULED, graders
from sessions.judgements import JudgeErrors, judge_errors
from sessions.runs import Run
from sessions.store import Store


def run_tally(
    store: Store,
    run: Run,
    *,
    scorer: str | None = None,
    group_by: str | None = None,
    view: GoldView = PUBLISHED_GOLD,
    only: Collection[str] | None = None,
) -> Tally:
    """One run's counts as stored, all of one moment; add steps to it as they come.

    Answers on forks stand in lanes of their own, beside the lanes of interventions. Answers that hang together are
    told so by their item's id. Where people graded, the rule overruled by each of them counts beside it. ``view`` is
    the gold that counts. ``only`` counts the items of these ids alone; what judges gave no score for is not told item
    by item, and left out then.
    """
    with store.snapshot():
        return _Tallier(store, [run.id], scorer, group_by, view, only).tally(run)


class _Tallier:
    """Counts runs one by one; what all of them (None: any run of the store) need of it is read once."""

    def __init__(
        self,
        store: Store,
        runs: Sequence[int] | None,
        scorer: str | None,
        group_by: str | None,
        view: GoldView,
        only: Collection[str] | None,
    ) -> None:
        self._of = store, scorer, view, only
        self._group = reading.Grouping(store, group_by) if group_by else None
        self._missed: dict[int, list[JudgeErrors]] = {}
        if only is None:
            for missed in judge_errors(store, runs, scorer=scorer, group_by=group_by, without=view.left_out):
                self._missed.setdefault(missed.run, []).append(missed)

    def tally(self, run: Run) -> Tally:
        """One run's counts."""
        store, scorer, view, only = self._of
        return _tally(store, run, scorer, self._group, view, only, self._missed.get(run.id, ()))


def _tally(
    store: Store,
    run: Run,
    scorer: str | None,
    group: reading.Grouping | None,
    view: GoldView,
    only: Collection[str] | None,
    judged: Sequence[JudgeErrors],
) -> Tally:
    group_by = group.name if group is not None else None
    benchmark = registry.get(run.config.benchmark)
    tally = Tally(benchmark.layout, group_by=group_by or ALL, parts=benchmark.parts, pooled=benchmark.pooled)
    clustered = bool(benchmark.pooled) or reading.hangs_together(store, run.id)
    some = only is not None
    names = reading.item_names(store, run.id) if clustered or some else {}
    apart = view.apart
    by_item = clustered or some or bool(apart)

    def unwanted(item: int | None) -> bool:
        return only is not None and (item is None or names[item] not in only)

    scorers = [scorer] if scorer is not None else [None, *(OVERRULED + name for name in graders(store, run.id))]
    counts = [reading.tallies(store, [run.id], scorer=one, group_by=group, by_item=by_item) for one in scorers]
    asked = set(steps_of(run))
    for whole, parts in benchmark.parts.items():
        if set(parts) <= asked:
            counts += [reading.joined(store, run.id, whole, parts, scorer=one, group_by=group) for one in scorers]
    for count in chain.from_iterable(counts):
        if count.item in apart or unwanted(count.item):
            continue
        value = count.group if group_by else ALL
        cluster = names[count.item] if clustered and count.item is not None else None
        bits = (count.status, count.right, count.scored, count.count)
        lane = forked_lane(count.lane) if count.forked else count.lane
        tally.add(CountRow(lane, count.step, count.scorer, value, *bits, cluster))
    for row in _recounted(store, run, group_by, view, only, clustered=clustered):
        if scorer in (None, row.scorer):
            tally.add(row)
    told = bool(benchmark.pooled or apart or some)
    for failure in reading.failures(store, [run.id], group_by=group, by_item=told):
        if failure.item in view.left_out or unwanted(failure.item):
            continue
        _count_failure(tally, run, failure, failure.group if group_by else ALL, names if clustered else {})
    for missed in judged:
        lane = forked_lane(missed.lane) if missed.forked else missed.lane
        tally.add_unjudged(missed.scorer, missed.step, missed.group if group_by else ALL, missed.count, lane)
    return tally


def _recounted(
    store: Store, run: Run, group_by: str | None, view: GoldView, only: Collection[str] | None, *, clustered: bool
) -> Iterator[CountRow]:
    """The answers on items that count against another gold than the stored one."""
    benchmark = registry.get(run.config.benchmark)
    for path in recounted(store, run, view):
        if only is not None and path.item.id not in only:
            continue
        group = path.item.groups.get(group_by, "") if group_by else ALL
        rows = [
            CountRow(step.lane, step.turn.step, score.scorer, group, score.status, score.right, score.scored)
            for step in path.steps
            for score in step.scores
        ]
        for whole, parts in benchmark.parts.items():
            asked = [step for step in path.steps if step.turn.step in parts]
            rows += joined(asked, whole, parts, group) if asked else ()
        for row in rows:
            lane = forked_lane(row.lane) if path.forked else row.lane
            yield replace(row, lane=lane, cluster=path.item.id if clustered else None)


def _count_failure(tally: Tally, run: Run, failure: reading.Failures, group: str, names: Mapping[int, str]) -> None:
    """A trajectory that failed at a step answered none of the steps from there on."""
    steps = steps_of(run)
    step = failure.step.removesuffix(REASKED)
    first = steps.index(step) if step in steps else 0
    cluster = names.get(failure.item) if failure.item is not None else None
    missed = [common_name(run, later) for later in steps[first:]]
    for whole, parts in registry.get(run.config.benchmark).parts.items():
        missed += [whole] if set(parts) & set(missed) else []
    for later in dict.fromkeys(missed):
        tally.add_failed(later, group, failure.count, cluster, failure.lane)


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


def cells_of(
    store: Store,
    runs: Sequence[Run],
    *,
    scorer: str | None = None,
    group_by: str | None = None,
    view: GoldView = PUBLISHED_GOLD,
    only: Collection[str] | None = None,
) -> list[Cell]:
    """Cells of these runs, in their order: each step by property, groups in order of their names, ``all`` last.

    All are of one moment, also where a batch is writing meanwhile. ``view`` is the gold that counts;
    ``only``: as for ``run_tally``.
    """
    with store.snapshot():
        tallier = _Tallier(store, None, scorer, group_by, view, only)
        return [cell for run in runs for cell in labelled(run, tallier.tally(run).cells(), view.gold)]


def labelled(run: Run, cells: Iterable[Cell], gold: str = "published") -> list[Cell]:
    """The run's cells with what tells it from others and the gold that counted, in the order of its steps."""
    config = run.config
    about: Any = {
        "run": run.name,
        "benchmark": config.benchmark,
        "subset": config.subset,
        "protocol": config.protocol,
        "options": run_options(run),
        "respondent": config.respondent,
        "kind": config.respondent_kind,
        "gold": gold,
    }
    found = [replace(cell, **about) for cell in cells]
    order = ordered_steps(run)
    found.sort(key=lambda cell: (cell.scorer, cell.interventions, _natural(cell.group), order[cell.step]))
    return found


def _natural(text: str) -> tuple[int, str]:
    """Numbers in groups sort as numbers."""
    return (int(text), "") if text.isdecimal() else (1 << 60, text)
