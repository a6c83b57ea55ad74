"""A study's sessions, trials and responses as stored, for everything that looks at them afterwards."""

# ruff: noqa: S608  (only texts of this house are put into SQL; values are parameters)

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from core.benchmarks import registry
from core.benchmarks.base import Benchmark
from core.errors import UsageError
from core.records import EMPTY, Json
from core.study.figures import Scheme
from sessions import encoding
from sessions.runs import Run, find_run
from sessions.store import Store
from sessions.studies import book
from sessions.studies.book import StudyRecord

Kind: TypeAlias = Literal["main", "pilot", "simulated"]
KINDS: Final[tuple[Kind, ...]] = ("main", "pilot", "simulated")

MAIN: Final = "main"
CATCH: Final = "catch"
GOING_ON: Final = ("open", "paused")


@dataclass(frozen=True, slots=True)
class Excluded:
    """Why a session does not count: by a rule of the study's file, or (rule "") by hand."""

    id: int
    rule: str
    reason: str
    author: str
    created: int


@dataclass(frozen=True, slots=True)
class Sat:
    """One session as stored. ``exclusions`` are those that stand. Times are milliseconds since 1970."""

    id: int
    uid: str
    study: int
    participant: int
    person: str
    run: int | None
    kind: str
    state: str
    slot: int | None
    seed: int
    station: str
    experimenter: str
    created: int
    ended: int | None
    details: Mapping[str, Json] = field(default_factory=lambda: EMPTY)
    exclusions: tuple[Excluded, ...] = ()

    @property
    def excluded(self) -> bool:
        return bool(self.exclusions)

    @property
    def going_on(self) -> bool:
        return self.state in GOING_ON


@dataclass(frozen=True, slots=True)
class SatTrial:
    """One trial as stored. ``key`` is the item's id, ``item`` its row."""

    id: int
    session: int
    position: int
    item: int
    key: str
    item_hash: str
    trajectory: int | None
    condition: str
    kind: str
    shown: int | None
    ended: int | None
    timed_out: bool
    details: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Responded:
    """One answer as its trial has it. ``step`` is the step's row, ``name`` its name ("" where no step was made)."""

    id: int
    trial: int
    step: int | None
    name: str
    form: Mapping[str, Json]
    first_ms: int | None
    final_ms: int | None
    paused_ms: int
    revisions: int
    confidence: float | None
    timed_out: bool
    created: int
    details: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Found:
    """A study with the sessions of one kind: of the version named, and of those whose answers it keeps."""

    record: StudyRecord
    records: tuple[StudyRecord, ...]
    benchmark: Benchmark
    subset: str
    kind: Kind
    sessions: tuple[Sat, ...]

    @property
    def kept(self) -> tuple[Sat, ...]:
        """The sessions that are not excluded."""
        return tuple(session for session in self.sessions if not session.excluded)

    @property
    def scheme(self) -> Scheme:
        return Scheme(self.benchmark.layout, self.benchmark.pooled, self.record.study.design.raters)


def find(store: Store, name: str, kind: Kind = "main", version: int = 0) -> Found:
    """The newest version of a study (or that one) with its sessions of a kind. UsageError for an unknown one."""
    record = book.find(store, name, version)
    records = (record, *(book.by_id(store, row) for row in record.keeps_quota_of))
    benchmark, subset = registry.parse_name(record.study.benchmark)
    found = sessions_of(store, [each.id for each in records], (kind,))
    return Found(record, records, benchmark, subset, kind, found)


def studies_of(store: Store) -> list[str]:
    """The names of all studies in the store."""
    rows = store.reader().execute("SELECT DISTINCT name FROM studies ORDER BY name")
    return [encoding.from_text(row[0]) for row in rows]


_SESSIONS: Final = (
    "SELECT s.id, s.uid, s.study, s.participant, p.pseudonym, s.run, s.kind, s.state, s.slot, s.seed, s.station,"
    " s.experimenter, s.created, s.ended, s.details FROM sessions AS s JOIN participants AS p ON p.id = s.participant"
)


def sessions_of(store: Store, studies: Sequence[int], kinds: Sequence[str] = KINDS) -> tuple[Sat, ...]:
    """The sessions of these versions and kinds, the oldest first; withdrawn ones are no longer there."""
    db = store.reader()
    rows = db.execute(
        f"{_SESSIONS} WHERE s.study IN (SELECT value FROM json_each(?1)) AND s.kind IN"
        " (SELECT value FROM json_each(?2)) ORDER BY s.created, s.id",
        (encoding.to_json(list(studies)), encoding.to_json(list(kinds))),
    ).fetchall()
    standing = _exclusions(store, [row[0] for row in rows])
    return tuple(
        Sat(
            row[0],
            row[1],
            row[2],
            row[3],
            encoding.from_text(row[4]),
            row[5],
            row[6],
            row[7],
            row[8],
            row[9],
            encoding.from_text(row[10]),
            encoding.from_text(row[11]),
            row[12],
            row[13],
            encoding.from_json(row[14]),
            tuple(standing.get(row[0], ())),
        )
        for row in rows
    )


def _exclusions(store: Store, sessions: Sequence[int]) -> Mapping[int, Sequence[Excluded]]:
    out: dict[int, list[Excluded]] = defaultdict(list)
    for session, row, rule, reason, author, created in store.reader().execute(
        "SELECT session, id, rule, reason, author, created FROM exclusions WHERE lifted IS NULL"
        " AND session IN (SELECT value FROM json_each(?)) ORDER BY id",
        (encoding.to_json(list(sessions)),),
    ):
        texts = encoding.from_text(rule), encoding.from_text(reason), encoding.from_text(author)
        out[session].append(Excluded(row, *texts, created))
    return out


def trials_of(store: Store, sessions: Iterable[Sat], *, ended: bool = True) -> list[SatTrial]:
    """Their trials in order; ``ended``: only those that were gone through to the end."""
    rows = store.reader().execute(
        "SELECT t.id, t.session, t.position, t.item, i.key, t.item_hash, t.trajectory, t.condition, t.kind, t.shown,"
        " t.ended, t.timed_out, t.details FROM trials AS t JOIN items AS i ON i.id = t.item"
        " WHERE t.session IN (SELECT value FROM json_each(?)) ORDER BY t.session, t.position",
        (encoding.to_json([session.id for session in sessions]),),
    )
    found = [
        SatTrial(
            row[0],
            row[1],
            row[2],
            row[3],
            encoding.from_text(row[4]),
            row[5].hex() if isinstance(row[5], bytes) else encoding.from_text(row[5]),
            row[6],
            encoding.from_text(row[7]),
            row[8],
            row[9],
            row[10],
            bool(row[11]),
            encoding.from_json(row[12]),
        )
        for row in rows
    ]
    return [trial for trial in found if trial.ended is not None or not ended]


def counted_trials(store: Store, found: Found, sessions: Sequence[Sat]) -> list[SatTrial]:
    """The main trials of these sessions that were gone through to the end. Of earlier versions whose answers are
    kept, only those to items and conditions that the newest still has."""
    old = {session.id for session in sessions if session.study != found.record.id}
    still = assigned(store, found) if old else set()
    return [
        trial
        for trial in trials_of(store, sessions)
        if trial.kind == MAIN and (trial.session not in old or not still or (trial.item, trial.condition) in still)
    ]


def assigned(store: Store, found: Found) -> set[tuple[int, str]]:
    """Items by condition that the study's newest version was dealt; none where it was not yet."""
    rows = store.reader().execute(
        "SELECT DISTINCT item, condition FROM assignments WHERE study = ? AND kind = ?",
        (found.record.id, found.kind),
    )
    return {(item, encoding.from_text(condition)) for item, condition in rows}


def responses_of(store: Store, trials: Iterable[SatTrial]) -> dict[int, list[Responded]]:
    """By trial, in the order they were given."""
    out: dict[int, list[Responded]] = defaultdict(list)
    for row in store.reader().execute(
        "SELECT r.id, r.trial, r.step, n.name, r.form, r.first_ms, r.final_ms, r.paused_ms, r.revisions,"
        " r.confidence, r.timed_out, r.created, r.details FROM responses AS r"
        " LEFT JOIN steps AS s ON s.id = r.step LEFT JOIN step_names AS n ON n.id = s.name"
        " WHERE r.trial IN (SELECT value FROM json_each(?)) ORDER BY r.id",
        (encoding.to_json([trial.id for trial in trials]),),
    ):
        out[row[1]].append(
            Responded(
                row[0],
                row[1],
                row[2],
                encoding.from_text(row[3]),
                encoding.from_json(row[4]),
                row[5],
                row[6],
                row[7],
                row[8],
                row[9],
                bool(row[10]),
                row[11],
                encoding.from_json(row[12]),
            )
        )
    return out


def runs_of(store: Store, found: Found) -> dict[str, Run]:
    """For each condition the run of one session, whose protocol and options are those of the condition."""
    out: dict[str, Run] = {}
    for condition, uid in store.reader().execute(
        "SELECT t.condition, min(r.uid) FROM trials AS t JOIN trajectories AS j ON j.id = t.trajectory"
        " JOIN runs AS r ON r.id = j.run WHERE t.kind = 'main' AND t.session IN (SELECT value FROM json_each(?))"
        " GROUP BY t.condition",
        (encoding.to_json([session.id for session in found.sessions]),),
    ):
        out[encoding.from_text(condition)] = find_run(store, uid, exact=True)
    return out


def find_session(found: Found, named: str) -> Sat:
    """The session of that number, uid (or its beginning), or of the only session of that pseudonym; UsageError, also
    where one's number is another one's pseudonym."""
    wanted = [s for s in found.sessions if named in (str(s.id), s.uid, s.person)]
    wanted = wanted or [s for s in found.sessions if len(named) >= 4 and s.uid.startswith(named)]
    if len(wanted) == 1:
        return wanted[0]
    if wanted:
        apart = not any(s.person == str(other.id) for s in wanted for other in wanted)
        told = ", ".join(str(session.id) if apart else session.uid for session in wanted)
        raise UsageError(
            f"{len(wanted)} sessions are meant",
            where=named,
            remedy=f"Name one by its {'number' if apart else 'uid'}: {told}",
        )
    raise UsageError(
        "there is no such session in this study",
        where=named[:100],
        remedy="`phoropter study exclude FILE` without a session lists them",
    )
