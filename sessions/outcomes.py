"""Finished plain trajectories, step by step, for measures that read trajectories."""

from __future__ import annotations

from collections.abc import Sequence

from core.benchmarks import registry
from core.measures import Measure, Outcome, RunOutcomes, StepOutcome
from core.records import Parse, Progress
from sessions import encoding
from sessions.paths import scored_steps
from sessions.runs import Run
from sessions.store import Store
from sessions.tallies import scorers_of


def outcomes_of(store: Store, run: Run, scorer: str) -> list[Outcome]:
    """Every finished trajectory without forks or interventions, its steps that are scored by anybody at all.

    One that the scorer has seen in part only (a judgement failed, or is still to come) is left out: the rest of a
    chain says another thing than the whole.
    """
    nobodys = registry.get(run.config.benchmark).unscored
    db = store.reader()
    items = {
        row: (encoding.from_text(key), encoding.from_json(groups))
        for row, key, groups in db.execute(
            "SELECT id, key, groups FROM items WHERE id IN (SELECT item FROM trajectories WHERE run = ?)", (run.id,)
        )
    }
    about = {
        trajectory: (*items[item], repeat)
        for trajectory, item, repeat in db.execute(
            "SELECT id, item, repeat FROM trajectories WHERE run = ? AND parent IS NULL AND progress = ? AND lane = ?"
            " AND head IS NOT NULL ORDER BY item, repeat, id",
            (run.id, encoding.PROGRESS_CODE[Progress.DONE], encoding.PLAIN_LANE),
        )
    }
    steps: dict[int, list[StepOutcome]] = {trajectory: [] for trajectory in about}
    in_part = set[int]()
    for step in scored_steps(db, about, scorer):
        if step.status is None and step.name.partition(".")[0] not in nobodys:
            in_part.add(step.trajectory)
        if step.scored:
            found = StepOutcome(step.name, not step.wrong, step.status is Parse.OK)
            steps[step.trajectory].append(found)
    return [Outcome(*about[row], tuple(found)) for row, found in steps.items() if row not in in_part]


def run_outcomes(store: Store, runs: Sequence[Run], scorer: str | None = None) -> list[RunOutcomes]:
    """The outcomes of these runs at one moment, under each scorer that scored them or the one named.

    Runs with interventions have none: of theirs only items that were never asked the step in question would be plain.
    """
    found = []
    with store.snapshot():
        for run in runs:
            config = run.config
            if config.interventions:
                continue
            for name in dict.fromkeys(name for name, _ in scorers_of(store, run.id)):
                if scorer in (None, name):
                    about = (run.name, config.subset, config.protocol, config.options, config.respondent)
                    found.append(RunOutcomes(*about, config.respondent_kind, name, outcomes_of(store, run, name)))
    return found


def measures_of(store: Store, runs: Sequence[Run], scorer: str | None = None) -> list[Measure]:
    """The papers' measures over these runs, benchmark by benchmark, all of one moment."""
    out: list[Measure] = []
    with store.snapshot():
        for name in dict.fromkeys(run.config.benchmark for run in runs):
            measures = registry.get(name).measures
            if measures is not None:
                out += measures(run_outcomes(store, [run for run in runs if run.config.benchmark == name], scorer))
    return out
