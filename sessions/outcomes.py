"""Finished plain trajectories, step by step, for measures that read trajectories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from core.benchmarks import registry
from core.measures import Answered, Measure, Outcome, RunAnswers, RunOutcomes, StepOutcome, size_in
from core.records import Parse, Progress
from sessions import encoding
from sessions.cells import steps_of
from sessions.golds import PUBLISHED_GOLD, GoldView, counting
from sessions.grading import OVERRULED, graders
from sessions.paths import scored_steps
from sessions.ranking import ranked
from sessions.replay import Replay
from sessions.runs import SIZE, Run
from sessions.store import Store
from sessions.tallies import Grouping, joined, scorers_of, tallies


class _Scored(NamedTuple):
    """A step of a trajectory: whether it is right (None: not scored), its parse status (None: not seen), its row (0:
    counted against another gold) and what was read in it (None: to be looked up)."""

    trajectory: int
    name: str
    right: bool | None
    status: Parse | None
    row: int
    values: Mapping[str, str] | None = None


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
    found_steps = list(_scored(store, run, item_of, scorer, view))
    mistakes = _mistakes(store, run, scorer, [step for step in found_steps if step.right is False], item_of)
    for step in found_steps:
        if step.status is None and step.name.partition(".")[0] not in nobodys:
            in_part.add(step.trajectory)
        if step.right is not None:
            how = (step.right, step.status is Parse.OK, mistakes.get((step.trajectory, step.name), ""))
            steps[step.trajectory].append(StepOutcome(step.name, *how))
    return [Outcome(*about[row], tuple(found)) for row, found in steps.items() if row not in in_part]


def _scored(store: Store, run: Run, items: Mapping[int, int], scorer: str, view: GoldView) -> Iterator[_Scored]:
    db = store.reader()
    apart = {trajectory: item for trajectory, item in items.items() if item in view.corrected}
    for step in scored_steps(db, [trajectory for trajectory in items if trajectory not in apart], scorer):
        right = not step.wrong if step.scored else None
        yield _Scored(step.trajectory, step.name, right, step.status, step.id)
    replay, people = Replay(db), graders(store, run.id) if apart else []
    for trajectory, item in apart.items():
        stored = replay.trajectory(trajectory)
        for counted in counting(stored.item, stored.steps, view.corrected[item], people):
            score = counted.score(scorer)
            right = score.correct if score is not None and score.scored else None
            status, values = (score.status, score.parsed) if score is not None else (None, None)
            yield _Scored(trajectory, counted.turn.step, right, status, 0, values)


def _mistakes(
    store: Store, run: Run, scorer: str, wrong: Sequence[_Scored], item_of: Mapping[int, int]
) -> dict[tuple[int, str], str]:
    """By trajectory and step the kind of a wrong answer, where the benchmark tells kinds."""
    mistake = registry.get(run.config.benchmark).mistake
    if mistake is None or not wrong:
        return {}
    db = store.reader()
    scorers, read = ranked(db, scorer), dict[int, Mapping[str, str]]()
    for step, parsed in db.execute(
        "SELECT step, parsed FROM readings WHERE step IN (SELECT value FROM json_each(?1))"
        " AND scorer IN (SELECT value FROM json_each(?2))"
        " ORDER BY (SELECT key FROM json_each(?2) WHERE value = scorer)",
        (encoding.to_json([step.row for step in wrong]), encoding.to_json(scorers)),
    ):
        read.setdefault(step, encoding.from_json(parsed))
    replay, items, found = Replay(db), {}, {}
    for step in wrong:
        values = step.values if step.values is not None else read.get(step.row, {})
        row = item_of[step.trajectory]
        if row not in items:
            items[row] = replay.item(row)
        found[step.trajectory, step.name] = mistake(items[row], step.name, values)
    return found


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
        for run, name, people in _judged(store, runs, scorer):
            config = run.config
            outcomes = outcomes_of(store, run, name, view)
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
            groups[name] = Grouping(store, name).all
        return groups[name]

    found = []
    for run, name, _ in _judged(store, runs, scorer):
        config = run.config
        about = (run.name, config.subset, config.protocol, config.options, config.respondent)
        answers = partial(_answers, store, run, name, view)
        found.append(RunAnswers(*about, config.respondent_kind, name, answers, group))
    return found


def _answers(store: Store, run: Run, scorer: str, view: GoldView, step: str) -> Iterator[Answered]:
    """The respondent's own plain answers to a step, or to its parts."""
    asked, parts = set(steps_of(run)), registry.get(run.config.benchmark).parts.get(step, ())
    if step in asked:
        counts = tallies(store, [run.id], scorer=scorer, by_item=True, step=step)
    elif parts and set(parts) <= asked:
        counts = joined(store, run.id, step, parts, scorer=scorer)
    else:
        return
    for count in counts:
        if count.item is not None and not count.forked and not count.lane and count.item not in view.apart:
            yield Answered(count.item, count.right, count.scored, count.count)


def measures_of(
    store: Store, runs: Sequence[Run], scorer: str | None = None, view: GoldView = PUBLISHED_GOLD, by: str = ""
) -> list[Measure]:
    """The papers' measures over these runs, benchmark by benchmark, all of one moment; ``by`` is the group that the
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
