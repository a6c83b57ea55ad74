"""One participant's session while it goes on: every method returns when what it says is on disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any, Final

from core.errors import UsageError
from core.records import Answer, Origin, Progress, Status, Step, Trajectory, Turn
from core.study.orders import Planned
from core.study.preparing import Prepared
from sessions import encoding
from sessions.journal import StoreJournal
from sessions.store import Store
from sessions.studies import assigning
from sessions.studies.book import StudyRecord
from sessions.studies.clock import Clock
from sessions.studies.people import Participant
from sessions.studies.planned import plan_of
from sessions.studies.recording import keep_response
from sessions.studies.runs import SessionKind, runs_of
from sessions.studies.said import Reply, Shown, Trial, form_of
from sessions.studies.session import OpenSession

TIMED_OUT: Final = "the time was out"


class HandedOnError(UsageError):
    """What this session had left was given to somebody else: its lease was over, or it was handed back."""


class Sitting(OpenSession):
    """Made by ``claims.claim``; ``close`` it, whatever happens.

    ``plan`` is the whole session, ``planned`` what of it is still to come. ``gap_s`` is how long a resumed session
    was away. Times that a screen tells are those of ``clock.ms()``.
    """

    def __init__(
        self,
        store: Store,
        record: StudyRecord,
        prepared: Prepared,
        person: Participant,
        *,
        session: int,
        uid: str,
        kind: SessionKind,
        slot: int,
        resumed: bool,
        gap_s: float,
        clock: Clock,
        closing: ExitStack,
    ) -> None:
        super().__init__(store, record, person, session, clock, closing)
        self.prepared = prepared
        self.uid = uid
        self.kind = kind
        self.slot = slot
        self.resumed = resumed
        self.gap_s = gap_s
        self._paths: dict[int, Trajectory] = {}
        db = store.reader()
        row = db.execute("SELECT details FROM sessions WHERE id = ?", (session,)).fetchone()
        self._details: dict[str, Any] = encoding.from_json(row[0])
        self._runs = runs_of(db, self._details["runs"])
        self._journals = {key: StoreJournal(store, run, full=True) for key, run in self._runs.items()}
        whole = assigning.of_slot(db, record.id, kind, slot)
        self._assignments = {(each.item, each.condition): each.id for each in whole}
        self.plan = plan_of(prepared, whole, self._details["without"])
        mine = {(each.item, each.condition) for each in whole if each.session == session and each.state == "claimed"}
        self._to_come = {each.position: each for each in self._left(db, mine)}

    @property
    def planned(self) -> tuple[Planned, ...]:
        """What is still to come, in its order."""
        return tuple(self._to_come.values())

    def _left(self, db: sqlite3.Connection, mine: set[tuple[str, str]]) -> tuple[Planned, ...]:
        """Without what is answered, or is not this session's any more."""
        ended = {
            row[0]
            for row in db.execute(
                "SELECT position FROM trials WHERE session = ? AND ended IS NOT NULL", (self.session,)
            )
        }
        return tuple(
            each
            for each in self.plan
            if each.position not in ended and (each.kind != "main" or (each.item.id, each.condition) in mine)
        )

    # -- trials

    async def begin(self, planned: Planned, shown: Shown) -> Trial:
        """The trial is about to stand on the screen. Raises HandedOnError where it is somebody else's by now."""
        now, ms = self.clock.now(), self.clock.ms()
        digest = bytes.fromhex(planned.item.hash)
        details = shown.to_json() | {
            "monotonic_ms": round(ms),
            "block": planned.block,
            "part": planned.part,
            "study": self.record.digest,
        }

        def change(db: sqlite3.Connection) -> tuple[int, bool]:
            if planned.kind == "main":
                self._refuse_lost(db, planned)
            self._live(db, now)
            item = self.store.vocabulary.item(db, planned.item, digest)
            cursor = db.execute(
                "INSERT INTO trials (session, position, item, item_hash, condition, kind, shown, details)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (session, position) DO NOTHING",
                (
                    self.session,
                    planned.position,
                    item,
                    digest,
                    planned.condition,
                    planned.kind,
                    now,
                    encoding.to_json(details),
                ),
            )
            row, ended = db.execute(
                "SELECT id, ended FROM trials WHERE session = ? AND position = ?", (self.session, planned.position)
            ).fetchone()
            if ended is not None:
                raise ValueError(f"trial {planned.position} is over")
            if not cursor.rowcount:
                assigning.note_event(db, self.session, "shown_again", now, details, row)
            return row, not cursor.rowcount

        row, again = await self._write(change)
        return Trial(row, planned, ms, again)

    async def take_up(self, trial: Trial) -> Trajectory:
        """The path of a trial as far as it was answered."""
        trajectory = await self._journal(trial).take_up(trial.item, 0, with_steps=True)
        self._paths[trial.id] = trajectory
        return trajectory

    def next_turn(self, trial: Trial, trajectory: Trajectory) -> Turn | None:
        """What is asked next; None when the trial can be ended."""
        return self.prepared.protocols[trial.planned.condition].next_turn(trial.item, trajectory.steps)

    def is_last(self, trial: Trial, trajectory: Trajectory, values: Mapping[str, str], text: str) -> bool:
        """Whether nothing more would be asked after that answer to the next turn."""
        turn = self.next_turn(trial, trajectory)
        if turn is None:
            return True
        step = self._step(trial, trajectory, turn, Reply(values, text))
        return self.next_turn(trial, trajectory.then(step)) is None

    async def answer(self, trial: Trial, trajectory: Trajectory, reply: Reply) -> Trajectory:
        """Score a reply to the next turn and keep it, with its changes and early keys, all in one transaction.

        When the time was out the answer is empty; what had been chosen and typed so far is kept beside it.
        """
        turn = self.next_turn(trial, trajectory)
        if turn is None or trajectory.item is not trial.item:
            raise ValueError("this trial asks nothing more")
        form = form_of(turn, reply)
        step = self._step(trial, trajectory, turn, reply)
        now, ms = self.clock.now(), self.clock.ms()

        def also(db: sqlite3.Connection, path: int, stored: int) -> None:
            self._live(db, now)
            db.execute("UPDATE trials SET trajectory = ? WHERE id = ?", (path, trial.id))
            keep_response(db, self.session, trial, form, reply, stored, self.clock, now, ms)

        trajectory = await self._journal(trial).add_step(trajectory, step, also=also)
        self._paths[trial.id] = trajectory
        return trajectory

    async def back(self, trial: Trial, trajectory: Trajectory) -> Trajectory:
        """Go back before the last answer of the trial, which stays on record and counts no more."""
        last = trajectory.steps[-1]
        before = trajectory.steps[:-1]
        now = self.clock.now()

        def change(db: sqlite3.Connection) -> None:
            head = before[-1].id if before else None
            db.execute(
                "UPDATE trajectories SET head = ?, progress = 0, updated = ? WHERE id = ? AND head = ?",
                (head, now, trajectory.id, last.id),
            )
            db.execute("UPDATE scores SET counted = ? WHERE step = ?", (encoding.NOT_OWN, last.id))
            assigning.note_event(db, self.session, "back", now, {"step": last.turn.step}, trial.id)

        await self._write(change)
        return await self.take_up(trial)

    async def end_trial(self, trial: Trial, *, timed_out: bool = False, problem: str = "") -> None:
        """The trial is over: it counts from now on, and does not come again.

        One with steps still to ask ends only because its time was out, or because the person said what was wrong with
        the item (``problem``). Raises ValueError else.
        """
        path = self._paths.get(trial.id) or await self.take_up(trial)
        whole = self.next_turn(trial, path) is None
        if not whole and not timed_out and not problem:
            raise ValueError("this trial has more to ask")
        now = self.clock.now()
        planned = trial.planned

        def also(db: sqlite3.Connection, row: int) -> None:
            self._live(db, now)
            db.execute(
                "UPDATE trials SET ended = ?, timed_out = max(timed_out, ?), trajectory = ? WHERE id = ?",
                (now, int(timed_out), row, trial.id),
            )
            if planned.kind == "main":
                assignment = self._assignments[planned.item.id, planned.condition]
                if not assigning.finish(db, assignment, self.session):
                    assigning.note_event(db, self.session, "not_counted", now, {"assignment": assignment}, trial.id)
                    return
                (item,) = db.execute("SELECT item FROM trials WHERE id = ?", (trial.id,)).fetchone()
                assigning.count_later(db, self.session, item, planned.condition)

        progress = Progress.DONE if whole else Progress.FAILED
        reason = "" if whole else problem or TIMED_OUT
        await self._journal(trial).finish(path, progress, reason, also=also)
        self._paths.pop(trial.id, None)
        self._to_come.pop(planned.position, None)

    # -- inside

    def _step(self, trial: Trial, trajectory: Trajectory, turn: Turn, reply: Reply) -> Step:
        """The reply as a step, scored."""
        protocol, benchmark = self.prepared.protocols[trial.planned.condition], self.prepared.benchmark
        text = benchmark.write(trial.item, turn, reply.values) if reply.values else reply.text
        answer = Answer("", Status.EMPTY) if reply.timed_out or not text.strip() else Answer(text)
        scores = tuple(scorer.score(trial.item, turn, answer) for scorer in self.prepared.scorers)
        choice = protocol.choice(trial.item, turn, scores[0] if scores else None)
        repeat = self._askings(trajectory, turn.step)
        return Step(turn, answer, scores, Origin.RESPONDENT, choice, repeat=repeat)

    def _journal(self, trial: Trial) -> StoreJournal:
        return self._journals[trial.planned.kind, trial.planned.condition]

    def _refuse_lost(self, db: sqlite3.Connection, planned: Planned) -> None:
        assignment = self._assignments[planned.item.id, planned.condition]
        row = db.execute("SELECT session, state FROM assignments WHERE id = ?", (assignment,)).fetchone()
        if row is None or row[0] != self.session:
            raise HandedOnError(
                "what was left of this session was given to somebody else",
                where=self.person.pseudonym,
                remedy="What was answered is kept. End it here; a new session can be begun",
            )

    def _askings(self, trajectory: Trajectory, step: str) -> int:
        """How often this step was answered and gone back before, with the same answers before it."""
        if not trajectory.id:
            return 0
        row = self.store.reader().execute(
            "SELECT count(*) FROM steps JOIN step_names ON step_names.id = steps.name WHERE steps.trajectory = ?"
            " AND ifnull(steps.parent, 0) = ? AND step_names.name = ?",
            (trajectory.id, trajectory.steps[-1].id if trajectory.steps else 0, encoding.to_text(step)),
        )
        return int(row.fetchone()[0])
