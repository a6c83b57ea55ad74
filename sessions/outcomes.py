"""Finished plain trajectories, step by step, for measures that read trajectories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.benchmarks import registry
from core.measures import Measure, Outcome, RunOutcomes, StepOutcome
from core.records import Parse, Progress
from sessions import encoding
from sessions.golds import PUBLISHED_GOLD, GoldView, counting
from sessions.grading import OVERRULED, graders
from sessions.paths import scored_steps
from sessions.replay import Replay
from sessions.runs import Run
from sessions.store import Store
from sessions.tallies import scorers_of


def outcomes_of(store: Store, run: Run, scorer: str, view: GoldView = PUBLISHED_GOLD) -> list[Outcome]:
    """Every finished trajectory without forks or interventions, its steps that are scored by anybody at all.

    One that the scorer has seen in part only (a judgement failed, or is still to come) is left out: the rest of a
    chain says another thing than the whole. ``view`` is the gold that counts.
    """
    nobodys = registry.get(run.config.benchmark).unscored
    db = store.reader()
    items = {
        row: (encoding.from_text(key), encoding.from_json(groups))
        for row, key, groups in db.execute(
            "SELECT id, key, groups FROM items WHERE id IN (SELECT item FROM trajectories WHERE run = ?)", (run.id,)
        )
    }
    found_there = db.execute(
        "SELECT id, item, repeat FROM trajectories WHERE run = ? AND parent IS NULL AND progress = ? AND lane = ?"
        " AND head IS NOT NULL ORDER BY item, repeat, id",
        (run.id, encoding.PROGRESS_CODE[Progress.DONE], encoding.PLAIN_LANE),
    )
    rows = [row for row in found_there if row[1] not in view.left_out]
    about = {trajectory: (*items[item], repeat) for trajectory, item, repeat in rows}
    item_of = {trajectory: item for trajectory, item, _ in rows}
    steps: dict[int, list[StepOutcome]] = {trajectory: [] for trajectory in about}
    in_part = set[int]()
    for trajectory, name, right, status in _scored(store, run, item_of, scorer, view):
        if status is None and name.partition(".")[0] not in nobodys:
            in_part.add(trajectory)
        if right is not None:
            steps[trajectory].append(StepOutcome(name, right, status is Parse.OK))
    return [Outcome(*about[row], tuple(found)) for row, found in steps.items() if row not in in_part]


def _scored(
    store: Store, run: Run, items: Mapping[int, int], scorer: str, view: GoldView
) -> Iterator[tuple[int, str, bool | None, Parse | None]]:
    """Trajectory, name, whether it is right (None: not scored) and parse status (None: not seen) of each step."""
    db = store.reader()
    apart = {trajectory: item for trajectory, item in items.items() if item in view.corrected}
    for step in scored_steps(db, [trajectory for trajectory in items if trajectory not in apart], scorer):
        yield step.trajectory, step.name, not step.wrong if step.scored else None, step.status
    replay, people = Replay(db), graders(store, run.id) if apart else []
    for trajectory, item in apart.items():
        stored = replay.trajectory(trajectory)
        for counted in counting(stored.item, stored.steps, view.corrected[item], people):
            score = counted.score(scorer)
            right = score.correct if score is not None and score.scored else None
            yield trajectory, counted.turn.step, right, score.status if score is not None else None


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
        for run in runs:
            config = run.config
            if config.interventions:
                continue
            people = graders(store, run.id)
            names = [name for name, _ in scorers_of(store, run.id)]
            for name in dict.fromkeys([*names, *(OVERRULED + name for name in people)]):
                if scorer in (None, name):
                    about = (run.name, config.subset, config.protocol, config.options, config.respondent)
                    outcomes = outcomes_of(store, run, name, view)
                    if not outcomes and name in people:
                        continue
                    found.append(RunOutcomes(*about, config.respondent_kind, name, outcomes))
    return found


def measures_of(
    store: Store, runs: Sequence[Run], scorer: str | None = None, view: GoldView = PUBLISHED_GOLD
) -> list[Measure]:
    """The papers' measures over these runs, benchmark by benchmark, all of one moment."""
    out: list[Measure] = []
    with store.snapshot():
        for name in dict.fromkeys(run.config.benchmark for run in runs):
            measures = registry.get(name).measures
            if measures is not None:
                of_benchmark = [run for run in runs if run.config.benchmark == name]
                out += measures(run_outcomes(store, of_benchmark, scorer, view))
    return out
