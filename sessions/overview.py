"""The runs of a store at a glance: how far each is, how much of its last step is right, which were broken off."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import NamedTuple

from core.config import Config
from core.planning import prepare
from sessions import extents
from sessions.background import Askable
from sessions.cells import ordered_steps
from sessions.manager import Opening
from sessions.opening import open_prepared
from sessions.reading import items
from sessions.reopening import request_of
from sessions.running import is_run
from sessions.runs import RunSummary, runs
from sessions.store import Store
from sessions.tallies import tallies


class Glance(NamedTuple):
    """``right`` of ``scored`` own answers at ``step``, the last one that has any, are wholly right by the rule."""

    summary: RunSummary
    step: str = ""
    right: int = 0
    scored: int = 0


def glances(store: Store) -> list[Glance]:
    """All runs, the newest first. Counts every score once: call it in a thread."""
    with store.snapshot():
        found = runs(store)
        right: dict[int, Counter[str]] = defaultdict(Counter)
        scored: dict[int, Counter[str]] = defaultdict(Counter)
        for each in tallies(store, [one.run.id for one in found], scorer="rule"):
            if each.scored and not each.forked:
                name = each.step.partition(".")[0]
                scored[each.run][name] += each.count
                right[each.run][name] += each.count * (each.right == each.scored)
    return [_glance(one, right[one.run.id], scored[one.run.id]) for one in found]


def _glance(summary: RunSummary, right: Counter[str], scored: Counter[str]) -> Glance:
    order = {name.partition(".")[0]: index for name, index in ordered_steps(summary.run).items()}
    if not scored:
        return Glance(summary)
    last = max(scored, key=lambda name: order.get(name, -1))
    return Glance(summary, last, right[last], scored[last])


def broken_off(store: Store) -> list[RunSummary]:
    """The runs that batches were to ask more of than is there, that nothing of is out at a server's, and that nobody
    runs at this moment."""
    asked = extents.asked_for(store.reader())
    return [
        one
        for one in runs(store)
        if one.run.recipe
        and not one.out
        and asked.get(one.run.id, 0) > one.done + one.failed
        and not is_run(store, one.run)
    ]


def open_broken_off(store: Store, summary: RunSummary, config: Config) -> Opening:
    """A run that was broken off, with the items to go on with: all that it was made for, or, where fewer were asked
    for, those that were begun, since nothing tells which the others were. Slow: call it in a thread.

    Raises as ``prepare`` and ``open_prepared``; UsageError where it is not the run it was any more.
    """
    run = summary.run
    prepared = prepare(request_of(run, told=True), config)
    opened = open_prepared(store, prepared, run.name)
    chosen, told = tuple(prepared.selection), ""
    asked = extents.asked_for(store.reader()).get(run.id, 0)
    if asked < len(chosen) * prepared.plan.repeats:
        begun = {one.key for one in items(store, run)}
        chosen = tuple(item for item in chosen if item.id in begun)
        unbegun = asked // prepared.plan.repeats - len(chosen)
        told = f"{unbegun} of the items it was asked for were never begun" if unbegun > 0 else ""
    return Opening(Askable(store, opened.run, opened.prepared.plan, opened.journal), chosen, told)
