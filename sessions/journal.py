"""The engine's journal on the store: each step with its scores, reading, pictures and call in one change."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from core.errors import StoreError
from core.records import Answer, Call, Item, Origin, Progress, SentPicture, Step, Trajectory
from sessions import encoding, ledger
from sessions.forks import remove_fork
from sessions.recalls import Recalls
from sessions.replay import Replay
from sessions.runs import Run
from sessions.store import Store
from sessions.writer import Writer

_Main: TypeAlias = tuple[int, int, str]  # row, progress code and lane of a main trajectory

Also: TypeAlias = Callable[[sqlite3.Connection, int, int], None]
"""What is kept in the same transaction as a step: called with the connection, the trajectory's row and the step's."""

_DONE: Final = encoding.PROGRESS_CODE[Progress.DONE]

_INSERT_STEP: Final = (
    "INSERT INTO steps (parent, trajectory, name, prompt, gold, lane, repeat, origin, status, made_by, text,"
    " reasoning, choice, sent, picture, call, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT DO NOTHING"
)
_SAME_STEP: Final = (
    "SELECT id FROM steps WHERE trajectory = ? AND ifnull(parent, 0) = ? AND name = ? AND repeat = ?"
    " AND origin = ? AND lane = ?"
)
_INSERT_SCORE: Final = (
    "INSERT INTO scores (step, scorer, run, item, name, lane, counted, status, right, scored)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
)
_INSERT_READING: Final = (
    "INSERT INTO readings (step, scorer, parsed, spans) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
)
# only from where the caller stood: a head that another process moved on is left there
_MOVE_HEAD: Final = (
    "UPDATE trajectories SET head = ?, lane = ?, progress = ?, reason = NULL, failed_step = NULL, updated = ?"
    " WHERE id = ? AND head IS ?"
)


class StoreJournal:
    """Implements ``core.journal.Journal`` for one run.

    The first ``take_up`` reads which trajectories exist, so that a finished run resumes at once; those of other
    processes are seen as they appear, and the same trajectory is never stored twice: the step that came first
    stands, and is what ``add_step`` returns. ``base`` is the run whose steps :meth:`base_steps` offers. ``full``
    waits for the disk with every write (people's answers).
    """

    def __init__(self, store: Store, run: Run, *, base: Run | None = None, full: bool = False) -> None:
        self.store = store
        self.run = run
        self.base = base
        self._full = full
        self._words = store.vocabulary
        self._replays: dict[int, Replay] = {}  # by thread: each has its connection
        self._recalls = Recalls(self._replay, run.id if run.asks_anew else None)
        self._main = _Mains(store, run.id)
        self._base = None if base is None else _Mains(store, base.id)
        self._new: dict[int, tuple[Item, bytes]] = {}  # by id(item): taken up, nothing stored yet
        self._begun: dict[int, tuple[int, bytes]] = {}  # by trajectory: its item's row and hash

    # -- Journal

    async def take_up(self, item: Item, repeat: int, *, with_steps: bool = False) -> Trajectory:
        """The run's trajectory for this item: a new one, an open or failed one with its steps, or a done one
        (its steps only ``with_steps``)."""
        digest = bytes.fromhex(item.hash)
        found = self._main.known().get((digest, repeat)) or self._elsewhere(digest, repeat)
        if found is None:
            self._new[id(item)] = (item, digest)  # the item is kept so that its id stays its own
            return Trajectory(item, repeat)
        row, progress, lane = found
        if progress == _DONE and not with_steps:
            return Trajectory(item, repeat, lane=lane, progress=Progress.DONE, id=row)
        try:
            stored = self._replay().trajectory(row, item)
        except KeyError:
            raise StoreError(
                "the run was deleted meanwhile", where=self.run.name, remedy="The same command makes it anew"
            ) from None
        if stored.progress is Progress.FAILED:
            lane = stored.steps[-1].lane if stored.steps else ""
            return replace(stored, progress=Progress.OPEN, reason="", lane=lane)
        return stored

    def done_among(self, items: Iterable[Item], repeats: int) -> int:
        """How many of these items' main trajectories, so many of each, are done."""
        known, plain = self._main.known(), range(repeats)
        keys = ((bytes.fromhex(item.hash), repeat) for item in items for repeat in plain)
        return sum((main := known.get(key)) is not None and main[1] == _DONE for key in keys)

    async def all_on(self, item: Item) -> tuple[Trajectory, ...]:
        """All the run's trajectories on this item with their steps, forks after what they were forked from."""
        rows = self.store.reader().execute(
            "SELECT t.id FROM items JOIN trajectories AS t ON t.item = items.id WHERE items.hash = ? AND t.run = ?"
            " ORDER BY t.id",
            (bytes.fromhex(item.hash), self.run.id),
        )
        return tuple(self._replay().trajectory(row, item) for (row,) in rows.fetchall())

    async def add_step(
        self, trajectory: Trajectory, step: Step, *, last: bool = False, also: Also | None = None
    ) -> Trajectory:
        """Append a step at the head, and do ``also`` with it; the ``last`` one ends the trajectory. Where the same
        step is stored already (another process was faster, or a retry), the stored one is returned and nothing is
        written."""
        return await self._add(trajectory, step, moves=True, last=last, also=also)

    async def add_sibling(self, trajectory: Trajectory, step: Step) -> Step:
        """Store a step after the head without moving it."""
        return (await self._add(trajectory, step, moves=False)).steps[-1]

    async def sibling(self, trajectory: Trajectory, step: str, repeat: int) -> Step | None:
        """The respondent's answer to that step after the head, stored by ``add_sibling``, if any."""
        row = (
            self.store.reader()
            .execute(
                "SELECT steps.id FROM steps JOIN step_names ON step_names.id = steps.name WHERE steps.trajectory = ?"
                " AND ifnull(steps.parent, 0) = ? AND step_names.name = ? AND steps.repeat = ? AND steps.origin = 0",
                (
                    trajectory.id,
                    trajectory.steps[-1].id if trajectory.steps else 0,
                    encoding.to_text(step),
                    repeat,
                ),
            )
            .fetchone()
        )
        return self._replay().steps([row[0]])[0][0] if row is not None else None

    async def recall(self, request_hash: str, repeat: int, behind: str | None = None) -> Answer | None:
        """The latest answer that exactly this request got before, in any run (in this one where that is to ask anew),
        without its call, which was paid there. ``behind``: see ``core.journal``."""
        return await self._recalls.answer(request_hash, repeat, behind)

    async def call_of(self, step: Step, *, raw: bool = True) -> Call | None:
        """The request and reply behind a stored step, None where nothing was sent for it; both are left empty without
        ``raw``."""
        row = self.store.reader().execute("SELECT call FROM steps WHERE id = ?", (step.id,)).fetchone()
        return None if row is None or row[0] is None else self._replay().call(row[0], raw=raw)

    async def pictures(self, hashes: Sequence[str]) -> Mapping[str, SentPicture]:
        """Those of these pictures that were sent before, with their bytes."""
        return self._replay().pictures(hashes)

    async def fork(self, trajectory: Trajectory, keep: int) -> Trajectory:
        """A new open trajectory that shares the first ``keep`` steps; the old one stays as it is."""
        steps = trajectory.steps[:keep]
        lane = steps[-1].lane if steps else ""
        head = steps[-1].id if steps else None
        known, digest = self._known(trajectory)

        def change(db: sqlite3.Connection) -> tuple[int, int, int]:
            parent, item = self._row(db, trajectory, known, digest)
            now = encoding.now_ms()
            cursor = db.execute(
                "INSERT INTO trajectories (run, item, repeat, parent, fork, lane, head, created, updated)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (self.run.id, item, trajectory.repeat, parent, keep, self._words.lane(db, lane), head, now, now),
            )
            assert cursor.lastrowid is not None
            return cursor.lastrowid, parent, item

        row, parent, item = await self._writer.submit(change, full=self._full)
        self._begun[row] = (item, digest)
        return Trajectory(trajectory.item, trajectory.repeat, steps, lane, parent=parent, fork=keep, id=row)

    async def finish(
        self,
        trajectory: Trajectory,
        progress: Progress,
        reason: str = "",
        call: Call | None = None,
        *,
        step: str = "",
        also: Callable[[sqlite3.Connection, int], None] | None = None,
    ) -> Trajectory:
        """Mark it done or failed; a done one stays done. ``call`` is the failed call for the ledger, ``step`` the
        name of the step where it failed, ``also`` is done with it (connection, the trajectory's row)."""
        known, digest = self._known(trajectory)

        def change(db: sqlite3.Connection) -> int:
            row, _ = self._row(db, trajectory, known, digest)
            db.execute(
                "UPDATE trajectories SET progress = ?, lane = ?, reason = ?, failed_step = ?, updated = ?"
                " WHERE id = ? AND progress <> ?",
                (
                    encoding.PROGRESS_CODE[progress],
                    self._words.lane(db, trajectory.lane),
                    encoding.to_text(reason) or None,
                    encoding.to_text(step) or None,
                    encoding.now_ms(),
                    row,
                    _DONE,
                ),
            )
            if call is not None:
                self._enter(db, call, row, trajectory.repeat)
            if also is not None:
                also(db, row)
            return row

        row = await self._writer.submit(change, full=self._full)
        return self._ended(replace(trajectory, progress=progress, reason=reason, id=row), digest)

    async def remove_fork(self, fork: Trajectory) -> None:
        """Remove a fork of this run, and the forks made from it, with all that is theirs alone."""
        found = await asyncio.to_thread(remove_fork, self.store, fork.id, self.run)
        for row in found.trajectories:
            self._begun.pop(row, None)

    # -- another run's steps

    async def base_steps(self, item: Item, repeat: int, before: str = "") -> tuple[Step, ...]:
        """The base run's plain steps for this item up to, not with, the step named ``before`` (all of them without a
        name); their ids stay, so that a step added after them has its parent in that run. Empty where the base has
        none."""
        if self._base is None:
            return ()
        found = self._base.known().get((bytes.fromhex(item.hash), repeat))
        if found is None:
            return ()
        out = []
        for step in self._replay().trajectory(found[0], item).steps:
            if step.turn.step == before or step.lane:
                break
            out.append(step)
        return tuple(out)

    # -- inside

    @property
    def _writer(self) -> Writer:
        """Raises StoreError where the store is open for reading only."""
        return self.store.writer

    def _replay(self) -> Replay:
        thread = threading.get_ident()
        replay = self._replays.get(thread)
        if replay is None or replay.db is not self.store.reader():
            replay = self._replays[thread] = Replay(self.store.reader())
        return replay

    def _elsewhere(self, digest: bytes, repeat: int) -> _Main | None:
        """A trajectory that another process made since this journal was opened."""
        found: _Main | None = (
            self.store.reader()
            .execute(
                "SELECT t.id, t.progress, lanes.label FROM items JOIN trajectories AS t ON t.item = items.id"
                " JOIN lanes ON lanes.id = t.lane"
                " WHERE items.hash = ? AND t.run = ? AND t.repeat = ? AND t.parent IS NULL",
                (digest, self.run.id, repeat),
            )
            .fetchone()
        )
        return found

    def _ended(self, trajectory: Trajectory, digest: bytes) -> Trajectory:
        self._begun.pop(trajectory.id, None)
        self._new.pop(id(trajectory.item), None)
        if trajectory.parent is None:
            progress = encoding.PROGRESS_CODE[trajectory.progress]
            self._main.put(digest, trajectory.repeat, (trajectory.id, progress, trajectory.lane))
        return trajectory

    def _known(self, trajectory: Trajectory) -> tuple[int | None, bytes]:
        """The row of the trajectory's item where it is known, and its hash."""
        begun = self._begun.get(trajectory.id)
        if begun is not None:
            return begun
        new = self._new.get(id(trajectory.item))
        return None, new[1] if new is not None else bytes.fromhex(trajectory.item.hash)

    def _row(
        self, db: sqlite3.Connection, trajectory: Trajectory, item: int | None, digest: bytes
    ) -> tuple[int, int]:
        """The rows of the trajectory and its item, made where they are not stored yet. Two processes that begin the
        same one end up with one row."""
        if item is None:
            item = self._words.item(db, trajectory.item, digest)
        if trajectory.id:
            return trajectory.id, item
        now = encoding.now_ms()
        head = trajectory.steps[-1].id if trajectory.steps else None
        cursor = db.execute(
            "INSERT INTO trajectories (run, item, repeat, lane, head, created, updated) VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            (self.run.id, item, trajectory.repeat, self._words.lane(db, trajectory.lane), head, now, now),
        )
        if cursor.rowcount:
            assert cursor.lastrowid is not None
            return cursor.lastrowid, item
        found = db.execute(
            "SELECT id FROM trajectories WHERE run = ? AND item = ? AND repeat = ? AND parent IS NULL",
            (self.run.id, item, trajectory.repeat),
        ).fetchone()
        return found[0], item

    async def _add(
        self, trajectory: Trajectory, step: Step, *, moves: bool, last: bool = False, also: Also | None = None
    ) -> Trajectory:
        known, digest = self._known(trajectory)
        gold = encoding.gold_to_json(step.turn) if step.turn.gold or step.turn.gold_text else None
        readings = [
            (encoding.to_json(dict(score.parsed)), encoding.spans_to_json(score.parsed, score.spans))
            if score.parsed or score.spans
            else None
            for score in step.scores
        ]
        parent = trajectory.steps[-1].id if trajectory.steps else None
        own = encoding.OWN if trajectory.parent is None else encoding.OWN_ON_FORK
        progress = encoding.PROGRESS_CODE[Progress.DONE if last else Progress.OPEN]

        def change(db: sqlite3.Connection) -> tuple[int, int, int, bool, bool]:
            words, turn, answer = self._words, step.turn, step.answer
            row, item = self._row(db, trajectory, known, digest)
            name, lane = words.name(db, turn.step), words.lane(db, step.lane)
            origin = encoding.ORIGIN_CODE[step.origin]
            now = encoding.now_ms()
            call = None if answer.recalled is None else answer.recalled.call
            if call is not None:
                ledger.recalled(db, call, self.run.id, step.repeat)
            if answer.call is not None:
                call = self._enter(db, answer.call, row, step.repeat)
            cursor = db.execute(
                _INSERT_STEP,
                (
                    parent,
                    row,
                    name,
                    words.prompt(db, turn),
                    None if gold is None else words.gold(db, gold),
                    lane,
                    step.repeat,
                    origin,
                    encoding.STATUS_CODE[answer.status],
                    1 if turn.made_by == "person" else 0,
                    encoding.to_text(answer.text),
                    encoding.to_text(answer.reasoning) or None,
                    None if step.choice is None else encoding.to_text(step.choice),
                    words.picture_set(db, answer.sent),
                    None if answer.picture is None else words.picture_set(db, (answer.picture,)),
                    call,
                    now,
                ),
            )
            if (
                not cursor.rowcount
            ):  # stored before: that one stands; a call made for it is in the ledger all the same
                values = (row, parent or 0, name, step.repeat, origin, lane)
                return row, item, db.execute(_SAME_STEP, values).fetchone()[0], False, False
            stored = cursor.lastrowid
            assert stored is not None
            counted = own if step.origin is Origin.RESPONDENT else encoding.NOT_OWN
            for score, reading in zip(step.scores, readings, strict=True):
                scorer = words.scorer(db, score.scorer, score.version)
                status = encoding.PARSE_CODE[score.status]
                db.execute(
                    _INSERT_SCORE,
                    (stored, scorer, self.run.id, item, name, lane, counted, status, score.right, score.scored),
                )
                if reading is not None:
                    db.execute(_INSERT_READING, (stored, scorer, *reading))
            moved = moves and db.execute(_MOVE_HEAD, (stored, lane, progress, now, row, parent)).rowcount == 1
            if also is not None:
                also(db, row, stored)
            return row, item, stored, True, last and moved

        row, item, stored, fresh, ended = await self._writer.submit(change, full=self._full)
        step = replace(step, id=stored) if fresh else self._replay().steps([stored])[0][0]
        longer = replace(trajectory, steps=(*trajectory.steps, step), lane=step.lane, id=row)
        if ended:
            return self._ended(replace(longer, progress=Progress.DONE), digest)
        if row not in self._begun:
            self._begun[row] = (item, digest)
            self._new.pop(id(trajectory.item), None)
        return longer

    def _enter(self, db: sqlite3.Connection, call: Call, trajectory: int, repeat: int) -> int:
        """One line of the ledger."""
        return ledger.enter(db, self._words, call, self.run.id, trajectory, repeat)


class _Mains:
    """A run's main trajectories by item hash and repeat, read when first asked for: a screen never asks."""

    def __init__(self, store: Store, run: int) -> None:
        self._store = store
        self._run = run
        self._known: dict[tuple[bytes, int], _Main] | None = None

    def known(self) -> dict[tuple[bytes, int], _Main]:
        if self._known is None:
            rows = self._store.reader().execute(
                "SELECT items.hash, t.repeat, t.id, t.progress, lanes.label FROM trajectories AS t"
                " JOIN items ON items.id = t.item JOIN lanes ON lanes.id = t.lane"
                " WHERE t.run = ? AND t.parent IS NULL",
                (self._run,),
            )
            self._known = {
                (digest, repeat): (row, progress, encoding.from_text(lane))
                for digest, repeat, row, progress, lane in rows
            }
        return self._known

    def put(self, digest: bytes, repeat: int, main: _Main) -> None:
        if self._known is not None:
            self._known[digest, repeat] = main
