"""What people did in a study's sessions: their answers, how long they took, how they went about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from core.benchmarks.base import Benchmark
from core.records import Progress
from core.scoring import RULE
from core.study.conduct import Conduct
from core.study.figures import Reported, Trial
from core.study.times import Taken
from sessions import encoding
from sessions.answers import Answers, answers_of
from sessions.cells import common_name, steps_of
from sessions.paths import steps_on
from sessions.runs import Run
from sessions.store import Store
from sessions.studies.reading import (
    CATCH,
    MAIN,
    Found,
    Responded,
    Sat,
    SatTrial,
    counted_trials,
    responses_of,
    runs_of,
    trials_of,
)

_NOTHING: Final = Answers()


def read_trials(store: Store, found: Found, sessions: Iterable[Sat], scorer: str = RULE) -> list[Trial]:
    """What these sessions' main trials were answered with, as a scorer sees it, in the order they were begun."""
    chosen = list(sessions)
    person = {session.id: session.person for session in chosen}
    trials = [trial for trial in counted_trials(store, found, chosen) if trial.trajectory is not None]
    answers = answers_of(store, [trial.trajectory or 0 for trial in trials], scorer, found.benchmark)
    groups = groups_of(store, {trial.item for trial in trials})
    unasked = _unasked(store, found, trials, answers)
    return [
        Trial(
            person[trial.session],
            trial.key,
            trial.condition,
            groups[trial.item],
            own.said,
            own.parses,
            own.golds,
            unasked.get(trial.id, ()),
        )
        for trial in sorted(trials, key=lambda trial: trial.id)
        if (own := answers.get(trial.trajectory or 0, _NOTHING)) is not _NOTHING or trial.id in unasked
    ]


def _unasked(
    store: Store, found: Found, trials: Sequence[SatTrial], answers: Mapping[int, Answers]
) -> dict[int, tuple[str, ...]]:
    """By trial, the steps that were left when its time was out."""
    broken_off = {
        row
        for (row,) in store.reader().execute(
            "SELECT id FROM trajectories WHERE progress = ? AND id IN (SELECT value FROM json_each(?))",
            (encoding.PROGRESS_CODE[Progress.FAILED], encoding.to_json([trial.trajectory for trial in trials])),
        )
    }
    out: dict[int, tuple[str, ...]] = {}
    if not broken_off:
        return out
    steps = {condition: _steps(run, found.benchmark) for condition, run in runs_of(store, found).items()}
    for trial in trials:
        if trial.trajectory in broken_off:
            said = answers.get(trial.trajectory or 0, _NOTHING).said
            there = {name for step in said for name in (step, step.partition(".")[0])}
            out[trial.id] = tuple(step for step in steps[trial.condition] if step not in there)
    return out


def _steps(run: Run, benchmark: Benchmark) -> tuple[str, ...]:
    """The steps of a run as they are counted, with the wholes of those that are asked in parts."""
    asked = dict.fromkeys(common_name(run, step) for step in steps_of(run))
    wholes = [whole for whole, parts in benchmark.parts.items() if set(parts) <= asked.keys()]
    return (*asked, *wholes)


def groups_of(store: Store, items: Iterable[int]) -> dict[int, Mapping[str, str]]:
    """Items' groups by their row."""
    rows = store.reader().execute(
        "SELECT id, groups FROM items WHERE id IN (SELECT value FROM json_each(?))", (encoding.to_json(list(items)),)
    )
    return {row: encoding.from_json(groups) for row, groups in rows}


def active_ms(response: Responded) -> tuple[int | None, int | None]:
    """Until the first answer and until the last, from when the turn was shown, what was paused before each taken
    out."""
    final = None if response.final_ms is None else max(response.final_ms - response.paused_ms, 0)
    first = response.first_ms
    if first is not None:
        first = max(first - response.details.get("paused_first_ms", 0), 0)
    return (first if first is None or final is None else min(first, final)), final


def away_ms(store: Store, sessions: Iterable[Sat]) -> dict[int, float]:
    """By session, how long the person was away before going on with it, in milliseconds."""
    out: dict[int, float] = defaultdict(float)
    for session, details in store.reader().execute(
        "SELECT session, details FROM events WHERE kind = 'resumed' AND session IN (SELECT value FROM json_each(?))",
        (encoding.to_json([session.id for session in sessions]),),
    ):
        out[session] += 1000 * encoding.from_json(details).get("gap_s", 0)
    return out


def reported(store: Store, sessions: Iterable[Sat]) -> dict[int, Reported]:
    """By trial, what people said is wrong with an item instead of answering it (a trial that was cut off between the
    word and its end is asked again, and may be answered)."""
    person = {session.id: session.person for session in sessions}
    rows = store.reader().execute(
        "SELECT e.trial, e.session, t.condition, i.key, e.details FROM events AS e JOIN trials AS t ON t.id = e.trial"
        " JOIN items AS i ON i.id = t.item JOIN trajectories AS j ON j.id = t.trajectory AND j.progress = ?2"
        " WHERE e.kind = 'problem' AND t.kind = 'main' AND t.ended IS NOT NULL"
        " AND e.session IN (SELECT value FROM json_each(?1)) ORDER BY e.id",
        (encoding.to_json(list(person)), encoding.PROGRESS_CODE[Progress.FAILED]),
    )
    out = {}
    for trial, session, condition, item, stored in rows:
        details = encoding.from_json(stored)
        where = encoding.from_text(condition), encoding.from_text(item), details.get("step", ""), person[session]
        out[trial] = Reported(*where, details.get("reason", ""), details.get("typed", ""))
    return out


def taken(store: Store, found: Found, sessions: Iterable[Sat]) -> list[Taken]:
    """How long the main trials' answers of these sessions took."""
    chosen = list(sessions)
    person = {session.id: session.person for session in chosen}
    trials = counted_trials(store, found, chosen)
    responses = responses_of(store, trials)
    counting = steps_on(store.reader(), [trial.trajectory or 0 for trial in trials])
    return [
        Taken(
            person[trial.session],
            trial.condition,
            response.name,
            *active_ms(response),
        )
        for trial in trials
        for response in responses.get(trial.id, ())
        if response.step in counting and not response.timed_out
    ]


def conduct_of(store: Store, found: Found, sessions: Iterable[Sat]) -> dict[int, Conduct]:
    """How each of these sessions went, by its row. Catch trials are right by the rule scorer, whole."""
    chosen = list(sessions)
    trials = trials_of(store, chosen)
    responses = responses_of(store, trials)
    answers = answers_of(store, [trial.trajectory or 0 for trial in trials], RULE, found.benchmark)
    by_session: dict[int, list[SatTrial]] = defaultdict(list)
    for trial in trials:
        by_session[trial.session].append(trial)
    out = {}
    for session in chosen:
        own = by_session[session.id]
        main = [trial for trial in own if trial.kind == MAIN]
        out[session.id] = Conduct(
            tuple(_right(answers.get(trial.trajectory or 0)) for trial in own if trial.kind == CATCH),
            tuple(seconds for trial in main if (seconds := _seconds(responses.get(trial.id, ()))) is not None),
            tuple(trial.timed_out for trial in main),
            tuple(_last_words(answers.get(trial.trajectory or 0)) for trial in main),
        )
    return out


def _right(answers: Answers | None) -> bool:
    """Everything that was scored is right, and something was."""
    scored = [said for said in answers.said.values() if said.scored] if answers is not None else []
    return bool(scored) and all(said.right == said.scored for said in scored)


def _seconds(responses: Sequence[Responded]) -> float | None:
    given = [final for response in responses if (final := active_ms(response)[1]) is not None]
    return sum(given) / 1000 if given else None


def _last_words(answers: Answers | None) -> str:
    return list(answers.texts.values())[-1].strip() if answers is not None and answers.texts else ""
