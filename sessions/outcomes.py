"""Finished plain trajectories, step by step, for measures that read trajectories."""

from __future__ import annotations

from collections.abc import Sequence

from core.benchmarks import registry
from core.measures import Measure, Outcome, RunOutcomes, StepOutcome
from core.records import Parse
from sessions import encoding
from sessions.runs import Run
from sessions.store import Store
from sessions.tallies import scorers_of

_STEPS = """
    WITH RECURSIVE path (trajectory, item, repeat, step, depth) AS (
        SELECT id, item, repeat, head, 0 FROM trajectories
        WHERE run = ? AND parent IS NULL AND progress = ? AND lane = ? AND head IS NOT NULL
        UNION ALL
        SELECT path.trajectory, path.item, path.repeat, steps.parent, depth + 1
        FROM path JOIN steps ON steps.id = path.step WHERE steps.parent IS NOT NULL AND depth < 100000)
    SELECT path.trajectory, path.item, path.repeat, names.name, s.right, s.scored, s.status
    FROM path JOIN steps ON steps.id = path.step JOIN step_names AS names ON names.id = steps.name
    LEFT JOIN scores AS s ON s.step = path.step AND s.scorer = (
        SELECT max(o.scorer) FROM scores AS o JOIN scorers ON scorers.id = o.scorer
        WHERE o.step = path.step AND scorers.name = ?)
    ORDER BY path.item, path.repeat, path.trajectory, path.depth DESC"""


def outcomes_of(store: Store, run: Run, scorer: str) -> list[Outcome]:
    """Every finished trajectory without forks or interventions; steps that the scorer has not scored are left out."""
    db = store.reader()
    items = {
        row: (encoding.from_text(key), encoding.from_json(groups))
        for row, key, groups in db.execute(
            "SELECT id, key, groups FROM items WHERE id IN (SELECT item FROM trajectories WHERE run = ?)", (run.id,)
        )
    }
    done = encoding.PROGRESSES.index(next(p for p in encoding.PROGRESSES if p == "done"))
    out: list[Outcome] = []
    last: int | None = None
    steps: list[StepOutcome] = []
    parameters = (run.id, done, encoding.PLAIN_LANE, encoding.to_text(scorer))
    for trajectory, item, repeat, name, right, scored, status in db.execute(_STEPS, parameters):
        if trajectory != last:
            last, steps = trajectory, []
            out.append(Outcome(*items[item], repeat, ()))
        if scored:
            parsed = encoding.PARSES[status] is Parse.OK
            steps.append(StepOutcome(encoding.from_text(name), right == scored, parsed))
            out[-1] = Outcome(*items[item], repeat, tuple(steps))
    return out


def run_outcomes(store: Store, runs: Sequence[Run], scorer: str | None = None) -> list[RunOutcomes]:
    """The outcomes of these runs, under each scorer that scored them or the one named.

    Runs with interventions have none: of theirs only items that were never asked the step in question would be plain.
    """
    found = []
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
    """The papers' measures over these runs, benchmark by benchmark."""
    out: list[Measure] = []
    for name in dict.fromkeys(run.config.benchmark for run in runs):
        measures = registry.get(name).measures
        if measures is not None:
            out += measures(run_outcomes(store, [run for run in runs if run.config.benchmark == name], scorer))
    return out
