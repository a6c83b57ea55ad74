"""The runs of a sitting: one for each condition, and apart from those one for practice and one for catch trials."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from core.records import RespondentKind
from core.study.orders import Planned
from core.study.preparing import Prepared
from core.study.told import Told
from core.version import own_version
from sessions.identity import RunConfig
from sessions.runs import Run, by_uid, free_name, insert_run
from sessions.studies.book import StudyRecord
from sessions.studies.people import Participant, earlier_sessions

SessionKind: TypeAlias = Literal["main", "pilot", "simulated"]

HUMAN: Final[RespondentKind] = "human"
SIMULATED_KIND: Final[RespondentKind] = "baseline"


@dataclass(frozen=True, slots=True)
class Made:
    """``uids`` by trial kind and then condition, as kept with the session; ``first`` is the row of its first run."""

    uids: Mapping[str, Mapping[str, str]]
    first: int


def make_runs(
    db: sqlite3.Connection,
    record: StudyRecord,
    prepared: Prepared,
    person: Participant,
    kind: SessionKind,
    session: str,
    planned: Sequence[Planned],
) -> Made:
    """Runs for all that is planned, within the caller's transaction. ``session`` is the session's uid.

    They are named ``STUDY/P17``, ``STUDY/P17-2`` in a second session; a condition is added where a session has
    several, ``practice`` and ``catch`` for those, ``pilot`` in a pilot.
    """
    number = 1 + len(earlier_sessions(db, person.id, record.name))
    label = f"{record.name}/{person.pseudonym}" + (f"-{number}" if number > 1 else "")
    label += " pilot" if kind == "pilot" else ""
    of_main = list(dict.fromkeys(each.condition for each in planned if each.kind == "main"))
    uids: dict[str, dict[str, str]] = {}
    rows: list[int] = []
    for trial_kind in ("main", "practice", "catch"):
        for condition in dict.fromkeys(each.condition for each in planned if each.kind == trial_kind):
            name = label + (f" {condition}" if len(of_main) > 1 else "")
            name += f" {trial_kind}" if trial_kind != "main" else ""
            config = _config(record, prepared, person, kind, session, condition, trial_kind)
            run = insert_run(db, config, free_name(db, name), {"phoropter": own_version()})
            uids.setdefault(trial_kind, {})[condition] = run.uid
            rows.append(run.id)
    return Made(uids, rows[0])


def runs_of(db: sqlite3.Connection, uids: Mapping[str, Mapping[str, str]]) -> dict[tuple[str, str], Run]:
    """A session's runs by (trial kind, condition), from what :func:`make_runs` left with it."""
    return {
        (kind, condition): by_uid(db, uid) for kind, of_kind in uids.items() for condition, uid in of_kind.items()
    }


def _config(
    record: StudyRecord,
    prepared: Prepared,
    person: Participant,
    kind: SessionKind,
    session: str,
    condition: str,
    trial_kind: str,
) -> RunConfig:
    protocol = prepared.protocols[condition]
    return RunConfig(
        benchmark=prepared.benchmark.name,
        subset=prepared.subset,
        protocol=protocol.name,
        respondent=person.pseudonym,
        respondent_kind=SIMULATED_KIND if kind == "simulated" else HUMAN,
        data_digest=prepared.data_digest,
        filter={"study": record.name, "version": record.version, "digest": record.digest},
        options=protocol.options,
        prompts=prepared.prompt_hashes[condition],
        identity_of_respondent={
            "study": record.name,
            "session": session,
            "kind": kind,
            "trials": trial_kind,
            "condition": condition,
        },
        seed=record.seed,
        told=Told.of(prepared.study, record.digest, condition).options,
    )
