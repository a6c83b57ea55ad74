"""Finished plain trajectories, step by step, for measures that read trajectories."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import repeat

from core.benchmarks import registry
from core.measures import Answered, Measure, RunAnswers, RunOutcomes, size_in
from core.records import Json, as_written
from sessions.cells import steps_of
from sessions.golds import PUBLISHED_GOLD, GoldView
from sessions.grading import OVERRULED, graders
from sessions.outcome_arrays import OutcomeReader
from sessions.runs import SIZE, Run
from sessions.store import Store
from sessions.tallies import answered, groups_of, joined, scorers_of


def run_outcomes(
    store: Store, runs: Sequence[Run], scorer: str | None = None, view: GoldView = PUBLISHED_GOLD
) -> list[RunOutcomes]:
    """The outcomes of these runs at one moment, under each scorer that scored them or the one named.

    People may have graded single steps alone: where a person has no whole trajectory, there are only those of the
    rule overruled by that person. Runs with interventions have none: of theirs only items that were never asked the
    step in question would be plain.
    """
    found = []
    with store.snapshot():
        reader = OutcomeReader(store, view)
        for run, name, people in _judged(store, runs, scorer):
            config = run.config
            outcomes = reader.outcomes(run, name)
            if not outcomes and name in people:
                continue
            about = (run.name, config.subset, config.protocol, config.options, config.respondent)
            found.append(RunOutcomes(*about, config.respondent_kind, name, outcomes, size_of(run)))
    return found


def _judged(store: Store, runs: Sequence[Run], scorer: str | None) -> Iterator[tuple[Run, str, list[str]]]:
    """Each run without interventions under each scorer, and who of those are people."""
    for run in runs:
        if run.config.interventions:
            continue
        people = graders(store, run.id)
        names = [name for name, _ in scorers_of(store, run.id)]
        for name in dict.fromkeys([*names, *(OVERRULED + name for name in people)]):
            if scorer in (None, name):
                yield run, name, people


def size_of(run: Run) -> float | None:
    """The model's size in billions of parameters: as configured when the run began, else as its name tells it."""
    said = run.versions.get(SIZE, "")
    if said:
        return float(said)
    model = run.config.identity_of_respondent.get("model", run.config.respondent)
    return size_in(str(model)) if run.config.respondent_kind == "model" else None


def run_answers(
    store: Store, runs: Sequence[Run], scorer: str | None = None, view: GoldView = PUBLISHED_GOLD
) -> list[RunAnswers]:
    """The same runs for measures that set them against each other answer by answer; nothing is read yet. Items that
    do not count as they are stored are left out."""
    groups: dict[str, dict[int, str]] = {}

    def group(name: str) -> Mapping[int, str]:
        if name not in groups:
            (found,) = groups_of(store, [name])
            groups[name] = {row: found.labels[code] for row, code in enumerate(found.codes.tolist()) if code}
        return groups[name]

    found = []
    for run, name, _ in _judged(store, runs, scorer):
        config = run.config
        about = (run.name, config.subset, config.protocol, config.options, config.respondent)
        answers = partial(_answers, store, run, name, view)
        found.append(RunAnswers(*about, config.respondent_kind, name, answers, group, _asked_with(run)))
    return found


def _asked_with(run: Run) -> dict[str, str]:
    """Everything but protocol and options that a respondent was asked with. Which files the pictures are is the
    items' own, and left out."""
    config = run.config
    seen = config.filter.get("pictures") if isinstance(config.filter, Mapping) else None
    pictures = {key: value for key, value in (seen or {}).items() if key != "files"}
    told: list[tuple[str, Mapping[str, Json]]] = [
        ("prompt", config.prompts),
        ("pictures", pictures),
        ("study", config.told),
    ]
    told += [("respondent", config.identity_of_respondent), ("respondent at", config.respondents_at)]
    return {f"{what} {name}": as_written(value) for what, values in told for name, value in values.items()}


def _answers(store: Store, run: Run, scorer: str, view: GoldView, step: str) -> Iterator[Answered]:
    """The respondent's own plain answers to a step, or to its parts."""
    asked, parts = set(steps_of(run)), registry.get(run.config.benchmark).parts.get(step, ())
    apart = view.apart
    if step in asked:
        import numpy

        for count, items in answered(store, run.id, scorer=scorer, step=step):
            if not count.forked and not count.lane:  # hundreds of thousands of rows, made the quick way
                own = items[~numpy.isin(items, list(apart))] if apart else items
                rows, times = (found.tolist() for found in numpy.unique(own, return_counts=True))
                yield from map(Answered, rows, repeat(count.right), repeat(count.scored), times)
    elif parts and set(parts) <= asked:
        for count in joined(store, run.id, step, parts, scorer=scorer):
            if count.item is not None and not count.forked and not count.lane and count.item not in apart:
                yield Answered(count.item, count.right, count.scored, count.count)


def measures_of(
    store: Store,
    runs: Sequence[Run],
    scorer: str | None = None,
    view: GoldView = PUBLISHED_GOLD,
    by: Collection[str] = (),
) -> list[Measure]:
    """The papers' measures over these runs, benchmark by benchmark, all of one moment; ``by`` are the groups that the
    report is broken down by."""
    out: list[Measure] = []
    with store.snapshot():
        for name in dict.fromkeys(run.config.benchmark for run in runs):
            benchmark = registry.get(name)
            of_benchmark = [run for run in runs if run.config.benchmark == name]
            if benchmark.measures is not None:
                out += benchmark.measures(run_outcomes(store, of_benchmark, scorer, view))
            if benchmark.contrasts is not None:
                out += benchmark.contrasts(run_answers(store, of_benchmark, scorer, view), by)
    return out
