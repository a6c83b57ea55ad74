"""A study's report: who took part, who does not count, and every figure of those who do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.cells import Cell
from core.records import Json
from core.scoring import RULE
from core.study.figures import (
    AgainstGold,
    Agreeing,
    Difficulty,
    Reported,
    against_gold,
    agreement,
    difficulties,
    people_cells,
    together_cells,
)
from core.study.times import Times, times
from sessions.cells import labelled, ordered_steps
from sessions.runs import Run
from sessions.store import Store
from sessions.studies.doings import read_trials, reported, taken
from sessions.studies.excluding import Applied, apply_rules, counting
from sessions.studies.reading import (
    MAIN,
    Found,
    Kind,
    Sat,
    assigned,
    counted_trials,
    find,
    runs_of,
    studies_of,
    trials_of,
)


@dataclass(frozen=True, slots=True)
class Version:
    """A version of the study that the report counts."""

    version: int
    digest: str
    state: str
    reason: str
    sessions: int

    def to_json(self) -> dict[str, Json]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Completion:
    """How far the study is. ``items`` counts items in each condition that were to be answered by ``raters`` people;
    ``complete`` have exactly so many valid answers, ``short`` fewer, ``over`` more. ``valid`` counts answers of
    sessions that are not excluded, ``answers`` all; ``people`` were asked an item in such a session (who did
    not consent or failed the gate was not); ``reported`` trials were ended by a fault of the item."""

    raters: int
    items: int
    complete: int
    short: int
    over: int
    answers: int
    valid: int
    people: int
    states: dict[str, int]
    practice: int
    catch: int
    reported: int

    def to_json(self) -> dict[str, Json]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class StudyReport:
    """Everything, of one kind of session. ``cells`` leave excluded sessions out, ``all_cells`` do not; ``together``
    are several people's answers taken as one. ``reported`` are items that somebody found fault with.
    ``applied`` is what the rules changed just now."""

    found: Found
    scorer: str
    versions: tuple[Version, ...]
    completion: Completion
    cells: tuple[Cell, ...]
    all_cells: tuple[Cell, ...]
    together: tuple[Cell, ...]
    agreement: tuple[Agreeing, ...]
    difficulty: tuple[Difficulty, ...]
    against_gold: tuple[AgainstGold, ...]
    times: tuple[Times, ...]
    reported: tuple[Reported, ...]
    applied: Applied

    @property
    def excluded(self) -> tuple[Sat, ...]:
        return tuple(session for session in self.found.sessions if session.excluded)

    def to_json(self) -> dict[str, Json]:
        """One document, for ``study report --format json``."""
        return {
            "study": self.found.record.name,
            "sessions": self.found.kind,
            "scorer": self.scorer,
            "versions": [version.to_json() for version in self.versions],
            "completion": self.completion.to_json(),
            "excluded": [
                {"session": session.id, "uid": session.uid, "rule": each.rule, "reason": each.reason}
                for session in self.excluded
                for each in session.exclusions
            ],
            "cells": [cell.to_json() for cell in self.cells],
            "cells_with_excluded": [cell.to_json() for cell in self.all_cells],
            "together": [cell.to_json() for cell in self.together],
            "agreement": [row.to_json() for row in self.agreement],
            "difficulty": [row.to_json() for row in self.difficulty],
            "against_gold": [row.to_json() for row in self.against_gold],
            "times": [row.to_json() for row in self.times],
            "reported": [row.to_json() for row in self.reported],
        }


def report(store: Store, name: str, *, kind: Kind = "main", scorer: str = RULE, group_by: str = "") -> StudyReport:
    """The report of a study's newest version and of those whose answers it keeps. The rules decided beforehand are
    applied first and stored (where the store may be written to)."""
    found = find(store, name, kind)
    applied = Applied()
    if not store.read_only:
        applied = apply_rules(store, found)
        found = find(store, name, kind) if applied != Applied() else found
    with store.snapshot():
        return _report(store, found, applied, scorer, group_by)


def _report(store: Store, found: Found, applied: Applied, scorer: str, group_by: str) -> StudyReport:
    everyone = read_trials(store, found, found.sessions, scorer)
    kept = everyone if len(found.kept) == len(found.sessions) else read_trials(store, found, found.kept, scorer)
    runs = runs_of(store, found)
    scheme = found.scheme
    cells = _labelled(found, runs, people_cells(kept, scheme, group_by), scorer)
    all_cells = (
        _labelled(found, runs, people_cells(everyone, scheme, group_by), scorer) if len(kept) < len(everyone) else ()
    )
    order = {name: place for run in runs.values() for name, place in ordered_steps(run).items()}

    def by_step(row: Agreeing | Difficulty | Times) -> tuple[str, int]:
        return row.condition, order.get(row.step.partition(".")[0], order.get(row.step, 0))

    return StudyReport(
        found,
        scorer,
        _versions(found),
        _completion(store, found),
        cells,
        all_cells,
        _labelled(found, runs, together_cells(kept, scheme, scorer), scorer),
        tuple(sorted(agreement(kept, scheme), key=by_step)),
        tuple(sorted(difficulties(kept, scheme), key=by_step)),
        tuple(against_gold(kept, scheme)),
        tuple(sorted(times(taken(store, found, found.kept)), key=by_step)),
        tuple(reported(store, found.kept).values()),
        applied,
    )


def people_beside(store: Store, runs: Sequence[Run], scorer: str = RULE, group_by: str = "") -> list[Cell]:
    """People's cells for a table of these runs: of every study of the same benchmark, its conditions with the same
    protocol. Sessions that break a rule are left out, whether or not it has been applied yet."""
    asked = {(run.config.benchmark, run.config.subset, run.config.protocol) for run in runs}
    out: list[Cell] = []
    with store.snapshot():
        for name in studies_of(store):
            found = counting(store, find(store, name))
            about = found.benchmark.name, found.subset
            own = {key: run for key, run in runs_of(store, found).items() if (*about, run.config.protocol) in asked}
            trials = [each for each in read_trials(store, found, found.kept, scorer) if each.condition in own]
            out += _labelled(found, own, people_cells(trials, found.scheme, group_by), scorer)
    return out


def _labelled(found: Found, runs: dict[str, Run], cells: Sequence[Cell], scorer: str) -> tuple[Cell, ...]:
    """In the order of steps, named for a table: the study, and the condition where there are several."""
    out: list[Cell] = []
    several = len(runs) > 1
    for condition, run in runs.items():
        of_condition = [cell for cell in cells if cell.options == condition]
        name = f"{found.record.name} {condition}" if several else found.record.name
        out += (
            replace(cell, run=name, respondent="people", kind="human" if found.kind != "simulated" else "baseline")
            for cell in labelled(run, (replace(cell, scorer=scorer) for cell in of_condition))
        )
    return tuple(out)


def _versions(found: Found) -> tuple[Version, ...]:
    counts = Counter(session.study for session in found.sessions)
    return tuple(
        Version(record.version, record.digest, record.state, record.reason, counts[record.id])
        for record in sorted(found.records, key=lambda record: record.version)
    )


def _completion(store: Store, found: Found) -> Completion:
    kept = {session.id for session in found.kept}
    trials = trials_of(store, found.sessions)
    faulty = reported(store, found.sessions)
    main = [trial for trial in trials if trial.kind == MAIN]
    of_session = {session.id: session.person for session in found.kept}
    asked = {of_session[trial.session] for trial in main if trial.session in kept}
    counting = [
        trial for trial in counted_trials(store, found, found.sessions)
        if trial.session in kept and trial.id not in faulty
    ]  # fmt: skip
    valid = Counter((trial.item, trial.condition) for trial in counting)
    wanted = assigned(store, found) or set(valid)
    raters = found.record.study.design.raters
    counts = [valid[place] for place in wanted]
    return Completion(
        raters,
        len(wanted),
        sum(count == raters for count in counts),
        sum(count < raters for count in counts),
        sum(count > raters for count in counts),
        len(main),
        valid.total(),
        len(asked),
        dict(Counter(session.state for session in found.sessions)),
        sum(trial.kind == "practice" for trial in trials),
        sum(trial.kind == "catch" for trial in trials),
        len(faulty),
    )
